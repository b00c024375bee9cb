"""Pages of numbers of the smallest and largest sizes, and files of tables that a spreadsheet opens."""

from __future__ import annotations

import csv
import io
import itertools
import re

import numpy as np
import pytest
from opened_page import opened

import uccurve as uc

N = 60


def rows(unit=1.0, band=1.0):
    """One model, in any unit of the observations and of the bands."""
    rng = np.random.default_rng(0)
    std = rng.exponential(size=N) + 0.1
    return uc.Intervals.from_std(unit * std * rng.normal(size=N), np.zeros(N), band * std)


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
    "tiny": lambda: rows(1e-98, 1e-98),
    "wide": lambda: rows(1e-98, 1e95),
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


def test_a_saved_table_holds_no_formula_however_it_is_split(browser, tmp_path):
    """Where commas mark decimals, spreadsheets split at semicolons."""
    names = ["=1+1", "a;=2+2", 'b; "@SUM(1)', "c\t=3", "d;e", "f;\uff1d4", "g,=5", '"=6', "-x"]
    path = uc.report({name: rows() for name in names}, tmp_path / "page.html", n_resamples=9, rng=0)
    page = opened(browser, path)
    text = page.saved("scores-table", "csv").read_text()
    for separator in (",", ";", "\t"):
        for cell in itertools.chain(*csv.reader(io.StringIO(text), delimiter=separator)):
            plain = cell.strip(' "')
            assert not re.match(r"[=+\-@\uff1d]", plain) or _is_number(plain.partition(",")[0]), cell
    assert "d;e" in [line[0] for line in csv.reader(io.StringIO(text))]
    assert page.troubles == []
    page.tab.context.close()


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
