"""Charts and tables of the page can be saved, and explain themselves."""

from __future__ import annotations

import csv
import io

from opened_page import near, texts_of


def test_saved_curves_explain_themselves(page, case):
    """Title, caption, a key to every line and mark that is there; nothing that only a hand could use."""
    drawing = page.saved("main-chart", "svg").read_text()
    said = texts_of(drawing)
    factor = case.curve("scaled").at(miss_rate=0.1).parameter
    for words in ("Loads", f"at 90% coverage: scaled × {factor:.4g}", "constant width of other", "95% band"):
        assert words in said
    assert "crosshair" not in drawing
    for box in ("limit", "band", "constant"):
        page.tab.locator(f"#show-{box}").uncheck()
    page.tab.get_by_role("button", name="damped", exact=True).click()
    said = texts_of(page.saved("main-chart", "svg").read_text())
    assert not any(words in said for words in ("limit", "constant width", "95% band", "damped"))


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
