"""The ratio of two models over coverage, by interval score or bandwidth, and its bands."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.datasets import make_crossing
from uccurve.inference import find_crossover


def models(n=300, outputs=None, seed=0, *, weighted=True):
    rng = np.random.default_rng(seed)
    shape = n if outputs is None else (n, outputs)
    scale = np.exp(0.5 * rng.normal(size=shape))
    y = scale * rng.normal(size=shape)
    weight = rng.integers(1, 4, size=n).astype(float) if weighted else None
    truth = uc.Intervals.from_bands(y, 0 * y, scale, 1.2 * scale, sample_weight=weight)
    damped = uc.Intervals.from_bands(y, 0.1 + 0 * y, np.sqrt(scale), sample_weight=weight)
    return truth, damped


def number(curve, criterion, rate):
    """Return the interval score or the bandwidth of a curve at a miss rate."""
    return (
        curve.score_at(miss_rate=rate)
        if criterion == "interval_score"
        else curve.at(miss_rate=rate).bandwidth
    )


@pytest.mark.parametrize("outputs", [None, 2])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("criterion", ["interval_score", "bandwidth"])
def test_the_ratio_is_that_of_two_curves(criterion, vary, outputs):
    """At every miss rate, with weights, asymmetric bands and several outputs; NaN where few rows decide."""
    a, b = models(outputs=outputs)
    found = uc.ratio_curve(a, b, criterion=criterion, vary=vary, n_resamples=49, rng=0)
    first, second = (uc.UCC(m, vary=vary) for m in (a, b))
    known = np.isfinite(found.ratio)
    effective = a.sample_weight.sum() ** 2 / (a.sample_weight**2).sum()
    assert found.miss_rate[known][0] == pytest.approx(20 / effective, abs=0.005)
    assert found.miss_rate[known][-1] == pytest.approx(1 - 30 / effective, abs=0.005)
    assert known.sum() == known[np.flatnonzero(known)[0] : np.flatnonzero(known)[-1] + 1].size
    for place in np.flatnonzero(known)[::7]:
        rate = found.miss_rate[place]
        wanted = number(first, criterion, rate) / number(second, criterion, rate)
        assert found.ratio[place] == pytest.approx(wanted, rel=1e-9)
        assert found.low[place] <= found.ratio[place] <= found.high[place]
    assert np.isnan(found.low[~known]).all()


def test_the_constant_band_is_the_other_model_by_default():
    """Intervals and curves stand for the same rows."""
    a, _ = models()
    options = {"criterion": "bandwidth", "rng": 1, "n_resamples": 49}
    assert uc.ratio_curve(a, rng=1, n_resamples=9).criterion == "interval_score"
    found = uc.ratio_curve(a, **options)
    same = uc.ratio_curve(a.ucc(), a.ucc().reference, **options)
    np.testing.assert_array_equal(found.ratio, same.ratio)
    np.testing.assert_array_equal(found.high, same.high)
    place = np.flatnonzero(found.coverage == 0.9)[0]
    assert 1 - found.ratio[place] == pytest.approx(uc.UCC(a).gain_at(coverage=0.9))


def test_a_model_equals_itself_without_doubt():
    """The ratio is 1, and so are both ends; a factor common to all bands changes nothing."""
    a, _ = models()
    for other in (a, a.scaled(3.0)):
        found = uc.ratio_curve(a, other, rng=0, n_resamples=49)
        known = ~np.isnan(found.ratio)
        for column in (found.ratio, found.low, found.high):
            np.testing.assert_allclose(column[known], 1.0, rtol=1e-9)
        assert found.crossover is None
        assert "not established" in repr(found)


def test_fewer_than_twenty_units_have_no_band():
    """The ratio is that of the rows; how sure it is a few blocks do not tell."""
    a, b = models(300, weighted=False)
    for blocks, n_units in ((150, 2), (16, 19), (15, 20)):
        found = uc.ratio_curve(a, b, blocks=blocks, rng=0, n_resamples=49)
        known = np.isfinite(found.ratio)
        assert (found.n_units, known.any()) == (n_units, True)
        for end in (found.low, found.high):
            np.testing.assert_array_equal(np.isfinite(end), known & (n_units >= 20))
        assert found.crossover is None or n_units >= 20


def test_the_band_covers_the_true_ratio():
    """Exchangeable models have a ratio of 1: 40 runs, at most 7 misses by chance (99.7%)."""
    missed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = rng.standard_t(5, size=300)
        a, b = (uc.Intervals.from_bands(y, 0 * y, rng.gamma(6, size=300)) for _ in range(2))
        found = uc.ratio_curve(a, b, rng=seed, n_resamples=199)
        known = ~np.isnan(found.ratio)
        missed += bool(np.any((found.low[known] > 1) | (found.high[known] < 1)))
    assert missed <= 7


def test_models_that_hardly_differ_in_width_are_not_told_apart():
    """Few rows are captured by one and missed by the other: at single miss rates none, which is no certainty."""
    alarms = crossings = 0
    for seed in range(20):
        rng = np.random.default_rng(100 + seed)
        y = rng.normal(size=300)
        a, b = (uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.05, size=300)) for _ in range(2))
        found = uc.ratio_curve(a, b, criterion="bandwidth", rng=seed, n_resamples=199)
        known = ~np.isnan(found.ratio)
        alarms += bool(np.any((found.low[known] > 1) | (found.high[known] < 1)))
        crossings += found.crossover is not None
    assert alarms <= 4
    assert crossings == 0


def test_the_crossover_lies_where_the_ratio_passes_one():
    """With an interval in which the order is not known."""
    pair = (make_crossing().models[name] for name in ("sharp", "damped"))
    found = uc.ratio_curve(*pair, criterion="bandwidth", rng=0)
    cross = found.crossover
    assert cross.better_below == "a"
    assert cross.low < cross.miss_rate < cross.high
    assert cross.coverage == 1 - cross.miss_rate
    before, after = (found.miss_rate == end for end in (cross.low, cross.high))
    assert found.high[before] < 1 < found.low[after]
    assert "crossover: 93.9% coverage" in repr(found)
    assert list(found.to_frame("pandas").columns) == ["coverage", "miss_rate", "ratio", "low", "high"]
    unsure = (found.miss_rate > cross.low + 1e-9) & (found.miss_rate < cross.high - 1e-9)
    assert np.all((found.low[unsure] <= 1) & (found.high[unsure] >= 1))


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ([-1.0, -1, 1, 1], (0.25, 0.2, 0.3, "a")),
        ([-1.0, 1, -1, 1], (0.35, 0.3, 0.4, "a")),  # for good only at the last change
        ([-1.0, 1, 1, -1], (0.35, 0.3, 0.4, "b")),
        ([np.nan, -1, 1, np.nan], (0.25, 0.2, 0.3, "a")),
        ([-1.0, -0.1, 0.1, 1], (0.25, 0.1, 0.4, "a")),  # not sure in the middle
        ([-0.1, -0.1, 0.1, 1], None),  # sure on one side only
        ([0.0, 0, 0, 0], None),
    ],
)
def test_crossings_for_good(logs, expected):
    """Where the sign changes and stays, beyond margins of 0.5 on both sides."""
    rates = np.array([0.1, 0.2, 0.3, 0.4])
    found = find_crossover(rates, np.array(logs), np.full(4, 0.5))
    if expected is None:
        assert found is None
        return
    assert (found.miss_rate, found.low, found.high) == pytest.approx(expected[:3], abs=1e-4)
    assert found.better_below == expected[3]


def test_rows_that_are_never_captured_and_few_rows():
    """Below the floor, and where fewer than 20 rows are missed or 30 captured, nothing is known."""
    a, b = models(100, weighted=False)
    bands = np.array(a.lower_band)
    bands[:30] = 0
    floored = uc.Intervals.from_bands(a.y_true, a.y_pred, bands)
    found = uc.ratio_curve(floored, b, rng=0, n_resamples=49)
    assert np.isnan(found.ratio[found.miss_rate < 0.3 - 1e-9]).all()
    assert np.isfinite(found.ratio[(found.miss_rate > 0.31) & (found.miss_rate <= 0.7)]).all()
    assert np.isnan(found.ratio[found.miss_rate > 0.7 + 1e-9]).all()
    tiny = uc.ratio_curve(a[:3], b[:3], rng=0, n_resamples=9)
    assert np.isnan(tiny.ratio).all()
    assert tiny.crossover is None
    assert repr(tiny) == "RatioCurve(not known at any miss rate)"
