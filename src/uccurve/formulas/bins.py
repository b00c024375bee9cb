"""Bins that are the leading bits of a number, and sums over the rows of each.

``engines/_expression`` finds the same bins in frames of any engine, ``sketch/file`` writes them.
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
ZERO = -(1 << 40)
"""The bin of the number 0."""
NEVER = 1 << 40
"""The bin of infinity."""

_MANY_TABLES = 64
"""More tables than these are added up before there are more."""


class BinTable(NamedTuple):
    """Sums over the rows of each bin, by rising bin."""

    bins: np.ndarray
    """The bins that occur, shape (m,), int64."""
    largest: np.ndarray
    """The largest number in each, shape (m,)."""
    sums: np.ndarray
    """One row a column of sums, shape (columns, m)."""


def bin_of(values: np.ndarray, octaves: int) -> np.ndarray:
    r"""Return the bin of each number.

    That is :math:`256\,o + \lfloor 256 (m - 1) \rfloor` for :math:`2^o m` with 1 <= m < 2. Numbers
    beyond :math:`2^{\pm octaves}` share one bin at either end; 0 and infinity have their own.
    """
    bins = np.ascontiguousarray(values, dtype=np.float64).view(np.int64) >> _SHIFT
    bins -= _BIAS
    edge = octaves * PER_OCTAVE
    np.clip(bins, -edge - 1, edge, out=bins)
    bins[values == 0] = ZERO
    bins[np.isinf(values)] = NEVER
    return bins


class Tally:
    """Sums by bin, filled chunk by chunk, over the range of bins that occurs."""

    def __init__(self, octaves: int, columns: int) -> None:
        self.octaves = octaves
        self._special: list[BinTable] = []
        self._clear(columns)

    def _clear(self, columns: int) -> None:
        """Drop the range of bins, with its memory: a slice without bins would still hold it."""
        self._first = 0
        self._counts = np.zeros(0, dtype=np.int64)
        self._largest = np.zeros(0)
        self._sums = np.zeros((columns, 0))

    def _widen(self, low: int, high: int) -> None:
        """Make room for bins from low to high."""
        size = self._counts.size
        if size and self._first <= low and high < self._first + size:
            return
        first = min(low, self._first) if size else low
        last = max(high, self._first + size - 1) if size else high
        old = slice(self._first - first, self._first - first + size)
        counts, largest = np.zeros(last - first + 1, dtype=np.int64), np.full(last - first + 1, -np.inf)
        sums = np.zeros((self._sums.shape[0], last - first + 1))
        counts[old], largest[old], sums[:, old] = self._counts, self._largest, self._sums
        self._first, self._counts, self._largest, self._sums = first, counts, largest, sums

    def add(self, values: np.ndarray, columns: Sequence[np.ndarray | None]) -> None:
        """Add the columns of rows to the bins of their values; None counts the rows."""
        if not values.size:
            return
        bins = np.ascontiguousarray(values, dtype=np.float64).view(np.int64) >> _SHIFT
        low, high = int(bins.min()) - _BIAS, int(bins.max()) - _BIAS
        edge = self.octaves * PER_OCTAVE
        if low < -edge or high >= edge:  # seldom
            self._add_outer(values, columns)
            return
        bins -= low + _BIAS
        self._add_plain(low, high, bins, values, columns)

    def _add_plain(
        self,
        low: int,
        high: int,
        places: np.ndarray,
        values: np.ndarray,
        columns: Sequence[np.ndarray | None],
    ) -> None:
        self._widen(low, high)
        counts = np.bincount(places)
        part = slice(low - self._first, high - self._first + 1)
        self._counts[part] += counts
        for total, column in zip(self._sums, columns, strict=True):
            total[part] += counts if column is None else np.bincount(places, weights=column)
        np.maximum.at(self._largest[part], places, values)

    def _add_outer(self, values: np.ndarray, columns: Sequence[np.ndarray | None]) -> None:
        """Add rows some of which are 0, infinite, or beyond the bins."""
        bins = bin_of(values, self.octaves)
        for bin_ in (ZERO, NEVER):
            mask = bins == bin_
            if mask.any():
                self.include(_single(bin_, values[mask], [_some(c, mask) for c in columns]))
        plain = np.abs(bins) != NEVER
        bins, values = bins[plain], values[plain]
        if values.size:
            low = int(bins.min())
            some = [_some(column, plain) for column in columns]
            self._add_plain(low, int(bins.max()), bins - low, values, some)

    def include(self, table: BinTable) -> None:
        """Add sums that were made elsewhere."""
        self._special.append(table)
        if len(self._special) > _MANY_TABLES:
            self._special = [merge(self._special)]

    @property
    def room(self) -> int:
        """The number of bins in the range, whether they occur or not."""
        return self._counts.size

    def settle(self) -> None:
        """Keep only the bins that occur."""
        if self._counts.size:
            self._special = [self.table()]
            self._clear(self._sums.shape[0])

    def table(self) -> BinTable:
        """Return the bins that occur."""
        kept = np.flatnonzero(self._counts)
        plain = BinTable(kept + self._first, self._largest[kept], self._sums[:, kept])
        return merge([plain, *self._special])


def _some(column: np.ndarray | None, mask: np.ndarray) -> np.ndarray | None:
    return None if column is None else column[mask]


def _single(bin_: int, values: np.ndarray, columns: Sequence[np.ndarray | None]) -> BinTable:
    sums = [[float(values.size) if column is None else float(column.sum())] for column in columns]
    return BinTable(np.array([bin_]), np.array([values.max()]), np.array(sums).reshape(len(columns), 1))


def empty(columns: int) -> BinTable:
    """Return a table without bins."""
    return BinTable(np.empty(0, dtype=np.int64), np.empty(0), np.empty((columns, 0)))


def merge(tables: Iterable[BinTable]) -> BinTable:
    """Add tables up, bin by bin."""
    tables = list(tables)
    bins, place = np.unique(np.concatenate([table.bins for table in tables]), return_inverse=True)
    sums = np.concatenate([table.sums for table in tables], axis=1)
    largest = np.full(bins.size, -np.inf)
    np.maximum.at(largest, place, np.concatenate([table.largest for table in tables]))
    added = [np.bincount(place, weights=row, minlength=bins.size) for row in sums]
    return BinTable(bins, largest, np.array(added).reshape(sums.shape[0], bins.size))
