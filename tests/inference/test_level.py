"""Tests and intervals of nested quantiles: the curve's own numbers, and exchanges at equal widths."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import uccurve as uc
from uccurve.exceptions import ArgumentError
from uccurve.inference import Sample

FULL = [{}, {"y": "deficit"}, {"x": "excess"}, {"x": "excess", "y": "deficit"}]
PARTS = [
    {"miss_rate": (0.05, 0.3)},
    {"coverage": (0.5, 0.9), "y": "deficit"},
    {"bandwidth": (0.2, 1.5), "x": "excess"},
]


def pair(n=60, seed=0, outputs=1):
    """Two models with other levels, other centers and skewed, weighted rows."""
    rng = np.random.default_rng(seed)
    shape = (n,) if outputs == 1 else (n, outputs)
    center, spread = rng.normal(size=shape), np.exp(rng.normal(size=shape) / 2)
    y = center + spread * rng.gumbel(size=shape)
    weight = rng.uniform(0.5, 2, size=n)
    steps = rng.exponential(size=(*shape, 7)) * spread[..., None]
    fine = center[..., None] + steps.cumsum(axis=-1) - steps[..., :4].sum(axis=-1, keepdims=True)
    coarse = center[..., None] + 0.3 + spread[..., None] * np.array([-2.0, -0.5, 0.7, 3.0])
    a = uc.Intervals.from_quantiles(y, fine, (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98), sample_weight=weight)
    b = uc.Intervals.from_quantiles(y, coarse, (0.05, 0.25, 0.75, 0.95), sample_weight=weight)
    return a, b


@pytest.mark.slow
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("options", [*FULL, *PARTS], ids=str)
@pytest.mark.parametrize("statistic", ["area", "gain"])
def test_estimates_are_the_curves_own_numbers(statistic, options, outputs):
    """Sums, lanes and reweighted curves give what the exact curve gives."""
    a, b = pair(outputs=outputs)
    own = [getattr(model.ucc(vary="level"), statistic)(**options) for model in (a, b)]
    found = uc.confidence_interval(a, statistic, vary="level", rng=0, n_resamples=9, **options)
    assert found.estimate == pytest.approx(own[0], rel=1e-9, abs=1e-12)
    both = uc.confidence_interval(
        a.ucc(vary="level"), statistic, minus=b.ucc(vary="level"), rng=0, n_resamples=9, **options
    )
    assert both.estimate == pytest.approx(own[0] - own[1], rel=1e-9, abs=1e-12)
    tested = uc.permutation_test(a, b, statistic=statistic, vary="level", rng=0, n_resamples=9, **options)
    assert tested.statistic == pytest.approx(own[0] - own[1], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("statistic", ["bandwidth_at", "gain_at", "score_at"])
def test_numbers_at_one_coverage(statistic):
    a, b = (model.ucc(vary="level") for model in pair())
    own = [
        curve.at(coverage=0.8).bandwidth
        if statistic == "bandwidth_at"
        else getattr(curve, statistic)(coverage=0.8)
        for curve in (a, b)
    ]
    tested = uc.permutation_test(a, b, statistic=statistic, coverage=0.8, rng=0, n_resamples=9)
    assert tested.statistic == pytest.approx(own[0] - own[1], rel=1e-9)
    found = uc.confidence_interval(a, statistic, coverage=0.8, rng=0, n_resamples=9)
    assert found.estimate == pytest.approx(own[0], rel=1e-9)


@pytest.mark.parametrize("outputs", [1, 2])
def test_segments_have_the_widths_of_the_intervals_at_the_coverage(outputs):
    """Between two pairs of quantiles, not those of the outermost pair times a factor."""
    curve = pair(outputs=outputs)[0].ucc(vary="level")
    found = uc.conditional_coverage(curve, coverage=0.6, bins=1)
    assert found.parameter < 1
    assert found.segments[0].half_width == pytest.approx(curve.at(coverage=0.6).bandwidth, rel=1e-12)


@pytest.mark.parametrize(("statistic", "point"), [("area", {}), ("score_at", {"coverage": 0.6})])
def test_exchanges_are_those_of_the_rows_at_equal_widths(statistic, point):
    """All 2^6 of them, made by hand."""
    a, b = pair(n=6)
    tested = uc.permutation_test(a, b, statistic=statistic, vary="level", **point)
    rows = Sample.of({"a": a, "b": b}, None, "level").of_equal_width()
    first, second = rows.models.values()
    levels = first.rows.columns.nested.levels
    tails = [0.5 - level * 0.49 for level in levels]

    def table(model):
        nested = model.rows.columns.nested
        return np.stack([*reversed(nested.lower), nested.center, *nested.upper], axis=1)

    quantiles = [*reversed(tails), 0.5, *(1 - tail for tail in tails)]
    quantiles = sorted(quantiles)
    differences = []
    for exchanged in product([False, True], repeat=6):
        swap = np.array(exchanged)[:, None]
        one, two = (
            np.where(swap, y, x) for x, y in ((table(first), table(second)), (table(second), table(first)))
        )
        curves = [
            uc.Intervals.from_quantiles(first.y_true, t, quantiles, sample_weight=rows.weight).ucc(
                vary="level"
            )
            for t in (one, two)
        ]
        differences.append(np.subtract(*(getattr(curve, statistic)(**point) for curve in curves)))
    observed = differences[0]
    assert tested.exact
    assert tested.statistic == pytest.approx(observed, rel=1e-9)
    assert tested.pvalue == np.mean(np.abs(differences) >= abs(observed) * (1 - 1e-9))


@pytest.mark.parametrize("criterion", ["interval_score", "bandwidth"])
def test_the_ratio_curve_is_the_ratio_of_two_curves(criterion):
    a, b = pair(n=400)
    found = uc.ratio_curve(a, b, criterion=criterion, vary="level", rng=0, n_resamples=50)
    mine, theirs = a.ucc(vary="level"), b.ucc(vary="level")
    for rate in (0.1, 0.25, 0.5):
        place = int(np.flatnonzero(np.isclose(found.miss_rate, rate))[0])
        if criterion == "bandwidth":
            wanted = mine.at(miss_rate=rate).bandwidth / theirs.at(miss_rate=rate).bandwidth
        else:
            wanted = mine.score_at(miss_rate=rate) / theirs.score_at(miss_rate=rate)
        assert found.ratio[place] == pytest.approx(wanted, rel=1e-9)
        assert found.low[place] < found.ratio[place] < found.high[place]


def test_curves_without_tails_are_refused():
    a, _ = pair()
    with pytest.raises(ArgumentError):
        uc.confidence_interval(uc.UCC(a, vary="level", tails="none"), "area")


@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_almost_symmetric_bounds_have_the_excess_of_their_curve(y):
    """Bounds rounded to either side switch at 1e15: what rounding leaves of the misses must not count there."""
    rng = np.random.default_rng(1)
    center, spread = rng.normal(size=(2, 400))
    table = center[:, None] + np.exp(spread)[:, None] * np.array([-1.96, 0.0, 1.96])
    weight = rng.uniform(0.5, 2, size=400)
    rows = uc.Intervals.from_quantiles(
        center + rng.gumbel(size=400), table, (0.025, 0.5, 0.975), sample_weight=weight
    )
    found = uc.confidence_interval(rows, "area", x="excess", y=y, rng=0, n_resamples=9)
    assert found.estimate == pytest.approx(rows.ucc().area(x="excess", y=y), rel=1e-9)


@pytest.mark.parametrize("outputs", [1, 2])
def test_the_weighted_interval_score_is_that_of_all_quantiles(outputs):
    """The same number as the metric, in intervals and tests, whose widths count."""
    a, b = pair(outputs=outputs)
    own = []
    for model in (a, b):
        nested = model.rows.columns.nested
        columns = [*reversed(nested.lower), *([nested.center] if nested.with_median else []), *nested.upper]
        tails = [(1 - level) / 2 for level in nested.levels]
        levels = [*reversed(tails), *([0.5] if nested.with_median else []), *(1 - tail for tail in tails)]
        own.append(
            uc.weighted_interval_score(
                model.y_true, np.stack(columns, axis=-1), sorted(levels), sample_weight=model.sample_weight
            )
        )
    found = uc.confidence_interval(a, "weighted_interval_score")
    assert found.estimate == pytest.approx(own[0], rel=1e-12)
    tested = uc.permutation_test(a, b, statistic="weighted_interval_score", rng=0, n_resamples=99)
    assert tested.statistic == pytest.approx(own[0] - own[1], rel=1e-9)
    with pytest.raises(ArgumentError):
        uc.confidence_interval(a, "weighted_interval_score", coverage=0.9)
    with pytest.raises(ArgumentError):
        uc.confidence_interval(a.constant(), "weighted_interval_score")
