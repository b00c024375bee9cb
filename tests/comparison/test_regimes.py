"""Who needs the least bandwidth where: ranges, their order by chance, ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import uccurve as uc
from uccurve.comparison._holm import holm


def test_holm_by_hand():
    """Smallest times three, next times two, and never falling."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1, 1]
    assert math.isnan(holm([math.nan, 0.02])[0])
    assert holm([math.nan, 0.02])[1] == 0.02


def test_regimes_cover_all_miss_rates_without_gap(comparison):
    """Neighbours differ, and each range's winner needs the least bandwidth there."""
    regimes = comparison.regimes.columns()
    assert regimes["low"][0] == 0
    assert regimes["high"][-1] == 1
    assert regimes["low"][1:] == regimes["high"][:-1]
    assert all(a != b for a, b in zip(regimes["best"][:-1], regimes["best"][1:], strict=True))
    for low, high, best in zip(regimes["low"], regimes["high"], regimes["best"], strict=True):
        if best is None:  # no order known
            continue
        rate = (low + high) / 2
        needed = {name: curve.at(miss_rate=rate).bandwidth for name, curve in comparison.curves.items()}
        assert needed[best] <= min(needed.values()) * 1.01
    assert regimes["best"][0] == "sharp"
    assert regimes["significant"][0]


@pytest.mark.slow
def test_chance_makes_no_significant_regimes():
    """Ranges are chosen on the same rows; the test allows for that."""
    from uccurve.comparison._regimes import ranges_of_best

    rng = np.random.default_rng(0)
    found = 0
    for _ in range(60):
        scale = rng.lognormal(sigma=0.4, size=300)
        y = scale * rng.normal(size=300)
        curves = {
            name: uc.Intervals.from_bands(y, 0 * y, scale * np.exp(0.3 * rng.normal(size=300))).ucc()
            for name in "ab"
        }
        found += any(
            p < 0.05 for p in holm([regime.pvalue_holm for regime in ranges_of_best(curves, None, rng)])
        )
    assert found <= 6


def test_cells_of_miss_rates_are_the_curve_s_means():
    """Their means and influences agree with the area and its delta method."""
    from uccurve.curve.families import SCALE
    from uccurve.inference._plain_rows import plain_rows
    from uccurve.inference._presorted import Presorted
    from uccurve.inference._range_means import RangeMeans

    rng = np.random.default_rng(0)
    y, lower, upper, weight = (
        rng.normal(size=500),
        *rng.exponential(size=(2, 500)),
        rng.uniform(0.5, 1, size=500),
    )
    rows = uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=weight)
    prepared = plain_rows({"rows": rows}, None)
    cells = RangeMeans.of(Presorted(prepared.models[0], SCALE), prepared.weight, np.linspace(0, 1, 101))
    for place in (0, 3, 50, 98, 99):
        mean = rows.ucc().area(partial="mean", miss_rate=(place / 100, (place + 1) / 100))
        assert cells.means[place] == pytest.approx(mean, rel=1e-9)
    moved = cells.influence(np.arange(500))[:, 10:50].mean(axis=1)
    error = uc.confidence_interval(
        rows, "area", partial="mean", miss_rate=(0.1, 0.5), method="delta"
    ).standard_error
    assert np.sqrt(np.sum(moved**2) * 500 / 499) == pytest.approx(error, rel=1e-6)


def test_miss_rates_that_need_no_band_at_all_are_a_tie():
    """Where predictions are exact for many rows, nobody saves anything there."""
    y = np.concatenate([np.zeros(60), np.arange(1.0, 41.0)])
    models = {
        name: uc.Intervals.from_bands(y, np.zeros(100), np.linspace(1, end, 100))
        for name, end in (("a", 2.0), ("b", 3.0))
    }
    comparison = uc.compare(models, n_resamples=9, rng=0, miss_rate=0.5)
    regimes = comparison.regimes.columns()
    assert regimes["high"][-1] == 1.0
    assert regimes["saved"][-1] == 0.0
    assert "At 50 % coverage b needs 0.0 % less bandwidth" in comparison.summary()


def test_ranges_without_a_known_order_are_one():
    """A barcode of chance is of no use to anyone."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=300)
    models = {name: uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.05, size=300)) for name in "ab"}
    regimes = uc.compare(models, n_resamples=9, rng=0).regimes.columns()
    unsure = [not sure for sure in regimes["significant"]]
    assert not any(a and b for a, b in itertools.pairwise(unsure))
    assert None in regimes["best"]
