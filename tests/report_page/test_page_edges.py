"""The edges of the main chart and of the slider: lines that leave are marked, and ticks stand where they belong."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from opened_page import one, opened
from playwright.sync_api import expect

import uccurve as uc


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


def test_a_curve_that_leaves_at_the_right_is_marked_too(browser, leaving):
    """At the height at which it leaves: the highest coverages need more bandwidth than the chart shows."""
    page = opened(browser, leaving, "#view=curve")
    marks = page.tab.locator("#ucc-chart path.leaving")
    assert "var(--curve-0)" in marks.evaluate_all("nodes => nodes.map((node) => node.getAttribute('fill'))")
    plot = page.tab.locator("#ucc-chart rect.background").bounding_box()
    for mark in marks.all():
        box = mark.bounding_box()
        assert box["x"] + box["width"] == pytest.approx(plot["x"] + plot["width"], abs=2)
        assert plot["y"] <= box["y"] + box["height"] / 2 <= plot["y"] + plot["height"] + 1
    expect(page.tab.locator("#curves-leaving-hint")).to_be_visible()
    assert page.troubles == []
    page.tab.context.close()


def test_the_chart_without_scripts_has_the_same_mark(leaving):
    """A triangle at the upper edge of the plot."""
    marks = re.findall(r'class="fill-curve-(\d) leaves" d="M[\d.]+,(\d+)l', leaving.read_text())
    assert marks == [("0", "14")]


@pytest.mark.parametrize("width", [1280, 375])
def test_ticks_of_the_slider_stand_at_their_coverages(browser, tmp_path, width):
    """Set to 90%, the thumb is above "90%"; no two of them touch."""
    path = uc.report({"mine": one()}, tmp_path / "page.html", n_resamples=9, rng=0)
    page = opened(browser, path, "", viewport={"width": width, "height": 800})
    slider = page.tab.locator("#coverage")
    slider.scroll_into_view_if_needed()
    ticks = page.tab.locator("#coverage-ticks span").all()
    boxes = {tick.inner_text(): tick.bounding_box() for tick in ticks}
    assert list(boxes) == ["0%", "50%", "90%", "95%", "99%"]
    ends = [(box["x"], box["x"] + box["width"]) for box in boxes.values()]
    assert all(right + 2 < left for (_, right), (left, _) in itertools.pairwise(ends))
    for text, box in list(boxes.items())[1:]:
        page.tab.mouse.click(box["x"] + box["width"] / 2, slider.bounding_box()["y"] + 12)
        shown = float(page.tab.locator("#coverage-value").inner_text().removesuffix("%"))
        assert shown == pytest.approx(float(text.removesuffix("%")), abs=1.0 if width > 1000 else 3.0)
    page.tab.context.close()


def test_tables_are_read_without_scrolling_on_a_phone(browser, case):
    """Each number stands beside the heading of its column, and none is cut."""
    phone = opened(
        browser, case.path, "", viewport={"width": 375, "height": 800}, has_touch=True, is_mobile=True
    )
    for table in ("models-table", "points-table", "cost-table", "range-table"):
        frame = phone.tab.locator(".scroll", has=phone.tab.locator(f"#{table}"))
        assert frame.evaluate("node => node.scrollWidth <= node.clientWidth")
    cell = phone.tab.locator("#models-table tbody tr:visible td").nth(3)
    label = cell.evaluate("node => getComputedStyle(node, '::before').content")
    assert label == '"interval score against constant width of scaled"'
    assert cell.bounding_box()["width"] > 250
    frame = phone.tab.locator(".scroll", has=phone.tab.locator("#segments-table"))
    cue = frame.evaluate("node => getComputedStyle(node, '::before').content")
    assert "Scroll sideways for more" in cue
    heading = phone.tab.locator("#segments-table tbody th").first
    before = heading.bounding_box()["x"]
    frame.evaluate("node => { node.scrollLeft = 200; }")
    assert heading.bounding_box()["x"] == pytest.approx(before, abs=1)
    assert phone.troubles == []
    phone.tab.context.close()
