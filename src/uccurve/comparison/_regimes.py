"""Who needs the least bandwidth where, and whether that is more than chance."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from uccurve.comparison._holm import holm
from uccurve.comparison._records import Regime
from uccurve.curve._curve_data import floor
from uccurve.curve._ranges import bandwidth_needed
from uccurve.inference._plain_rows import plain_rows
from uccurve.inference._presorted import Presorted
from uccurve.inference._range_means import RangeMeans

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.curve import Curve

STEP = 0.01
"""Miss rates are looked at in cells of one per cent."""
FEWEST_ROWS = 20
"""Rows that a range must hold to be tested."""
DRAWS = 1999
_SAME = 1e-9
"""Savings that may be rounding."""
_NOISE = 1e-12
"""Variances this small, relative to the largest, are rounding."""
_CHUNK = 1 << 14


def regimes(
    curves: Mapping[str, Curve], options: CompareOptions, rng: np.random.Generator
) -> tuple[Regime, ...]:
    """Say who needs the least bandwidth where; ranges side by side without a known order become one."""
    ranges = ranges_of_best(curves, options.blocks, rng)
    adjusted = holm([one.pvalue_holm for one in ranges])
    found = [
        replace(one, pvalue_holm=p, significant=p < 1 - options.confidence_level)
        for one, p in zip(ranges, adjusted, strict=True)
    ]
    if not all(map(_testable, curves.values())):
        return tuple(found)  # nothing can be tested: the ranges as they are
    merged: list[Regime] = []
    for significant, group in itertools.groupby(found, lambda one: one.significant):
        part = list(group)
        if significant or len(part) == 1:
            merged += part
        else:
            unknown = replace(part[0], best=None, runner_up=None, saved=math.nan, pvalue_holm=math.nan)
            merged.append(replace(unknown, high=part[-1].high))
    return tuple(merged)


def runs(values: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal values."""
    ends = np.flatnonzero(np.diff(values)).tolist()
    return list(zip([0, *(end + 1 for end in ends)], [*ends, values.size - 1], strict=True))


def ranges_of_best(
    curves: Mapping[str, Curve], blocks: ArrayLike | int | None, rng: np.random.Generator
) -> list[Regime]:
    """Cut the miss rates into ranges by the model that needs the least bandwidth.

    Each range is judged by the mean bandwidth over it, best against second best. The p-value, not
    adjusted yet, is NaN where that cannot be tested: for a family without closed forms, with rows that
    are never captured, or too few.
    """
    names = list(curves)
    rates = np.arange(STEP / 2, 1, STEP)
    table = np.stack([bandwidth_needed(curve._data, rates) for curve in curves.values()])
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
        found.append(
            Regime(
                low=round(rates[first] - STEP / 2, 4),
                high=round(rates[last] + STEP / 2, 4),
                best=names[best],
                runner_up=runner_up,
                saved=saved,
                pvalue_holm=p_value,
                significant=False,
            )
        )
    return found


def _testable(curve: Curve) -> bool:
    """Whether a curve has rows, closed forms, and captures them all."""
    return curve._rows is not None and curve._data.family.proportional and floor(curve._data) == 0


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


def _differences(
    a: Curve, b: Curve, blocks: ArrayLike | int | None, rng: np.random.Generator
) -> _Differences | None:
    """Compare the mean bandwidths of two models over each cell of miss rates.

    The influence of each block of rows on all cells gives their covariance; normal draws with it show
    how large the largest difference over any range gets by chance.
    """
    family = a._data.family
    if not family.proportional or a._rows is None or b._rows is None:
        return None
    rows = plain_rows({"a": a._rows, "b": b._rows}, blocks)
    pair = [Presorted(intervals, family) for intervals in rows.models]
    if any(presorted.never_captured.size for presorted in pair):
        return None
    edges = np.linspace(0, 1, round(1 / STEP) + 1)
    cells = [RangeMeans.of(presorted, rows.weight, edges) for presorted in pair]
    count = rows.blocks.n_blocks
    covariance = np.zeros((cells[0].means.size,) * 2)
    order = np.argsort(rows.blocks.of_row, kind="stable")
    starts = np.searchsorted(rows.blocks.of_row[order], np.arange(count + 1))
    for begin in range(0, count, _CHUNK):  # whole blocks at a time
        end = min(begin + _CHUNK, count)
        part = order[starts[begin] : starts[end]]
        moved = cells[0].influence(part) - cells[1].influence(part)
        by_block = np.add.reduceat(moved, starts[begin:end] - starts[begin], axis=0)
        covariance += by_block.T @ by_block
    covariance *= count / (count - 1)
    fewest = max(1, math.ceil(FEWEST_ROWS / (STEP * rows.weight.size)))
    largest = _largest(covariance, fewest, rng)
    return _Differences(cells[0].means - cells[1].means, covariance, largest, fewest)


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
        known = variance > variance.max() * _NOISE
        ranges = np.abs(sums[:, length:] - sums[:, :-length])[:, known] / np.sqrt(variance[known])
        if known.any():
            np.maximum(largest, ranges.max(axis=1), out=largest)
    return largest
