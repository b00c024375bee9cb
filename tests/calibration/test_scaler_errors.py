"""Errors of conformal scaling: the whole text."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import uccurve as uc
from messages import check_message

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
        (
            "`by` must be fitted labels, but 1 of 2 rows is not; first at row 1: 'z' "
            "(unseen='pooled' gives such rows the parameter of all calibration rows)."
        ),
    ),
    "labels that no one could fit": (
        lambda: by_label.transform(lower=[0, 0], upper=[1, 1], by=[["a"], ["b"]]),
        uc.exceptions.ArgumentError,
        "`by` must be fitted labels, got list.",
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
        "give `coverage` or `miss_rate`, not both.",
    ),
    "both rates, one of them the default": (
        lambda: uc.ConformalScaler(coverage=0.9, miss_rate=0.2).fit(ROWS),
        uc.exceptions.ArgumentError,
        "give `coverage` or `miss_rate`, not both.",
    ),
    "unseen": (
        lambda: uc.ConformalScaler(unseen="pool").fit(ROWS),
        uc.exceptions.ArgumentError,
        "`unseen` must be 'raise' or 'pooled', got 'pool'.",
    ),
    "rows of another kind": (
        lambda: uc.ConformalScaler().fit([1, 2]),
        uc.exceptions.ArgumentTypeError,
        "`intervals` must be Intervals, UCCSketch, or a mapping of label to UCCSketch, got list.",
    ),
    "vary": (
        lambda: uc.ConformalScaler(vary="stretch").fit(ROWS),
        uc.exceptions.ArgumentError,
        "`vary` must be 'scale' or 'shift' or 'level', got 'stretch'.",
    ),
    "parameter of another estimator": (
        lambda: uc.ConformalScaler().set_params(alpha=0.1),
        uc.exceptions.ArgumentError,
        "`alpha` must be one of the arguments coverage, miss_rate, vary, unseen.",
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
            "first at row 0: lower=0, y_pred=5, upper=1. Give `y_pred=None` to use the midpoints."
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """What is not fitted, or does not fit the calibration rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uc.exceptions.InfiniteParameterWarning)  # of the fit before
        check_message(*CASES[name])
