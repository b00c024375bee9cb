"""Conformal scaling: the rank, the guarantee, both families, labels, and the manners of an estimator."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from messages import check_message
from strategies import cases
from uccurve.calibration import as_written, conformal_rank


@given(st.integers(1, 10_000), st.integers(1, 999))
@settings(max_examples=300)
def test_the_rank_is_exact(n, thousandths):
    """No float noise: (n + 1)(1 - α) is rounded up as the decimal it is written as."""
    exact = math.ceil((n + 1) * (1 - Fraction(thousandths, 1000)))
    assert conformal_rank(n, 1 - as_written(thousandths / 1000)) == exact
    assert conformal_rank(n, as_written((1000 - thousandths) / 1000)) == exact


def test_the_rank_where_floats_go_wrong():
    """0.55 · 100 is 55.00000000000001 in floats, which would take the 56th."""
    assert math.ceil(100 * 0.55) == 56
    assert conformal_rank(99, 1 - as_written(0.45)) == conformal_rank(99, as_written(0.55)) == 55


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
        scaler = uc.ConformalScaler(miss_rate=alpha, vary=vary).fit(
            uc.Intervals.from_bands(y[rest], p[rest], lower[rest], upper[rest])
        )
        low, high = scaler.transform(y_pred=p[[new]], lower=-lower[[new]], upper=upper[[new]])
        covered += bool(low[0] <= y[new] <= high[0])
    assert 1 - alpha <= covered / (n + 1) <= 1 - alpha + 1 / (n + 1) + 1e-12


@given(cases(zero_bands=True), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=200)
def test_enough_calibration_rows_are_captured(case, alpha):
    """The parameter captures at least the rank's number of the calibration rows themselves."""
    if case.weight is not None:
        return
    intervals = case.intervals()
    scaler = uc.ConformalScaler(miss_rate=alpha, vary=case.vary).fit(intervals)
    rank = conformal_rank(intervals.n, 1 - as_written(alpha))
    bounds = {"lower": intervals.lower, "upper": intervals.upper, "y_pred": intervals.y_pred}
    lower, upper = scaler.transform(**bounds)
    captured = (lower <= intervals.y_true) & (intervals.y_true <= upper)
    assert np.count_nonzero(captured) >= min(rank, intervals.n)
    if math.isinf(scaler.parameter_):
        assert np.all(np.isinf(lower) & np.isinf(upper))
        with pytest.raises(uc.exceptions.ArgumentError, match="the new bounds would be infinite: too"):
            scaler.transform(intervals)
        return
    moved = scaler.transform(intervals)
    assert moved.lower.tolist() == lower.tolist()
    assert moved.upper.tolist() == upper.tolist()
    assert moved.y_pred is intervals.y_pred
    assert moved.nominal == float(1 - as_written(alpha))


def test_too_few_rows_promise_nothing():
    """With 5 rows no finite scale covers 90 %: the bounds say so."""
    rows = uc.Intervals.from_bands(np.arange(5), np.zeros(5), 1)
    scaler = uc.ConformalScaler(0.9).fit(rows)
    assert scaler.parameter_ == math.inf
    lower, upper = scaler.transform(lower=[1.0, 1.0], upper=[1.0, 3.0])
    assert lower.tolist() == [-math.inf] * 2
    assert upper.tolist() == [math.inf] * 2


def test_shifting_cuts_at_the_prediction():
    """A negative shift empties narrow intervals instead of turning them over."""
    calibration = uc.Intervals.from_bands(np.full(9, 0.5), np.zeros(9), 2.0)
    scaler = uc.ConformalScaler(0.8, vary="shift").fit(calibration)
    assert scaler.parameter_ == -1.5
    lower, upper = scaler.transform(lower=[-1, -2], upper=[1, 4], y_pred=[0, 0])
    assert lower.tolist() == [0, -0.5]
    assert upper.tolist() == [0, 2.5]


def test_predictions_default_to_the_midpoints():
    """As in `Intervals.from_bounds`."""
    scaler = uc.ConformalScaler(0.5).fit(uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0))
    lower, upper = scaler.transform(lower=[-1.0, 4.0], upper=[1.0, 10.0])
    assert lower.tolist() == [-2, 1]
    assert upper.tolist() == [2, 13]


def test_transformed_intervals_keep_everything_but_their_bands():
    """Weights, the library of frames, labels of rows that were dropped; they claim the coverage."""
    frame = pl.DataFrame({"y": [0.0, None, 9.0], "p": [0.0] * 3, "s": [1.0, 2.0, 3.0], "w": [1.0, 1.0, 2.0]})
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_frame(
            frame, y_true="y", y_pred="p", std="s", sample_weight="w", invalid="drop"
        )
    calibration = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    moved = uc.ConformalScaler(0.5).fit(calibration).transform(rows)
    assert moved.upper_band.tolist() == [2, 6]
    assert moved.symmetric
    assert moved.sample_weight.tolist() == [1, 2]
    assert moved.nominal == 0.5
    assert isinstance(moved.ucc().to_frame(), pl.DataFrame)
    by = uc.ConformalScaler(0.5).fit(calibration, by=list("aaa")).transform(rows, by=list("aza"))
    assert by.upper_band.tolist() == [2, 6]


def test_groups_are_calibrated_on_their_own():
    """One parameter a label, applied by label, in any order and number."""
    y = np.array([1.0, 2, 3, 10, 20, 30])
    intervals = uc.Intervals.from_bands(y, np.zeros(6), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, by=list("aaabbb"))
    assert scaler.parameters_ == {"a": 2.0, "b": 20.0}
    lower, upper = scaler.transform(y_pred=[0, 5], lower=[-1, 4], upper=[2, 6], by=["b", "a"])
    assert lower.tolist() == [-20, 3]
    assert upper.tolist() == [40, 7]
    assert scaler.transform(intervals, by=list("aaabbb")).upper.tolist() == [2] * 3 + [20] * 3


def test_fitting_again_forgets_the_old_fit():
    """With groups, then without."""
    intervals = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.5).fit(intervals, by=list("aab")).fit(intervals)
    assert scaler.parameter_ == 2
    with pytest.raises(uc.exceptions.NotFittedError):
        _ = scaler.parameters_


def test_calibrated_groups_of_one_output_keep_their_shape():
    """(n, 1) is one output; more are refused, since none were fitted."""
    scaler = uc.ConformalScaler(0.5).fit(
        uc.Intervals.from_bands([1.0, 2, 30, 40], [0.0] * 4, 1.0), by=[1, 1, 2, 2]
    )
    lower, upper = scaler.transform(lower=[[-1.0], [-1.0]], upper=[[1.0], [1.0]], by=[2, 1])
    assert lower.tolist() == [[-40], [-2]]
    assert upper.shape == (2, 1)
    with pytest.raises(uc.exceptions.ShapeError, match="must have one output"):
        scaler.transform(lower=np.zeros((2, 2)), upper=np.ones((2, 2)), by=[1, 2])
    column = uc.Intervals.from_bands([[1.0], [1.0]], [[0.0], [0.0]], 1.0)
    assert scaler.transform(column, by=[2, 1]).upper.tolist() == [[40], [2]]


def test_coverage_and_miss_rate_say_the_same():
    """Either of them, or both where they agree up to rounding."""
    rows = uc.Intervals.from_bands(np.arange(1.0, 100), np.zeros(99), 1.0)
    for options in (
        {"coverage": 0.55},
        {"miss_rate": 0.45},
        {"coverage": 0.55, "miss_rate": 0.45},
        {"coverage": 0.55, "miss_rate": 1 - 0.55},
        {"coverage": np.float64(0.55)},
    ):
        scaler = uc.ConformalScaler(**options).fit(rows)
        assert scaler.parameter_ == 55
        assert scaler.transform(rows).nominal == 0.55
    assert uc.ConformalScaler().fit(rows).parameter_ == 90


def test_a_scaler_is_an_estimator():
    """Arguments stay as they are until `fit`, so that clones and searches work."""
    base = pytest.importorskip("sklearn.base")
    wrong = uc.ConformalScaler(90, miss_rate="x", vary="stretch")
    assert wrong.get_params() == {"coverage": 90, "miss_rate": "x", "vary": "stretch"}
    rows = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.5, vary="shift").fit(rows)
    again = base.clone(scaler)
    assert again.get_params() == scaler.get_params()
    assert not hasattr(again, "parameter_")
    assert not hasattr(again, "parameters_")
    assert hasattr(scaler, "parameter_")
    assert not hasattr(scaler, "parameters_")
    assert again.set_params(coverage=0.25, vary="scale") is again
    assert again.fit(rows).parameter_ == 1
    assert wrong.set_params(**again.get_params()).fit(rows).parameter_ == 1


def test_new_arguments_take_effect_with_the_next_fit():
    """A shift is never used as a scale."""
    rows = uc.Intervals.from_bands([1.0, 2, 5], np.zeros(3), 1.0)
    scaler = uc.ConformalScaler(0.75, vary="shift").fit(rows).set_params(vary="scale", coverage=0.5)
    assert scaler.transform(lower=[-2.0], upper=[2.0])[1].tolist() == [6]
    assert scaler.transform(rows).nominal == 0.75
    assert scaler.fit(rows).transform(lower=[-2.0], upper=[2.0])[1].tolist() == [4]


@pytest.mark.parametrize("through", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])  # noqa: S301
def test_a_fitted_scaler_travels(through):
    """To other processes, with what it learned."""
    rows = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0)
    assert through(uc.ConformalScaler(0.5).fit(rows)).parameter_ == 2
    assert through(uc.ConformalScaler(0.5).fit(rows, by=list("aab"))).parameters_ == {"a": 2, "b": 3}


def test_the_representation_shows_what_was_given():
    """Nothing that is a default."""
    assert repr(uc.ConformalScaler()) == "ConformalScaler()"
    assert repr(uc.ConformalScaler(0.8, vary="shift")) == "ConformalScaler(coverage=0.8, vary='shift')"
    assert repr(uc.ConformalScaler(miss_rate=0.2)) == "ConformalScaler(miss_rate=0.2)"


ROWS = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
ZERO = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 0, 0])
TWO = uc.Intervals.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1)
fitted = uc.ConformalScaler(0.5).fit(ROWS)
by_label = uc.ConformalScaler(0.5).fit(ROWS, by=["a", "a", "b"])
ONE = {"lower": [0], "upper": [1], "y_pred": [0]}
CASES = {
    "not fitted": (
        lambda: uc.ConformalScaler().parameter_,
        uc.exceptions.NotFittedError,
        "this ConformalScaler is not fitted yet: call fit first.",
    ),
    "not fitted to transform": (
        lambda: uc.ConformalScaler().transform(ROWS),
        uc.exceptions.NotFittedError,
        "this ConformalScaler is not fitted yet: call fit first.",
    ),
    "no labels fitted": (
        lambda: fitted.parameters_,
        uc.exceptions.NotFittedError,
        "this ConformalScaler was fitted without `by`: see parameter_.",
    ),
    "labels fitted": (
        lambda: by_label.parameter_,
        uc.exceptions.NotFittedError,
        "this ConformalScaler was fitted with `by`: see parameters_.",
    ),
    "labels missing": (
        lambda: by_label.transform(**ONE),
        uc.exceptions.ArgumentError,
        "`by` must be given: this ConformalScaler was fitted with it.",
    ),
    "labels unasked": (
        lambda: fitted.transform(**ONE, by=["a"]),
        uc.exceptions.ArgumentError,
        "`by` must not be given: this ConformalScaler was fitted without.",
    ),
    "unknown label": (
        lambda: by_label.transform(lower=[0, 0], upper=[1, 1], by=["a", "z"]),
        uc.exceptions.ArgumentError,
        "`by` must be fitted labels, but 1 of 2 rows is not; first at row 1: 'z'.",
    ),
    "labels of other rows": (
        lambda: uc.ConformalScaler().fit(ROWS, by=["a", "b"]),
        uc.exceptions.ShapeError,
        "`by` must have the shape (3,), one label a row, got (2,).",
    ),
    "coverage": (
        lambda: uc.ConformalScaler(90).fit(ROWS),
        uc.exceptions.ArgumentError,
        "`coverage` must satisfy 0 < coverage < 1, got 90.",
    ),
    "miss rate": (
        lambda: uc.ConformalScaler(miss_rate=0).fit(ROWS),
        uc.exceptions.ArgumentError,
        "`miss_rate` must satisfy 0 < miss_rate < 1, got 0.",
    ),
    "both rates": (
        lambda: uc.ConformalScaler(0.8, miss_rate=0.1).fit(ROWS),
        uc.exceptions.ArgumentError,
        "`coverage` and `miss_rate` must add up to 1, got 0.8 and 0.1: give one of them.",
    ),
    "vary": (
        lambda: uc.ConformalScaler(vary="stretch").fit(ROWS),
        uc.exceptions.ArgumentError,
        "`vary` must be 'scale' or 'shift', got 'stretch'.",
    ),
    "parameter of another estimator": (
        lambda: uc.ConformalScaler().set_params(alpha=0.1),
        uc.exceptions.ArgumentError,
        "`alpha` must be one of the arguments coverage, miss_rate, vary.",
    ),
    "nothing to transform": (
        lambda: fitted.transform(lower=[0]),
        uc.exceptions.ArgumentError,
        "give `intervals`, or `lower` and `upper`.",
    ),
    "two things to transform": (
        lambda: fitted.transform(ROWS, lower=[0]),
        uc.exceptions.ArgumentError,
        "`intervals` and `lower`, `upper` or `y_pred` exclude each other.",
    ),
    "arrays as intervals": (
        lambda: fitted.transform([0, 1]),
        uc.exceptions.ArgumentTypeError,
        "`intervals` must be Intervals, got list.",
    ),
    "outputs to transform": (
        lambda: fitted.transform(TWO),
        uc.exceptions.ArgumentError,
        "`intervals` must have one output, as the calibration rows had, got 3.",
    ),
    "too few rows": (
        lambda: uc.ConformalScaler().fit(ROWS).transform(ROWS),
        uc.exceptions.ArgumentError,
        (
            "the new bounds would be infinite: too few calibration rows: a coverage of 0.9 needs at least 9, "
            "got 3."
        ),
    ),
    "too few rows of a label": (
        lambda: uc.ConformalScaler(0.75).fit(ZERO, by=list("aab")).transform(ROWS, by=list("bbb")),
        uc.exceptions.ArgumentError,
        (
            "the new bounds would be infinite: too few calibration rows of the label 'b': "
            "a coverage of 0.75 needs at least 3, got 1."
        ),
    ),
    "too many zero bands": (
        lambda: uc.ConformalScaler(0.5).fit(ZERO).transform(ROWS),
        uc.exceptions.ArgumentError,
        (
            "the new bounds would be infinite: too many calibration rows have a band of zero, "
            "which no scale widens."
        ),
    ),
    "weighted calibration": (
        lambda: uc.ConformalScaler().fit(
            uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], 1, sample_weight=[1, 2, 3])
        ),
        uc.exceptions.ArgumentError,
        "`intervals` must not be weighted: the guarantee holds for exchangeable rows.",
    ),
    "calibration of outputs": (
        lambda: uc.ConformalScaler().fit(TWO),
        uc.exceptions.ArgumentError,
        "`intervals` must have one output, got 3: fit a scaler to each of outputs().",
    ),
    "calibrated prediction outside": (
        lambda: fitted.transform(y_pred=[5], lower=[0], upper=[1]),
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
