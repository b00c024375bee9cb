"""What is drawn together: single rows, runs of consecutive rows, or rows with one label."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike
    from uccurve.intervals import Intervals


class Blocks(NamedTuple):
    """The block of each row, numbered from 0, and how many blocks there are."""

    of_row: np.ndarray
    n_blocks: int

    @classmethod
    def of(cls, codes: np.ndarray) -> Blocks:
        """Return the blocks that occur, numbered; there must be two."""
        distinct, of_row = np.unique(codes, return_inverse=True)
        if distinct.size < 2:  # noqa: PLR2004
            raise ArgumentError(
                argument="blocks",
                rule="leave two units or more to draw from",
                got=distinct.size,
                hint="Without it each row is one.",
            )
        return cls(of_row, int(distinct.size))

    def of_rows(self, outputs: int) -> Blocks:
        """Return the block of every row, where each has several elements."""
        return self if outputs == 1 else self._replace(of_row=self.of_row[::outputs])

    def sums(self, columns: np.ndarray) -> np.ndarray:
        """Add the columns up within each block; (blocks, columns)."""
        if self.n_blocks == columns.shape[0]:
            return columns
        added = [np.bincount(self.of_row, weights=column, minlength=self.n_blocks) for column in columns.T]
        return np.stack(added, axis=1)


def block_codes(intervals: Intervals, blocks: ArrayLike | int | None) -> np.ndarray:
    """Return a number for each row's block: the row, its run of ``blocks`` rows, or its label."""
    n = intervals.n
    if blocks is None:
        return np.arange(n)
    if isinstance(blocks, (int, np.integer)) and not isinstance(blocks, bool):
        return np.arange(n) // int(arguments.number("blocks", min(int(blocks), n), 1))
    codes = np.empty(n, dtype=np.int64)
    for code, rows in enumerate(intervals.rows_by_label(blocks, "blocks").values()):
        codes[rows] = code
    return codes
