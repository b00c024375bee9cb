"""From a fitted estimator to intervals."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from uccurve._base.arrays import as_arrays
from uccurve.adapters._sktime import column_levels, from_sktime
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Collection

_PAIR = 2
_STACK = 3


def intervals_of(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Intervals:  # noqa: N803
    """Let an estimator predict intervals for the rows of X, by either protocol."""
    if hasattr(estimator, "predict_interval"):
        predicted = _asked(estimator.predict_interval, X, y)
        if column_levels(predicted) > 1:  # of sktime and skpro, which names coverages
            point = _asked(estimator.predict, X, y) if hasattr(estimator, "predict") else None
            return from_sktime(y, predicted, y_pred=point, sample_weight=sample_weight)
        y_pred, lower, upper = _split(predicted)
        if y_pred is None and hasattr(estimator, "predict"):
            y_pred = _asked(estimator.predict, X, y)
        return Intervals.from_bounds(y, lower, upper, y_pred=y_pred, sample_weight=sample_weight)
    if takes_return_std(estimator):
        y_pred, std = estimator.predict(X, return_std=True)
        return Intervals.from_std(y, y_pred, std, sample_weight=sample_weight)
    raise ArgumentError(
        f"`estimator` must have `predict_interval(X)` or `predict(X, return_std=True)`, which "
        f"{type(estimator).__name__} has not: give its predictions and bounds to `from_predictions`."
    )


def _asked(method: Any, inputs: Any, y: Any) -> Any:
    """Let an estimator predict for inputs; forecasters of sktime are asked for the times of y as well."""
    if "fh" not in _parameters(method):
        return method(inputs)
    return method(fh=y.index if hasattr(y, "iloc") else None, X=inputs)


def _parameters(method: Any) -> Collection[str]:
    try:
        return inspect.signature(method).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return ()


def takes_return_std(estimator: Any) -> bool:
    """Whether predict has the option; a pipeline hands it on to its last step."""
    predict = getattr(last_step(estimator), "predict", None)
    return predict is not None and "return_std" in _parameters(predict)


def last_step(estimator: Any) -> Any:
    """Return the estimator that predicts, inside of pipelines and of searches."""
    while True:
        if hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        elif hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        else:
            return estimator


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
