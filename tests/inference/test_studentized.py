"""Intervals by the studentized bootstrap, and how many rows carry them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc


def model(n=200, seed=0, outputs=None, *, weighted=False):
    rng = np.random.default_rng(seed)
    shape = n if outputs is None else (n, outputs)
    scale = np.exp(0.5 * rng.normal(size=shape))
    weight = rng.integers(1, 4, size=n).astype(float) if weighted else None
    return uc.Intervals.from_bands(
        scale * rng.standard_t(5, size=shape), np.zeros(shape), np.sqrt(scale), sample_weight=weight
    )


def by_hand(rows, y, level, n_resamples, rng):
    """Resample rows, take each resample's gain and its delta standard error, and turn the ratios around."""

    def logged(sample):
        found = uc.confidence_interval(sample, "gain", y=y, method="delta")
        return math.log(1 - found.estimate), found.standard_error / (1 - found.estimate)

    value, error = logged(rows)
    ratios = []
    for _ in range(n_resamples):
        drawn, spread = logged(rows[rng.integers(0, rows.n, size=rows.n)])
        ratios.append((drawn - value) / spread)
    high, low = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2])
    return 1 - math.exp(value - high * error), 1 - math.exp(value - low * error)


@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_it_is_the_textbook_bootstrap(y):
    """Sums of products give the standard errors of resamples that rows would give."""
    rows = model(120)
    found = uc.confidence_interval(rows, "gain", y=y, method="studentized", n_resamples=999, rng=0)
    low, high = by_hand(rows, y, 0.95, 400, np.random.default_rng(1))
    size = found.high - found.low
    assert found.low == pytest.approx(low, abs=0.12 * size)
    assert found.high == pytest.approx(high, abs=0.12 * size)
    delta = uc.confidence_interval(rows, "gain", y=y, method="delta")
    assert found.standard_error == pytest.approx(delta.standard_error)
    assert found.estimate == delta.estimate


@pytest.mark.parametrize(
    ("what", "outputs", "options"),
    [("area", 2, {}), ("gain", None, {"blocks": 4}), ("gain", 2, {"minus": True})],
)
def test_it_exists_for_full_areas_and_gains(what, outputs, options):
    """Of one model and of differences, with weights, blocks and several outputs."""
    rows = model(outputs=outputs, weighted=True)
    if "minus" in options:
        options = {"minus": rows.constant()}
    found = uc.confidence_interval(rows, what, method="studentized", n_resamples=199, rng=0, **options)
    delta = uc.confidence_interval(rows, what, method="delta", **options)
    assert found.low < found.estimate < found.high
    assert found.standard_error == pytest.approx(delta.standard_error, rel=1e-9)
    assert 0.7 < (found.high - found.low) / (delta.high - delta.low) < 1.8


def test_it_is_chosen_where_few_rows_carry_the_standard_error():
    """And not where many do, nor for means, nor without formulas."""
    rng = np.random.default_rng(0)
    assert uc.confidence_interval(model(), "gain", y="deficit", rng=rng).method == "studentized"
    even = uc.Intervals.from_bands(rng.uniform(size=5000), np.zeros(5000), 1 + rng.uniform(size=5000))
    plenty = uc.confidence_interval(even, "gain")
    assert plenty.method == "delta"
    assert plenty.effective_units > 100
    assert uc.confidence_interval(model(), "coverage").method == "binomial"
    assert uc.confidence_interval(model(), "gain", x="excess", n_resamples=19, rng=rng).method == "percentile"


def test_effective_units_count_those_that_matter():
    """One huge error decides: the interval is not reliable. Equal influence: all units count."""
    y = np.append(np.random.default_rng(1).normal(size=999), 1e4)
    lone = uc.confidence_interval(
        uc.Intervals.from_bands(y, 0 * y, np.linspace(1, 2, 1000)), "gain", y="deficit", rng=0
    )
    assert lone.effective_units < 2
    assert not lone.reliable
    halves = uc.Intervals.from_bands(np.tile([0.5, 2.0], 50), np.zeros(100), 1.0)
    coverage = uc.confidence_interval(halves, "coverage")
    assert coverage.effective_units == pytest.approx(100)
    assert coverage.reliable
    assert not uc.confidence_interval(halves[:10], "coverage").reliable


def test_a_gain_over_all_coverages_is_reliable_from_many_units_on():
    """Simulated gains of fewer rows cover in less than 93%, and nothing that a sample shows tells which do."""
    rows = model(5000)
    for part, enough in ((slice(4999), False), (slice(5000), True)):
        for options in ({}, {"minus": rows[part].constant()}, {"miss_rate": (0.0, 0.5)}):
            found = uc.confidence_interval(rows[part], "gain", rng=0, n_resamples=19, **options)
            assert found.reliable is enough, options
        assert uc.confidence_interval(rows[part], "area", rng=0, n_resamples=19).reliable is enough
    assert not uc.confidence_interval(rows, "gain", blocks=2, rng=0, n_resamples=19).reliable


@pytest.mark.parametrize(
    "options",
    [
        {"y": "deficit"},
        {"y": "deficit", "miss_rate": (0.1, 0.5)},
        {"x": "excess"},
        {"vary": "shift"},
        {"bandwidth": (0.2, 0.9)},
        {"miss_rate": (0.1, 0.5), "partial": "strip"},
    ],
)
def test_what_was_not_simulated_or_covered_too_seldom_is_not_called_reliable(options):
    """A number on the deficit rests on fourth moments of the errors: it covers too seldom at every size."""
    assert not uc.confidence_interval(model(5000), "gain", rng=0, n_resamples=2, **options).reliable


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"statistic": "gain_at", "coverage": 0.9}, 100),
        ({"statistic": "bandwidth_at", "miss_rate": 0.05}, 200),
        ({"statistic": "bandwidth_at", "coverage": 0.8, "vary": "shift"}, 50),
        ({"statistic": "parameter", "coverage": 0.9}, 100),
        ({"statistic": "gain", "coverage": (0.5, 0.9)}, 100),
        ({"statistic": "bandwidth_at", "coverage": 0.1}, 100),
    ],
)
def test_a_number_at_a_coverage_is_reliable_where_ten_units_are_missed(options, rows):
    """With five misses of 100 rows, simulated intervals of the bandwidth cover in 90%; with one, in 70%."""
    for n, enough in ((rows - 1, False), (rows, True)):
        assert uc.confidence_interval(model(n), **options, rng=0, n_resamples=19).reliable is enough


def test_nothing_to_estimate():
    """A constant band gains 0 without doubt; two rows have no studentized interval."""
    constant = model().constant()
    found = uc.confidence_interval(constant, "gain", method="studentized", rng=0)
    assert found.low == found.high == pytest.approx(found.estimate, abs=1e-12)
    assert found.standard_error == 0
    assert uc.confidence_interval(model()[:3], "gain", rng=0).method == "delta"
