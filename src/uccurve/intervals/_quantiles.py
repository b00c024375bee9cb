"""From predicted quantiles to bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import ArgumentError, CrossedBoundsError, PredictionOutsideError, ShapeError
from uccurve.intervals._crossed import CROSSED, sort_quantiles, warn_sorted
from uccurve.intervals._level_pairs import MEDIAN, as_level
from uccurve.intervals._named_arrays import NamedColumns, Quantiles
from uccurve.intervals._nominal_coverage import claim_between
from uccurve.intervals._paired_levels import contiguous, nested_quantiles
from uccurve.intervals._row_rules import BOUNDS
from uccurve.intervals._sides import is_unlimited

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed
    from uccurve.exceptions import InvalidRowsError

_SORTING = {
    "raise": 'Pass `crossed="sort"` to sort the quantiles of each row.',
    "sort": "Rows with NaN among their quantiles are not sorted.",
}
"""What to do about crossed quantiles, by the choice that was made."""


def quantile_columns(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    y_pred: ArrayLike | None,
    crossed: Crossed,
    pair: tuple[float, float] | None = None,
) -> NamedColumns:
    """Return the outermost quantiles as bounds, and the median as the prediction where none is given.

    With a pair of levels only these two and the median are taken; order is asked of all.
    """
    ranked = ranked_levels(levels)
    arguments.option("crossed", crossed, CROSSED)
    arrays = as_arrays(y_true=y_true, quantiles=quantiles, y_pred=y_pred)
    table = arrays["quantiles"]
    if table is None or table.ndim not in (2, 3) or table.shape[-1] != len(ranked):
        shape = None if table is None else tuple(table.shape)
        expected = f"(n, {len(ranked)}) or (n, outputs, {len(ranked)})"
        raise ShapeError(
            argument="quantiles", rule=f"have the shape {expected}, one column per level", got=shape
        )
    place = dict(ranked)
    if crossed == "sort":
        rising = namespace(table).stack([table[..., number] for _, number in ranked], axis=-1)
        table, crossed_rows = sort_quantiles(rising)
        warn_sorted(crossed_rows, "quantiles, which were sorted")
        place = {level: number for number, (level, _) in enumerate(ranked)}
    # Columns of their own: of a table by rows, every pass would read the whole table.
    every = {level: contiguous(table[..., number]) for level, number in place.items()}
    quantile = every if pair is None else {level: every[level] for level in every if level in (*pair, MEDIAN)}
    chosen = _bounding(list(quantile), with_prediction=y_pred is not None)
    if y_pred is None and MEDIAN in quantile:
        chosen["y_pred"] = MEDIAN
    columns = {role: quantile[level] for role, level in chosen.items()}
    values = {"y_true": arrays["y_true"], "y_pred": arrays["y_pred"], "lower": None, "upper": None, **columns}
    names = {role: quantile_name(level) for role, level in chosen.items()}
    hints: dict[type[InvalidRowsError], str] = dict.fromkeys(
        (CrossedBoundsError, PredictionOutsideError), _SORTING[crossed]
    )
    if y_pred is not None:
        instead = quantile_name(MEDIAN) if MEDIAN in quantile else "midpoints"
        hints[PredictionOutsideError] = f"Pass `y_pred=None` to use the {instead}."
        if len(chosen) == 1:
            hints[PredictionOutsideError] = "A limit lies on its side of the prediction, or touches it."
    # A quantile that is infinite in every row is no bound: the other one is a limit, with a claim of its own.
    bounds = {
        role: level
        for role, level in chosen.items()
        if role in BOUNDS and not is_unlimited(columns[role], role)
    }
    claim = claim_between(bounds.get("lower", 0), bounds.get("upper", 1)) if bounds else None
    nested = nested_quantiles(quantile) if len(bounds) > 1 else None
    inner = {level: column for level, column in quantile.items() if level not in chosen.values()}
    return NamedColumns(values, names, claim, hints, nested, named_quantiles(every, inner))


def named_quantiles(every: Mapping[float, Array], inner: Mapping[float, Array]) -> Quantiles | None:
    """Return quantiles for the rules about them; None of one level, which has no order.

    Those inside must be finite, except where one is infinite in every row, as if there were no such bound.
    """
    if len(every) == 1:
        return None
    finite = (
        quantile_name(level)
        for level, column in inner.items()
        if not is_unlimited(column, "lower" if level < MEDIAN else "upper")
    )
    return Quantiles(tuple(every.values()), tuple(map(quantile_name, every)), frozenset(finite))


def _bounding(levels: Sequence[float], *, with_prediction: bool) -> dict[str, float]:
    """Return the levels that bound an interval: the outermost two, or the outermost one of a limit.

    One level is a limit, and several on one side of the center are if the prediction comes from elsewhere.
    """
    low, high = levels[0], levels[-1]
    if len(levels) == 1 and not with_prediction:
        raise ArgumentError(
            argument="y_pred",
            rule="be passed beside one level, which makes a one-sided limit",
            got=f"[{low}]",
        )
    if not with_prediction or low <= MEDIAN <= high:
        return {"lower": low, "upper": high}
    return {"upper": high} if low > MEDIAN else {"lower": low}


def ranked_levels(levels: Sequence[float]) -> list[tuple[float, int]]:
    """Sort levels, and keep the place that each had."""
    try:
        checked = [as_level(arguments.number("levels", level, 0, 1, open_=True)) for level in levels]
    except TypeError as error:
        raise ArgumentError(argument="levels", rule="be a sequence of numbers", got=repr(levels)) from error
    if len(set(checked)) < max(1, len(checked)) or checked == [MEDIAN]:
        raise ArgumentError(
            argument="levels", rule=f"be different levels, and not {MEDIAN} alone", got=repr(levels)
        )
    return sorted((level, place) for place, level in enumerate(checked))


def quantile_name(level: float) -> str:
    """Name a quantile in errors."""
    return f"quantile {level!r}"
