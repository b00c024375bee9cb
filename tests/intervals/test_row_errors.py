"""Rows that break a rule: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import check_error
from uccurve import exceptions as ex

NAN, INF = float("nan"), float("inf")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals

CASES = {
    "nan": (lambda: I.from_bands([1, NAN, NAN], Z3, 1), ex.NonFiniteError, "y_true"),
    "nan among outputs": (
        lambda: I.from_bands([[1, 2], [3, NAN]], np.zeros((2, 2)), 1),
        ex.NonFiniteError,
        "y_true",
    ),
    "crossed": (lambda: I.from_bounds(Y3, [0, 5, 4], [2, 3, 3]), ex.CrossedBoundsError, "lower"),
    "outside": (
        lambda: I.from_bounds(Y3, [0, 0, 3], [2, 3, 4], y_pred=[1, 1, 2]),
        ex.PredictionOutsideError,
        ("y_pred"),
    ),
    "negative band": (lambda: I.from_bands(Y3, Z3, 1, [1, -2, 1]), ex.NegativeBandError, "upper_band"),
    "negative weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, -1, -1]),
        ex.NegativeWeightError,
        "sample_weight",
    ),
    "no weight": (lambda: I.from_std(Y3, Z3, 1, sample_weight=[0, 0, 0]), ex.ArgumentError, "sample_weight"),
    "median outside": (
        lambda: I.from_quantiles([1], [[1, 4, 3]], [0.05, 0.5, 0.95]),
        ex.CrossedBoundsError,
        ("quantiles"),
    ),
    "mean of draws outside": (
        lambda: I.from_samples([1], [[0], [0], [10]], levels=(0.3, 0.4)),
        ex.PredictionOutsideError,
        ("mean of samples"),
    ),
    "nan sample": (lambda: I.from_samples([1], [[1], [NAN]]), ex.NonFiniteError, "mean of samples"),
    "all dropped": (lambda: I.from_bands([NAN, 1], [0, 0], [1, -1], invalid="drop"), ex.EmptyInputError),
}


@pytest.mark.parametrize("name", CASES)
def test_each_rule_has_its_error(name):
    """Argument, rule, how many rows break it, and the first one with its values."""
    check_error(*CASES[name])


def test_errors_come_before_any_warning():
    """NaN and infinities cause no NumPy warnings on the way (warnings are errors in this suite)."""
    for column in ([NAN], [INF], [-INF], [1e308]):
        with pytest.raises(ex.InvalidRowsError):
            I.from_bounds(column, [-1e308], [1e308], y_pred=[-1e308])


@pytest.mark.parametrize(("invalid", "error"), [("raise", ex.NonFiniteError), ("drop", ex.EmptyInputError)])
def test_two_infinite_bounds_around_a_prediction_cause_no_warning(invalid, error):
    """Conformal bounds are infinite where the calibration rows are too few: the error says it all."""
    with pytest.raises(error):
        I.from_bounds(Y3, [-INF] * 3, [INF] * 3, y_pred=Z3, invalid=invalid)
    with pytest.raises(error):
        I.from_bands(Y3, Z3, [INF] * 3, [INF] * 3, invalid=invalid)
