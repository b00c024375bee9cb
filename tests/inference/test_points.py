"""Tests and intervals at one coverage, of several outputs, and of curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from uccurve.exceptions import UnreachableError

POINTS = ("bandwidth_at", "gain_at", "score_at")


def two_models(n=60, outputs=None, seed=0):
    """Two models that predict and judge differently, with asymmetric bands and weights."""
    rng = np.random.default_rng(seed)
    shape = n if outputs is None else (n, outputs)
    y, weight = rng.standard_t(4, size=shape), rng.integers(1, 4, size=n).astype(float)
    return [
        uc.Intervals.from_bands(
            y,
            rng.normal(size=shape) / 3,
            rng.gamma(4, size=shape),
            rng.gamma(4, size=shape),
            sample_weight=weight,
        )
        for _ in range(2)
    ]


def number(intervals, what, vary, **point):
    curve = uc.UCC(intervals, vary=vary)
    if what == "bandwidth_at":
        return curve.at(**point).bandwidth
    return getattr(curve, what)(**point)


@pytest.mark.parametrize("outputs", [None, 3])
@pytest.mark.parametrize(("vary", "point"), [("scale", {"coverage": 0.9}), ("shift", {"miss_rate": 0.25})])
@pytest.mark.parametrize("what", POINTS)
def test_the_estimate_is_the_number_of_the_curve(what, vary, point, outputs):
    """For a single model and for a difference; both ends enclose it."""
    a, b = two_models(outputs=outputs)
    found = uc.confidence_interval(a, what, vary=vary, n_resamples=99, rng=0, **point)
    assert found.estimate == pytest.approx(number(a, what, vary, **point), rel=1e-12)
    assert found.low <= found.estimate <= found.high
    assert found.method == "delta"
    pair = uc.confidence_interval(a, what, minus=b, vary=vary, n_resamples=9, rng=0, **point)
    expected = number(a, what, vary, **point) - number(b, what, vary, **point)
    assert pair.estimate == pytest.approx(expected, rel=1e-9)
    assert pair.low < pair.estimate < pair.high
    assert pair.high - pair.estimate == pytest.approx(pair.estimate - pair.low)  # it may be negative


@pytest.mark.parametrize("blocks", [None, 4])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("what", POINTS)
def test_the_delta_method_agrees_with_the_bootstrap(what, vary, blocks):
    """With weights, asymmetric bands and blocks; of one model, and of a difference."""
    a, b = two_models(600, seed=3)
    for minus in (None, b):
        error, drawn = (
            uc.confidence_interval(
                a,
                what,
                minus=minus,
                vary=vary,
                coverage=0.8,
                blocks=blocks,
                method=method,
                n_resamples=499,
                rng=0,
            ).standard_error
            for method in ("delta", "percentile")
        )
        assert error == pytest.approx(drawn, rel=0.3)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_error_of_a_gain_allows_for_constant_bands_that_move_with_the_rows(vary):
    """The bands of one output are too wide and differ much, but its rows are not missed: they hardly matter."""
    rng = np.random.default_rng(1)
    y = np.stack([rng.uniform(-1, 1, size=400), rng.normal(size=400)], axis=1)
    band = np.stack([10 * rng.lognormal(size=400), rng.lognormal(sigma=0.2, size=400)], axis=1)
    rows = uc.Intervals.from_bands(y, 0 * y, band)
    error, drawn = (
        uc.confidence_interval(
            rows, "gain_at", coverage=0.8, vary=vary, method=method, n_resamples=199, rng=0
        ).standard_error
        for method in ("delta", "percentile")
    )
    assert error == pytest.approx(drawn, rel=0.3)


@pytest.mark.parametrize("what", POINTS)
def test_a_point_at_which_no_band_is_needed_has_an_interval(what):
    """Most predictions are exact: there is no slope to go by, but there are resamples."""
    y = np.where(np.arange(100) < 60, 0.0, np.arange(100.0))
    rows = uc.Intervals.from_bands(y, 0 * y, 1 + np.arange(100.0))
    found = uc.confidence_interval(rows, what, coverage=0.5, n_resamples=49, rng=0)
    assert found.estimate == number(rows, what, "scale", coverage=0.5)
    assert found.low <= found.estimate <= found.high


def test_curves_are_taken_for_rows():
    """The constant band among them; they bring their family along."""
    a, _ = two_models()
    curve = uc.UCC(a, vary="shift")
    mine = uc.permutation_test(curve, curve.reference, y="deficit", n_resamples=49, rng=0)
    assert mine == uc.permutation_test(a, a.constant(), y="deficit", vary="shift", n_resamples=49, rng=0)
    interval = uc.confidence_interval(curve, "area", n_resamples=49, rng=0)
    assert interval == uc.confidence_interval(a, "area", vary="shift", n_resamples=49, rng=0)
    assert uc.confidence_interval(curve, "coverage") == uc.confidence_interval(a, "coverage")


@pytest.mark.parametrize("options", [{"miss_rate": (0.1, 0.6)}, {"x": "excess"}])
def test_sorted_gains_of_several_outputs(options):
    """The order of the constant bands changes with the weights; the gain is that of the curve."""
    a, b = two_models(25, outputs=2, seed=9)
    gains = [m.ucc().gain(**options) for m in (a, b)]
    found = uc.confidence_interval(a, "gain", n_resamples=19, rng=0, **options)
    assert found.estimate == pytest.approx(gains[0], rel=1e-9)
    test = uc.permutation_test(a, b, statistic="gain", n_resamples=19, rng=0, **options)
    assert test.statistic == pytest.approx(gains[0] - gains[1], rel=1e-9)


def test_a_point_below_the_floor_is_out_of_reach():
    """Rows with a zero band are never captured by scaling; a resample that happens to lose the point is no error."""
    y = np.arange(1.0, 21.0)
    band = np.ones(20)
    band[[3, 11]] = 0
    rows = uc.Intervals.from_bands(y, 0 * y, band)
    with pytest.raises(UnreachableError):
        uc.confidence_interval(rows, "gain_at", coverage=0.95, rng=0)
    assert uc.confidence_interval(rows, "gain_at", coverage=0.9, n_resamples=99, rng=0).estimate == 0
    assert math.isfinite(
        uc.confidence_interval(rows, "bandwidth_at", coverage=0.5, n_resamples=99, rng=0).high
    )


def test_weights_and_misses_tell_whether_an_interval_at_a_coverage_is_reliable():
    """Rows of little weight tell little: 300 rows may miss fewer than 10, or 20, that count."""
    rng = np.random.default_rng(0)
    y, weight = rng.normal(size=300), np.where(np.arange(300) < 100, 1.0, 1e-3)
    y[0] = 100.0

    def is_reliable(what, coverage=0.9, blocks=None, **columns):
        a, b = (uc.Intervals.from_bands(y, 0 * y, 1 + abs(y * share), **columns) for share in (0, 0.1))
        asked = {"statistic": "score_at", "minus": b} if what == "difference" else {"statistic": what}
        return uc.confidence_interval(a, **asked, coverage=coverage, blocks=blocks).reliable

    assert is_reliable("difference")
    assert is_reliable("bandwidth_at", 0.95)
    assert not is_reliable("score_at")  # one large error decides a single score, and most samples lack it
    assert not is_reliable("difference", 0.95)
    for what, coverage in (("difference", 0.9), ("bandwidth_at", 0.95)):
        assert not is_reliable(what, coverage, sample_weight=weight)
        assert not is_reliable(what, coverage, blocks=20)
    assert not is_reliable("difference", 0.04)  # fewer than 20 rows are captured


@pytest.mark.parametrize("what", ["score_at", "bandwidth_at"])
def test_the_interval_of_a_positive_number_is_positive_and_leans_to_larger_ones(what):
    """Samples that lack large errors are too small, so that logarithms cover better."""
    rng = np.random.default_rng(0)
    y = np.append(rng.normal(size=19), 20.0)
    found = uc.confidence_interval(uc.Intervals.from_bands(y, 0 * y, np.ones(20)), what, coverage=0.9)
    assert found.method == "delta"
    assert found.standard_error > found.estimate / 2
    assert 0 < found.low < found.estimate < found.high
    assert found.low * found.high == pytest.approx(found.estimate**2)
