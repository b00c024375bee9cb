"""Too few calibration rows, or too many bands of zero: said at the fit, shown, and never hidden."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from uccurve.exceptions import InfiniteParameterWarning


def rows(n, bands=1.0):
    return uc.Intervals.from_bands(np.arange(1.0, n + 1), np.zeros(n), bands)


def told(scaler, intervals, by=None):
    """Fit, and return the text of the only warning."""
    with pytest.warns(InfiniteParameterWarning) as caught:
        scaler.fit(intervals, by=by)
    (warning,) = caught
    assert warning.filename == __file__, "the warning points at the caller"
    return str(warning.message)


def test_too_few_rows_promise_nothing():
    """With 5 rows no finite scale covers 90%: the warning, the representation and the bounds say so."""
    scaler = uc.ConformalScaler(0.9)
    assert told(scaler, rows(5)) == (
        "new bounds are infinite: a coverage of 0.9 needs at least 9 calibration rows, got 5."
    )
    assert scaler.parameter_ == math.inf
    assert repr(scaler) == "ConformalScaler(coverage=0.9, parameter_=inf)"
    lower, upper = scaler.transform(lower=[1.0, 1.0], upper=[1.0, 3.0])
    assert lower.tolist() == [-math.inf] * 2
    assert upper.tolist() == [math.inf] * 2
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
    assert text == (
        "new bounds of 'a', 'b', 'c' are infinite: a coverage of 0.7 needs at least 3 calibration rows, got 2, 1; "
        "too many rows have a band of zero, which no scale widens."
    )


def test_a_small_group_that_was_seen_is_not_pooled():
    """The guarantee within a label is not exchanged for another one behind the user's back."""
    scaler, by = uc.ConformalScaler(0.75, unseen="pooled"), list("aaab")
    told(scaler, rows(4), by)
    assert scaler.parameters_ == {"a": 3, "b": math.inf}
    lower, _ = scaler.transform(lower=[-1.0], upper=[1.0], by=["b"])
    assert lower.tolist() == [-math.inf]
    with pytest.warns(uc.exceptions.UnseenLabelsWarning):
        lower, _ = scaler.transform(lower=[-1.0], upper=[1.0], by=["z"])
    assert lower.tolist() == [-4]
