"""Numbers at one miss rate on resampled rows: only rows near the point are looked at.

The parameter at a miss rate is a quantile of the critical values. On resamples it stays within a few standard
deviations of where it is on all rows. Beyond that window weights are added up, for many resamples at once;
within it they are taken one by one. A resample that leaves the window is noticed and computed from all
rows, so that the numbers do not depend on the window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference._point_numbers import PointEstimator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.inference._blocks import Blocks
    from uccurve.inference._estimators import Estimator
    from uccurve.inference._presorted import Presorted

_DEVIATIONS = 8.0
"""Half the length of the window, in standard deviations."""


def near_a_point(numbers: Sequence[Estimator]) -> list[PointEstimator]:
    """Return the numbers, if rows near a point suffice for all of them; else none.

    They do where the bandwidth is the parameter times a sum, and the order of the rows does not move.
    """
    found = [
        number
        for number in numbers
        if isinstance(number, PointEstimator)
        and number.presorted.family.proportional
        and number.spec.what != "score_at"
        and (number.presorted.outputs == 1 or number.spec.what == "bandwidth_at")
    ]
    return found if len(found) == len(numbers) else []


@dataclass(frozen=True, eq=False)
class PointResamples:
    """Numbers at miss rates, as functions of how often each block of the same rows was drawn."""

    numbers: list[PointEstimator]
    weight: np.ndarray
    blocks: Blocks

    def values(self, counts: np.ndarray) -> np.ndarray:
        """Return each number on each resample; (resamples, numbers). ``counts`` is (resamples, blocks)."""
        sums = counts @ self._columns
        total, rest = sums[:, 0], sums[:, 1:]
        found = np.empty((len(counts), len(self.numbers)))
        bandwidths = [
            window.bandwidths(counts, total, rest[:, 2 * place : 2 * place + 2])
            for place, window in enumerate(self._windows)
        ]
        place = 0
        for column, number in zip(found.T, self.numbers, strict=True):
            several = bandwidths[place : place + _bands(number)]
            place += _bands(number)
            for draw, some in enumerate(zip(*several, strict=True)):
                if any(math.isnan(one) for one in some):  # outside a window, or not defined
                    column[draw] = number.value(self.weight * counts[draw][self.blocks.of_row])
                else:
                    column[draw] = number.of_bandwidths(*map(float, some))
        return found

    @cached_property
    def _windows(self) -> list[_Window]:
        """One window for each model, and one for its constant band where it is needed."""
        found = []
        for number in self.numbers:
            models = [number.presorted, number.presorted.unit_band][: _bands(number)]
            found += [_Window(model, self.weight, self.blocks, number.spec.miss_rate) for model in models]
        return found

    @cached_property
    def _columns(self) -> np.ndarray:
        """Weights of the blocks, and what each of them adds to the sums of each window."""
        parts = [self.blocks.sums(self.weight[:, None]), *(window.columns for window in self._windows)]
        return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _bands(number: PointEstimator) -> int:
    """Return how many curves a number is of: a gain is of the constant band, too."""
    return 2 if number.spec.what == "gain_at" else 1


@dataclass(frozen=True, eq=False)
class _Window:
    """The rows of one model near a miss rate, from the largest critical value down."""

    model: Presorted
    weight: np.ndarray
    blocks: Blocks
    rate: float

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        """The places at which the window begins and ends, among the rows by falling critical value."""
        falling = self.model.order[::-1]
        missed = np.cumsum(self.weight[falling])
        limit = self.rate * float(missed[-1])
        beyond = self._beyond(int(np.searchsorted(missed, limit)))
        by_block = self.blocks.sums(np.column_stack([beyond, self.weight]))
        moved = by_block[:, 0] - self.rate * by_block[:, 1]
        margin = _DEVIATIONS * math.sqrt(float(moved @ moved)) + 2 * float(by_block[:, 1].max())
        ends = np.searchsorted(missed, [limit - margin, limit + margin])
        return int(ends[0]), min(int(ends[1]) + 1, missed.size)

    def _beyond(self, place: int) -> np.ndarray:
        """Return the weights of the rows before a place, and 0 for the others."""
        falling = self.model.order[::-1][:place]
        beyond = np.zeros(self.weight.size)
        beyond[falling] = self.weight[falling]
        return beyond

    @cached_property
    def columns(self) -> np.ndarray:
        """What each block adds to the weight beyond the window and to the half widths; (blocks, 2)."""
        widths = self.weight * self.model.half_width
        return self.blocks.sums(np.column_stack([self._beyond(self._bounds[0]), widths]))

    def bandwidths(self, counts: np.ndarray, total: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return the bandwidth that is needed on each resample; NaN outside the window."""
        inside = self.model.order[::-1][slice(*self._bounds)]
        missed = np.cumsum(counts[:, self.blocks.of_row[inside]] * self.weight[inside], axis=1)
        room = (self.rate + ROUNDING) * total - sums[:, 0]
        over = missed > room[:, None]
        first = np.argmax(over, axis=1)
        found = over[np.arange(len(over)), first] & (room >= 0)
        parameter = np.where(found, self.model.critical[inside[first]], np.nan)
        with np.errstate(invalid="ignore"):
            return np.asarray(parameter * (sums[:, 1] / total))
