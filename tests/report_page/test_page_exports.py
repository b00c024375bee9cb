"""Charts and tables of the page can be saved, and explain themselves."""

from __future__ import annotations

import csv
import io
import re

from opened_page import near, one, opened, texts_of
from playwright.sync_api import expect

import uccurve as uc


def test_saved_curves_explain_themselves(page, case):
    """Title, caption, a key to every line and mark that is there; nothing that only a hand could use."""
    page.tab.locator("#show-cost").check()
    drawing = page.saved("main-chart", "svg").read_text()
    said = texts_of(drawing)
    factor = case.curve("scaled").at(miss_rate=0.1).parameter
    for words in (
        "Loads",
        "Miss rate against bandwidth.",
        f"at 90% coverage: scaled × {factor:.4g}",
        "constant width of other",
        "limit, symmetric bands",
        "limit, bands on one side",
        "operating point",
        "as supplied",
        "cheapest, c = ",
        "equal cost",
        "95% band",
    ):
        assert words in said
    assert "crosshair" not in drawing
    for box in ("limit", "band", "constant"):
        page.tab.locator(f"#show-{box}").uncheck()
    page.tab.get_by_role("button", name="damped", exact=True).click()
    said = texts_of(page.saved("main-chart", "svg").read_text())
    assert not any(words in said for words in ("limit", "constant width", "95% band", "damped"))


def test_saved_intervals_and_regimes_explain_themselves(page, case):
    """The factor, what is captured and what is missed; and the full names of the models."""
    page.tab.select_option("#rows-model", label="scaled")
    expect(page.tab.locator("#rows-note")).to_contain_text("scaled: ")  # drawn once it is in sight
    said = texts_of(page.saved("rows-chart", "svg").read_text())
    note = page.tab.locator("#rows-note").inner_text().replace("\u202f", " ")
    for words in ("Loads", "at 90% coverage", "captured", "missed", "predicted", "interval of scaled"):
        assert words in said
    assert note in said.replace("\u202f", " ")
    best = {name for name in uc.compare(case.models, n_resamples=49, rng=0).regimes.columns()["best"] if name}
    said = texts_of(page.saved("regimes-chart", "svg").read_text())
    assert all(name in said for name in best)
    assert "Best by coverage" in said


def test_long_names_are_wrapped_in_pictures(browser, tmp_path):
    """Whole, and inside the picture."""
    name = "a model with a very long name, " * 6 + "x" * 150
    page = opened(browser, uc.report({name: one()}, tmp_path / "page.html", n_resamples=9, rng=0))
    for target in ("main-chart", "regimes-chart"):
        drawing = page.saved(target, "svg").read_text()
        parts = re.findall(r"(?<!…)\bx+\b", texts_of(drawing))  # names beside lines lose their middle
        assert sum(map(len, parts)) % 150 == 0
        assert len(parts) > 0
        width = float(re.search(r'viewBox="0 0 ([\d.]+) ', drawing).group(1))
        tab = page.tab.context.new_page()
        tab.set_content(drawing)
        ends = tab.evaluate(
            "[...document.querySelectorAll('text')].map((n) => n.getBoundingClientRect().right)"
        )
        left = tab.evaluate("document.querySelector('svg').getBoundingClientRect().left")
        assert max(ends) - left <= width
        tab.close()
    assert page.troubles == []
    page.tab.context.close()


def test_charts_and_tables_can_be_saved(page, case, tmp_path):
    """As SVG and PNG of their own, and as CSV with all digits."""
    saved = {}
    for name, kind in (
        ("main-chart", "svg"),
        ("main-chart", "png"),
        ("rows-chart", "png"),
        ("scores-table", "csv"),
        ("points-table", "csv"),
    ):
        with page.tab.expect_download() as download:
            page.tab.locator(f'[data-target="{name}"][data-export="{kind}"]').click()
        saved[name, kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name, kind])
    drawing = saved["main-chart", "svg"].read_text()
    assert drawing.startswith("<svg")
    assert "var(" not in drawing
    assert "class=" not in drawing
    assert all(f">{name}</text>" in drawing for name in [*case.models, "constant width of scaled"])
    for name in ("main-chart", "rows-chart"):
        picture = saved[name, "png"].read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 10_000
    rows = list(csv.DictReader(io.StringIO(saved["scores-table", "csv"].read_text())))
    assert {row["model"] for row in rows} > set(case.models)
    assert rows[0]["model"] == case.leader == "scaled"
    assert float(rows[0]["area (kWh)"]) == case.curve("scaled").area()
    assert rows[0]["gain low"] != ""
    assert float(rows[0]["gain low"]) < float(rows[0]["gain"]) < float(rows[0]["gain high"])
    rows = list(csv.DictReader(io.StringIO(saved["points-table", "csv"].read_text())))
    assert float(rows[1]["bandwidth (kWh)"]) == near(case.curve("damped").at(miss_rate=0.1).bandwidth)
