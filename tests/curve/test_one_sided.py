"""One-sided limits: every number against the definitions in exact arithmetic, and the laws that follow."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import check_error
from one_sided_cases import COSTS, PAIRS, SIDES, close, finest, limit, oracle
from strategies import cases
from uccurve import exceptions as ex

INF = math.inf
Y, P, U = np.array([1.0, 5.0, 2.0, 0.0]), np.array([2.0, 2.0, 2.0, 1.0]), np.array([3.0, 4.0, 2.0, 5.0])


@given(cases(zero_bands=True), SIDES)
@settings(max_examples=200)
def test_all_costs_at_every_operating_point(case, side):
    """Weights, ties, zero bands, both families and both sides."""
    curve, exact = limit(case, side).ucc(vary=case.vary), oracle(case, side)
    assert curve.side == side
    assert curve.parameter.tolist() == [float(t) for t in exact.points]
    for i, t in enumerate(exact.points):
        for cost, value in exact.costs(t).items():
            assert close(getattr(curve, cost)[i], value, finest(case)), (cost, t)


@given(cases(zero_bands=True), SIDES, st.integers(-12, 24))
@settings(max_examples=200)
def test_costs_at_any_parameter(case, side, quarters):
    """Between operating points and beyond them."""
    t = quarters / 4 * (1.0 if case.vary == "scale" else finest(case) / 8 or 1.0)
    assume(case.vary == "shift" or t >= 0)
    point, exact = limit(case, side).ucc(vary=case.vary).at(parameter=t), oracle(case, side).costs(F(t))
    for cost in COSTS:
        assert close(getattr(point, cost), exact[cost], finest(case)), cost


@given(cases(), SIDES, st.sampled_from(PAIRS))
@settings(max_examples=200)
def test_full_areas_and_gains(case, side, pair):
    """All four areas, and the gain over the mean distance as the distance of every row."""
    curve, exact = limit(case, side).ucc(vary=case.vary), oracle(case, side)
    area, constant = exact.area(*pair), exact.constant().area(*pair)
    assert close(curve.area(x=pair[0], y=pair[1]), area, area)
    gain = curve.gain(x=pair[0], y=pair[1])
    if constant == 0:
        assert math.isnan(gain)
    else:
        assert close(gain, (constant - area) / constant, 1)


@given(cases(zero_bands=True, units=[1.0, 2.0**-40, 2.0**40]), SIDES)
@settings(max_examples=200)
def test_closed_forms_of_the_theory(case, side):
    """Area c mean k, constant area mean e+, ceiling 1 - (E sqrt e+)^2 / E e+, frontier on e+."""
    rows, exact = limit(case, side), oracle(case, side)
    toward = [exact.toward(row) for row in exact.rows]
    critical = [exact.critical(row) for row in exact.rows]
    curve, mean = rows.ucc(), exact.mean(toward)
    assert close(curve.miss_rate[0], exact.mean([F(e > 0) for e in toward]))
    if case.vary == "scale" and None not in critical:
        assert close(curve.area(), exact.mean(map(exact.band, exact.rows)) * exact.mean(critical))
    if mean:
        roots = float(exact.mean([F(math.sqrt(e)) for e in toward]))
        assert close(curve.ceiling(), 1 - roots**2 / float(mean), 1)
        assert curve.ceiling(asymmetric=True) == curve.ceiling()
        assert close(curve.reference.area(), mean)
    assert close(curve.frontier.bandwidth[-1], mean)


@given(cases(zero_bands=True, units=[1.0, 2.0**-40, 2.0**40]), SIDES)
@settings(max_examples=150)
def test_sketches_agree_and_survive_bytes(case, side):
    """A sketch of a limit has the same areas and point, adds up, and knows its side from bytes."""
    rows = limit(case, side)
    sketch, curve = rows.sketch(), rows.ucc()
    assert sketch.side == uc.UCCSketch.from_bytes(sketch.to_bytes()).side == side
    assert uc.UCCSketch.from_bytes(sketch.to_bytes()) == sketch
    assert (sketch + sketch).side == (sketch + uc.UCCSketch()).side == side
    for cost in COSTS:
        assert close(getattr(sketch.curve().original, cost), getattr(curve.original, cost), finest(case))
    if np.isfinite(rows.critical()).all():
        assert close(sketch.curve().area(), curve.area())
        assert close(sketch.curve().area(y="deficit"), curve.area(y="deficit"))


@given(cases(zero_bands=True, units=[1.0]), SIDES)
@settings(max_examples=150)
def test_metrics_are_those_of_the_curve_as_given(case, side):
    """Arrays in, a number out: the operating point of the intervals as given."""
    rows = limit(case, side)
    point, bound = rows.ucc().original, {side: getattr(rows, side)}
    options = {"sample_weight": case.weight}
    assert close(uc.miss_rate(case.y, **bound, **options), point.miss_rate)
    assert close(uc.coverage(case.y, **bound, **options), point.coverage)
    assert close(uc.deficit(case.y, **bound, **options), point.deficit)
    options["y_pred"] = case.p
    assert close(uc.bandwidth(**bound, **options), point.bandwidth)
    assert close(uc.excess(case.y, **bound, **options), point.excess)
    score = uc.interval_score(case.y, **bound, **options, miss_rate=0.25)
    assert close(score, point.bandwidth + 4 * point.deficit)
    exact = oracle(case, side)
    sign, level = (1, F(3, 4)) if side == "upper" else (-1, F(1, 4))
    gaps = [row.y - row.p - sign * exact.band(row) for row in exact.rows]
    pinball = exact.mean([max(level * gap, (level - 1) * gap) for gap in gaps])
    residual = exact.mean([sign * (row.y - row.p) for row in exact.rows])
    assert close(score, 4 * pinball + residual, 20)


def test_a_bound_that_is_infinite_in_every_row_is_as_good_as_none():
    """An array, one number or None: the same intervals and the same numbers."""
    expected = uc.Intervals.from_bounds(Y, upper=U, y_pred=P)
    for lower in (np.full(4, -INF), [-INF] * 4, -INF, np.float64(-INF)):
        rows = uc.Intervals.from_bounds(Y, lower, U, y_pred=P)
        assert repr(rows) == repr(expected) == "Intervals(n=4, bandwidth=1.75, upper limit)"
        assert rows.ucc().original == expected.ucc().original
        assert uc.bandwidth(lower, U, y_pred=P) == 1.75
    assert expected.lower.tolist() == [-INF] * 4
    assert expected.lower_band.tolist() == [INF] * 4
    assert expected.upper_band.tolist() == (U - P).tolist()
    mirror = uc.Intervals.from_bounds(-Y, -U, np.full(4, INF), y_pred=-P)
    assert (mirror.side, mirror.upper.tolist(), mirror.lower.tolist()) == ("lower", [INF] * 4, (-U).tolist())


def test_views_and_changes_keep_the_side():
    """Whatever is made of a limit is a limit on the same side."""
    rows = uc.Intervals.from_bounds(Y, upper=U, y_pred=P)
    views = [rows.scaled(2), rows.shifted(1), rows.floored(0.5), rows.constant(), rows.constant(sides=True)]
    views += [rows.standardized(), *rows.outputs(), *rows.by([1, 1, 2, 2]).values(), rows[1:], rows[[0, 1]]]
    views += [rows.ucc().reference.intervals]
    assert {view.side for view in views} == {"upper"}
    assert rows.constant(sides=True).upper_band.tolist() == [1.75] * 4
    several = uc.Intervals.from_bounds(
        np.stack([Y, Y], 1), upper=np.stack([U, U], 1), y_pred=np.stack([P, P], 1)
    )
    assert [output.side for output in several.outputs()] == ["upper"] * 2
    assert several.ucc(vary="shift").area() == pytest.approx(rows.ucc(vary="shift").area())


def test_quantiles_and_frames_make_limits():
    """One level, or levels on one side beside a prediction; one bound of a frame."""
    upper = uc.Intervals.from_quantiles(
        Y, np.stack([U, U - 0.5], 1), [0.9, 0.8], y_pred=np.minimum(P, U - 0.5)
    )
    assert (upper.side, upper.nominal, upper.upper.tolist()) == ("upper", 0.9, U.tolist())
    lower = uc.Intervals.from_quantiles(Y, (P - 1)[:, None], [0.1], y_pred=P)
    assert (lower.side, lower.nominal) == ("lower", 0.9)
    frame = {"y": Y, "p": P, "u": U}
    import polars as pl

    rows = uc.Intervals.from_frame(pl.DataFrame(frame), y_true="y", y_pred="p", upper="u")
    assert rows.side == "upper"


def test_draws_make_limits():
    """One level, beside the mean of the draws or another prediction."""
    draws = np.random.default_rng(0).normal(size=(50, 4)) + P
    for level, side in ((0.9, "upper"), (0.1, "lower")):
        rows = uc.Intervals.from_samples(Y, draws, levels=(level,))
        assert (rows.side, rows.nominal) == (side, 0.9)
        assert getattr(rows, side).tolist() == pytest.approx(
            np.quantile(draws, level, axis=0, method="weibull").tolist()
        )
        assert rows.y_pred.tolist() == pytest.approx(draws.mean(axis=0).tolist())


TWO_SIDED = uc.Intervals.from_bounds(Y, P - 1, U, y_pred=P)
UPPER = uc.Intervals.from_bounds(Y, upper=U, y_pred=P)
LOWER = uc.Intervals.from_bounds(Y, lower=P - 1, y_pred=P)
MESSAGES = {
    "no prediction": (lambda: uc.Intervals.from_bounds(Y, upper=U), ex.ArgumentError, "y_pred"),
    "excess": (lambda: uc.excess(Y, -INF, U), ex.ArgumentError, "y_pred"),
    "no bound": (lambda: uc.Intervals.from_bounds(Y, y_pred=P), ex.ArgumentError, "lower"),
    "some rows": (
        lambda: uc.Intervals.from_bounds(Y, [-INF, 0, 0, 0], U, y_pred=P),
        ex.NonFiniteError,
        "lower",
    ),
    "wrong side": (
        lambda: uc.Intervals.from_bounds(Y, upper=P - 1, y_pred=P),
        ex.PredictionOutsideError,
        "y_pred",
    ),
    "one level": (lambda: uc.Intervals.from_quantiles(Y, U[:, None], [0.9]), ex.ArgumentError, "y_pred"),
    "the median of draws": (
        lambda: uc.Intervals.from_samples(Y, [Y, Y], levels=[0.5], axis=0),
        ex.ArgumentError,
        "levels",
    ),
    "sums of sketches": (lambda: UPPER.sketch() + LOWER.sketch(), ex.ArgumentError),
    "crossings": (lambda: UPPER.ucc().crossings(LOWER.ucc()), ex.ArgumentError, "other"),
    "drift": (lambda: UPPER.sketch().drift(LOWER.sketch()), ex.ArgumentError, "other"),
    "pair": (lambda: uc.compare({"a": UPPER, "b": TWO_SIDED}), ex.PairError),
    "calibration": (
        lambda: uc.ConformalScaler(0.5).fit(UPPER).transform(TWO_SIDED),
        ex.ArgumentError,
        "intervals",
    ),
    "calibrated bounds": (
        lambda: uc.ConformalScaler(0.5).fit(UPPER).transform(lower=P - 1, upper=U, y_pred=P),
        ex.ArgumentError,
        "lower",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_each_error_names_its_argument(name):
    """Different sides do not mix, and a limit needs its prediction."""
    check_error(*MESSAGES[name])


def test_inference_sees_the_residuals_that_point_to_the_limit():
    """Intervals, p-values and ratios of a limit are those of the same rows as symmetric bands around e+."""
    rng = np.random.default_rng(1)
    y, band = rng.normal(size=200), rng.uniform(0.5, 2, 200)
    upper = uc.Intervals.from_bands(y, 0 * y, upper_band=band)
    symmetric = uc.Intervals.from_bands(np.maximum(y, 0), 0 * y, band)
    for statistic in ("gain", "area", "bandwidth", "miss_rate", "excess", "deficit"):
        found, same = (uc.confidence_interval(rows, statistic, rng=3) for rows in (upper, symmetric))
        assert (found.estimate, found.low, found.high) == pytest.approx((same.estimate, same.low, same.high))
    pairs = [(rows, rows.scaled(1.5).shifted(0.25)) for rows in (upper, symmetric)]
    found, same = (uc.permutation_test(*pair, rng=4).pvalue for pair in pairs)
    assert found == same
    found, same = (uc.ratio_curve(*pair, rng=5, n_resamples=29) for pair in pairs)
    for name in ("ratio", "low", "high"):
        np.testing.assert_allclose(getattr(found, name), getattr(same, name), rtol=1e-11)
