"""Laws that hold for any intervals, whatever the formulas look like inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import Case, cases

AXES = [{"x": x, "y": y} for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]
COSTS = ("miss_rate", "bandwidth", "excess", "deficit")
on_axes = st.sampled_from(AXES)


def assert_same_costs(one, other, rel=1e-12):
    """Point by point, up to rounding."""
    for cost in COSTS:
        np.testing.assert_allclose(getattr(one, cost), getattr(other, cost), rtol=rel, atol=0, err_msg=cost)


def sample(n=1000, seed=0, *, weighted=False, symmetric=False):
    """Rows with asymmetric bands that know a little about the errors."""
    rng = np.random.default_rng(seed)
    sigma = rng.lognormal(sigma=0.5, size=n)
    y_pred = rng.normal(size=n)
    y_true = y_pred + sigma * rng.normal(size=n)
    lower, upper = sigma * rng.lognormal(sigma=0.3, size=(2, n))
    weight = rng.exponential(size=n) if weighted else None
    return uc.Intervals.from_bands(y_true, y_pred, lower, None if symmetric else upper, sample_weight=weight)


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_area_is_the_mean_bandwidth_over_the_rows_own_operating_points(vary, weighted):
    """Proposition 1 of the paper, here an identity."""
    intervals = sample(200, weighted=weighted)
    curve = intervals.ucc(vary=vary)
    size = np.abs(intervals.residual)
    active = np.where(intervals.residual >= 0, intervals.upper_band, intervals.lower_band)
    critical = size / active if vary == "scale" else size - active
    for x in ("bandwidth", "excess"):
        values = [getattr(curve.at(parameter=k), x) for k in critical]
        mean = np.average(values, weights=intervals.sample_weight)
        assert curve.area(x=x) == pytest.approx(mean, rel=1e-12)


@given(cases(vary=["scale"]), on_axes, st.sampled_from([2.0**-20, 0.125, 4.0, 2.0**30]))
@settings(max_examples=200)
def test_rescaling_the_bands_leaves_the_curve_unchanged(case, axes, factor):
    """Only the relative bands matter under scaling: not their calibration."""
    intervals = case.intervals()
    curve, other = intervals.ucc(), intervals.scaled(factor).ucc()
    assert_same_costs(curve, other, rel=0)
    assert np.array_equal(curve.parameter, other.parameter * factor)
    assert curve.area(**axes) == other.area(**axes)
    assert curve.gain(**axes) == pytest.approx(other.gain(**axes), nan_ok=True)


@given(cases(vary=["shift"]), on_axes)
@settings(max_examples=200)
def test_shifting_the_bands_leaves_the_curve_unchanged(case, axes):
    """The same law for the other family."""
    intervals = case.intervals()
    step = max(case.lower_band) * 2
    curve, other = intervals.ucc(vary="shift"), intervals.shifted(step).ucc(vary="shift")
    assert np.array_equal(curve.parameter, other.parameter + step)
    assert_same_costs(curve, other, rel=1e-13)
    assert curve.area(**axes) == pytest.approx(other.area(**axes), rel=1e-13)


RANGES = [
    {},
    {"miss_rate": (0.1, 0.6)},
    {"coverage": (0.25, 1)},
    {"bandwidth": (0.1, 0.7)},
    {"excess": (0.05, 0.4)},
    {"deficit": (0.01, 0.3)},
    {"parameter": (0.3, 2)},
]


@pytest.mark.parametrize("band", [1.0, 0.1, 1 / 3, 1e-12, 7.3e11])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("weighted", [False, True])
def test_constant_bands_gain_exactly_zero(band, vary, axes, weighted):
    """Exactly: not 1e-17, on any axes, with any partial range, in both definitions."""
    rng = np.random.default_rng(3)
    y_true, y_pred = rng.normal(size=(2, 101))
    weight = rng.exponential(size=101) if weighted else None
    rows = uc.Intervals.from_bands(y_true, y_pred, np.full(101, band), sample_weight=weight)
    curve = uc.UCC(rows, vary=vary)
    for span in RANGES:
        for partial in ("strip", "mean"):
            area = curve.reference.area(**axes, partial=partial, **span)
            gain = curve.gain(**axes, partial=partial, **span)
            assert gain == 0 if area > 0 else np.isnan(gain), (span, partial)
    assert curve.gain(**axes) == 0


@pytest.mark.parametrize("weighted", [False, True])
def test_gains_of_symmetric_bands_are_covariances(weighted):
    """Full gains equal the covariance of the band with k, or with |e| k, over the reference's area."""
    intervals = sample(500, weighted=weighted, symmetric=True)
    e, z = np.abs(intervals.residual), intervals.lower_band
    weight = intervals.sample_weight
    k = e / z
    curve = intervals.ucc()
    miss_gain = np.cov(k, z, aweights=weight, ddof=0)[0, 1] / np.average(e, weights=weight)
    deficit_gain = np.cov(e * k, z, aweights=weight, ddof=0)[0, 1] / np.average(e**2, weights=weight)
    assert curve.gain() == pytest.approx(miss_gain, rel=1e-12)
    assert curve.gain(y="deficit") == pytest.approx(deficit_gain, rel=1e-12)


@pytest.mark.slow
@given(cases(), on_axes)
@settings(max_examples=200)
def test_weights_are_repetitions(case, axes):
    """A row of weight 2 is the same row twice, and one of weight 0 is absent."""
    weight = [int(4 * w) for w in case.weight or [1] * len(case.y)]
    columns = case.y, case.p, case.lower_band, case.upper_band
    repeated = ([v for v, w in zip(c, weight, strict=True) for _ in range(w)] for c in columns)
    whole, weighted = Case(*repeated, None, case.vary).curve(), Case(*columns, weight, case.vary).curve()
    assert np.array_equal(weighted.parameter, whole.parameter)
    assert_same_costs(weighted, whole)
    assert weighted.area(**axes) == pytest.approx(whole.area(**axes), rel=1e-12)
    assert weighted.gain(**axes) == pytest.approx(whole.gain(**axes), rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.slow
@given(cases(symmetric=False), on_axes)
@settings(max_examples=200)
def test_mirroring_changes_nothing(case, axes):
    """Turning everything upside down swaps the bands and keeps the costs (residuals of 0 aside)."""
    turned = ([-v for v in column] for column in (case.y, case.p))
    curve = case.curve()
    mirrored = Case(*turned, case.upper_band, case.lower_band, case.weight, case.vary).curve()
    assert np.array_equal(curve.parameter, mirrored.parameter)
    assert_same_costs(curve, mirrored)
    assert curve.area(**axes) == pytest.approx(mirrored.area(**axes), rel=1e-12)


@given(cases(zero_bands=True), st.randoms())
@settings(max_examples=100)
def test_the_order_of_rows_does_not_matter(case, random):
    """A curve is about a set of rows."""
    order = list(range(len(case.y)))
    random.shuffle(order)
    columns = [[c[i] for i in order] for c in (case.y, case.p, case.lower_band, case.upper_band)]
    weight = None if case.weight is None else [case.weight[i] for i in order]
    shuffled = Case(*columns, weight, case.vary).curve()
    assert np.array_equal(case.curve().parameter, shuffled.parameter)
    np.testing.assert_allclose(case.curve().excess, shuffled.excess, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_original_point_agrees_with_the_metrics(vary):
    """At scale 1 and at shift 0 the curve passes through the plain metrics of the intervals."""
    intervals = sample(300, weighted=True)
    arguments = (intervals.y_true, intervals.lower, intervals.upper)
    point, weight = intervals.ucc(vary=vary).original, intervals.sample_weight
    assert point.bandwidth == pytest.approx(uc.bandwidth(*arguments[1:], sample_weight=weight))
    for metric in (uc.miss_rate, uc.coverage, uc.excess, uc.deficit):
        assert getattr(point, metric.__name__) == pytest.approx(metric(*arguments, sample_weight=weight))


def test_moved_intervals_have_the_costs_of_their_operating_point():
    """What at() promises is what scaled() and shifted() deliver."""
    intervals = sample(300)
    for vary, move, parameter in (("scale", intervals.scaled, 1.7), ("shift", intervals.shifted, -0.4)):
        promised = intervals.ucc(vary=vary).at(parameter=parameter)
        moved = move(parameter)
        for cost in ("miss_rate", "excess", "deficit"):
            got = getattr(uc, cost)(moved.y_true, moved.lower, moved.upper)
            assert got == pytest.approx(getattr(promised, cost), rel=1e-9), (vary, cost)


def test_the_interval_score_is_a_cost_on_the_curve():
    """IS = 2 (1 + α)/α · C with x = bandwidth, y = deficit and c = α/(1 + α): the paper's slip mended."""
    intervals = sample(300)
    for alpha in (0.05, 0.3):
        c = alpha / (1 + alpha)
        cost = intervals.ucc().minimize_cost(c, x="bandwidth", y="deficit").original_cost
        score = uc.interval_score(intervals.y_true, intervals.lower, intervals.upper, miss_rate=alpha)
        assert score == pytest.approx(2 * (1 + alpha) / alpha * cost, rel=1e-12)


def test_half_and_half_on_excess_and_deficit_is_the_mean_absolute_error_of_the_band():
    """For symmetric bands C(k) = ½ mean ||e| - k z|: the optimum fits the band to the errors."""
    intervals = sample(301, symmetric=True)
    e, z = np.abs(intervals.residual), intervals.lower_band
    optimum = intervals.ucc().minimize_cost(0.5, x="excess", y="deficit")
    best = min(np.mean(np.abs(e - k * z)) / 2 for k in e / z)
    assert optimum.cost == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("axes", AXES)
def test_two_halves_of_a_strip_make_the_whole(vary, axes):
    """Cutting the curve at any bandwidth, excess, deficit or parameter loses nothing."""
    curve = sample(100, weighted=True).ucc(vary=vary)
    middle, start = curve.at(miss_rate=0.37), 0.0 if vary == "scale" else float(curve.parameter[0])
    for axis in ("bandwidth", "excess", "deficit", "parameter"):
        cut = getattr(middle, axis) * 1.001
        spans = (start if axis == "parameter" else 0.0, cut), (cut, 1e9 if axis == "deficit" else np.inf)
        parts = [curve.area(**axes, partial="strip", **{axis: span}) for span in spans]
        assert sum(parts) == pytest.approx(curve.area(**axes), rel=1e-12), axis


@given(cases(), on_axes)
@settings(max_examples=400)
def test_no_band_gains_more_than_its_ceiling(case, axes):
    """Of symmetric bands under scale by Cauchy-Schwarz; half their area remains when the far side stays shut."""
    curve = case.curve()
    gain, ceiling = curve.gain(**axes), curve.ceiling(**axes, asymmetric=not case.symmetric)
    assert np.isnan(gain) or gain <= ceiling + 1e-12


@given(cases(symmetric=True))
@settings(max_examples=200)
def test_excess_and_deficit_rank_symmetric_bands_like_bandwidth_and_deficit(case):
    """There ξ - δ = β - mean|e|, so that one gain is the other over its ceiling."""
    curve = case.curve()
    error = float(curve.deficit[0])
    area = curve.area(x="bandwidth", y="deficit") - error**2 / 2
    assert curve.area(x="excess", y="deficit") == pytest.approx(area, rel=1e-9, abs=1e-11 * error**2)
    gain, ceiling = curve.gain(x="bandwidth", y="deficit"), curve.ceiling(x="bandwidth", y="deficit")
    if ceiling > 1e-6:
        assert curve.gain(x="excess", y="deficit") == pytest.approx(gain / ceiling, rel=1e-7, abs=1e-7)


def test_hindsight_reaches_the_ceilings():
    """Bands of √|e| and |e| attain them, so the ceilings cannot be lowered."""
    rng = np.random.default_rng(5)
    y = rng.normal(size=400)
    zero = np.zeros(400)
    root = uc.Intervals.from_bands(y, zero, np.sqrt(np.abs(y))).ucc()
    assert root.gain() == pytest.approx(root.ceiling(), rel=1e-12)
    for vary in ("scale", "shift"):
        exact = uc.Intervals.from_bands(y, zero, np.abs(y)).ucc(vary=vary)
        assert exact.gain(y="deficit") == pytest.approx(exact.ceiling(y="deficit"), rel=1e-12)
        assert exact.gain(x="excess") == exact.ceiling(x="excess") == 1
        assert exact.gain(x="excess", y="deficit") == 1
        assert exact.gain() == pytest.approx(0, abs=1e-12)
    up, down = np.where(y >= 0, np.sqrt(np.abs(y)), 0), np.where(y < 0, np.sqrt(np.abs(y)), 0)
    sided = uc.Intervals.from_bands(y, zero, down, up).ucc()
    assert sided.gain() == pytest.approx(sided.ceiling(asymmetric=True), rel=1e-12)


@given(cases(zero_bands=True), st.integers(1, 3))
@example(Case([1.0, 2.0], [0.0] * 2, [1.0] * 2, [1.0] * 2, [1.0, 0.0]), 1)  # a block without weight
@settings(max_examples=200)
def test_blocks_do_not_change_the_numbers(case, block):
    """Rows are worked on in blocks; where one ends must not matter."""
    expected = case.curve()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("uccurve._base.arrays._BLOCK", block)
        curve = case.curve()
        assert np.array_equal(curve.parameter, expected.parameter)
        for cost in COSTS:
            found, wanted = getattr(curve, cost), getattr(expected, cost)
            np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13 * np.max(np.abs(wanted)))
            assert getattr(curve.original, cost) == pytest.approx(getattr(expected.original, cost), rel=1e-13)
        if float(expected.miss_rate[-1]) == 0:
            assert curve.area() == pytest.approx(expected.area(), rel=1e-13)


def test_a_curve_is_frozen():
    """Results cannot be changed by accident, neither the object nor its arrays."""
    curve = sample(10).ucc()
    with pytest.raises(ValueError, match="read-only"):
        curve.miss_rate[0] = 2
    with pytest.raises(AttributeError):
        curve.vary = "shift"
    with pytest.raises(AttributeError):
        curve.original.miss_rate = 0


def test_inputs_are_never_modified():
    """Not even where rows are dropped, bands are zero or weights are missing."""
    columns = np.array([[1, 2, 3, 9], [1, 1, 1, 1], [0, 1, 2, 1], [1, 0, 2, 1], [1, 0, 1, 2]], dtype=float)
    before = columns.copy()
    intervals = uc.Intervals.from_bands(*columns[:4], sample_weight=columns[4])
    for vary in ("scale", "shift"):
        curve = intervals.ucc(vary=vary)
        curve.to_frame()
        curve.at(miss_rate=0.5)
        assert curve.crossings(curve.reference) is not None
    assert np.array_equal(columns, before)
