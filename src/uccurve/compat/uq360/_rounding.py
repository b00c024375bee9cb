"""The smallest float that captures a row, when bands are multiplied or widened in floating point.

UQ360 multiplies the bands by each critical value and compares again. The product may be rounded down, and
then misses the row it was made for. In floating point, products and sums still grow with each factor, so
that every row has one smallest parameter that captures it, a few units in the last place from its critical
value. Counting rows by those thresholds repeats UQ360's counts to the last row, after one sort.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Captures = Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Given a parameter for each of some rows, and the places of these rows: whether it captures them."""


def thresholds(captures: Captures, guess: np.ndarray) -> np.ndarray:
    """Return the smallest float that captures each row.

    Parameters
    ----------
    captures : function
        Whether parameters capture rows; it must not turn False again as a parameter grows, be False at 0 or
        at minus infinity, and True at infinity.
    guess : array
        Parameters near the thresholds.
    """
    high, low = _bracket(captures, _rank(guess))
    open_ = np.flatnonzero(high - low > 1)
    while open_.size:
        middle = low[open_] + (high[open_] - low[open_]) // 2
        hit = captures(_float(middle), open_)
        high[open_[hit]], low[open_[~hit]] = middle[hit], middle[~hit]
        open_ = open_[high[open_] - low[open_] > 1]
    return _float(high)


def _bracket(captures: Captures, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ranks that capture each row and ranks that do not, by steps that double."""
    every = np.arange(guess.size)
    high = guess.copy()
    rows, step = every[~captures(_float(high), every)], 1
    low = guess - 1
    low[rows] = guess[rows]
    while rows.size:
        high[rows] += step
        hit = captures(_float(high[rows]), rows)
        low[rows[~hit]] = high[rows[~hit]]
        rows, step = rows[~hit], 2 * step
    rows, step = every[captures(_float(low), every)], 1
    while rows.size:
        high[rows] = low[rows]
        low[rows] -= step
        rows, step = rows[captures(_float(low[rows]), rows)], 2 * step
    return high, low


def _rank(values: np.ndarray) -> np.ndarray:
    """Return whole numbers in the order of the floats: neighbors differ by 1."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, np.int64(-(2**63)) - bits, bits)


def _float(rank: np.ndarray) -> np.ndarray:
    """Return the floats of these numbers; beyond the largest finite ones they are infinite."""
    infinite = _rank(np.asarray([np.inf]))[0]
    rank = np.clip(rank, -infinite, infinite)
    return np.asarray(np.where(rank < 0, np.int64(-(2**63)) - rank, rank).view(np.float64))
