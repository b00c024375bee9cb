"""Sorts: in place, or together with the order of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rows import taken

Array = Any

_FEW = 1 << 12
"""So few numbers are sorted in no time, whichever way."""
_BLOCK = 1 << 14
_KEY_BITS = 63
_SHARED = 4
"""Keys that more than one number in so many shares with others are no help."""


def sorted_own(xp: Any, column: Array) -> Array:
    """Sort a column that nobody else holds; NumPy's in its place."""
    if isinstance(column, np.ndarray):
        column.sort()
        return column
    return xp.sort(column, stable=False)


def sorted_and_order(xp: Any, column: Array, first: float) -> tuple[Array, Array]:
    """Return the numbers of a column in rising order, with ``first`` put in front of them, and that order."""
    if isinstance(column, np.ndarray):
        return _sorted_by_keys(np.ascontiguousarray(column), first)
    if type(column).__module__ == "torch":  # its sort finds both
        ordered, order = column.sort(stable=False)
        return xp.concat([xp.full((1,), first, dtype=column.dtype, device=column.device), ordered]), order
    order = xp.argsort(column, stable=False)
    return taken(xp, column, order, front=first), order


def _sorted_by_keys(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    """Sort whole numbers that hold the leading bits of a float64, and below them its place in the column.

    NumPy sorts them several times as fast as it finds an order. Bits of numbers that are not negative rise
    with the numbers. Where numbers differ in the bits that are left out only, they are sorted by themselves.
    """
    n = column.shape[0]
    bits = column.view(np.int64)
    least = int(bits.min()) if n >= _FEW else -1
    if least < 0:
        return _plainly_sorted(column, first)
    for_places = (n - 1).bit_length()
    left_out = max((int(bits.max()) - least).bit_length() + for_places - _KEY_BITS, 0)
    order = _keys(bits, least, left_out, for_places)
    order.sort()
    order &= (1 << for_places) - 1
    found = taken(np, column, order, front=first)
    ordered = found[1:]
    if left_out and bool(np.any(ordered[1:] < ordered[:-1])):
        shared = _places_of_equals((ordered.view(np.int64) - least) >> left_out)
        if shared.shape[0] > n // _SHARED:
            return _plainly_sorted(column, first)
        among = np.argsort(ordered[shared])
        order[shared], ordered[shared] = order[shared[among]], ordered[shared[among]]
    return found, order


def _plainly_sorted(column: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(column)
    return taken(np, column, order, front=first), order


def _keys(bits: np.ndarray, least: int, left_out: int, for_places: int) -> np.ndarray:
    """Return leading bits and places, block by block."""
    n = bits.shape[0]
    keys, places = np.empty_like(bits), np.arange(_BLOCK)
    for begin in range(0, n, _BLOCK):
        part = keys[begin : begin + _BLOCK]
        np.subtract(bits[begin : begin + _BLOCK], least, out=part)
        part >>= left_out
        part <<= for_places
        part |= places[: part.shape[0]]
        part += begin  # blocks and for_places are powers of two: no bit is carried
    return keys


def _places_of_equals(rising: np.ndarray) -> np.ndarray:
    """Return the places of all numbers that occur more than once."""
    equal = rising[1:] == rising[:-1]
    several = np.zeros(rising.shape[0], dtype=bool)
    several[1:] = equal
    several[:-1] |= equal
    return np.flatnonzero(several)
