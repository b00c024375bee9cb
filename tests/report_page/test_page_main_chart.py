"""The main chart: interval score against constant width by coverage, its crosshair, its zoom and its edges."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from opened_page import near, opened, unpacked, wider_by
from playwright.sync_api import expect

import uccurve as uc


@pytest.fixture
def chart(browser, case):
    page = opened(browser, case.path, "")
    yield page
    assert page.troubles == []
    page.tab.context.close()


def plot(page):
    page.tab.locator("#ratio-chart").scroll_into_view_if_needed()
    return page.tab.locator("#ratio-chart rect.background").bounding_box()


def coverage(page):
    page.settle()
    return float(page.tab.get_by_role("slider", name="chosen coverage").get_attribute("aria-valuenow"))


def test_dots_lie_at_the_ratio_of_the_interval_scores(chart, case):
    """Wherever the slider stands, by the ticks of the chart."""
    for place, rate in ((100, 0.1), (140, 0.3)):
        chart.slide("rate", place)
        ticks = chart.tab.evaluate(
            """[...document.querySelectorAll('#ratio-chart .axis:nth-of-type(3) .tick')].map((node) =>
                [node.textContent, node.getAttribute('transform').match(/,([-\\d.]+)/)[1]])"""
        )
        heights = {wider_by(text): float(y) - 0.5 for text, y in ticks}
        (low, at_low), *_, (high, at_high) = sorted(heights.items())
        dots = chart.tab.locator("#ratio-chart circle.dot").evaluate_all(
            "n => n.map((d) => +d.getAttribute('cy'))"
        )
        reference = case.curve(case.leader).reference.score_at(miss_rate=rate)
        for name, y in zip(case.models, dots, strict=True):
            ratio = 1 + low + (y - at_low) * (high - low) / (at_high - at_low)
            assert ratio == pytest.approx(case.curve(name).score_at(miss_rate=rate) / reference, abs=2e-3)


def test_the_band_is_that_of_the_comparison(case):
    """Simultaneous, against the one constant width that all lines are held against."""
    numbers = json.loads(re.search(r'id="numbers">(.*?)</script>', case.path.read_text()).group(1))
    rates = unpacked(numbers["rates"])
    comparison = uc.compare(case.models, by=case.segments, n_resamples=49, rng=0)
    standings = comparison.standings
    reference = numbers["curves"][numbers["common"]]["name"]
    for curve, name in zip(numbers["curves"], case.models, strict=False):
        margin = unpacked(curve["logMargin"])
        for rate in (0.05, 0.1, 0.5):
            place = int(np.argmin(np.abs(standings.rates - rate)))
            wanted = standings.ratios[name, reference].margin[place]
            assert margin[int(np.argmin(np.abs(rates - rate)))] == near(wanted)
            assert np.isfinite(wanted)


def test_a_click_chooses_a_coverage_and_the_pointer_lists_all_models(chart, case):
    """By mouse, by tap and by keys."""
    box = plot(chart)
    chart.tab.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 20)
    heading, *lines = chart.tab.locator("#tip").inner_text().splitlines()
    assert [line.partition(":")[0] for line in lines] == list(case.models)
    chart.tab.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 20)
    assert f"{coverage(chart):g}% coverage" == heading
    handle = chart.tab.get_by_role("slider", name="chosen coverage")
    chart.slide("rate", 100)
    handle.focus()
    for key, wanted in (("ArrowRight", 90.1), ("PageDown", 85.5), ("End", 100), ("Home", 0)):
        chart.tab.keyboard.press(key)
        assert coverage(chart) == wanted
    expect(chart.tab.locator("#readout")).to_contain_text("scaled")


def test_drawing_zooms_and_the_axes_rest_while_the_slider_moves(chart):
    """A zoom can be taken back."""
    box = plot(chart)
    y = box["y"] + 0.5 * box["height"]
    chart.tab.mouse.move(box["x"] + 0.5 * box["width"], y)
    chart.tab.mouse.down()
    chart.tab.mouse.move(box["x"] + 0.9 * box["width"], y, steps=4)
    chart.tab.mouse.up()
    chart.settle()
    low, high = map(float, chart.tab.locator("#zoom").input_value().split("-"))
    assert 70 < low < high < 100
    ticks = "#ratio-chart .axis .tick"
    before = chart.tab.locator(ticks).all_text_contents()
    for place in (20, 80, 150):
        chart.slide("rate", place)
        assert chart.tab.locator(ticks).all_text_contents() == before
    chart.tab.get_by_role("button", name="Reset zoom").click()
    expect(chart.tab.locator("#zoom")).to_have_value("50-100")


@pytest.fixture(scope="module")
def leaving(tmp_path_factory):
    """A model that gets far wider than constant width at high coverage, and one that stays."""
    rng = np.random.default_rng(3)
    n = 2000
    y = rng.normal(size=n)
    wild = np.exp(1.5 * rng.normal(size=n))
    models = {
        "wild": uc.Intervals.from_bands(y, np.zeros(n), wild),
        "calm": uc.Intervals.from_bands(y, np.zeros(n), 1 + 0.2 * rng.uniform(size=n)),
    }
    path = tmp_path_factory.mktemp("leaving") / "page.html"
    return uc.report(models, path, rank_by="bandwidth", n_resamples=9, rng=0)


def test_a_line_that_leaves_the_chart_is_marked_at_the_edge(browser, leaving):
    """Where it leaves, in its color, with how far it goes; a line that stays has no mark."""
    page = opened(browser, leaving, "")
    mark = page.tab.locator("#ratio-chart path.leaving")
    expect(mark).to_have_count(1)
    assert mark.get_attribute("fill") == "var(--curve-0)"
    said = re.fullmatch(
        r"wild leaves the chart: up to [\d.]+% wider at ([\d.]+)% coverage", mark.text_content()
    )
    assert float(said.group(1)) > 90
    box, plot = mark.bounding_box(), page.tab.locator("#ratio-chart rect.background").bounding_box()
    assert box["y"] == pytest.approx(plot["y"], abs=2)
    assert plot["x"] <= box["x"] <= plot["x"] + plot["width"]
    expect(page.tab.locator("#leaving-hint")).to_be_visible()
    page.tab.locator("#legend").get_by_role("button", name="wild", exact=True).click()
    expect(mark).to_have_count(0)
    expect(page.tab.locator("#leaving-hint")).to_be_hidden()
    assert page.troubles == []
    page.tab.context.close()
