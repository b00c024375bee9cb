"""Models with several quantiles on the page: rows, words and claims."""

from __future__ import annotations

import re

import numpy as np
import pytest
from opened_page import opened
from playwright.sync_api import expect

import uccurve as uc

LEVELS = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)


@pytest.fixture(scope="module")
def rows():
    """Skewed rows whose shape differs, with quantiles that are too wide."""
    rng = np.random.default_rng(0)
    spread = rng.uniform(0.5, 2, size=120)
    shape = np.array([-1.2, -0.9, -0.5, 0.0, 0.8, 1.9, 3.9]) * 1.3
    table = spread[:, None] * shape * rng.uniform(0.9, 1.1, size=(120, 1))
    return uc.Intervals.from_quantiles(spread * (rng.exponential(size=120) - 0.7), table, LEVELS)


@pytest.fixture(scope="module")
def file(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("levels") / "report.html"
    other = rows[:].constant().as_one_pair(0.95)
    uc.report({"mine": rows, "flat": other}, path, vary="level", rng=0, n_resamples=19)
    return path


def test_drawn_intervals_are_those_of_the_nominal_coverage(browser, file, rows):
    """Between two pairs, and beyond the outermost one."""
    page = opened(browser, file)
    page.tab.locator("#rows-most").evaluate(
        "node => { node.selectedIndex = node.options.length - 1; node.dispatchEvent(new Event('change')); }"
    )
    for place, rate in ((20, 0.01), (100, 0.1), (200, 0.6)):
        page.slide("rate", place)
        parameter = rows.ucc(vary="level").at(miss_rate=rate).parameter
        wanted = rows.at_level(parameter)
        lengths = _lengths(page.tab.locator("path.rows-bounds").get_attribute("d"))
        ratio = np.sort(lengths) / np.sort(wanted.upper - wanted.lower)
        assert ratio == pytest.approx(np.full(120, np.median(ratio)), rel=5e-2)
    assert page.troubles == []


def test_the_table_says_which_interval_to_take(browser, file, rows):
    """In per cent of what the model claims."""
    point = rows.ucc(vary="level").at(coverage=0.9)
    page = opened(browser, file)
    cell = page.tab.locator("#models-table tbody tr", has_text="mine").locator("td").last
    expect(cell).to_have_text(re.compile(rf"^{100 * point.nominal:.1f}% interval$"))
    expect(page.tab.get_by_text("Claimed against observed")).to_be_visible()


def _lengths(path):
    """The lengths of vertical strokes, in pixels."""
    strokes = re.findall(r"M[^M]+", path)
    ends = [re.fullmatch(r"M[-\d.]+,([-\d.]+)V([-\d.]+)", stroke).groups() for stroke in strokes]
    return np.array([abs(float(one) - float(other)) for one, other in ends])
