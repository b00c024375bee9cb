"""The distinct operating points of a curve, and the costs at one of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .rows import Rows, total

Array = Any


class Points(NamedTuple):
    """Distinct parameters in rising order, and the weight of the rows missed at each."""

    parameter: Array
    misses: Array
    total: float
    """Weight of all rows, added up in the same order: misses / total is exactly 1 when all miss."""


def distinct(xp: Any, parameter: Array, weight: Array | None) -> Points:
    """Count misses by rank. Rows with the same critical value flip together.

    ``parameter`` holds the start and then the sorted critical values, ``weight`` the weights of
    the latter. Rows with an infinite critical value are never captured: they make no point.
    """
    n = parameter.shape[0] - 1
    if weight is None:
        misses = xp.arange(n, -1, -1, dtype=parameter.dtype, device=parameter.device)
    else:
        misses = xp.flip(xp.cumulative_sum(xp.flip(xp.concat([weight, xp.zeros_like(weight[:1])]))))
    total = float(misses[0])
    if not bool(xp.isfinite(parameter[-1])):
        finite = xp.isfinite(parameter)
        parameter, misses = parameter[finite], misses[finite]
    last_of_ties = parameter[1:] != parameter[:-1]
    if bool(xp.all(last_of_ties)):
        return Points(parameter, misses, total)
    last_of_ties = xp.concat([last_of_ties, xp.ones_like(last_of_ties[:1])])
    return Points(parameter[last_of_ties], misses[last_of_ties], total)


def sums_at(
    xp: Any, rows: Rows, captured: Array, active: Array, passive: Array
) -> tuple[float, float, float, float]:
    """Return the sums of misses, half widths, excess and deficit, from their definitions.

    ``captured`` says by rank which rows are hits; ``active`` and ``passive`` are the moved bands.
    """
    zero = xp.zeros_like(rows.size)
    gap = active - rows.size
    inner = xp.maximum(xp.minimum(gap, rows.size + passive), zero)
    excess = xp.where(captured, inner, zero)
    deficit = xp.where(captured, zero, xp.maximum(-gap, zero))
    missed = xp.where(captured, zero, xp.ones_like(zero))
    weight = rows.weight
    return (
        total(xp, missed, weight),
        total(xp, active + passive, weight) / 2,
        total(xp, excess, weight),
        total(xp, deficit, weight),
    )
