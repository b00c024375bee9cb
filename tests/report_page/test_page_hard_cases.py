"""Pages of few rows, of zero bands and of sketches."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from opened_page import near, one, opened, unpacked
from playwright.sync_api import expect

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError


@pytest.mark.parametrize(
    ("vary", "words"), [("scale", "not reachable: some bands are zero"), ("shift", "add")]
)
def test_zero_bands_are_explained(browser, tmp_path, vary, words):
    """A curve with a floor has no operating point below it; shifting has."""
    rng = np.random.default_rng(1)
    band = rng.exponential(size=80)
    band[:20] = 0.0
    rows = uc.Intervals.from_bands(rng.normal(size=80), np.zeros(80), band)
    path = uc.report({"mine": rows}, tmp_path / "page.html", vary=vary, n_resamples=9, rng=0)
    page = opened(browser, path)
    page.slide("rate", 50)
    expect(page.tab.locator("#rows-note")).to_contain_text(words)
    page.slide("rate", 150)
    point = rows.ucc(vary=vary).at(miss_rate=0.35)
    moved = "scale by" if vary == "scale" else "add to each side"
    assert page.number("points-table", "mine", moved) == near(point.parameter)
    assert page.troubles == []
    page.tab.context.close()


def test_two_rows_make_a_page_too(browser, tmp_path):
    """Numbers that do not exist are dashes, not errors."""
    rows = uc.Intervals.from_bands([0.0, 1e-30], [1e-30, 1e-30], [2e-30, 2e-30])
    page = opened(browser, uc.report({"tiny": rows}, tmp_path / "page.html", n_resamples=9, rng=0))
    for place in (0, 100, 280):
        page.slide("rate", place)
    assert page.number("points-table", "tiny", "bandwidth") == 0
    assert page.troubles == []
    page.tab.context.close()


def test_one_row_is_too_few(tmp_path):
    """There is nothing to compare by."""
    with raises(ArgumentError, "models"):
        uc.report({"mine": one(n=1)}, tmp_path / "page.html")


def test_sketches_make_a_page_without_rows(browser, tmp_path):
    """The curves are there; what needs rows is not, and says so."""
    rows = one(n=3000)
    sketch = rows.sketch()
    page = opened(browser, uc.report({"mine": sketch}, tmp_path / "page.html", title="Large"))
    curve = sketch.curve()
    for place, rate in ((100, 0.1), (30, 0.03)):
        page.slide("rate", place)
        point = curve.at(miss_rate=rate)
        assert page.number("points-table", "mine", "scale by") == near(point.parameter)
        assert page.number("points-table", "mine", "excess") == near(point.excess)
    assert page.tab.locator("#rows-chart, #tests-table").count() == 0
    expect(page.tab.locator(".about")).to_contain_text("from sketches")
    expect(page.tab.locator("#show-band")).to_be_visible()
    page.tab.locator("[data-view=ratio]").click()
    expect(page.tab.locator("#show-band")).to_be_hidden()  # its bands would come from tests
    assert page.troubles == []
    page.tab.context.close()
    with raises(ArgumentError, "against"):
        uc.report({"mine": sketch}, tmp_path / "other.html", against={"x": rows.y_true})


def test_very_many_models_are_compared_at_every_step_of_the_slider(tmp_path):
    """In larger steps, at round coverages: each of them has an answer, and a place on every line."""
    rng = np.random.default_rng(0)
    y, scale = rng.normal(size=80), rng.lognormal(sigma=0.4, size=80)
    models = {f"m{i}": uc.Intervals.from_bands(y, np.zeros(80), scale ** (i / 20)) for i in range(26)}
    text = uc.report(models, tmp_path / "page.html", n_resamples=19, rng=0).read_text()
    data = json.loads(re.search(r'id="numbers">(.*?)</script>', text).group(1))
    coverages = 1 - unpacked(data["rates"])
    assert {0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0} <= set(np.round(coverages, 9))
    assert all(data["answers"][1:-1])
    assert all(np.isfinite(unpacked(curve["number"])[1:-1]).all() for curve in data["curves"])
