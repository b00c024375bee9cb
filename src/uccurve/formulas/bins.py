"""Bins that are the leading bits of a number, and sums over the rows of each.

``engines/group_by`` finds the same bins in frames of any engine, ``sketch/file`` writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FRACTION_BITS = 8
PER_OCTAVE = 1 << FRACTION_BITS
_SHIFT = 52 - FRACTION_BITS
_BIAS = 1023 << FRACTION_BITS
# The bin of the number 0.
ZERO = -(1 << 40)
# The bin of infinity.
NEVER = 1 << 40


class BinTable(NamedTuple):
    """Sums over the rows of each bin, by rising bin.

    Attributes
    ----------
    bins : np.ndarray
        The bins that occur, shape (m,), int64.
    largest : np.ndarray
        The largest number in each, shape (m,).
    sums : np.ndarray
        One row for each column of sums, shape (columns, m).
    """

    bins: np.ndarray
    largest: np.ndarray
    sums: np.ndarray


def bin_of(values: np.ndarray, octaves: int) -> np.ndarray:
    r"""Return the bin of each number.

    That is :math:`256\,o + \lfloor 256 (m - 1) \rfloor` for :math:`2^o m` with 1 <= m < 2. Numbers
    beyond :math:`2^{\pm octaves}` share one bin at either end; 0 and infinity have their own.
    """
    bins = np.ascontiguousarray(values, dtype=np.float64).view(np.int64) >> _SHIFT
    bins -= _BIAS
    edge = octaves * PER_OCTAVE
    if bins.size and (bins.min() < -edge or bins.max() >= edge):  # seldom
        np.clip(bins, -edge - 1, edge, out=bins)
        bins[values == 0] = ZERO
        bins[np.isinf(values)] = NEVER
    return bins


def tabulate(values: np.ndarray, octaves: int, columns: Sequence[np.ndarray | None]) -> BinTable:
    """Add the columns of rows up by the bin of their values; None counts the rows."""
    return add_up(bin_of(values, octaves), values, columns)


def add_up(bins: np.ndarray, values: np.ndarray, columns: Sequence[np.ndarray | None]) -> BinTable:
    """Add the columns of rows up by bin; None counts the rows."""
    if not bins.size:
        return BinTable(bins, values, np.empty((len(columns), 0)))
    low, high = int(bins.min()), int(bins.max())
    has_ends = low == ZERO or high == NEVER
    if has_ends:  # far from the others: they are put right beside them
        inner = bins[np.abs(bins) < NEVER]
        low, high = (int(inner.min()) - 1, int(inner.max()) + 1) if inner.size else (0, 1)
        bins = np.clip(bins, low, high)
    places = bins - low
    counts = np.bincount(places)
    kept = np.flatnonzero(counts)
    largest = np.full(counts.size, -np.inf)
    np.maximum.at(largest, places, values)
    sums = np.empty((len(columns), kept.size))
    for row, column in zip(sums, columns, strict=True):
        row[:] = (counts if column is None else np.bincount(places, weights=column))[kept]
    numbers = kept + low
    if has_ends:
        numbers[numbers == low], numbers[numbers == high] = ZERO, NEVER
    return BinTable(numbers, largest[kept], sums)


def merge(tables: Iterable[BinTable]) -> BinTable:
    """Add tables up, bin by bin."""
    bins, largest, sums = zip(*tables, strict=True)
    columns = list(np.concatenate(sums, axis=1))
    return add_up(np.concatenate(bins), np.concatenate(largest), columns)


def coarsen(table: BinTable, octaves: int, per_octave: int) -> BinTable:
    """Put neighbors into the last one of them, so that an octave has fewer bins; the ends stay alone."""
    edge = octaves * PER_OCTAVE
    is_inside = (table.bins >= -edge) & (table.bins < edge)
    last = table.bins | (PER_OCTAVE // per_octave - 1)
    return add_up(np.where(is_inside, last, table.bins), table.largest, list(table.sums))
