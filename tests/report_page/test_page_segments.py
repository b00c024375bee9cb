"""The table of segments: intervals, flags, order, filters, and charts of one segment."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from opened_page import near, opened
from playwright.sync_api import expect

import uccurve as uc


@pytest.fixture(scope="module")
def regions(tmp_path_factory):
    """Forty segments and two models; one segment is much noisier than its bands say."""
    rng = np.random.default_rng(2)
    n = 8000
    labels = np.array([f"region {i:02d}" for i in range(40)])[rng.integers(0, 40, n)]
    scale = rng.lognormal(sigma=0.4, size=n)
    y = scale * rng.normal(size=n) * np.where(labels == "region 07", 3.0, 1.0)
    models = {
        "scaled": uc.Intervals.from_bands(y, np.zeros(n), scale),
        "damped": uc.Intervals.from_bands(y, np.zeros(n), np.sqrt(scale), 1.2 * np.sqrt(scale)),
    }
    path = tmp_path_factory.mktemp("regions") / "page.html"
    return models, labels, uc.report(models, path, by=labels, n_resamples=9, rng=0)


@pytest.fixture
def page(browser, regions):
    page = opened(browser, regions[2], "")
    yield page
    assert page.troubles == []
    page.tab.context.close()


def names(page):
    page.settle()
    return page.tab.locator("#segments-table tbody th").all_inner_texts()


def test_only_what_is_significant_is_flagged(page, regions):
    """The noisy segment, in both models; the others differ by chance."""
    page.tab.locator("#segment-flagged").check()
    assert names(page) == ["region 07", "region 07"]
    expect(page.tab.locator("#segment-count")).to_have_text("2 of 80 rows")
    cell = page.tab.locator("#segments-table td.live-coverage").first
    models, labels, _ = regions
    parameter = models["scaled"].ucc().at(coverage=0.9).parameter
    covered = models["scaled"].by(labels)["region 07"].ucc().at(parameter=parameter).coverage
    assert float(cell.get_attribute("data-value")) == near(covered)
    assert float(cell.get_attribute("data-low")) < covered < float(cell.get_attribute("data-high"))
    assert cell.inner_text().startswith(f"▼ {100 * covered:.1f}% [")


def test_segments_can_be_sorted_and_found(page, regions):
    """By distance from the chosen coverage, by rows; a name is found by a part of it."""
    page.tab.select_option("#segment-sort", "gap")
    assert names(page)[:2] == ["region 07", "region 07"]
    page.tab.select_option("#segment-sort", "rows")
    labels, sizes = np.unique(regions[1], return_counts=True)
    assert names(page)[0] == labels[np.argmax(sizes)]
    page.tab.locator("#segment-find").fill("ION 1")
    assert sorted(set(names(page))) == [f"region 1{i}" for i in range(10)]


def test_a_click_shows_one_segment_in_all_charts(page, regions):
    """Its own curve and its own rows, until it is taken back."""
    models, labels, _ = regions
    page.tab.locator("#segment-find").fill("region 07")
    page.tab.locator("#segments-table tbody th button").first.click()
    expect(page.tab.locator("#segment-shown")).to_contain_text("segment region 07 alone")
    expect(page.tab.locator("#rows-note")).to_contain_text("of region 07")
    page.tab.locator("[data-view=curve]").click()
    expect(page.tab.locator("#ucc-chart path.curve")).to_have_count(3)
    own = models["scaled"].by(labels)["region 07"].ucc()
    shown = page.tab.locator("circle.handle").first.get_attribute("aria-valuetext")
    bandwidth = float(re.search(r"bandwidth ([\d.]+)", shown).group(1))
    assert bandwidth == pytest.approx(own.at(coverage=0.9).bandwidth, rel=0.03)
    page.tab.get_by_role("button", name="Show all rows").click()
    expect(page.tab.locator("#segment-shown")).to_be_hidden()


def test_rows_out_of_view_follow_when_the_slider_rests(page):
    """All of them, so that a search or a saved table finds no old number."""
    page.slide("rate", 150)
    last = page.tab.locator("#segments-table tbody tr").last
    numbers = json.loads(page.tab.locator("#numbers").text_content())
    place = int(last.get_attribute("data-segment"))
    assert numbers["segments"][place]["name"] == "region 39"
    before = last.locator("td.live-coverage").inner_text()
    expect(last.locator("td.live-coverage")).not_to_have_text("–")
    page.slide("rate", 40)
    expect(last.locator("td.live-coverage")).not_to_have_text(before)


@pytest.mark.parametrize("media", ["screen", "print"])
def test_dots_stand_below_their_axis(page, media):
    """On paper they are smaller, and so is the axis."""
    page.tab.emulate_media(media=media)
    boxes = [
        page.tab.locator(place).first.bounding_box()
        for place in ("#segments-axis", "#segments-table tbody td.dots svg")
    ]
    assert boxes[0]["width"] == boxes[1]["width"]
    assert boxes[0]["x"] == pytest.approx(boxes[1]["x"], abs=0.5)
