"""What is drawn together: rows, blocks of consecutive rows, or rows with a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve import _door
from uccurve._labels import grouped
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._typing import ArrayLike
    from uccurve.intervals import Intervals


class Units(NamedTuple):
    """The unit of each row, with outputs laid end to end, and how many units there are."""

    of_row: np.ndarray
    size: int

    def sums(self, columns: np.ndarray) -> np.ndarray:
        """Add the columns up within each unit; (units, columns)."""
        if self.size == columns.shape[0]:
            return columns
        added = [np.bincount(self.of_row, weights=column, minlength=self.size) for column in columns.T]
        return np.stack(added, axis=1)


def units(intervals: Intervals, blocks: ArrayLike | int | None) -> Units:
    """Return the units: each row, each run of ``blocks`` rows, or each distinct label in ``blocks``."""
    n = intervals.n
    if blocks is None:
        of_row, count = np.arange(n), n
    elif isinstance(blocks, (int, np.integer)) and not isinstance(blocks, bool):
        length = int(_door.number("blocks", blocks, 1))
        of_row, count = np.arange(n) // length, -(-n // length)
    else:
        groups = grouped(blocks, n, "blocks")
        of_row, count = np.empty(n, dtype=np.int64), len(groups)
        for code, rows in enumerate(groups.values()):
            of_row[rows] = code
    if count < 2:  # noqa: PLR2004
        raise ArgumentError(f"`blocks` must leave two units or more to draw from, got {count}.")
    return Units(np.repeat(of_row, intervals.n_outputs), count)
