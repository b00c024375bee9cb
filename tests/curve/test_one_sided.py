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
from one_sided_cases import SIDES, close, finest, limit, oracle
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
    y, upper, p = (np.stack([column, column], 1) for column in (Y, U, P))
    several = uc.Intervals.from_bounds(y, upper=upper, y_pred=p)
    assert [output.side for output in several.outputs()] == ["upper"] * 2
    assert several.ucc(vary="shift").area() == pytest.approx(rows.ucc(vary="shift").area())


def test_draws_make_limits():
    """One level, beside the mean of the draws or another prediction."""
    draws = np.random.default_rng(0).normal(size=(50, 4)) + P
    for level, side in ((0.9, "upper"), (0.1, "lower")):
        rows = uc.Intervals.from_samples(Y, draws, levels=(level,))
        assert (rows.side, rows.nominal) == (side, 0.9)
        wanted = np.quantile(draws, level, axis=0, method="weibull")
        assert getattr(rows, side).tolist() == pytest.approx(wanted.tolist())
        assert rows.y_pred.tolist() == pytest.approx(draws.mean(axis=0).tolist())


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


@given(cases(zero_bands=True, units=[1.0]), SIDES, st.integers(1, 15))
@settings(max_examples=200)
def test_conformal_calibration_takes_the_right_rank(case, side, sixteenths):
    """The critical value of rank (n + 1)(1 - alpha), rounded up, in exact arithmetic; infinite beyond n."""
    assume(case.weight is None)
    exact = oracle(case, side)
    critical = sorted(math.inf if t is None else t for t in map(exact.critical, exact.rows))
    rank = math.ceil((len(critical) + 1) * F(16 - sixteenths, 16))
    expected = float(critical[rank - 1]) if rank <= len(critical) else math.inf
    scaler = uc.ConformalScaler(miss_rate=sixteenths / 16, vary=case.vary)
    if math.isinf(expected):
        with pytest.warns(uc.exceptions.InfiniteParameterWarning):
            scaler.fit(limit(case, side))
    else:
        scaler.fit(limit(case, side))
    assert scaler.parameter_ == expected


def test_quantiles_and_frames_make_limits():
    """One level, or levels on one side beside a prediction; one bound of a frame."""
    table, p = np.stack([U, U - 0.5], 1), np.minimum(P, U - 0.5)
    upper = uc.Intervals.from_quantiles(Y, table, [0.9, 0.8], y_pred=p)
    assert (upper.side, upper.nominal, upper.upper.tolist()) == ("upper", 0.9, U.tolist())
    lower = uc.Intervals.from_quantiles(Y, (P - 1)[:, None], [0.1], y_pred=P)
    assert (lower.side, lower.nominal) == ("lower", 0.9)
    frame = {"y": Y, "p": P, "u": U}
    import polars as pl

    rows = uc.Intervals.from_frame(pl.DataFrame(frame), y_true="y", y_pred="p", upper="u")
    assert rows.side == "upper"


BOUNDS = {"lower": P - 1, "upper": U, "y_pred": P}
TWO_SIDED = uc.Intervals.from_bounds(Y, **BOUNDS)
UPPER = uc.Intervals.from_bounds(Y, upper=U, y_pred=P)
LOWER = uc.Intervals.from_bounds(Y, lower=P - 1, y_pred=P)
FITTED = uc.ConformalScaler(0.5).fit(UPPER)
MESSAGES = {
    "no prediction": (lambda: uc.Intervals.from_bounds(Y, upper=U), ex.ArgumentError, "y_pred"),
    "excess": (lambda: uc.excess(Y, -INF, U), ex.ArgumentError, "y_pred"),
    "crossings": (lambda: UPPER.ucc().crossings(LOWER.ucc()), ex.ArgumentError, "other"),
    "drift": (lambda: UPPER.sketch().drift(LOWER.sketch()), ex.ArgumentError, "other"),
    "pair": (lambda: uc.compare({"a": UPPER, "b": TWO_SIDED}), ex.PairError),
    "calibration": (lambda: FITTED.transform(TWO_SIDED), ex.ArgumentError, "intervals"),
    "calibrated bounds": (lambda: FITTED.transform(**BOUNDS), ex.ArgumentError, "lower"),
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
