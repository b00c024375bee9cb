"""What conformal scaling cannot promise: errors, infinite parameters, and labels that were not fitted."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from errors import check_error, raises
from uccurve import exceptions as ex

ROWS = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
WEIGHTED = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], 1, sample_weight=[1, 2, 3])
TWO = uc.Intervals.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1)
fitted = uc.ConformalScaler(0.5).fit(ROWS)
by_label = uc.ConformalScaler(0.5).fit(ROWS, by=["a", "a", "b"])
claiming = uc.ConformalScaler(0.5).fit(uc.Intervals.from_bounds([1, 2, 4], [-1] * 3, [1] * 3, nominal=0.9))
STD = uc.Intervals.from_std([1, 2, 4], [0, 0, 0], 1)
skewed = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], 1, [3, 3, 3])
from_skewed = uc.ConformalScaler(0.5).fit(skewed)
from_skewed_sketch = uc.ConformalScaler(0.5).fit(skewed.sketch())
BOUNDS = {"lower": [0], "upper": [1]}
ONE = {"lower": [0], "upper": [1], "y_pred": [0]}
CASES = {
    "not fitted": (lambda: uc.ConformalScaler().parameter_, ex.NotFittedError),
    "no labels fitted": (lambda: fitted.parameters_, ex.NotFittedError),
    "labels fitted": (lambda: by_label.parameter_, ex.NotFittedError),
    "labels missing": (lambda: by_label.transform(**ONE), ex.ArgumentError, "by"),
    "labels unasked": (lambda: fitted.transform(**ONE, by=["a"]), ex.ArgumentError, "by"),
    "labels of another kind": (lambda: by_label.transform(**ONE, by=[["a"]]), ex.ArgumentError, "by"),
    "labels of other rows": (lambda: uc.ConformalScaler().fit(ROWS, by=["a", "b"]), ex.ShapeError, "by"),
    "coverage": (lambda: uc.ConformalScaler(90).fit(ROWS), ex.ArgumentError, "coverage"),
    "both rates": (lambda: uc.ConformalScaler(0.8, miss_rate=0.1).fit(ROWS), ex.ArgumentError, "coverage"),
    "unseen": (lambda: uc.ConformalScaler(unseen="pool").fit(ROWS), ex.ArgumentError, "unseen"),
    "rows of another kind": (lambda: uc.ConformalScaler().fit([1, 2]), ex.ArgumentTypeError, "intervals"),
    "nothing to transform": (lambda: fitted.transform(by=["a"]), ex.ArgumentError, "intervals"),
    "one bound": (lambda: fitted.transform(lower=[0]), ex.ArgumentError, "y_pred"),
    "one side": (lambda: fitted.transform(lower=[0], y_pred=[1]), ex.ArgumentError, "lower"),
    "two things to transform": (lambda: fitted.transform(ROWS, lower=[0]), ex.ArgumentError, "intervals"),
    "outputs to transform": (lambda: fitted.transform(TWO), ex.ArgumentError, "intervals"),
    "outputs": (lambda: uc.ConformalScaler().fit(TWO), ex.ArgumentError, "intervals"),
    "weights": (lambda: uc.ConformalScaler().fit(WEIGHTED), ex.ArgumentError, "intervals"),
    "another claim": (lambda: claiming.transform(STD), ex.ArgumentError, "intervals"),
    "midpoints": (lambda: from_skewed.transform(**BOUNDS), ex.ArgumentError, "y_pred"),
    "midpoints of a sketch": (lambda: from_skewed_sketch.transform(**BOUNDS), ex.ArgumentError, "y_pred"),
    "outside": (lambda: fitted.transform(**(ONE | {"y_pred": [5]})), ex.PredictionOutsideError, "y_pred"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """What is not fitted, or does not fit the calibration rows."""
    check_error(*CASES[name])


# -- too few rows, or too many bands of zero --------------------------------------------------------


def rows(n, bands=1.0):
    return uc.Intervals.from_bands(np.arange(1.0, n + 1), np.zeros(n), bands)


def told(scaler, intervals, by=None):
    """Fit, and return the text of the only warning."""
    with pytest.warns(ex.InfiniteParameterWarning) as caught:
        scaler.fit(intervals, by=by)
    (warning,) = caught
    return str(warning.message)


def test_too_few_rows_promise_nothing():
    """With 5 rows no finite scale covers 90%: the warning, the representation and the bounds say so."""
    scaler = uc.ConformalScaler(0.9)
    told(scaler, rows(5))
    assert scaler.parameter_ == math.inf
    assert repr(scaler) == "ConformalScaler(coverage=0.9, parameter_=inf)"
    lower, upper = scaler.transform(lower=[1.0, 1.0], upper=[1.0, 3.0])
    assert (lower.tolist(), upper.tolist()) == ([-math.inf] * 2, [math.inf] * 2)
    assert scaler.fit(rows(9)).parameter_ == 9  # silent: these are enough


def test_labels_with_too_few_rows_are_named():
    """In one warning; the others are served all the same."""
    scaler, by = uc.ConformalScaler(0.75), list("aaabbc")
    assert told(scaler, rows(6), by) == (
        "new bounds of 'b', 'c' are infinite: a coverage of 0.75 needs at least 3 calibration rows, got 2, 1."
    )
    assert repr(scaler) == "ConformalScaler(coverage=0.75, parameters_={'a': 3, 'b': inf, 'c': inf})"
    lower, _ = scaler.transform(lower=[-1.0, -1.0], upper=[1.0, 1.0], by=["b", "a"])
    assert lower.tolist() == [-math.inf, -3]


def test_bands_of_zero_are_another_reason():
    """The rows of "a" are enough, but only one of them can be captured."""
    bands = np.array([1.0, 0, 0, 1, 1, 1])
    text = told(uc.ConformalScaler(0.7), rows(6, bands), list("aaabbc"))
    assert text.endswith("got 2, 1; too many rows have a band of zero, which no scale widens.")


def test_a_small_group_that_was_seen_is_not_pooled():
    """The guarantee within a label is not exchanged for another one behind the user's back."""
    scaler, by = uc.ConformalScaler(0.75, unseen="pooled"), list("aaab")
    told(scaler, rows(4), by)
    assert scaler.parameters_ == {"a": 3, "b": math.inf}
    lower, _ = scaler.transform(lower=[-1.0], upper=[1.0], by=["b"])
    assert lower.tolist() == [-math.inf]


# -- labels that the calibration rows do not have ----------------------------------------------------

SIX = uc.Intervals.from_bands([1.0, 2, 3, 10, 20, 30], np.zeros(6), 1.0, 2.0)
BY = list("aaabbb")


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_unseen_labels_take_the_parameter_of_all_rows(vary):
    """As if all rows had been fitted together; the labels that were seen keep their own."""
    scaler = uc.ConformalScaler(0.5, vary=vary, unseen="pooled").fit(SIX, by=BY)
    pooled = uc.ConformalScaler(0.5, vary=vary).fit(SIX)
    own = uc.ConformalScaler(0.5, vary=vary).fit(SIX, by=BY)
    assert scaler.parameter_ == pooled.parameter_
    assert scaler.parameters_ == own.parameters_
    bounds = {"lower": [-1.0, -1.0, -2.0, -3.0], "upper": [1.0, 2.0, 3.0, 4.0], "y_pred": [0.0] * 4}
    with pytest.warns(ex.UnseenLabelsWarning):
        moved = scaler.transform(**bounds, by=["a", "y", "b", "z"])
    expected = own.transform(**bounds, by=["a", "a", "b", "a"]), pooled.transform(**bounds)
    for bound, by_label, together in zip(moved, *expected, strict=True):
        assert bound.tolist() == [by_label[0], together[1], by_label[2], together[3]]


def test_unseen_labels_are_counted_in_one_warning():
    """It points at the caller, and says what is not promised."""
    scaler = uc.ConformalScaler(0.5, unseen="pooled").fit(SIX, by=BY)
    with pytest.warns(ex.UnseenLabelsWarning) as caught:
        scaler.transform(lower=[-1.0] * 4, upper=[1.0] * 4, y_pred=[0.0] * 4, by=["z", "a", "y", "z"])
    (warning,) = caught
    assert str(warning.message) == (
        "the parameter of all calibration rows is used for 3 of 4 rows, whose labels have none of their own, such "
        "as 'z'. It promises nothing within a label."
    )
    scaler.transform(lower=[-1.0], upper=[1.0], y_pred=[0.0], by=["a"])  # silent: all labels were seen


def test_without_being_asked_nothing_is_pooled():
    """The default refuses unseen labels, and `parameter_` is not there."""
    scaler = uc.ConformalScaler(0.5).fit(SIX, by=BY)
    assert not hasattr(scaler, "parameter_")
    with raises(ex.ArgumentError, "by", count=1, first=0):
        scaler.transform(lower=[-1.0], upper=[1.0], y_pred=[0.0], by=["z"])
