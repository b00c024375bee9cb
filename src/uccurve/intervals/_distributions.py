"""Predictive distributions of other libraries, read at stated levels."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arguments import complement
from uccurve._base.arrays import as_arrays, namespace
from uccurve._base.row_labels import refuse_other_labels
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    NonFiniteError,
    ShapeError,
)
from uccurve.intervals._level_pairs import MEDIAN
from uccurve.intervals._paired_levels import nested_quantiles
from uccurve.intervals._quantiles import named_quantiles, quantile_columns, quantile_name, ranked_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve.intervals._named_arrays import NamedColumns

_CLAIMS = (10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 93, 95, 97, 98, 99)
_TAILS = tuple((100 - claim) / 200 for claim in _CLAIMS)
DEFAULT_LEVELS = (*reversed(_TAILS), MEDIAN, *(complement(tail) for tail in _TAILS))
"""Levels of intervals that claim these percentages, closer together where quantiles bend, and the median."""
_REMEDY = "Look at the parameters of `distribution` in these rows."


def distribution_columns(
    y_true: ArrayLike, distribution: Any, levels: Sequence[float] | None, y_pred: ArrayLike | None
) -> NamedColumns:
    """Return the outermost quantiles as bounds, the median as the prediction, and all pairs."""
    chosen = [level for level, _ in ranked_levels(DEFAULT_LEVELS if levels is None else levels)]
    read = _reader(distribution)
    quantiles = {level: _read(read, level, distribution) for level in sorted({*chosen, MEDIAN})}
    named = {quantile_name(level): column for level, column in quantiles.items()}
    refuse_other_labels({"y_true": y_true, "distribution": quantiles[MEDIAN]})
    arrays = as_arrays(y_true=y_true, **named)
    observed: Any = arrays["y_true"]
    if observed is None:
        raise ArgumentError(argument="y_true", rule="be passed", got="None")
    by_level = {level: _fitting(arrays[quantile_name(level)], observed, level) for level in quantiles}
    table = namespace(observed).stack([by_level[level] for level in chosen], axis=-1)
    median = by_level[MEDIAN]
    columns = quantile_columns(observed, table, chosen, median if y_pred is None else y_pred, "raise")
    if y_pred is None:
        columns.names["y_pred"] = quantile_name(MEDIAN)
    nested = None if columns.nested is None else nested_quantiles(by_level)
    hints = {**columns.hints, NonFiniteError: _REMEDY, CrossedBoundsError: _REMEDY}
    named_levels = named_quantiles(by_level, {} if columns.nested is None else by_level)
    return columns._replace(nested=nested, hints=hints, quantiles=named_levels)


def _reader(distribution: Any) -> Callable[[float], Any]:
    """Return the function that reads a quantile of all rows: `ppf` or `icdf`; that of torch takes tensors."""
    is_torch = any(kind.__module__.partition(".")[0] == "torch" for kind in type(distribution).__mro__)
    for name in ("icdf",) if is_torch else ("ppf", "icdf"):
        read = getattr(distribution, name, None)
        if callable(read):
            as_level = sys.modules["torch"].as_tensor if is_torch else _same
            return lambda level: read(as_level(np.float64(level)))
    raise ArgumentTypeError(
        argument="distribution",
        rule="have a method `ppf` or `icdf` that returns each row's quantile at a level",
        got=type(distribution).__name__,
    )


def _same(level: np.float64) -> np.float64:
    return level


def _read(read: Callable[[float], Any], level: float, distribution: Any) -> Any:
    """Read one quantile of every row; what goes wrong inside of another library is named."""
    try:
        return read(level)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise ArgumentError(
            argument="distribution",
            rule=f"give quantiles, but {type(distribution).__name__} fails at the level {level:g}: {reason}",
        ) from error


def _fitting(column: Any, observed: Array, level: float) -> Array:
    """Return quantiles in the shape of the observations; a frame of one column is a column."""
    shape, wanted = tuple(column.shape), tuple(observed.shape)
    if shape == (*wanted, 1) or (*shape, 1) == wanted:
        return namespace(column).reshape(column, wanted)
    if shape != wanted:
        hint = (
            "It is one distribution for all rows: pass parameters of each row." if shape in ((), (1,)) else ""
        )
        raise ShapeError(
            argument="distribution",
            rule=f"give one quantile per row, in the shape {wanted} of `y_true`",
            got=f"{shape} at the level {level:g}",
            hint=hint,
        )
    return column
