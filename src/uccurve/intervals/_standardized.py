"""Intervals in units of the standard deviation of the observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import namespace, widened
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array
    from uccurve.intervals._nested_pairs import NestedPairs
    from uccurve.intervals._row_arrays import RowArrays


def standardized_columns(rows: RowArrays) -> tuple[dict[str, Array | None], NestedPairs | None]:
    """Return centered observations and predictions, and bands, each output in its own unit.

    Pairs of quantiles come second, where there are any.
    """
    rows = rows.map(widened)
    center = _mean(rows, rows.y_true)
    centered = rows.y_true - center
    unit = _root_mean_square(rows, centered)
    if not bool(namespace(centered).all(unit > 0)):
        raise arguments.overflow()  # a deviation below the smallest float
    with np.errstate(over="ignore"):  # which the rules of the rows name
        nested = None if rows.nested is None else rows.nested.map(lambda column: (column - center) / unit)
        columns = {
            "y_true": centered / unit,
            "y_pred": (rows.y_pred - center) / unit,
            "lower_band": rows.lower_band / unit,
            "upper_band": None if rows.upper_band is None else rows.upper_band / unit,
        }
    return columns, nested


def _mean(rows: RowArrays, values: Array) -> Array:
    """Return the weighted mean of each output."""
    xp, weight = namespace(values), rows.weight
    if weight is None:
        return xp.mean(values, axis=0)
    if values.ndim > 1:
        weight = xp.expand_dims(weight, axis=1)
    return xp.sum(values * weight, axis=0) / xp.sum(weight)


def _root_mean_square(rows: RowArrays, centered: Array) -> Array:
    """Return the standard deviation of each output, also where squares would leave float64."""
    xp, counted = namespace(centered), rows.y_true
    if rows.weight is not None:
        counted = xp.take(counted, xp.nonzero(rows.weight > 0)[0], axis=0)
    if not bool(xp.all(xp.max(counted, axis=0) > xp.min(counted, axis=0))):
        raise ArgumentError(
            argument="y_true", rule="not be constant", hint="It has no standard deviation to use as a unit."
        )
    largest = xp.max(xp.abs(centered), axis=0)
    return largest * xp.sqrt(_mean(rows, (centered / largest) ** 2))
