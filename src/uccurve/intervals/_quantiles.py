"""From predicted quantiles to bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._nominal_coverage import claim_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike

_MEDIAN = 0.5


def quantile_columns(
    y_true: ArrayLike, quantiles: ArrayLike, levels: Sequence[float], y_pred: ArrayLike | None
) -> NamedColumns:
    """Return the outermost quantiles as bounds, and the median as the prediction where none is given."""
    ranked = ranked_levels(levels)
    arrays = as_arrays(y_true=y_true, quantiles=quantiles, y_pred=y_pred)
    table = arrays["quantiles"]
    if table is None or table.ndim not in (2, 3) or table.shape[-1] != len(ranked):
        shape = None if table is None else tuple(table.shape)
        expected = f"(n, {len(ranked)}) or (n, outputs, {len(ranked)})"
        raise ShapeError(f"`quantiles` must have the shape {expected}, one column per level, got {shape}.")
    place = dict(ranked)
    chosen = {"lower": ranked[0][0], "upper": ranked[-1][0]}
    if y_pred is None and _MEDIAN in place:
        chosen["y_pred"] = _MEDIAN
    columns = {role: table[..., place[level]] for role, level in chosen.items()}
    values = {"y_true": arrays["y_true"], "y_pred": arrays["y_pred"], **columns}
    names = {role: quantile_name(level) for role, level in chosen.items()}
    return NamedColumns(values, names, claim_between(chosen["lower"], chosen["upper"]))


def ranked_levels(levels: Sequence[float]) -> list[tuple[float, int]]:
    """Sort levels, and keep the place that each had."""
    try:
        checked = [arguments.number("levels", level, 0, 1, open_=True) for level in levels]
    except TypeError as error:
        raise ArgumentError(f"`levels` must be a sequence of numbers, got {levels!r}.") from error
    if len(set(checked)) < max(2, len(checked)):
        raise ArgumentError(f"`levels` must be two or more different levels, got {levels!r}.")
    return sorted((level, place) for place, level in enumerate(checked))


def quantile_name(level: float) -> str:
    """Name a quantile in errors."""
    return f"quantile {level!r}"
