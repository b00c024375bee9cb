"""Rows that break a rule: one clear error, whose whole text is part of the interface."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import uccurve as uc
from messages import check_message
from uccurve import exceptions as ex

NAN, INF = float("nan"), float("inf")
Y3, Z3 = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
I = uc.Intervals

CASES = {
    "nan": (
        lambda: I.from_bands([1, NAN, NAN], Z3, 1),
        ex.NonFiniteError,
        "`y_true` must be finite, but 2 of 3 rows are not; first at row 1: y_true=nan.",
    ),
    "one infinite": (
        lambda: I.from_bands(Y3, [0, 0, -INF], 1),
        ex.NonFiniteError,
        "`y_pred` must be finite, but 1 of 3 rows is not; first at row 2: y_pred=-inf.",
    ),
    "infinite band": (
        lambda: I.from_bands(Y3, Z3, [1, INF, 1]),
        ex.NonFiniteError,
        "`band` must be finite, but 1 of 3 rows is not; first at row 1: band=inf.",
    ),
    "nan among outputs": (
        lambda: I.from_bands([[1, 2], [3, NAN]], np.zeros((2, 2)), 1),
        ex.NonFiniteError,
        "`y_true` must be finite, but 1 of 2 rows is not; first at row 1, output 1: y_true=nan.",
    ),
    "crossed": (
        lambda: I.from_bounds(Y3, [0, 5, 4], [2, 3, 3]),
        ex.CrossedBoundsError,
        (
            "`lower` must not exceed `upper`, but 2 of 3 rows do; first at row 1: lower=5, upper=3. "
            'Swap the two, or give quantiles to `Intervals.from_quantiles` with `crossed="sort"`.'
        ),
    ),
    "outside": (
        lambda: I.from_bounds(Y3, [0, 0, 3], [2, 3, 4], y_pred=[1, 1, 2]),
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`lower`, `upper`], but 1 of 3 rows does not; "
            "first at row 2: lower=3, y_pred=2, upper=4. Give `y_pred=None` to use the midpoints."
        ),
    ),
    "negative band": (
        lambda: I.from_bands(Y3, Z3, 1, [1, -2, 1]),
        ex.NegativeBandError,
        "`upper_band` must be >= 0, but 1 of 3 rows is not; first at row 1: upper_band=-2.",
    ),
    "negative std": (
        lambda: I.from_std([1], [0], [-1]),
        ex.NegativeBandError,
        "`std` must be >= 0, but 1 of 1 row is not; first at row 0: std=-1.",
    ),
    "negative weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, -1, -1]),
        ex.NegativeWeightError,
        "`sample_weight` must be >= 0, but 2 of 3 rows are not; first at row 1: sample_weight=-1.",
    ),
    "nan weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[1, NAN, 1]),
        ex.NonFiniteError,
        "`sample_weight` must be finite, but 1 of 3 rows is not; first at row 1: sample_weight=nan.",
    ),
    "no weight": (
        lambda: I.from_std(Y3, Z3, 1, sample_weight=[0, 0, 0]),
        ex.ArgumentError,
        "`sample_weight` must have a positive sum, got 0.",
    ),
    "crossed quantiles": (
        lambda: I.from_quantiles([1], [[3, 1]], [0.05, 0.95]),
        ex.CrossedBoundsError,
        (
            "`quantiles` must rise with their levels, but 1 of 1 row has crossed ones; "
            "first at row 0: quantile 0.05=3, quantile 0.95=1. "
            'Pass `crossed="sort"` to sort the quantiles of each row.'
        ),
    ),
    "median outside": (
        lambda: I.from_quantiles([1], [[1, 4, 3]], [0.05, 0.5, 0.95]),
        ex.CrossedBoundsError,
        (
            "`quantiles` must rise with their levels, but 1 of 1 row has crossed ones; "
            "first at row 0: quantile 0.5=4, quantile 0.95=3. "
            'Pass `crossed="sort"` to sort the quantiles of each row.'
        ),
    ),
    "prediction outside quantiles": (
        lambda: I.from_quantiles([1], [[1, 2, 3]], [0.05, 0.5, 0.95], y_pred=[4]),
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`quantile 0.05`, `quantile 0.95`], but 1 of 1 row does not; "
            "first at row 0: quantile 0.05=1, y_pred=4, quantile 0.95=3. "
            "Give `y_pred=None` to use the quantile 0.5."
        ),
    ),
    "prediction outside draws": (
        lambda: I.from_samples([1], [[1], [2], [3]], levels=(0.3, 0.7), y_pred=[4]),
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`quantile 0.3`, `quantile 0.7`], but 1 of 1 row does not; "
            "first at row 0: quantile 0.3=1.2, y_pred=4, quantile 0.7=2.8. "
            "Give `y_pred=None` to use the mean of the draws."
        ),
    ),
    "mean of draws outside": (
        lambda: I.from_samples([1], [[0], [0], [10]], levels=(0.3, 0.4)),
        ex.PredictionOutsideError,
        (
            "`mean of samples` must lie inside [`quantile 0.3`, `quantile 0.4`], but 1 of 1 row does not; "
            "first at row 0: quantile 0.3=0, mean of samples=3.33333333333, quantile 0.4=0. "
            "Give `levels` that lie farther apart, or `y_pred`."
        ),
    ),
    "nan sample": (
        lambda: I.from_samples([1], [[1], [NAN]]),
        ex.NonFiniteError,
        "`mean of samples` must be finite, but 1 of 1 row is not; first at row 0: mean of samples=nan.",
    ),
    "too large": (
        lambda: I.from_bands([1, -2e120, 3e120], [0] * 3, 1),
        ex.MagnitudeError,
        (
            "`y_true` must be 0 or between 1e-100 and 1e+100 in size, but 2 of 3 rows are not; "
            "first at row 1: y_true=-2e+120. Use another unit: divide all values by one number of about "
            "their size."
        ),
    ),
    "weights too small": (
        lambda: I.from_bands([1, 2], [0] * 2, 1, sample_weight=[1e-200, 0]),
        ex.MagnitudeError,
        (
            "`sample_weight` must be 0 or between 1e-100 and 1e+100 in size, but 1 of 2 rows is not; "
            "first at row 0: sample_weight=1e-200. Divide all weights by the largest one: only their ratios "
            "matter."
        ),
    ),
    "all dropped": (
        lambda: I.from_bands([NAN, 1], [0, 0], [1, -1], invalid="drop"),
        ex.EmptyInputError,
        "all 2 rows are invalid: `y_true` must be finite (1); `band` must be >= 0 (1).",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_whole_message(name):
    """Argument, rule, how many rows break it, and the first one with its values."""
    check_message(*CASES[name])


def test_errors_are_value_errors_and_keep_their_details():
    """Code can react to the rows, also when the error comes from another process."""
    with pytest.raises(ValueError, match="`y_true` must be finite") as caught:
        I.from_bands([1, NAN, 3, INF], [0] * 4, 1)
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    for error in (caught.value, copy):
        assert (error.argument, error.rows, error.count) == ("y_true", (1, 3), 2)
    assert str(copy) == str(caught.value)


def test_errors_come_before_any_warning():
    """NaN and infinities cause no NumPy warnings on the way (warnings are errors in this suite)."""
    for column in ([NAN], [INF], [-INF], [1e308]):
        with pytest.raises(ex.InvalidRowsError):
            I.from_bounds(column, [-1e308], [1e308], y_pred=[-1e308])


@pytest.mark.parametrize(("invalid", "error"), [("raise", ex.NonFiniteError), ("drop", ex.EmptyInputError)])
def test_two_infinite_bounds_around_a_prediction_cause_no_warning(invalid, error):
    """Conformal bounds are infinite where the calibration rows are too few: the error says it all."""
    with pytest.raises(error, match="`lower` must be finite"):
        I.from_bounds(Y3, [-INF] * 3, [INF] * 3, y_pred=Z3, invalid=invalid)
    with pytest.raises(error, match="`band` must be finite"):
        I.from_bands(Y3, Z3, [INF] * 3, [INF] * 3, invalid=invalid)
