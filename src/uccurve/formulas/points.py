"""The distinct operating points of a curve, where it reaches a miss rate, and the costs at one point."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import costs
from .rows import Rows, total

Array = Any

SLACK = 1e-12
"""Difference between two miss rates that may be rounding, where they are sums of weights."""


class Points(NamedTuple):
    """Distinct parameters in rising order, and the share of the weight missed at each."""

    parameter: Array
    miss_rate: Array


def distinct(xp: Any, parameter: Array, weight: Array | None) -> Points:
    """Count misses by rank. Rows with the same critical value flip together.

    ``parameter`` holds the start and then the sorted critical values, ``weight`` the weights of
    the latter. Rows with an infinite critical value are never captured: they make no point.
    """
    if weight is None and bool(xp.isfinite(parameter[-1])):
        return _distinct_counts(xp, parameter)
    missed = missed_by_rank(xp, parameter, weight)
    missed /= float(missed[0])  # added up in the same order, so that all are missed at exactly 1
    if not bool(xp.isfinite(parameter[-1])):
        finite = xp.isfinite(parameter)
        parameter, missed = parameter[finite], missed[finite]
    last = last_of_ties(xp, parameter)
    if bool(xp.all(last)):
        return Points(parameter, missed)
    return Points(parameter[last], missed[last])


def _distinct_counts(xp: Any, parameter: Array) -> Points:
    """Do the same where every row counts once and is captured in the end."""
    n = parameter.shape[0] - 1
    if bool(xp.all(parameter[1:] != parameter[:-1])):
        missed = missed_by_rank(xp, parameter, None)
        missed /= n
        return Points(parameter, missed)
    (places,) = xp.nonzero(last_of_ties(xp, parameter))
    return Points(xp.take(parameter, places), xp.astype(n - places, parameter.dtype) / n)


def last_of_ties(xp: Any, rising: Array) -> Array:
    """Return which of the numbers are the last of equal ones."""
    last = rising[1:] != rising[:-1]
    return xp.concat([last, xp.ones_like(rising[:1], dtype=last.dtype)])


def missed_by_rank(xp: Any, parameter: Array, weight: Array | None) -> Array:
    """Return the weight still missed at the start and at each sorted critical value."""
    if weight is None:
        n = parameter.shape[0] - 1
        return xp.arange(n, -1, -1, dtype=parameter.dtype, device=parameter.device)
    return xp.flip(xp.cumulative_sum(xp.flip(xp.concat([weight, xp.zeros_like(weight[:1])]))))


def first_at_most(xp: Any, falling: Array, values: Array) -> Array:
    """Return the place of the first number that is at most each value; one past the end without any.

    On falling miss rates that is the narrowest operating point that misses no more than a rate.
    """
    return falling.shape[0] - xp.searchsorted(xp.flip(falling), values, side="right")


def first_below(xp: Any, falling: Array, values: Array) -> Array:
    """Return the place of the first number below each value; one past the end without any."""
    return falling.shape[0] - xp.searchsorted(xp.flip(falling), values, side="left")


def sums_at(
    xp: Any, rows: Rows, captured: Array, active: Array, passive: Array
) -> tuple[float, float, float, float]:
    """Return the sums of misses, half widths, excess and deficit, from their definitions.

    ``captured`` says by rank which rows are hits; ``active`` and ``passive`` are the moved bands.
    """
    room = costs.room(xp, rows.abs_error, -passive, active)
    zero = xp.zeros_like(room)
    excess = xp.where(captured, costs.excess(xp, room), zero)
    deficit = xp.where(captured, zero, costs.deficit(xp, room))
    missed = xp.where(captured, zero, xp.ones_like(zero))
    weight = rows.weight
    return (
        total(xp, missed, weight),
        total(xp, active + passive, weight) / 2,
        total(xp, excess, weight),
        total(xp, deficit, weight),
    )
