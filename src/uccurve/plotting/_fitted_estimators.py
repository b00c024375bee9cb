"""From a fitted estimator to intervals."""

from __future__ import annotations

import inspect
from typing import Any

from uccurve._base.arrays import as_arrays
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals

_PAIR = 2
_STACK = 3


def intervals_of(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Intervals:  # noqa: N803
    """Let an estimator predict intervals for the rows of X, by either protocol."""
    if hasattr(estimator, "predict_interval"):
        y_pred, lower, upper = _split(estimator.predict_interval(X))
        if y_pred is None and hasattr(estimator, "predict"):
            y_pred = estimator.predict(X)
        return Intervals.from_bounds(y, lower, upper, y_pred=y_pred, sample_weight=sample_weight)
    if _takes_return_std(estimator):
        y_pred, std = estimator.predict(X, return_std=True)
        return Intervals.from_std(y, y_pred, std, sample_weight=sample_weight)
    raise ArgumentError(
        f"`estimator` must have `predict_interval(X)` or `predict(X, return_std=True)`, which "
        f"{type(estimator).__name__} has not: give its predictions and bounds to `from_predictions`."
    )


def _takes_return_std(estimator: Any) -> bool:
    """Whether predict has the option; a pipeline hands it on to its last step."""
    if hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    predict = getattr(estimator, "predict", None)
    try:
        return predict is not None and "return_std" in inspect.signature(predict).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return False


def _split(predicted: Any) -> tuple[Any, Any, Any]:
    """Take what predict_interval returned apart: predictions, if there are any, and both bounds.

    It may be one array of shape (n, 2), a pair of bounds, or predictions and such an array, each
    array with a last axis of length 1 for the only level.
    """
    if isinstance(predicted, (tuple, list)) and len(predicted) == _PAIR:
        first, second = as_arrays(first=predicted[0], second=predicted[1]).values()
        if first is not None and second is not None:
            if second.ndim == first.ndim:
                return None, first, second
            return first, *_bounds(second)
    return None, *_bounds(as_arrays(predict_interval=predicted)["predict_interval"])


def _bounds(table: Any) -> tuple[Any, Any]:
    if table is not None and table.ndim == _STACK and table.shape[2] == 1:
        table = table[:, :, 0]
    if table is None or table.ndim != _PAIR or table.shape[1] != _PAIR:
        shape = None if table is None else tuple(table.shape)
        raise ShapeError(
            f"`predict_interval` must return bounds of one level, of shape (n, 2) or (n, 2, 1), got {shape}."
        )
    return table[:, 0], table[:, 1]
