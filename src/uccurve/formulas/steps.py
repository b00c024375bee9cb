"""The operating points of a curve: critical values sorted, and misses counted by rank."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import costs
from .rows import Rows, gather, total

Array = Any

# So few numbers are sorted in no time, whichever way.
_FEW = 1 << 12
_BLOCK = 1 << 14
_KEY_BITS = 64
# Keys that more than one number in so many shares with others are no help.
_SHARED = 4
_SIGN = (1 << 63) - 1


# -- misses -----------------------------------------------------------------------------------------------


class Steps(NamedTuple):
    """Distinct parameters in rising order, and the share of the weight missed at each.

    Attributes
    ----------
    places : Array | None
        Where they stood among the start and all critical values in order; None where all are
        distinct.
    coverage : Array | None
        The share captured, where it is known with fewer roundings than one minus that missed.
    """

    parameter: Array
    miss_rate: Array
    places: Array | None = None
    coverage: Array | None = None


def count_steps(xp: Any, parameter: Array, weight: Array | None, lost: float = 0.0) -> Steps:
    """Count misses by rank. Rows with the same critical value flip together.

    ``parameter`` holds the start and then the sorted critical values that are finite, ``weight`` the weights
    of the latter. ``lost`` is the weight of the rows that are never captured.
    """
    n = parameter.shape[0] - 1
    distinct, places = parameter[1:] != parameter[:-1], None
    if not bool(xp.all(distinct)):
        (places,) = xp.nonzero(xp.concat([distinct, xp.ones_like(distinct[:1])]))
        parameter = xp.take(parameter, places)
    del distinct
    if weight is None:
        if places is None:
            missed = xp.arange(n, -1, -1, dtype=parameter.dtype, device=parameter.device)
        else:
            missed = xp.astype(n - places, parameter.dtype)
        if lost:
            missed += lost
        missed /= n + lost
        return Steps(parameter, missed, places)
    missed = weigh_missed(xp, weight, lost)
    missed /= float(missed[0])  # added up in the same order, so that all are missed at exactly 1
    if places is None:
        return Steps(parameter, missed)
    return Steps(parameter, xp.take(missed, places), places)


def weigh_missed(xp: Any, weight: Array, lost: float = 0.0) -> Array:
    """Return the weight still missed at the start and at each sorted critical value."""
    at_the_end = xp.full((1,), lost, dtype=weight.dtype, device=weight.device)
    return xp.flip(xp.cumulative_sum(xp.flip(xp.concat([weight, at_the_end]))))


def first_at_most(xp: Any, falling: Array, values: Array) -> Array:
    """Return the place of the first number that is at most each value; one past the end without any.

    On falling miss rates that is the narrowest operating point that misses no more than a rate.
    """
    return falling.shape[0] - xp.searchsorted(xp.flip(falling), values, side="right")


def first_below(xp: Any, falling: Array, values: Array) -> Array:
    """Return the place of the first number below each value; one past the end without any."""
    return falling.shape[0] - xp.searchsorted(xp.flip(falling), values, side="left")


def sum_costs(
    xp: Any, rows: Rows, captured: Array, active: Array, passive: Array
) -> tuple[float, float, float, float]:
    """Return the sums of misses, half-widths, excess and deficit at one parameter, from their definitions.

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


# -- sorts ------------------------------------------------------------------------------------------------


def sort_own(xp: Any, column: Array) -> Array:
    """Sort a column that nobody else holds; NumPy's in its place."""
    if isinstance(column, np.ndarray):
        column.sort()
        return column
    return xp.sort(column, stable=False)


def sort_with_order(xp: Any, column: Array, first: float) -> tuple[Array, Array]:
    """Return the numbers of a column in rising order, with ``first`` put in front of them, and that order."""
    if isinstance(column, np.ndarray):
        return _sort_by_keys(np.ascontiguousarray(column), first)
    if type(column).__module__ == "torch":  # its sort finds both
        ordered, order = column.sort(stable=False)
        return xp.concat([xp.full((1,), first, dtype=column.dtype, device=column.device), ordered]), order
    order = xp.argsort(column, stable=False)
    return gather(xp, column, order, front=first), order


def _sort_by_keys(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    """Sort whole numbers that hold the leading bits of a float64, and below them its place in the column.

    NumPy sorts them several times as fast as it finds an order. Where numbers differ in the bits that are
    left out only, they are sorted by themselves.
    """
    n = column.shape[0]
    if n < _FEW:
        return _sort_plainly(column, first)
    least, most = (
        int(_rank_bits(extreme)[0]) for extreme in (column.min(keepdims=True), column.max(keepdims=True))
    )
    for_places = (n - 1).bit_length()
    left_out = max((most - least).bit_length() + for_places - _KEY_BITS, 0)
    order = _keys(column, least, left_out, for_places)
    order.sort()
    order &= np.uint64((1 << for_places) - 1)
    order = order.view(np.int64)
    found = gather(np, column, order, front=first)
    ordered = found[1:]
    if left_out and bool(np.any(ordered[1:] < ordered[:-1])):
        ranks = _rank_bits(ordered)
        ranks -= least
        leading = ranks.view(np.uint64)
        leading >>= np.uint64(left_out)
        shared = _places_of_equals(leading)
        del ranks, leading
        if shared.shape[0] > n // _SHARED:
            return _sort_plainly(column, first)
        among = np.argsort(ordered[shared])
        order[shared], ordered[shared] = order[shared[among]], ordered[shared[among]]
    return found, order


def _sort_plainly(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(column)
    return gather(np, column, order, front=first), order


def _rank_bits(column: np.ndarray) -> np.ndarray:
    """Return whole numbers in the order of floats: their bits, turned around below zero."""
    bits = column.view(np.int64)
    ranks = bits >> 63
    ranks &= _SIGN
    ranks ^= bits
    return ranks


def _keys(column: np.ndarray, least: int, left_out: int, for_places: int) -> np.ndarray:
    """Return leading bits and places as unsigned numbers, block by block; differences may wrap around."""
    n = column.shape[0]
    keys, places = np.empty(n, dtype=np.uint64), np.arange(_BLOCK, dtype=np.uint64)
    for begin in range(0, n, _BLOCK):
        part = keys[begin : begin + _BLOCK]
        np.subtract(_rank_bits(column[begin : begin + _BLOCK]), least, out=part.view(np.int64))
        part >>= np.uint64(left_out)
        part <<= np.uint64(for_places)
        part |= places[: part.shape[0]]
        part += np.uint64(begin)  # blocks and for_places are powers of two: no bit is carried
    return keys


def _places_of_equals(rising: np.ndarray) -> np.ndarray:
    """Return the places of all numbers that occur more than once."""
    equal = rising[1:] == rising[:-1]
    several = np.zeros(rising.shape[0], dtype=bool)
    several[1:] = equal
    several[:-1] |= equal
    return np.flatnonzero(several)
