"""Conformal scaling: the rank, the guarantee, both families, groups."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from messages import check_message
from strategies import cases
from uccurve.calibration import conformal_rank


@given(st.integers(1, 10_000), st.integers(1, 999))
@settings(max_examples=300)
def test_the_rank_is_exact(n, thousandths):
    """No float noise: (n + 1)(1 - α) is rounded up as the decimal it is written as."""
    exact = math.ceil((n + 1) * (1 - Fraction(thousandths, 1000)))
    assert conformal_rank(n, thousandths / 1000) == exact


def test_the_rank_where_floats_go_wrong():
    """0.55 · 100 is 55.00000000000001 in floats, which would take the 56th."""
    assert math.ceil(100 * 0.55) == 56
    assert conformal_rank(99, 0.45) == 55


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("n", [1, 9, 10, 19, 20, 200])
def test_coverage_lies_between_the_two_bounds(vary, n):
    """1 - α at least, 1/(n + 1) more at most: exactly, by letting each row be the new one in turn."""
    rng = np.random.default_rng(n)
    y, lower, upper = rng.normal(size=n + 1), *rng.exponential(size=(2, n + 1))
    p = np.zeros(n + 1)
    alpha, covered = 0.2, 0
    for new in range(n + 1):
        rest = np.arange(n + 1) != new
        scaler = uc.ConformalScaler(alpha, vary).fit(
            uc.Intervals.from_bands(y[rest], p[rest], lower[rest], upper[rest])
        )
        low, high = scaler.transform(p[[new]], -lower[[new]], upper[[new]])
        covered += bool(low[0] <= y[new] <= high[0])
    assert 1 - alpha <= covered / (n + 1) <= 1 - alpha + 1 / (n + 1) + 1e-12


@given(cases(zero_bands=True), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=200)
def test_enough_calibration_rows_are_captured(case, alpha):
    """The parameter captures at least the rank's number of the calibration rows themselves."""
    if case.weight is not None:
        return
    intervals = case.intervals()
    scaler = uc.ConformalScaler(alpha, case.vary).fit(intervals)
    rank = conformal_rank(intervals.n, alpha)
    lower, upper = scaler.transform(intervals.y_pred, intervals.lower, intervals.upper)
    if math.isinf(scaler.parameter):
        assert np.all(np.isinf(lower) & np.isinf(upper))
    captured = (lower <= intervals.y_true) & (intervals.y_true <= upper)
    assert np.count_nonzero(captured) >= min(rank, intervals.n)


def test_too_few_rows_promise_nothing():
    """With 5 rows no finite scale covers 90 %: the bounds say so."""
    scaler = uc.ConformalScaler(0.1).fit(uc.Intervals.from_bands(np.arange(5), np.zeros(5), 1))
    assert scaler.parameter == math.inf
    lower, upper = scaler.transform([1.0, 2.0], [1.0, 1.0], [1.0, 3.0])
    assert lower.tolist() == [-math.inf] * 2
    assert upper.tolist() == [math.inf] * 2


def test_shifting_cuts_at_the_prediction():
    """A negative shift empties narrow intervals instead of turning them over."""
    calibration = uc.Intervals.from_bands(np.full(9, 0.5), np.zeros(9), 2.0)
    scaler = uc.ConformalScaler(0.2, "shift").fit(calibration)
    assert scaler.parameter == -1.5
    lower, upper = scaler.transform([0, 0], [-1, -2], [1, 4])
    assert lower.tolist() == [0, -0.5]
    assert upper.tolist() == [0, 2.5]


def test_groups_are_calibrated_on_their_own():
    """One parameter a label, applied by label, in any order and number."""
    y = np.array([1.0, 2, 3, 10, 20, 30])
    intervals = uc.Intervals.from_bands(y, np.zeros(6), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, groups=list("aaabbb"))
    assert scaler.parameters == {"a": 2.0, "b": 20.0}
    lower, upper = scaler.transform([0, 5], [-1, 4], [2, 6], groups=["b", "a"])
    assert lower.tolist() == [-20, 3]
    assert upper.tolist() == [40, 7]


def test_fitting_again_forgets_the_old_fit():
    """With groups, then without."""
    intervals = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, groups=list("aab")).fit(intervals)
    assert scaler.parameter == 2
    with pytest.raises(uc.exceptions.NotFittedError):
        _ = scaler.parameters


def test_calibrated_groups_of_one_output_keep_their_shape():
    """(n, 1) is one output; more are refused, since none were fitted."""
    scaler = uc.ConformalScaler(0.5).fit(
        uc.Intervals.from_bands([1.0, 2, 30, 40], [0.0] * 4, 1.0), groups=[1, 1, 2, 2]
    )
    lower, upper = scaler.transform([[0.0], [0.0]], [[-1.0], [-1.0]], [[1.0], [1.0]], groups=[2, 1])
    assert lower.tolist() == [[-40], [-2]]
    assert upper.shape == (2, 1)
    with pytest.raises(uc.exceptions.ShapeError, match="must have one output"):
        scaler.transform(np.zeros((2, 2)), np.zeros((2, 2)), np.ones((2, 2)), groups=[1, 2])


ROWS = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
fitted = uc.ConformalScaler(0.5).fit(ROWS)
by_group = uc.ConformalScaler(0.5).fit(ROWS, groups=["a", "a", "b"])
CASES = {
    "not fitted": (
        lambda: uc.ConformalScaler().parameter,
        uc.exceptions.NotFittedError,
        "this ConformalScaler is not fitted yet: call fit first.",
    ),
    "no groups fitted": (
        lambda: fitted.parameters,
        uc.exceptions.NotFittedError,
        "this ConformalScaler is not fitted for groups: call fit with groups first.",
    ),
    "groups fitted": (
        lambda: by_group.parameter,
        uc.exceptions.NotFittedError,
        "this ConformalScaler is fitted for groups: see parameters.",
    ),
    "groups missing": (
        lambda: by_group.transform([0], [0], [1]),
        uc.exceptions.ArgumentError,
        "`groups` must be given: this ConformalScaler was fitted for groups.",
    ),
    "groups unasked": (
        lambda: fitted.transform([0], [0], [1], groups=["a"]),
        uc.exceptions.ArgumentError,
        "`groups` must not be given: this ConformalScaler was fitted without.",
    ),
    "unknown group": (
        lambda: by_group.transform([0, 0], [0, 0], [1, 1], groups=["a", "z"]),
        uc.exceptions.ArgumentError,
        "`groups` must be fitted labels, but 1 of 2 rows is not; first at row 1: 'z'.",
    ),
    "weighted calibration": (
        lambda: uc.ConformalScaler().fit(
            uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], 1, sample_weight=[1, 2, 3])
        ),
        uc.exceptions.ArgumentError,
        "`intervals` must not be weighted: the guarantee holds for exchangeable rows.",
    ),
    "calibration of outputs": (
        lambda: uc.ConformalScaler().fit(uc.Intervals.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1)),
        uc.exceptions.ArgumentError,
        "`intervals` must have one output, got 3: fit a scaler to each of outputs().",
    ),
    "calibrated prediction outside": (
        lambda: fitted.transform([5], [0], [1]),
        uc.exceptions.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`lower`, `upper`], but 1 of 1 row does not; "
            "first at row 0: lower=0, y_pred=5, upper=1."
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """What is not fitted, or does not fit the calibration rows."""
    check_message(*CASES[name])
