"""The operating points of a curve: critical values sorted, and misses counted by rank."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .rows import gather

Array = Any

# So few numbers are sorted in no time, whichever way.
_FEW = 1 << 12
# Leading bits that more than one number in so many shares with the next are no help.
_ALIKE = 4


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
        sort = _sort_plainly if column.shape[0] < _FEW else _sort_by_keys
        return sort(np.ascontiguousarray(column), first)
    if type(column).__module__ == "torch":  # its sort finds both
        ordered, order = column.sort(stable=False)
        return xp.concat([xp.full((1,), first, dtype=column.dtype, device=column.device), ordered]), order
    order = xp.argsort(column, stable=False)
    return gather(xp, column, order, front=first), order


def _sort_by_keys(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    """Sort whole numbers that hold the leading bits of a float64, and below them its place in the column.

    NumPy sorts them about twice as fast as it finds an order. Where numbers differ in the bits that are
    left out only, they are sorted by themselves.
    """
    n = column.shape[0]
    for_places = (n - 1).bit_length()
    mask = (1 << for_places) - 1
    keys = _rank_bits(column)
    keys &= ~mask
    keys |= np.arange(n)
    keys.sort()
    order = keys & mask
    found = gather(np, column, order, front=first)
    ordered = found[1:]
    if np.any(ordered[1:] < ordered[:-1]):
        keys >>= for_places
        alike = np.flatnonzero(keys[1:] == keys[:-1])
        if alike.shape[0] > n // _ALIKE:
            return _sort_plainly(column, first)
        alike = np.union1d(alike, alike + 1)
        among = alike[np.argsort(ordered[alike])]
        order[alike], ordered[alike] = order[among], ordered[among]
    return found, order


def _sort_plainly(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(column)
    return gather(np, column, order, front=first), order


def _rank_bits(column: np.ndarray) -> np.ndarray:
    """Return whole numbers in the order of floats: their bits, turned around below zero."""
    bits = column.view(np.int64)
    ranks = bits >> 63
    ranks &= (1 << 63) - 1
    ranks ^= bits
    return ranks
