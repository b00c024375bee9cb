"""Which rows two models exchange, and what the exchanged rows add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.progress import progressing
from uccurve._kernels import resampling

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK_BYTES = 1 << 24
_SLAB = 1 << 16
"""Units whose subsets are drawn before those of the next ones."""


@dataclass(frozen=True)
class Draw:
    """Which units to exchange: all subsets in turn, or random ones; eight units a byte."""

    rng: np.random.Generator | None
    total: int
    label: str | None

    def subsets(self, units: int, slab: int = 0, slabs: int = 1) -> Iterator[np.ndarray]:
        """Yield the subsets of one slab of units in chunks."""
        chunks = self._all(units) if self.rng is None else self._random(units, self.rng)
        show, done = self.label is not None, self.total * slab
        return progressing(chunks, self.total * slabs, self.label or "", show=show, done=done)

    def sums(self, columns: np.ndarray) -> np.ndarray:
        """Add columns of units up over the units of each subset; (subsets, columns)."""
        taken = np.zeros((self.total, columns.shape[1]))
        slabs = [columns[begin : begin + _SLAB] for begin in range(0, columns.shape[0], _SLAB)]
        for number, slab in enumerate(slabs if columns.shape[1] else []):
            place = 0
            for chunk in self.subsets(slab.shape[0], number, len(slabs)):
                taken[place : place + len(chunk)] += resampling.subset_sums(slab, chunk)
                place += len(chunk)
        return taken

    def _all(self, units: int) -> Iterator[np.ndarray]:
        everything = np.arange(self.total, dtype="<u8").view(np.uint8).reshape(-1, 8)
        yield everything[:, : -(-units // 8)]

    def _random(self, units: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        groups = -(-units // 8)
        size = max(1, _CHUNK_BYTES // (groups * 8))
        for begin in range(0, self.total, size):
            yield rng.integers(0, 256, size=(min(size, self.total - begin), groups), dtype=np.uint8)
