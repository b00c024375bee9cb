"""From predicted quantiles to bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import ArgumentError, CrossedBoundsError, PredictionOutsideError, ShapeError
from uccurve.intervals._crossed import CROSSED, sort_quantiles, warn_sorted
from uccurve.intervals._named_arrays import NamedColumns
from uccurve.intervals._nominal_coverage import claim_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed
    from uccurve.exceptions import InvalidRowsError

_MEDIAN = 0.5
_SORTING = {
    "raise": 'Give `crossed="sort"` to sort the quantiles of each row.',
    "sort": "Rows with NaN among their quantiles are not sorted.",
}
"""What to do about crossed quantiles, by the choice that was made."""


def quantile_columns(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    y_pred: ArrayLike | None,
    crossed: Crossed,
) -> NamedColumns:
    """Return the outermost quantiles as bounds, and the median as the prediction where none is given."""
    ranked = ranked_levels(levels)
    arguments.option("crossed", crossed, CROSSED)
    arrays = as_arrays(y_true=y_true, quantiles=quantiles, y_pred=y_pred)
    table = arrays["quantiles"]
    if table is None or table.ndim not in (2, 3) or table.shape[-1] != len(ranked):
        shape = None if table is None else tuple(table.shape)
        expected = f"(n, {len(ranked)}) or (n, outputs, {len(ranked)})"
        raise ShapeError(f"`quantiles` must have the shape {expected}, one column per level, got {shape}.")
    place = dict(ranked)
    if crossed == "sort":
        rising = namespace(table).stack([table[..., number] for _, number in ranked], axis=-1)
        table, crossed_rows = sort_quantiles(rising)
        warn_sorted(crossed_rows, "quantiles, which were sorted")
        place = {level: number for number, (level, _) in enumerate(ranked)}
    chosen = {"lower": ranked[0][0], "upper": ranked[-1][0]}
    if y_pred is None and _MEDIAN in place:
        chosen["y_pred"] = _MEDIAN
    columns = {role: table[..., place[level]] for role, level in chosen.items()}
    values = {"y_true": arrays["y_true"], "y_pred": arrays["y_pred"], **columns}
    names = {role: quantile_name(level) for role, level in chosen.items()}
    remedies: dict[type[InvalidRowsError], str] = dict.fromkeys(
        (CrossedBoundsError, PredictionOutsideError), _SORTING[crossed]
    )
    if y_pred is not None:
        instead = quantile_name(_MEDIAN) if _MEDIAN in place else "midpoints"
        remedies[PredictionOutsideError] = f"Give `y_pred=None` to use the {instead}."
    return NamedColumns(values, names, claim_between(chosen["lower"], chosen["upper"]), remedies)


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
