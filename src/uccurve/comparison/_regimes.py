"""Who needs the least bandwidth where, and whether that is more than chance."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from uccurve.comparison._range_tests import RangeTests, range_tests
from uccurve.comparison._records import Regime
from uccurve.comparison._resolution import enough_resamples, units_word
from uccurve.comparison._ties import EQUAL
from uccurve.curve._ranges import bandwidth_needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.curve import Curve

STEP = 0.01
"""Miss rates are looked at in cells of one per cent."""
_EDGES = np.linspace(0, 1, round(1 / STEP) + 1)
_FEWEST_DRAWS = 1999


def regimes(
    curves: Mapping[str, Curve], options: CompareOptions, rng: np.random.Generator
) -> tuple[Regime, ...]:
    """Say who needs the least bandwidth where; ranges side by side without a known order become one."""
    cells = Cells.of(curves)
    models = [curve._rows for curve in curves.values() if curve._rows is not None]
    if len(models) < len(curves) or options.family.in_units_of_y:
        return tuple(cells.range(*ends) for ends in cells.runs)  # untested, as they are
    level = 1 - options.confidence_level
    n_draws = enough_resamples(1, level, _FEWEST_DRAWS)
    leaders = {cells.best(first) for first, _ in cells.runs}
    tests = range_tests(models, options.family, _EDGES, options.blocks, n_draws, rng, leaders)
    blind = tests.smallest_pvalue >= level or tests.fewest > _EDGES.size - 1
    needs = units_word(options.blocks) if blind else None
    found = [part for ends in cells.runs for part in _parts(cells, tests, level, *ends)]
    return tuple(
        one if one.significant else replace(one, needs=needs) for one in _without_neighbors_unknown(found)
    )


def runs(values: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal values."""
    ends = np.flatnonzero(np.diff(values)).tolist()
    return list(zip([0, *(end + 1 for end in ends)], [*ends, values.size - 1], strict=True))


@dataclass(frozen=True, eq=False)
class Cells:
    """The bandwidth that each model needs in the middle of each cell of miss rates."""

    names: list[str]
    bandwidth: np.ndarray
    """Shape (models, cells); those that equal the least one of a cell up to rounding are the same."""

    @classmethod
    def of(cls, curves: Mapping[str, Curve]) -> Cells:
        """Ask the curves."""
        rates = (_EDGES[1:] + _EDGES[:-1]) / 2
        bandwidth = np.stack([bandwidth_needed(curve._data, rates) for curve in curves.values()])
        least = bandwidth.min(axis=0)
        return cls(list(curves), np.where(bandwidth <= least * (1 + EQUAL), least, bandwidth))

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The first and last cell of each range with one best model."""
        return runs(np.argmin(self.bandwidth, axis=0))

    def best(self, first: int) -> int:
        """Return the place of the model that needs the least bandwidth in a cell."""
        return int(np.argmin(self.bandwidth[:, first]))

    def range(self, first: int, last: int, p_value: float = math.nan, *, significant: bool = False) -> Regime:
        """Describe a range with one best model, by the mean bandwidths over it; none if two need the same."""
        mean = self.bandwidth[:, first : last + 1].mean(axis=1)
        best = self.best(first)
        second = next((int(place) for place in np.argsort(mean, kind="stable") if place != best), None)
        saved, runner_up = math.nan, None
        if second is not None and math.isfinite(mean[second]):
            runner_up = self.names[second]
            saved = 1 - float(mean[best] / mean[second]) if mean[second] > 0 else 0.0
            if saved < EQUAL:
                return replace(_unknown(first, last), saved=0.0)
        return replace(
            _unknown(first, last),
            best=self.names[best],
            runner_up=runner_up,
            saved=saved,
            pvalue=p_value,
            significant=significant,
        )


def _parts(cells: Cells, tests: RangeTests, level: float, first: int, last: int) -> Iterator[Regime]:
    """Cut a range with one best model into the longest significant part of it, and what is left unknown.

    A range that is not significant anywhere stays whole; one that holds nothing to be tested is unknown.
    """
    if last + 1 - first < tests.fewest:
        yield _unknown(first, last)
        return
    best = cells.best(first)
    p = tests.best(best, [place for place in range(len(cells.names)) if place != best])
    longest = _longest(p < level, first, last, tests.fewest)
    if longest is None:
        yield cells.range(first, last, float(p[first, last + 1]))
        return
    low, high = longest
    if low > first:
        yield _unknown(first, low - 1)
    yield cells.range(low, high, float(p[low, high + 1]), significant=True)
    if high < last:
        yield _unknown(high + 1, last)


def _longest(significant: np.ndarray, first: int, last: int, fewest: int) -> tuple[int, int] | None:
    """Return the first and last cell of the longest significant range, the lowest of those as long."""
    for length in range(last + 1 - first, fewest - 1, -1):
        low = np.arange(first, last + 2 - length)
        found = low[significant[low, low + length]]
        if found.size:
            return int(found[0]), int(found[0]) + length - 1
    return None


def _unknown(first: int, last: int) -> Regime:
    """Describe a range whose order is not known."""
    return Regime(
        low=round(float(_EDGES[first]), 4),
        high=round(float(_EDGES[last + 1]), 4),
        best=None,
        runner_up=None,
        saved=math.nan,
        pvalue=math.nan,
        significant=False,
        needs=None,
    )


def _without_neighbors_unknown(found: list[Regime]) -> Iterator[Regime]:
    """Put ranges side by side that are not significant together to one without a known order."""
    for significant, group in itertools.groupby(found, lambda one: one.significant):
        part = list(group)
        if significant or len(part) == 1:
            yield from part
        else:
            alone = replace(part[0], best=None, runner_up=None, saved=math.nan, pvalue=math.nan)
            yield replace(alone, high=part[-1].high)
