"""The table of segments: intervals, flags, order, filters, and charts of one segment."""

from __future__ import annotations

import csv
import re
from pathlib import Path

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


IN_VIEW = """frame => {
    const { bottom } = frame.getBoundingClientRect();
    const top = frame.querySelector('thead th').getBoundingClientRect().bottom;
    return [...frame.querySelectorAll('tbody tr')].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top < bottom && box.bottom > top;
    }).map((row) => Number(row.querySelector('.live-coverage').dataset.value));
}"""
"""The coverages of the rows in view, from top to bottom."""


def test_rows_stay_sorted_while_the_slider_moves(page):
    """Those in view at once, all others when it rests."""
    page.tab.select_option("#segment-sort", "coverage")
    frame = page.tab.locator(".scroll", has=page.tab.locator("#segments-table"))
    frame.scroll_into_view_if_needed()
    frame.evaluate("node => { node.scrollTop = 900; }")
    page.tab.wait_for_timeout(600)
    for rate in (60, 130):
        page.slide("rate", rate)
        seen = frame.evaluate(IN_VIEW)
        assert len(seen) > 5
        assert seen == sorted(seen)
    page.tab.wait_for_timeout(600)
    every = page.tab.locator("td.live-coverage").evaluate_all(
        "cells => cells.map((cell) => Number(cell.dataset.value))"
    )
    assert len(every) == 80
    assert every == sorted(every)


def test_a_table_that_is_saved_at_once_holds_the_new_numbers_of_all_rows(page):
    """In their new order, though most rows had not followed yet."""
    page.tab.select_option("#segment-sort", "coverage")
    page.tab.locator('[data-target="segments-table"]').scroll_into_view_if_needed()
    with page.tab.expect_download() as download:
        page.tab.locator("#coverage").evaluate(
            "node => { node.value = 120; node.dispatchEvent(new Event('input'));"
            " document.querySelector('[data-target=\"segments-table\"]').click(); }"
        )
    rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8").splitlines()))
    chosen = float(rows[0]["chosen coverage"])
    covered = [float(row[f"coverage at {100 * chosen:g}%"]) for row in rows]
    assert len(covered) == 80
    assert covered == sorted(covered)
    assert np.median(covered) == pytest.approx(chosen, abs=0.05)


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
