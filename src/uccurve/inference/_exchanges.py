"""Which rows two models exchange, and what the exchanged rows add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from uccurve._base import arguments
from uccurve._base.progress import progressing
from uccurve.formulas import resampling

if TYPE_CHECKING:
    from collections.abc import Iterator

Alternative = Literal["two-sided", "less", "greater"]

_ROUNDING = 1e-10
_CHUNK_BYTES = 1 << 24
_SLAB = 1 << 16
"""Units whose subsets are drawn before those of the next ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PermutationTest:
    """The outcome of a paired permutation test.

    Attributes
    ----------
    statistic : float
        The number of the first model minus that of the second.
    pvalue : float
        Probability of a difference at least as large if the models were interchangeable.
    smallest_pvalue : float
        What the p-value cannot fall below: 1 in 1 + ``n_resamples``, or 2 in 2 to the power of ``n_units``
        (1 if one-sided) where that is more.
    alternative : Alternative
        Which differences count as large.
    n_resamples : int
        How many exchanges were looked at.
    n_units : int
        How many rows, blocks or labels were exchanged or not.
    exact : bool
        Whether all possible exchanges were looked at, rather than random ones.
    """

    statistic: float
    pvalue: float
    smallest_pvalue: float
    alternative: Alternative
    n_resamples: int
    n_units: int
    exact: bool


@dataclass(frozen=True)
class Draw:
    """Which units to exchange: all subsets in turn, or random ones; eight units a byte."""

    rng: np.random.Generator | None
    total: int
    label: str | None

    @classmethod
    def of(
        cls, units: int, n_resamples: int, rng: np.random.Generator | int | None, label: str | None
    ) -> Draw:
        """Return the exchanges to look at: all of them, if they are no more than ``n_resamples``."""
        exact = units < 63 and 2**units <= n_resamples  # noqa: PLR2004
        return cls(None if exact else arguments.generator(rng), 2**units if exact else n_resamples, label)

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


def outcome(
    observed: float, after: np.ndarray, scale: float, units: int, draw: Draw, alternative: Alternative
) -> PermutationTest:
    """Count the differences after exchanges that are as large as the observed one, up to rounding."""
    slack = _ROUNDING * scale
    if alternative == "two-sided":
        as_large = np.abs(after) >= abs(observed) - slack
    elif alternative == "less":
        as_large = after <= observed + slack
    else:
        as_large = after >= observed - slack
    count = int(np.count_nonzero(as_large | np.isnan(after)))  # what is not defined speaks against
    total, exact = draw.total, draw.rng is None
    sides = 2 if alternative == "two-sided" else 1
    smallest = max(2.0**-units * sides, 0.0 if exact else 1 / (1 + total))
    return PermutationTest(
        statistic=observed,
        pvalue=max(count / total if exact else (1 + count) / (1 + total), smallest),
        smallest_pvalue=smallest,
        alternative=alternative,
        n_resamples=total,
        n_units=units,
        exact=exact,
    )
