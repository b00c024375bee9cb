"""Pages of numbers near the ends of what numbers can be, and files of tables that a spreadsheet opens."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from opened_page import opened
from playwright.sync_api import expect

import uccurve as uc

N = 60
ODD = np.arange(N) % 2 == 1


def rows(unit=1.0, band=1.0):
    """One model, in any unit of the observations and of the bands."""
    rng = np.random.default_rng(0)
    std = rng.exponential(size=N) + 0.1
    return uc.Intervals.from_std(unit * std * rng.normal(size=N), np.zeros(N), band * std)


def two_heaps():
    """Observations at both ends, each near its prediction: their differences are small, their range is not."""
    y = np.where(ODD, 1.7e308, -1.7e308)
    return uc.Intervals.from_bands(
        y, np.where(ODD, 1.69999e308, -1.69999e308), 2e303 * (1 + np.arange(N) % 3)
    )


def used(page):
    """Use every slider and every list of the page, and point at its charts."""
    for name in ("rate", "low", "high", "cost"):
        for place in (0, 50, 150, 280):
            page.slide(name, place)
    for choice in page.tab.locator("select:enabled").all():
        values = choice.evaluate("node => [...node.options].map((option) => option.value)")
        for value in values if choice.is_visible() else []:
            choice.select_option(value)
    page.tab.select_option("#y-axis", "miss_rate")
    page.tab.locator("#rows-chart").hover()
    for view in ("ratio", "curve"):
        page.tab.locator(f"[data-view={view}]").click()
        page.tab.locator("#ratio-chart" if view == "ratio" else "#ucc-chart").hover()
    return page


MODELS = {
    "tiny": lambda: rows(1e-320, 1e-320),
    "tiniest": lambda: uc.Intervals.from_bands(ODD * 5e-324, np.zeros(N), np.full(N, 5e-324)),
    "small": lambda: rows(1e-310, 1e-310),
    "wide": lambda: rows(1.0, 1e304),
    "two heaps": two_heaps,
    "exact": lambda: uc.Intervals.from_std(np.arange(60.0), np.arange(60.0), 1 + np.arange(60.0) % 3),
}


@pytest.mark.parametrize("name", MODELS)
def test_extreme_numbers_are_drawn_without_complaints(browser, tmp_path, name):
    """In a browser's console nothing is said, and no number that is none is shown."""
    page = used(
        opened(browser, uc.report({"mine": MODELS[name]()}, tmp_path / "page.html", n_resamples=9, rng=0))
    )
    attributes = page.tab.evaluate(
        "[...document.querySelectorAll('svg *')].flatMap((node) => [...node.attributes]).map((a) => a.value)"
    )
    assert not [value for value in attributes if re.search(r"NaN|Infinity", value)]
    assert not re.search("NaN|Infinity|undefined", page.tab.inner_text("body"))
    assert page.troubles == []
    page.tab.context.close()


def test_columns_of_extreme_numbers_are_axes_too(browser, tmp_path):
    """From one end of the numbers to the other, or so small that they have few digits left."""
    against = {
        "ends": np.where(ODD, 1.7e308, -1.7e308),
        "large": np.full(N, 1.7e308),
        "small": np.arange(1, N + 1) * 1e-322,
        "same": np.full(N, 1e-320),
    }
    path = uc.report({"mine": rows()}, tmp_path / "page.html", against=against, n_resamples=9, rng=0)
    page = used(opened(browser, path))
    page.tab.select_option("#rows-order", label="against ends")
    heads = page.tab.locator("#rows-chart .label")
    expect(heads.first).to_have_text("ends (10³⁰⁶)")
    ticks = page.tab.locator("#rows-chart .axis").first.locator("text").all_text_contents()
    assert float(ticks[0]) == -float(ticks[-1]) <= -100
    bars = page.tab.locator("path.rows-bounds").get_attribute("d")
    assert len({float(place) for place in re.findall(r"M([\d.]+),", bars)}) == 2
    page.tab.select_option("#rows-order", label="against small")
    expect(heads.first).to_have_text("small (10⁻³²¹)")
    assert page.tab.locator("#rows-chart .axis").first.locator("text").first.text_content() in ("0", "1")
    assert page.troubles == []
    page.tab.context.close()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_saved_table_holds_no_formula_however_it_is_split(browser, tmp_path, separator):
    """Where commas mark decimals, spreadsheets split at semicolons."""
    names = ["=1+1", "a;=2+2", 'b; "@SUM(1)', "c\t=3", "d;e", "f;\uff1d4", "g,=5", '"=6', "-x"]
    path = uc.report({name: rows() for name in names}, tmp_path / "page.html", n_resamples=9, rng=0)
    page = opened(browser, path)
    text = page.saved("scores-table", "csv").read_text()
    for line in csv.reader(io.StringIO(text), delimiter=separator):
        for cell in line:
            plain = cell.strip(' "')
            assert not re.match(r"[=+\-@\uff1d]", plain) or _is_number(plain.partition(",")[0]), cell
    if separator == ",":
        assert "d;e" in [line[0] for line in csv.reader(io.StringIO(text))]
    assert page.troubles == []
    page.tab.context.close()


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
