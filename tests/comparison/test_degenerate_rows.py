"""Comparisons of rows that leave nothing to chance: exact predictions, and residuals of two sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from uccurve.comparison._regimes import regimes

import uccurve as uc
from uccurve.comparison import CompareOptions


def test_residuals_of_two_sizes_are_compared():
    """Rounding may leave a variance below 0, of which there is no root; the constant band is narrower."""
    y = np.repeat([1.0, 0.0], 500)
    comparison = uc.compare({"m": uc.Intervals.from_std(y, 0 * y, 2 - y)}, n_resamples=49, rng=0)
    assert "constant band" in {regime.best for regime in comparison.regimes if regime.significant}
    assert "50.0% larger than that of its constant band" in comparison.summary()


@pytest.mark.parametrize("y_axis", ["miss_rate", "deficit"])
@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_exact_predictions_are_no_division_by_zero(vary, y_axis):
    """No band is better than none: the area of the constant band is 0."""
    y = np.arange(60.0)
    rows = uc.Intervals.from_std(y, y, 1 + y % 3)
    comparison = uc.compare({"m": rows}, n_resamples=49, rng=0, vary=vary, y=y_axis)
    assert "The area of the constant band of m is 0: no model can be better." in comparison.findings
    assert math.isnan(comparison.scores[0].gain)


def test_bands_of_zero_around_exact_predictions_are_compared():
    """There is nothing to divide by, and nothing to test."""
    y = np.arange(60.0)
    rows = {name: uc.Intervals.from_std(y, y, 0 * y) for name in "ab"}
    comparison = uc.compare(rows, n_resamples=19, rng=0)
    assert not any(regime.significant for regime in comparison.regimes)


def test_regimes_do_not_depend_on_the_unit_however_large():
    """The sum of a hundred large bandwidths may be too large for a number; their ratio is not."""
    rng = np.random.default_rng(1)
    std = rng.lognormal(size=300)
    y = std * rng.normal(size=300)
    plain, large = (
        uc.compare({"m": uc.Intervals.from_std(unit * y, 0 * y, unit * std)}, n_resamples=19, rng=0)
        for unit in (1.0, 2.0**1008)
    )
    assert list(plain.regimes) == list(large.regimes)


def test_ranges_are_tested_beside_one_huge_band():
    """Squares of differences of bandwidths would leave float64, and warn."""
    y = np.linspace(-2, 2, 60)
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, np.where(np.arange(60) == 7, 1e160, 1.0)))
    found = regimes({"m": curve, "c": curve.reference}, CompareOptions(), np.random.default_rng(0))
    assert any(regime.best == "c" and regime.significant for regime in found)


@pytest.mark.parametrize("other", [0.0, 1.0])
@pytest.mark.parametrize("outputs", [None, 2])
def test_sketches_of_zero_bands_are_compared_as_their_rows_are(tmp_path, other, outputs):
    """Their constant band cannot have their own width, which is 0: it is one that can be scaled."""
    shape = 50 if outputs is None else (50, outputs)
    y = np.random.default_rng(0).normal(size=shape)
    rows = {
        "zero": uc.Intervals.from_bands(y, 0 * y, 0 * y),
        "other": uc.Intervals.from_bands(y, 0 * y, other),
    }
    sketches = {name: model.sketch() for name, model in rows.items()}
    found, wanted = uc.compare(sketches), uc.compare(rows, n_resamples=9, rng=0)
    assert list(found.curves) == list(wanted.curves)
    assert uc.compare({"zero": sketches["zero"]}).scores[0].model == "zero"
    assert uc.report(sketches, tmp_path / "report.html").exists()
