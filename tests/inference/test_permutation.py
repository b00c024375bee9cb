"""Paired permutation tests: against brute force, with blocks and labels, and their size."""

from __future__ import annotations

import itertools
from statistics import NormalDist

import numpy as np
import pytest

import uccurve as uc
from errors import raises
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


def brute_force(curves, statistic, alternative="two-sided", **options):
    """The first difference, which is the observed one, and the share of those that are as large."""
    differences = []
    for pair_of_curves in curves:
        values = [number(curve, statistic, **options) for curve in pair_of_curves]
        differences.append(values[0] - values[1])
    observed, differences = differences[0], np.array(differences)
    slack = 1e-10
    if alternative == "less":
        return observed, np.mean(differences <= observed + slack)
    if alternative == "greater":
        return observed, np.mean(differences >= observed - slack)
    return observed, np.mean(np.abs(differences) >= abs(observed) - slack)


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
    """All exchanges of ten rows or blocks, with intervals built and moved to the coverage anew."""
    a, b = pair(
        20 if rows == "blocks" else 10,
        2,
        weighted=rows == "weighted",
        outputs=2 if rows == "outputs" else None,
    )
    if rows == "tied":
        a, b = rounded(a), rounded(b)
    unit = np.arange(a.n) // (a.n // 10)
    curves = exchanged_curves(a, b, unit, vary)
    for coverage, alternative in ((0.5, "two-sided"), (0.8, "two-sided"), (0.8, "less"), (0.8, "greater")):
        test = uc.permutation_test(
            a, b, statistic=statistic, coverage=coverage, vary=vary, blocks=unit, alternative=alternative
        )
        observed, p = brute_force(curves, statistic, alternative, coverage=coverage)
        assert test.exact
        assert test.n_units == 10
        assert test.statistic == pytest.approx(observed, rel=1e-9, abs=1e-12)
        assert test.pvalue == pytest.approx(p)


@pytest.mark.slow
@pytest.mark.parametrize(("alternative", "size"), [("two-sided", 1), ("less", 2), ("greater", 1)])
def test_scores_of_rows_equal_brute_force(alternative, size):
    """Their widths count: no model is multiplied to the width of the other."""
    a, b = pair(10, weighted=True)
    options = {"statistic": "interval_score", "coverage": 0.9, "alternative": alternative}
    test = uc.permutation_test(a, b, blocks=size, **options)
    observed, p = brute_force(exchanged_curves(a, b, np.arange(10) // size, "shift"), **options)
    assert test.exact
    assert test.statistic == pytest.approx(observed, rel=1e-9)
    assert test.pvalue == p


@pytest.mark.slow
@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_numbers_of_limits_equal_brute_force(side, vary):
    """One-sided limits have half the price, and no half-width; rows on their inside are never missed."""
    a, b = pair(7, 4)
    sign = 1 if side == "upper" else -1
    models = [
        uc.Intervals.from_bounds(m.y_true, **{side: m.y_pred + sign * m.upper_band}, y_pred=m.y_pred)
        for m in (a, b)
    ]
    if vary == "scale":
        models = [m.scaled(1 / m.ucc().original.bandwidth) for m in models]
    curves = []
    for bits in itertools.product([False, True], repeat=7):
        mixed = [
            {name: np.where(bits, getattr(two, name), getattr(one, name)) for name in ("y_pred", side)}
            for one, two in (models, models[::-1])
        ]
        curves.append([uc.Intervals.from_bounds(a.y_true, **m).ucc(vary=vary) for m in mixed])
    for statistic in ("score_at", "bandwidth_at", "gain_at"):
        for coverage in (0.6, 0.8):
            test = uc.permutation_test(*models, statistic=statistic, coverage=coverage, vary=vary)
            with np.errstate(invalid="ignore"):
                observed, p = brute_force(curves, statistic, coverage=coverage)
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


@pytest.mark.parametrize("axes", [AXES[0], AXES[3]])
def test_random_exchanges_come_close_to_all_of_them(axes):
    """And are the same for the same seed."""
    a, b = pair(12, seed=3)
    exact = uc.permutation_test(a, b, **axes, n_resamples=4096)
    drawn = uc.permutation_test(a, b, **axes, n_resamples=2000, rng=0)
    assert exact.exact
    assert not drawn.exact
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=0.05)
    assert drawn == uc.permutation_test(a, b, **axes, n_resamples=2000, rng=0)
    assert drawn != uc.permutation_test(a, b, **axes, n_resamples=2000, rng=1)


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


@pytest.mark.parametrize("statistic", ["area", "gain"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_an_exchange_and_its_mirror_image_count_alike(statistic, y):
    """Of all exchanges each has one with the opposite difference, also where gains are far from 1."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        size = rng.lognormal(sigma=0.5, size=(3, 6))
        a, b = (uc.Intervals.from_bands(size[0], np.zeros(6), band) for band in (size[1], 1000 * size[2]))
        for vary in ("scale", "shift"):
            p = uc.permutation_test(a, b, statistic=statistic, y=y, vary=vary).pvalue
            assert p * 32 == round(p * 32), (seed, vary)


def test_a_range_of_parameters_is_taken_as_it_is():
    """There the scale is what is asked about."""
    a, b = pair(9, seed=4)
    first, second = (
        uc.permutation_test(a, b.scaled(k), parameter=(0.5, 1.5), partial="strip") for k in (1, 2)
    )
    assert first.statistic != pytest.approx(second.statistic)


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
    assert of(blocks=100, alternative="less") == 1 / 2**4
    assert of(blocks=40, n_resamples=999) == 2 / 2**10  # drawn, not enumerated: a few of 1 024


@pytest.mark.slow
def test_the_size_is_right():
    """Interchangeable models are told apart in one of twenty cases; `make simulate` looks closer."""
    sys_path = str(__import__("pathlib").Path(__file__).parents[2] / "simulations")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(sys_path)
        import simulate
    assert 0.02 <= simulate.rejections(simulate.same_models, 200, 100, 1) <= 0.09
    assert simulate.rejections(simulate.same_models, 600, 20, 5, vary="shift") <= 0.065
    assert simulate.rejections(simulate.dependent_models, 60, 960, 2) > 0.1
    assert simulate.rejections(simulate.dependent_models, 60, 960, 2, blocks=48) < 0.14


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"y_true": [1.0, 3, 5, 7]}, "y_true"),
        ({"y_true": [1.0, 2, 3], "y_pred": np.zeros(3)}, "y_true"),
        ({"sample_weight": [1, 2, 3, 4]}, "sample_weight"),
    ],
)
def test_only_pairs_on_the_same_rows(change, argument):
    """Anything else would compare apples with pears."""
    columns = {"y_true": [1.0, 2, 3, 4], "y_pred": np.zeros(4), "band": 1.0}
    a, b = (uc.Intervals.from_bands(**given) for given in (columns, columns | change))
    with raises(ex.PairError, argument):
        uc.permutation_test(a, b)


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"blocks": 4}, "blocks"),
        ({"blocks": 0}, "blocks"),
        ({"blocks": [1, 2]}, "blocks"),
        ({"statistic": "width"}, "statistic"),
        ({"alternative": "more"}, "alternative"),
        ({"n_resamples": 0}, "n_resamples"),
    ],
)
def test_options_are_checked(options, argument):
    """Before any work is done."""
    a = uc.Intervals.from_bands([1.0, 2, 3, 4], np.zeros(4), 1.0)
    with raises(ex.UccurveError, argument):
        uc.permutation_test(a, a, **options)


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
    """One-sided as well."""
    y = np.array([0.1, 0.2, 0.3, 0.7])
    bands = np.array([0.1, 0.3, 0.2, 0.7])
    a, b = (uc.Intervals.from_bands(y, 0 * y, band) for band in (bands, np.nextafter(bands, 1)))
    for alternative in ("less", "greater", "two-sided"):
        assert uc.permutation_test(a, b, alternative=alternative).pvalue == 1


def test_the_progress_bar_is_for_terminals(capsys, monkeypatch):
    """Asked for, it draws on a terminal's standard error and nowhere else; the result stays the same."""
    import sys

    a, b = pair(30)
    quiet = uc.permutation_test(a, b, n_resamples=50, rng=0)
    assert uc.permutation_test(a, b, n_resamples=50, rng=0, progress=True) == quiet
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert uc.permutation_test(a, b, x="excess", n_resamples=50, rng=0, progress="testing").exact is False
    printed = capsys.readouterr()
    assert printed.out == ""
    uc.permutation_test(a, b, n_resamples=50, rng=0, progress="in \x1b sums")
    of_sums = capsys.readouterr()
    for text, last in ((of_sums.err, "in � sums {} 50 of 50"), (printed.err, "testing {} 50 of 50")):
        full = last.format("█" * 30)
        assert text.endswith(f"\r{full}\r{' ' * len(full)}\r")  # drawn, and removed when all is done


@pytest.mark.parametrize("statistic", ["width", np.array([]), None])
def test_an_unknown_statistic_is_named(statistic):
    """Whatever it is: an array has no truth value."""
    rows = uc.Intervals.from_bands([1.0, 2.0], [0.0, 0.0], 1.0)
    with raises(ex.ArgumentError, "statistic"):
        uc.permutation_test(rows, rows, statistic=statistic)
