"""Who needs the least bandwidth where, and whether that is more than chance."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.inference._presorted import Presorted
from uccurve.inference._sample import sample

if TYPE_CHECKING:
    from uccurve.curve._curve import Curve

STEP = 0.01
"""Miss rates are looked at in steps of one per cent."""
FEWEST_ROWS = 20
"""Rows that a range must hold to be tested."""
DRAWS = 1999
_SAME = 1e-9
"""Savings that may be rounding."""
_CHUNK = 1 << 14


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    """A range of miss rates with one best model."""

    low: float
    high: float
    best: str
    runner_up: str | None
    saved: float
    p_value: float


def needed(curve: Curve, rates: np.ndarray) -> np.ndarray:
    """Return the bandwidth needed to miss at most each rate; infinite below the curve's floor."""
    missed, width = to_numpy(curve.miss_rate)[::-1], to_numpy(curve.bandwidth)[::-1]
    place = np.searchsorted(missed, rates + 1e-12, side="right") - 1
    return np.where(place >= 0, width[np.maximum(place, 0)], np.inf)


def runs(values: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal values."""
    ends = np.flatnonzero(np.diff(values)).tolist()
    return list(zip([0, *(end + 1 for end in ends)], [*ends, values.size - 1], strict=True))


def regimes(curves: dict[str, Curve], blocks: Any, rng: np.random.Generator) -> list[Regime]:
    """Cut the miss rates into ranges by the model that needs the least bandwidth.

    Each range is judged by the mean bandwidth over it, best against second best. The p-value is
    NaN where that cannot be tested: under shift, with rows that are never captured, or too few.
    """
    names = list(curves)
    rates = np.arange(STEP / 2, 1, STEP)
    table = np.stack([needed(curve, rates) for curve in curves.values()])
    tests: dict[tuple[int, int], _Differences | None] = {}
    found = []
    for first, last in runs(np.argmin(table, axis=0)):
        mean = table[:, first : last + 1].mean(axis=1)
        best = int(np.argmin(table[:, first]))
        others = [int(place) for place in np.argsort(mean, kind="stable") if place != best]
        second = others[0] if others and math.isfinite(mean[others[0]]) else None
        saved, p_value, runner_up = math.nan, math.nan, None
        if second is not None:
            runner_up = names[second]
            saved = 1 - float(mean[best] / mean[second]) if mean[second] > 0 else 0.0
            pair = (min(best, second), max(best, second))
            if pair not in tests:
                tests[pair] = _differences(curves[names[pair[0]]], curves[names[pair[1]]], blocks, rng)
            test = tests[pair]
            p_value = math.nan if test is None or saved < _SAME else test.p_value(first, last)
        low, high = round(rates[first] - STEP / 2, 4), round(rates[last] + STEP / 2, 4)
        found.append(
            Regime(low=low, high=high, best=names[best], runner_up=runner_up, saved=saved, p_value=p_value)
        )
    return found


@dataclass(frozen=True, eq=False)
class _Differences:
    """Differences of mean bandwidths over cells of miss rates, and what chance makes of them."""

    cells: np.ndarray
    covariance: np.ndarray
    largest: np.ndarray
    """The largest standardized difference over all ranges, in draws without a difference."""
    fewest: int

    def p_value(self, first: int, last: int) -> float:
        """Test a range of cells, allowing for its having been chosen among all ranges."""
        length = last - first + 1
        spread = math.sqrt(float(self.covariance[first : last + 1, first : last + 1].sum()))
        if length < self.fewest or spread == 0:
            return math.nan
        size = abs(float(self.cells[first : last + 1].sum())) / spread
        return (1 + int(np.count_nonzero(self.largest >= size))) / (1 + self.largest.size)


def _differences(a: Curve, b: Curve, blocks: Any, rng: np.random.Generator) -> _Differences | None:
    """Compare the mean bandwidths of two models over each cell of miss rates.

    The influence of each unit on all cells gives their covariance; normal draws with it show how
    large the largest difference over any range gets by chance.
    """
    if a.vary == "shift" or a._rows is None or b._rows is None:
        return None
    rows = sample({"a": a._rows, "b": b._rows}, blocks)
    pair = [Presorted(intervals, "scale") for intervals in rows.models]
    if any(presorted.never.size for presorted in pair):
        return None
    cells = [_Cells.of(presorted, rows.weight) for presorted in pair]
    size = rows.drawn.size
    covariance = np.zeros((cells[0].means.size,) * 2)
    order = np.argsort(rows.drawn.of_row, kind="stable")
    starts = np.searchsorted(rows.drawn.of_row[order], np.arange(size + 1))
    for begin in range(0, size, _CHUNK):  # whole units at a time
        end = min(begin + _CHUNK, size)
        part = order[starts[begin] : starts[end]]
        moved = cells[0].influence(part) - cells[1].influence(part)
        by_unit = np.add.reduceat(moved, starts[begin:end] - starts[begin], axis=0)
        covariance += by_unit.T @ by_unit
    covariance *= size / (size - 1)
    fewest = max(1, math.ceil(FEWEST_ROWS / (STEP * rows.weight.size)))
    largest = _largest(covariance, fewest, rng)
    return _Differences(cells[0].means - cells[1].means, covariance, largest, fewest)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The mean bandwidth that a model needs over each cell of miss rates."""

    presorted: Presorted
    weight: np.ndarray
    width: float
    ends: np.ndarray
    """Critical values at the edges of the cells, falling."""
    cut: np.ndarray
    """Mean critical value, cut to each cell."""
    means: np.ndarray

    @classmethod
    def of(cls, presorted: Presorted, weight: np.ndarray) -> _Cells:
        total = float(weight.sum())
        width = float(weight @ presorted.half_width) / total
        edges = np.linspace(0, 1, round(1 / STEP) + 1)
        ordered = presorted.critical[presorted.order]
        captured = np.cumsum(weight[presorted.order]) / total
        place = np.searchsorted(captured, 1 - edges - 1e-12)
        ends = ordered[np.minimum(place, ordered.size - 1)]
        ends[-1] = 0.0
        cut = np.array(
            [
                float(weight @ np.clip(presorted.critical, low, high)) / total
                for high, low in itertools.pairwise(ends)
            ]
        )
        # The mean critical value over a cell [r0, r1]: r1 q(r1) - r0 q(r0) + mean of the cut - q(r1).
        mean = (edges[1:] * ends[1:] - edges[:-1] * ends[:-1] + cut - ends[1:]) / STEP
        return cls(presorted, weight / total, width, ends, cut, width * mean)

    def influence(self, rows: np.ndarray) -> np.ndarray:
        """Return how much each of the rows moves each mean; (rows, cells)."""
        cut = np.clip(self.presorted.critical[rows, None], self.ends[1:], self.ends[:-1]) - self.cut
        wide = (self.presorted.half_width[rows, None] - self.width) * (self.means / self.width)
        return np.asarray(self.weight[rows, None] * (wide + cut * (self.width / STEP)))


def _largest(covariance: np.ndarray, fewest: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the largest standardized sum over any range of cells that is long enough."""
    values, vectors = np.linalg.eigh(covariance)
    draws = rng.normal(size=(DRAWS, values.size)) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    sums = np.concatenate([np.zeros((DRAWS, 1)), np.cumsum(draws, axis=1)], axis=1)
    corner = np.zeros((values.size + 1,) * 2)
    corner[1:, 1:] = covariance.cumsum(axis=0).cumsum(axis=1)
    diagonal = np.diag(corner)
    largest = np.zeros(DRAWS)
    for length in range(fewest, values.size + 1):
        # The variance of the sum over cells i to i + length, from the corners of the summed table.
        variance = diagonal[length:] + diagonal[:-length] - 2 * np.diag(corner, k=length)
        known = variance > variance.max() * 1e-12
        ranges = np.abs(sums[:, length:] - sums[:, :-length])[:, known] / np.sqrt(variance[known])
        if known.any():
            np.maximum(largest, ranges.max(axis=1), out=largest)
    return largest


def holm(p_values: list[float]) -> list[float]:
    """Adjust p-values for their number (Holm 1979); NaN stays NaN and does not count."""
    counted = [place for place, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(counted, key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, p_values[place] * (len(counted) - rank)))
        adjusted[place] = largest
    return adjusted
