"""Files that are saved stand on their own: names, units, coverage, ends of intervals; no formula, no cut label."""

from __future__ import annotations

import csv
import itertools
import re

import pytest
from opened_page import near, opened
from pages import PAGES, one_model, write_page

import uccurve as uc


def test_tables_have_all_digits_units_and_coverage(page):
    """And their names come from the title."""
    models, options = PAGES["differing"]()
    comparison = uc.compare(models, by=options["by"], n_resamples=999, rng=0)
    page.choose(80)
    assert page.saved("models-table", "csv")[0] == "loads-models.csv"
    rows = {row["model"]: row for row in page.table("models-table")}
    for name, intervals in models.items():
        point, row = intervals.ucc().at(coverage=0.8), rows[name]
        assert float(row["coverage"]) == pytest.approx(0.8)
        assert float(row["half-width (kWh)"]) == near(point.bandwidth)
        assert float(row["interval score (kWh)"]) == near(intervals.ucc().score_at(coverage=0.8))
        assert float(row["moved by (scale)"]) == near(point.parameter)
    segments = page.table("segments-table")
    assert len(segments) == 4
    for row in segments:
        part = models[row["model"]].by(options["by"])[row["segment"]].ucc()
        parameter = models[row["model"]].ucc().at(coverage=0.8).parameter
        assert float(row["covers"]) == pytest.approx(part.at(parameter=parameter).coverage, abs=1e-6)
        assert float(row["from"]) <= float(row["covers"]) <= float(row["to"])
    page.tab.locator("#method").evaluate("node => { node.open = true; }")
    tests = {(test.a, test.b): test for test in comparison.tests}
    for row in page.table("pairs-table"):
        ratio = tests[row["model"], row["other"]].ratio
        ends = (row["ratio"], row["ratio from"], row["ratio to"])
        assert list(map(float, ends)) == [near(end) for end in (ratio.value, ratio.low, ratio.high)]
    scores = {score.model: score for score in comparison.scores}
    for row in page.table("areas-table"):
        assert float(row["area (kWh)"]) == near(scores[row["model"]].area)
        assert float(row["gain"]) == near(scores[row["model"]].gain.value)


def test_lines_of_every_view_can_be_saved(page):
    """With what they are held against, and the ends of their bands."""
    for view, expected in (
        ("reference", {"against", "difference", "difference from", "interval score (kWh)"}),
        ("own", {"against", "difference to"}),
        ("curve", {"half-width (kWh)", "half-width from"}),
        ("reliability", {"claimed", "observed"}),
    ):
        page.tab.locator(f"[data-view={view}]").click()
        rows = page.table("chart")
        assert expected <= set(rows[0])
        assert {row["model"] for row in rows} >= {"boosting", "linear"}


def test_pictures_carry_their_title_in_light_colors(browser, pages):
    """Even where the screen is dark; no label lies outside."""
    page = opened(browser, pages("differing"), color_scheme="dark")
    name, file = page.saved("chart", "svg")
    drawing = file.read_text("utf-8")
    assert name == "loads-compared.svg"
    assert not re.search(r"var\(|class=|rgb\(26, 32, 41\)", drawing)
    title = page.tab.locator("#chart-title").inner_text()
    assert title.split(" ", 1)[0] in drawing
    for text in ("boosting", "linear", "90%", "Interval score against"):
        assert text in drawing
    for target in ("chart", "rows"):
        name, file = page.saved(target, "png")
        picture = file.read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 10_000
    picture = page.tab.context.new_page()
    picture.set_content(drawing)
    outside = picture.evaluate(
        """() => {
          const { left, right, top, bottom } = document.querySelector("svg").getBoundingClientRect();
          return [...document.querySelectorAll("text")].map((node) => [node.textContent, node.getBoundingClientRect()])
            .filter(([, box]) => box.left < left || box.right > right || box.top < top || box.bottom > bottom)
            .map(([text]) => text);
        }"""
    )
    assert outside == []
    page.close()


def test_pictures_saved_on_a_phone_have_the_names_that_the_screen_has_no_room_for(browser, pages):
    """Beside the lines, as on paper; the screen is as it was."""
    page = opened(browser, pages("differing"), viewport={"width": 390, "height": 844})
    width = page.tab.locator("#chart").get_attribute("width")
    for view in ("reference", "reliability"):
        page.tab.locator(f"[data-view={view}]").click()
        drawing = page.saved("chart", "svg")[1].read_text("utf-8")
        assert {"boosting", "linear"} <= set(re.findall(r"<text[^>]*>([^<]*)", drawing))
        assert page.texts("#legend li")[:2] == ["boosting", "linear"]
    assert page.tab.locator("#chart").get_attribute("width") == width
    page.close()


def test_a_saved_table_holds_no_formula_however_it_is_split(browser, tmp_path):
    """Where commas mark decimals, spreadsheets split at semicolons."""
    names = ["=1+1", "a;=2+2", 'b; "@SUM(1)', "c\t=3", "d;e", "f;\uff1d4", "g,=5", '"=6', "-x"]
    page = opened(
        browser, write_page(tmp_path / "page.html", {name: one_model(60) for name in names}, n_resamples=9)
    )
    text = page.saved("models-table", "csv")[1].read_text("utf-8")
    for separator in (",", ";", "\t"):
        for cell in itertools.chain(*csv.reader(text.splitlines(), delimiter=separator)):
            plain = cell.strip(' "')
            assert not re.match(r"[=+\-@\uff1d]", plain) or re.fullmatch(
                r"-?[\d.e+-]+", plain.partition(",")[0]
            )
    assert "d;e" in text
    page.close()


def test_the_answer_can_be_copied_with_an_address_that_brings_back_what_was_chosen(browser, pages):
    """With and without a clipboard of the browser."""
    page = opened(browser, pages("differing"), permissions=["clipboard-read", "clipboard-write"])
    page.choose(80)
    page.tab.locator("#copy").click()
    page.tab.get_by_text("Copied").wait_for()
    text = page.tab.evaluate("navigator.clipboard.readText()")
    assert text.splitlines()[0] == "Loads"
    assert "At 80% coverage" in text
    assert text.endswith("#coverage=80")
    page.tab.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.choose(70)
    page.tab.locator("#copy").evaluate("node => { node.textContent = 'Copy answer'; }")
    page.tab.locator("#copy").click()
    page.tab.get_by_text("Copied").wait_for()
    page.close()
