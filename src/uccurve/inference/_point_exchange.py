"""Exchanges of rows between two models, and gains at one miss rate: only rows near the point are looked at.

The parameter at a miss rate is a quantile of the critical values. Whichever rows are exchanged, it stays
within a few standard deviations of where it is in the pool of both models. Beyond that window the weights
are added up; within it they are taken one by one. A draw that leaves the window is noticed and computed
from all rows, so that the numbers do not depend on the window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve.curve import areas
from uccurve.formulas import bands
from uccurve.formulas.tolerances import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve.inference._plain_rows import PlainRows
    from uccurve.inference._point_numbers import PointEstimator
    from uccurve.inference._presorted import Presorted

_DEVIATIONS = 8.0
"""Half the length of the window, in standard deviations."""
_NUMBERS = 1 << 21
"""How many numbers a batch of draws holds at once."""


def differences(pool: PointEstimator, rows: PlainRows, chunks: Iterable[np.ndarray]) -> np.ndarray:
    """Return first minus second model for each draw, given as bytes of eight blocks each."""
    exchange = Exchange(pool, rows)
    size = max(1, _NUMBERS // max(rows.blocks.n_blocks, rows.weight.size // 8))
    found = [
        exchange.differences(chunk[begin : begin + size])
        for chunk in chunks
        for begin in range(0, len(chunk), size)
    ]
    return np.concatenate(found)


def possible(pool: PointEstimator) -> bool:
    """Whether bandwidths follow from sums and a quantile, and the constant band's order does not move."""
    family = pool.presorted.family
    return (family.proportional or family.nested) and pool.presorted.outputs == 1


@dataclass(frozen=True, eq=False)
class Exchange:
    """Gains at a point after exchanges of blocks between two models."""

    pool: PointEstimator
    rows: PlainRows

    @cached_property
    def _own(self) -> Window:
        return Window(self.pool.presorted, self.rows, self.pool.spec.miss_rate)

    @cached_property
    def _constant(self) -> Window:
        return Window(self.pool.presorted.unit_band, self.rows, self.pool.spec.miss_rate)

    def differences(self, draws: np.ndarray) -> np.ndarray:
        """Return the differences of a batch of draws."""
        blocks = self.rows.blocks
        exchanged = np.unpackbits(draws, axis=1, bitorder="little", count=blocks.n_blocks)
        as_numbers = exchanged.astype(np.float64)
        bandwidths, constants = (
            part.bandwidths(exchanged, as_numbers) for part in (self._own, self._constant)
        )
        share = np.vectorize(areas.share_saved, otypes=[float])
        with np.errstate(invalid="ignore"):
            first, second = (
                share(own, constant) for own, constant in zip(bandwidths, constants, strict=True)
            )
            found = np.asarray(first - second)
        outside = np.isnan([*bandwidths, *constants]).any(axis=0)  # of a window, or out of reach
        for place in np.flatnonzero(outside):
            found[place] = self._from_all_rows(exchanged[place])
        return found

    def _from_all_rows(self, exchanged: np.ndarray) -> float:
        taken = self.rows.weight * exchanged[self.rows.blocks.of_row]
        mine = np.concatenate([self.rows.weight - taken, taken])
        everything = np.concatenate([self.rows.weight, self.rows.weight])
        return self.pool.difference(everything)(mine)


@dataclass(frozen=True, eq=False)
class Window:
    """Critical values of a pool of two models near a miss rate, from the largest down."""

    pool: Presorted
    rows: PlainRows
    rate: float

    @cached_property
    def _total(self) -> float:
        return float(self.rows.weight.sum())

    @cached_property
    def _limit(self) -> float:
        """The weight that may be missed."""
        return (self.rate + ROUNDING) * self._total

    @cached_property
    def _falling(self) -> np.ndarray:
        """The elements by falling critical value."""
        return self.pool.order[::-1]

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        """The places at which the window begins and ends."""
        n = self.rows.weight.size
        missed = np.cumsum(self.rows.weight[self._falling % n]) / 2  # of either half, on average
        middle = min(int(np.searchsorted(missed, self._limit)), missed.size - 1)
        swaps = self._swaps(self._falling[:middle])
        spread = math.sqrt(float(swaps @ swaps)) / 2
        margin = _DEVIATIONS * spread + 2 * float(self.rows.blocks.sums(self.rows.weight[:, None]).max())
        ends = np.searchsorted(missed, [self._limit - margin, self._limit + margin])
        return int(ends[0]), min(int(ends[1]) + 1, missed.size)

    def _swaps(self, elements: np.ndarray) -> np.ndarray:
        """Return what each block adds to the first model's weight among elements if it is exchanged."""
        n = self.rows.weight.size
        row = elements % n
        signed = np.where(elements >= n, self.rows.weight[row], -self.rows.weight[row])
        added = np.bincount(self.rows.blocks.of_row[row], weights=signed, minlength=self.rows.blocks.n_blocks)
        return np.asarray(added)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, np.ndarray]:
        """What exchanged blocks add to widths and missed weight of the first model, and both without them."""
        n, weight = self.rows.weight.size, self.rows.weight
        above = self._falling[: self._bounds[0]]
        widths = self._half_widths.reshape(2, n, -1) * weight[:, None]
        added = self.rows.blocks.sums(widths[1] - widths[0])
        start = np.append(widths[0].sum(axis=0), weight[above[above < n]].sum())
        everything = np.append(widths.sum(axis=(0, 1)), weight[above % n].sum())
        return np.column_stack([added, self._swaps(above)]), np.stack([start, everything])

    @cached_property
    def _half_widths(self) -> np.ndarray:
        """Half widths of all nested pairs, or of the only one; (elements, pairs)."""
        return self.pool.half_widths if self.pool.family.nested else self.pool.half_width[:, None]

    def _mean_widths(self, parameter: np.ndarray, widths: np.ndarray) -> np.ndarray:
        """Return the bandwidth of each draw at its parameter, from its mean half widths."""
        if widths.shape[1] == 1:
            return np.asarray(parameter * widths[:, 0])
        return np.asarray(bands.band_at_each(np, tuple(self.pool.knots), tuple(widths.T), parameter))

    def bandwidths(self, exchanged: np.ndarray, as_numbers: np.ndarray) -> list[np.ndarray]:
        """Return the bandwidth that each model needs after each draw; NaN outside the window."""
        n, weight = self.rows.weight.size, self.rows.weight
        inside = self._falling[slice(*self._bounds)]
        row = inside % n
        added, (start, everything) = self._sums
        mine = as_numbers @ added + start
        theirs = everything - mine
        swapped = exchanged[:, self.rows.blocks.of_row[row]] == (inside >= n)
        values = self.pool.critical[inside]
        found = []
        for sums, present in ((mine, swapped), (theirs, ~swapped)):
            missed = sums[:, -1:] + np.cumsum(present * weight[row], axis=1)
            over = missed > self._limit
            first = np.argmax(over, axis=1)
            parameter = np.where(over.any(axis=1) & (sums[:, -1] <= self._limit), values[first], np.nan)
            with np.errstate(invalid="ignore"):
                bandwidth = self._mean_widths(parameter, sums[:, :-1] / self._total)
            found.append(np.where(np.isinf(bandwidth), np.nan, bandwidth))
        return found
