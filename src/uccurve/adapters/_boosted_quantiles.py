"""Quantiles of XGBoost, LightGBM and CatBoost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.adapters._quantile_table import intervals_of_quantiles
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.intervals import Intervals


def from_xgboost(
    y_true: ArrayLike,
    output: Any,
    *,
    levels: Sequence[float],
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Read quantiles of XGBoost, as the objective ``reg:quantileerror`` predicts them.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, levels)
        What ``predict`` returns.
    levels : sequence of float
        ``quantile_alpha`` of the model, in its order: quantile levels such as ``[0.05, 0.5, 0.95]``.
    coverage : float, optional
        The pair to take: 0.9 for the levels 0.05 and 0.95. Without it all are kept, for ``vary="level"``.
    y_pred : array of shape (n,), optional
        Predictions; the median if there is one, else the midpoints.
    crossed : {"raise", "sort"}
        Quantiles that are not in order, which trees often give: an error, or sort them in each row, with a
        warning that counts the rows.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> from uccurve.adapters import from_xgboost
    >>> from_xgboost([1.0, 2.0], [[0, 1, 3], [1, 3, 4]], levels=[0.05, 0.5, 0.95])
    Intervals(n=2, bandwidth=1.5, asymmetric)
    """
    return intervals_of_quantiles(
        y_true,
        output,
        levels,
        coverage=coverage,
        y_pred=y_pred,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def from_catboost(
    y_true: ArrayLike,
    output: Any,
    *,
    levels: Sequence[float],
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Read quantiles of CatBoost, as the loss ``MultiQuantile`` predicts them.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, levels)
        What ``predict`` returns. The loss ``RMSEWithUncertainty`` gives means and variances instead: use
        ``Intervals.from_std(y_true, output[:, 0], np.sqrt(output[:, 1]))``.
    levels : sequence of float
        ``alpha`` of the loss, in its order.
    coverage, y_pred, sample_weight, crossed, invalid
        As in `from_xgboost`.

    Examples
    --------
    >>> from uccurve.adapters import from_catboost
    >>> from_catboost([1.0, 2.0], [[0, 1, 3], [1, 3, 4]], levels=[0.05, 0.5, 0.95]).nominal
    0.9
    """
    return from_xgboost(
        y_true,
        output,
        levels=levels,
        coverage=coverage,
        y_pred=y_pred,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def from_lightgbm(
    y_true: ArrayLike,
    output: Mapping[float, ArrayLike],
    *,
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Read quantiles of LightGBM: predictions of one model for each level.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : mapping of float to array of shape (n,)
        Predictions of the models with ``objective="quantile"`` by their ``alpha``, such as
        ``{0.05: low.predict(X), 0.95: high.predict(X)}``.
    coverage, y_pred, sample_weight, crossed, invalid
        As in `from_xgboost`.

    Examples
    --------
    >>> from uccurve.adapters import from_lightgbm
    >>> from_lightgbm([1.0, 2.0], {0.05: [0, 1], 0.95: [3, 4]})
    Intervals(n=2, bandwidth=1.5, symmetric)
    """
    if not isinstance(output, Mapping) or not output:
        raise ArgumentTypeError(
            argument="output",
            rule="map levels to predictions, as in {0.05: low.predict(X), 0.95: high.predict(X)}",
            got=type(output).__name__,
        )
    if any(not 0 < arguments.number("output", level) < 1 for level in output):
        raise ArgumentError(argument="output", rule="have levels between 0 and 1 as keys", got=list(output))
    return from_xgboost(
        y_true,
        stacked(output),
        levels=list(output),
        coverage=coverage,
        y_pred=y_pred,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def stacked(columns: Mapping[float, Any]) -> np.ndarray:
    """Put predictions by level side by side, once their shapes agree."""
    arrays = {level: to_numpy(as_arrays(output=column)["output"]) for level, column in columns.items()}
    first, shape = next((level, array.shape) for level, array in arrays.items())
    for level, array in arrays.items():
        if array.ndim != 1 or array.shape != shape:
            raise ShapeError(
                argument="output",
                rule="have one prediction per row for every level",
                got=f"the shape {shape} at the level {first:g}, and {array.shape} at {level:g}",
            )
    return np.stack(list(arrays.values()), axis=1)
