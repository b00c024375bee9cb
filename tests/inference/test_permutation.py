"""Paired permutation tests: against brute force, with blocks and labels, and their size."""

from __future__ import annotations

import itertools
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import uccurve as uc
from uccurve import exceptions as ex


def pair(n, seed=0, *, weighted=False, outputs=None):
    """Two models with different predictions and asymmetric bands on the same rows."""
    rng = np.random.default_rng(seed)
    shape = n if outputs is None else (n, outputs)
    scale = rng.lognormal(sigma=0.5, size=shape)
    y = scale * rng.normal(size=shape)
    weight = rng.uniform(0.5, 2, size=n) if weighted else None
    bands = scale * rng.lognormal(sigma=0.3, size=(4, *scale.shape))
    predictions = (np.zeros(shape), 0.2 * rng.normal(size=shape))
    return [
        uc.Intervals.from_bands(y, p, lower, upper, sample_weight=weight)
        for p, lower, upper in zip(predictions, bands[:2], bands[2:], strict=True)
    ]


def exchanged(a, b, swap):
    """Exchange predictions and bands of the marked rows, literally."""
    swap = swap.reshape(-1, *[1] * (a.y_true.ndim - 1))

    def mixed(one, two):
        columns = [
            np.where(swap, getattr(two, c), getattr(one, c)) for c in ("y_pred", "lower_band", "upper_band")
        ]
        return uc.Intervals.from_bands(a.y_true, *columns, sample_weight=a.sample_weight)

    return mixed(a, b), mixed(b, a)


def level(a, b, vary):
    """Give both models the same mean bandwidth under scale; else leave them as they are."""
    widths = [model.ucc().original.bandwidth for model in (a, b)]
    return (a, b.scaled(widths[0] / widths[1])) if vary == "scale" else (a, b)


def exchanged_curves(a, b, unit, vary):
    """The curves of all exchanges of units, each with intervals built and sorted anew."""
    a, b = level(a, b, vary)
    every = itertools.product([False, True], repeat=int(unit.max()) + 1)
    return [[model.ucc(vary=vary) for model in exchanged(a, b, np.array(bits)[unit])] for bits in every]


def number(curve, statistic, **options):
    """The statistic of a curve, or of its rows."""
    if statistic == "bandwidth_at":
        return curve.at(**options).bandwidth
    if statistic == "interval_score":
        rows = curve.intervals
        return uc.interval_score(
            rows.y_true, rows.lower, rows.upper, sample_weight=rows.sample_weight, **options
        )
    return getattr(curve, statistic)(**options)


def brute_force(curves, statistic, **options):
    """The first difference, which is the observed one, and the share of those that are as large."""
    differences = []
    for pair_of_curves in curves:
        values = [number(curve, statistic, **options) for curve in pair_of_curves]
        differences.append(values[0] - values[1])
    observed, differences = differences[0], np.array(differences)
    return observed, np.mean(np.abs(differences) >= abs(observed) - 1e-10)


AXES = [{"x": x, "y": y} for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]
PARTS = [
    {},
    {"partial": "strip", "miss_rate": (0.1, 0.6)},
    {"partial": "mean", "coverage": (0.2, 0.9)},
    {"partial": "strip", "bandwidth": (0.2, 0.9)},
]


@pytest.fixture(scope="module")
def all_exchanges():
    """The curves of all exchanges of six rows: they are the same for every statistic."""
    return {vary: exchanged_curves(*SIX, np.arange(6), vary) for vary in ("scale", "shift")}


SIX = pair(6, seed=1, weighted=True)


@pytest.mark.slow
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("statistic", ["area", "gain"])
@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_exact_enumeration_equals_brute_force(all_exchanges, axes, part, statistic, vary):
    """On every pair of axes and any part of the curve, without sorting again."""
    test = uc.permutation_test(*SIX, statistic=statistic, vary=vary, **axes, **part)
    observed, p = brute_force(all_exchanges[vary], statistic, **axes, **part)
    assert test.exact
    assert test.n_resamples == 2**6
    assert test.statistic == pytest.approx(observed, rel=1e-9)
    assert test.pvalue == pytest.approx(p)


def rounded(model):
    """Return coarse bands, with ties among critical values and exact predictions."""
    columns = [np.round(2 * getattr(model, name)) / 2 for name in ("y_true", "y_pred")]
    bands = [np.ceil(2 * getattr(model, name)) / 2 for name in ("lower_band", "upper_band")]
    return uc.Intervals.from_bands(*columns, *bands, sample_weight=model.sample_weight)


@pytest.mark.slow
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize(
    ("statistic", "rows"),
    [
        ("bandwidth_at", "blocks"),
        ("gain_at", "blocks"),
        ("gain_at", "outputs"),
        *(("score_at", rows) for rows in ("plain", "weighted", "tied", "blocks", "outputs")),
    ],
)
def test_numbers_at_a_coverage_equal_brute_force(statistic, rows, vary):
    """All exchanges of seven rows or blocks, with intervals built and moved to the coverage anew."""
    a, b = pair(
        14 if rows == "blocks" else 7,
        2,
        weighted=rows == "weighted",
        outputs=2 if rows == "outputs" else None,
    )
    if rows == "tied":
        a, b = rounded(a), rounded(b)
    unit = np.arange(a.n) // (a.n // 7)
    curves = exchanged_curves(a, b, unit, vary)
    for coverage in (0.5, 0.8):
        test = uc.permutation_test(a, b, statistic=statistic, coverage=coverage, vary=vary, blocks=unit)
        observed, p = brute_force(curves, statistic, coverage=coverage)
        assert test.exact
        assert test.n_units == 7
        assert test.statistic == pytest.approx(observed, rel=1e-9, abs=1e-12)
        assert test.pvalue == pytest.approx(p)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2])
def test_scores_of_rows_equal_brute_force(size):
    """Their widths count: no model is multiplied to the width of the other."""
    a, b = pair(8, weighted=True)
    options = {"statistic": "interval_score", "coverage": 0.9}
    test = uc.permutation_test(a, b, blocks=size, **options)
    observed, p = brute_force(exchanged_curves(a, b, np.arange(8) // size, "shift"), **options)
    assert test.exact
    assert test.statistic == pytest.approx(observed, rel=1e-9)
    assert test.pvalue == p


def test_many_rows_are_exchanged_in_groups():
    """5,000 rows are 4,096 units, and the table holds some parameters only: the p-value changes little."""
    a, b = pair(5000, 5)
    far = uc.permutation_test(a, b, statistic="score_at", coverage=0.9, n_resamples=999, rng=0)
    assert far.n_units == 4096
    assert far.statistic == pytest.approx(
        np.subtract(*(m.ucc().score_at(coverage=0.9) for m in (a, b))), rel=1e-9
    )
    interval = uc.confidence_interval(a, "score_at", minus=b, coverage=0.9)
    z = abs(interval.estimate / interval.standard_error)
    assert far.pvalue == pytest.approx(2 * NormalDist().cdf(-z), abs=0.05)


@pytest.mark.parametrize("axes", [AXES[0], AXES[3]])
def test_blocks_and_labels_are_exchanged_together(axes):
    """A shorter last block is a block, too; outputs of a row stay together."""
    a, b = pair(14, outputs=2)
    unit = np.arange(14) // 3
    expected = brute_force(exchanged_curves(a, b, unit, "scale"), "area", **axes)
    for blocks in (3, unit, [f"day {u}" for u in unit]):
        test = uc.permutation_test(a, b, blocks=blocks, **axes)
        assert test.n_units == 5
        assert (test.statistic, test.pvalue) == pytest.approx(expected)


def test_a_model_does_not_differ_from_itself():
    """p = 1, on all axes."""
    a, _ = pair(50)
    for axes in AXES:
        test = uc.permutation_test(a, a, **axes, n_resamples=99, rng=0)
        assert (test.statistic, test.pvalue) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("statistic", ["area", "gain"])
def test_what_the_curve_does_not_depend_on_the_p_value_does_not_either(statistic, part):
    """A factor common to all bands says nothing about a model under scale."""
    a, b = pair(5, seed=4, weighted=True)
    for axes in AXES:
        options = {"statistic": statistic, **axes, **part}
        plain = uc.permutation_test(a, b, **options)
        for models in ((a.scaled(50), b), (a, b.scaled(0.01))):
            moved = uc.permutation_test(*models, **options)
            assert moved.pvalue == plain.pvalue
            assert moved.statistic == pytest.approx(plain.statistic, rel=1e-9)


def test_the_smallest_p_value_is_known():
    """What resamples and units allow, whichever allows less."""
    a, _ = pair(400)
    noisy = uc.Intervals.from_bands(a.y_true, a.y_pred, a.lower_band[::-1].copy(), a.upper_band[::-1].copy())

    def of(**options):
        test = uc.permutation_test(a, noisy, y="deficit", rng=0, **options)
        assert test.pvalue >= test.smallest_pvalue
        return test.smallest_pvalue

    assert of(n_resamples=999) == 1 / 1000
    assert of(blocks=100) == 2 / 2**4
    assert of(blocks=40, n_resamples=999) == 2 / 2**10  # drawn, not enumerated: a few of 1 024


def test_rows_that_scaling_never_captures_have_no_area_to_test():
    """The same error as the curve's, on closed and on sorted axes."""
    a = uc.Intervals.from_bands([1.0, 2, 3, 4], np.zeros(4), [1, 1, 0, 1])
    for axes in AXES:
        with pytest.raises(ex.UnreachableError):
            uc.permutation_test(a, a, **axes)
    assert uc.permutation_test(a, a, miss_rate=(0.3, 0.9), partial="strip").pvalue == 1


def test_exchanges_that_leave_nothing_count_as_large():
    """A test must not gain from what it cannot see."""
    rng = np.random.default_rng(4)
    y = np.round(rng.normal(size=6) * 2) / 2
    bands = [np.round((0.25 + rng.uniform(size=6) * 2) * 2) / 2 for _ in range(2)]
    models = [uc.Intervals.from_bands(y, 0 * y, band) for band in bands]
    part = {"partial": "mean", "bandwidth": (0.9, 1.3)}
    differences = []
    for bits in itertools.product([False, True], repeat=6):
        try:
            areas = [m.ucc().area(**part) for m in exchanged(*level(*models, "scale"), np.array(bits))]
            differences.append(areas[0] - areas[1])
        except ex.UnreachableError:
            differences.append(np.nan)
    unseen = np.isnan(differences)
    large = np.abs(differences) >= abs(differences[0]) - 1e-10
    assert unseen.sum() == 14
    assert uc.permutation_test(*models, **part).pvalue == np.mean(large | unseen)


def test_differences_that_are_rounding_are_none():
    """Bands that differ in the last place are the same bands."""
    y = np.array([0.1, 0.2, 0.3, 0.7])
    bands = np.array([0.1, 0.3, 0.2, 0.7])
    a, b = (uc.Intervals.from_bands(y, 0 * y, band) for band in (bands, np.nextafter(bands, 1)))
    assert uc.permutation_test(a, b).pvalue == 1


@pytest.mark.slow
def test_the_size_is_right():
    """Interchangeable models are told apart in one of twenty cases; `make simulate` looks closer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "simulations"))
        import simulate
    assert 0.02 <= simulate.rejections(200, 100, 1) <= 0.09
    assert simulate.rejections(600, 20, 5, vary="shift") <= 0.065


@pytest.mark.slow
def test_blocks_keep_the_size_where_rows_depend_on_each_other():
    """Bands that are off by the same factor in all rows of a block; taken for independent, they differ too often."""
    rng, rejected = np.random.default_rng(2), {1: 0, 48: 0}
    for _ in range(60):
        y, factors = rng.normal(size=960), np.repeat(rng.lognormal(sigma=0.5, size=(2, 20)), 48, axis=1)
        a, b = (uc.Intervals.from_bands(y, np.zeros(960), band) for band in factors)
        for blocks in rejected:
            found = uc.permutation_test(a, b, blocks=blocks, n_resamples=199, rng=rng)
            rejected[blocks] += found.pvalue <= 0.05
    assert rejected[48] <= 8 < rejected[1]
