"""Labels that the calibration rows do not have."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, UnseenLabelsWarning

Y = np.array([1.0, 2, 3, 10, 20, 30])
ROWS = uc.Intervals.from_bands(Y, np.zeros(6), 1.0, 2.0)
BY = list("aaabbb")


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_unseen_labels_take_the_parameter_of_all_rows(vary):
    """As if all rows had been fitted together; the labels that were seen keep their own."""
    scaler = uc.ConformalScaler(0.5, vary=vary, unseen="pooled").fit(ROWS, by=BY)
    pooled = uc.ConformalScaler(0.5, vary=vary).fit(ROWS)
    own = uc.ConformalScaler(0.5, vary=vary).fit(ROWS, by=BY)
    assert scaler.parameter_ == pooled.parameter_
    assert scaler.parameters_ == own.parameters_
    bounds = {"lower": [-1.0, -1.0, -2.0, -3.0], "upper": [1.0, 2.0, 3.0, 4.0], "y_pred": [0.0] * 4}
    with pytest.warns(UnseenLabelsWarning):
        moved = scaler.transform(**bounds, by=["a", "y", "b", "z"])
    expected = own.transform(**bounds, by=["a", "a", "b", "a"]), pooled.transform(**bounds)
    for bound, by_label, together in zip(moved, *expected, strict=True):
        assert bound.tolist() == [by_label[0], together[1], by_label[2], together[3]]
    with pytest.warns(UnseenLabelsWarning):
        intervals = scaler.transform(ROWS, by=["z"] * 6)
    assert intervals.upper.tolist() == pooled.transform(ROWS).upper.tolist()
    assert intervals.nominal == 0.5


def test_unseen_labels_are_counted_in_one_warning():
    """It points at the caller, and says what is not promised."""
    scaler = uc.ConformalScaler(0.5, unseen="pooled").fit(ROWS, by=BY)
    with pytest.warns(UnseenLabelsWarning) as caught:
        scaler.transform(lower=[-1.0] * 4, upper=[1.0] * 4, by=["z", "a", "y", "z"])
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message) == (
        "the parameter of all calibration rows is used for 3 of 4 rows, whose labels were not fitted, such as 'z'. "
        "It promises nothing within a label."
    )
    scaler.transform(lower=[-1.0], upper=[1.0], by=["a"])  # silent: all labels were seen


def test_without_being_asked_nothing_is_pooled():
    """The default refuses unseen labels, and `parameter_` is not there."""
    scaler = uc.ConformalScaler(0.5).fit(ROWS, by=BY)
    with raises(ArgumentError, "by", count=1, first=0):
        scaler.transform(lower=[-1.0], upper=[1.0], by=["z"])
    assert not hasattr(scaler, "parameter_")
    scaler.set_params(unseen="pooled")  # takes effect with the next fit
    with raises(ArgumentError, "by", count=1, first=0):
        scaler.transform(lower=[-1.0], upper=[1.0], by=["z"])


def test_an_infinite_fallback_is_refused_for_intervals():
    """Too few rows altogether; the error speaks of all rows, not of the unseen label."""
    with pytest.warns(uc.exceptions.InfiniteParameterWarning):
        scaler = uc.ConformalScaler(0.9, unseen="pooled").fit(ROWS, by=BY)
    assert scaler.parameter_ == math.inf
    with (
        pytest.warns(UnseenLabelsWarning),
        pytest.raises(ArgumentError),
    ):
        scaler.transform(ROWS, by=["z"] * 6)
