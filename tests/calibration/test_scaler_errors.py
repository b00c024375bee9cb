"""Errors of conformal scaling."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import uccurve as uc
from errors import check_error

ROWS = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 1, 1])
ZERO = uc.Intervals.from_bands([1, 2, 4], [0, 0, 0], [1, 0, 0])
TWO = uc.Intervals.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1)
fitted = uc.ConformalScaler(0.5).fit(ROWS)
by_label = uc.ConformalScaler(0.5).fit(ROWS, by=["a", "a", "b"])
ONE = {"lower": [0], "upper": [1], "y_pred": [0]}
CASES = {
    "not fitted": (lambda: uc.ConformalScaler().parameter_, uc.exceptions.NotFittedError),
    "no labels fitted": (lambda: fitted.parameters_, uc.exceptions.NotFittedError),
    "labels fitted": (lambda: by_label.parameter_, uc.exceptions.NotFittedError),
    "labels missing": (lambda: by_label.transform(**ONE), uc.exceptions.ArgumentError, "by"),
    "labels unasked": (lambda: fitted.transform(**ONE, by=["a"]), uc.exceptions.ArgumentError, "by"),
    "unknown label": (
        lambda: by_label.transform(lower=[0, 0], upper=[1, 1], by=["a", "z"]),
        uc.exceptions.ArgumentError,
        "by",
    ),
    "labels of another kind": (
        lambda: by_label.transform(lower=[0, 0], upper=[1, 1], by=[["a"], ["b"]]),
        uc.exceptions.ArgumentError,
        "by",
    ),
    "labels of other rows": (
        lambda: uc.ConformalScaler().fit(ROWS, by=["a", "b"]),
        uc.exceptions.ShapeError,
        "by",
    ),
    "coverage": (lambda: uc.ConformalScaler(90).fit(ROWS), uc.exceptions.ArgumentError, "coverage"),
    "both rates": (
        lambda: uc.ConformalScaler(0.8, miss_rate=0.1).fit(ROWS),
        uc.exceptions.ArgumentError,
        "coverage",
    ),
    "unseen": (lambda: uc.ConformalScaler(unseen="pool").fit(ROWS), uc.exceptions.ArgumentError, "unseen"),
    "rows of another kind": (
        lambda: uc.ConformalScaler().fit([1, 2]),
        uc.exceptions.ArgumentTypeError,
        "intervals",
    ),
    "parameter of another estimator": (
        lambda: uc.ConformalScaler().set_params(alpha=0.1),
        uc.exceptions.ArgumentError,
        "alpha",
    ),
    "nothing to transform": (lambda: fitted.transform(by=["a"]), uc.exceptions.ArgumentError, "intervals"),
    "one bound": (lambda: fitted.transform(lower=[0]), uc.exceptions.ArgumentError, "y_pred"),
    "one side": (lambda: fitted.transform(lower=[0], y_pred=[1]), uc.exceptions.ArgumentError, "lower"),
    "two things to transform": (
        lambda: fitted.transform(ROWS, lower=[0]),
        uc.exceptions.ArgumentError,
        "intervals",
    ),
    "outputs to transform": (lambda: fitted.transform(TWO), uc.exceptions.ArgumentError, "intervals"),
    "too few rows": (lambda: uc.ConformalScaler().fit(ROWS).transform(ROWS), uc.exceptions.ArgumentError),
    "weighted calibration": (
        lambda: uc.ConformalScaler().fit(
            uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], 1, sample_weight=[1, 2, 3])
        ),
        uc.exceptions.ArgumentError,
        "intervals",
    ),
    "calibration of outputs": (
        lambda: uc.ConformalScaler().fit(TWO),
        uc.exceptions.ArgumentError,
        "intervals",
    ),
    "calibrated prediction outside": (
        lambda: fitted.transform(y_pred=[5], lower=[0], upper=[1]),
        uc.exceptions.PredictionOutsideError,
        "y_pred",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """What is not fitted, or does not fit the calibration rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uc.exceptions.InfiniteParameterWarning)  # of the fit before
        check_error(*CASES[name])
