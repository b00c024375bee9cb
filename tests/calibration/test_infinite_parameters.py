"""Too few calibration rows, or too many bands of zero: said at the fit, shown, and never hidden."""

from __future__ import annotations

import math
import warnings

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
        "a coverage of 0.9 needs at least 9 calibration rows, got 5: the new bounds will be infinite."
    )
    assert scaler.parameter_ == math.inf
    assert repr(scaler) == "ConformalScaler(coverage=0.9, parameter_=inf)"
    lower, upper = scaler.transform(lower=[1.0, 1.0], upper=[1.0, 3.0])
    assert lower.tolist() == [-math.inf] * 2
    assert upper.tolist() == [math.inf] * 2
    assert scaler.fit(rows(9)).parameter_ == 9


@pytest.mark.parametrize(
    ("coverage", "needed"), [(0.5, 1), (0.55, 2), (0.8, 4), (0.9, 9), (0.95, 19), (0.99, 99)]
)
def test_the_number_of_rows_that_is_asked_for_is_enough_and_needed(coverage, needed):
    """The warning tells the truth: it goes away with that many rows, and not before."""
    uc.ConformalScaler(coverage).fit(rows(needed))
    if needed > 1:
        text = told(uc.ConformalScaler(coverage), rows(needed - 1))
        plural = "s" if needed > 1 else ""
        assert f"needs at least {needed} calibration row{plural}, got {needed - 1}:" in text


def test_labels_with_too_few_rows_are_named():
    """With their numbers of rows, in one warning; the others are served all the same."""
    scaler, by = uc.ConformalScaler(0.75), list("aaabbc")
    assert told(scaler, rows(6), by) == (
        "a coverage of 0.75 needs at least 3 calibration rows, but 2 of 3 labels have fewer: 'b' (2), 'c' (1). "
        "Their new bounds will be infinite."
    )
    assert repr(scaler) == "ConformalScaler(coverage=0.75, parameters_={'a': 3, 'b': inf, 'c': inf})"
    lower, _ = scaler.transform(lower=[-1.0, -1.0], upper=[1.0, 1.0], by=["b", "a"])
    assert lower.tolist() == [-math.inf, -3]
    assert "but 1 of 2 labels has fewer: 'c' (1). Its new bounds will be infinite." in told(
        scaler, rows(4), list("aaac")
    )


def test_many_labels_are_not_all_listed():
    """Six of them, and how many more; the representation counts them."""
    scaler = uc.ConformalScaler(0.75)
    text = told(scaler, rows(13), [*range(10), 0, 0, 1])
    assert "but 9 of 10 labels have fewer: 1 (2), 2 (1), 3 (1), 4 (1), 5 (1), 6 (1) and 3 more." in text
    assert repr(scaler) == "ConformalScaler(coverage=0.75, parameters_={10 labels: 12 to inf, 9 infinite})"


def test_bands_of_zero_are_another_reason():
    """More rows would not help: the text does not ask for them."""
    bands = np.array([1.0, 0, 0, 1, 1, 1])
    assert told(uc.ConformalScaler(0.5), rows(3, bands[:3])) == (
        "too many calibration rows have a band of zero, which no scale widens: the new bounds will be infinite."
    )
    assert told(uc.ConformalScaler(0.7), rows(6, bands), list("aaabbc")) == (
        "a coverage of 0.7 needs at least 3 calibration rows, but 2 of 3 labels have fewer: 'b' (2), 'c' (1); "
        "too many calibration rows of 1 of 3 labels have a band of zero, which no scale widens: 'a'. "
        "Their new bounds will be infinite."
    )


def test_a_small_group_that_was_seen_is_not_pooled():
    """The guarantee within a label is not exchanged for another one behind the user's back."""
    scaler, by = uc.ConformalScaler(0.75, unseen="pooled"), list("aaab")
    assert told(scaler, rows(4), by) == (
        "a coverage of 0.75 needs at least 3 calibration rows, but 1 of 2 labels has fewer: 'b' (1). "
        "Its new bounds will be infinite. The parameter of all rows is for unseen labels only."
    )
    assert scaler.parameters_ == {"a": 3, "b": math.inf}
    lower, _ = scaler.transform(lower=[-1.0], upper=[1.0], by=["b"])
    assert lower.tolist() == [-math.inf]
    with pytest.warns(uc.exceptions.UnseenLabelsWarning):
        lower, _ = scaler.transform(lower=[-1.0], upper=[1.0], by=["z"])
    assert lower.tolist() == [-4]
    assert "infinite. Those of unseen labels will be as well." in told(scaler, rows(2), list("ab"))


def test_a_fit_without_infinite_parameters_is_silent():
    """Also one whose labels have just enough rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        uc.ConformalScaler(0.75).fit(rows(6), by=list("aaabbb"))
