"""Bins that are the leading bits of a number, and sums over the rows of each."""

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


class Table(NamedTuple):
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
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64) >> _SHIFT
    bits -= _BIAS
    edge = octaves * PER_OCTAVE
    np.clip(bits, -edge - 1, edge, out=bits)
    bits[values == 0] = ZERO
    bits[np.isinf(values)] = NEVER
    return bits


class Tally:
    """Sums by bin, filled chunk by chunk."""

    def __init__(self, octaves: int, columns: int) -> None:
        self.octaves = octaves
        self._first = -octaves * PER_OCTAVE - 1
        size = 2 * octaves * PER_OCTAVE + 2
        self._counts = np.zeros(size, dtype=np.int64)
        self._largest = np.full(size, -np.inf)
        self._sums = np.zeros((columns, size))
        self._special: list[Table] = []

    def add(self, values: np.ndarray, columns: Sequence[np.ndarray]) -> None:
        """Add the columns of rows to the bins of their values."""
        bins = bin_of(values, self.octaves)
        special = np.abs(bins) == NEVER
        if special.any():
            self._special += [
                _single(bin_, values[mask], [column[mask] for column in columns])
                for bin_ in (ZERO, NEVER)
                if (mask := bins == bin_).any()
            ]
            plain = ~special
            values, bins, columns = values[plain], bins[plain], [column[plain] for column in columns]
        if not values.size:
            return
        low = int(bins.min())
        bins -= low
        counts = np.bincount(bins)
        part = slice(low - self._first, low - self._first + counts.size)
        self._counts[part] += counts
        for total, column in zip(self._sums, columns, strict=True):
            total[part] += np.bincount(bins, weights=column)
        np.maximum.at(self._largest[part], bins, values)

    def table(self) -> Table:
        """Return the bins that occur."""
        kept = np.flatnonzero(self._counts)
        plain = Table(kept + self._first, self._largest[kept], self._sums[:, kept])
        return merged([plain, *self._special])


def _single(bin_: int, values: np.ndarray, columns: Sequence[np.ndarray]) -> Table:
    sums = np.array([[column.sum()] for column in columns]).reshape(len(columns), 1)
    return Table(np.array([bin_]), np.array([values.max()]), sums)


def empty(columns: int) -> Table:
    """Return a table without bins."""
    return Table(np.empty(0, dtype=np.int64), np.empty(0), np.empty((columns, 0)))


def merged(tables: Iterable[Table]) -> Table:
    """Add tables up, bin by bin."""
    tables = list(tables)
    bins, place = np.unique(np.concatenate([table.bins for table in tables]), return_inverse=True)
    sums = np.concatenate([table.sums for table in tables], axis=1)
    largest = np.full(bins.size, -np.inf)
    np.maximum.at(largest, place, np.concatenate([table.largest for table in tables]))
    added = [np.bincount(place, weights=row, minlength=bins.size) for row in sums]
    return Table(bins, largest, np.array(added).reshape(sums.shape[0], bins.size))
