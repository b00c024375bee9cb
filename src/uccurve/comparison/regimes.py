"""Who is best at which coverage, and how sure that is: the source of verdicts, tables and charts.

At the coverage of the comparison a lead is clear if the paired interval of the ratio leaves 1 out, and the
adjusted p-value of the permutation test is at most the level of significance. At any other coverage it is
clear if the simultaneous band of the ratio leaves 1 out there.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.comparison.records import Estimate, PairCrossing, PairTest, Regime, Standing
from uccurve.formulas import costs
from uccurve.formulas.steps import first_at_most
from uccurve.formulas.tolerances import ROUNDING, SAME_SHARE, SAME_SUM
from uccurve.inference import bounded_exp, find_crossover

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.comparison.records import CompareOptions
    from uccurve.curve import Curve
    from uccurve.inference import Criterion, LogRatio

Pair = tuple[str, str]

# Miss rates that are looked at: in steps of 0.1% up to 10%, of 0.5% above.
_RATES = np.concatenate([np.arange(1, 100) / 1000, np.arange(20, 200) / 200])


@dataclass(frozen=True, eq=False)
class Standings:
    """The numbers of all models and constant widths at miss rates, and what tells them apart."""

    curves: Mapping[str, Curve]
    rank_by: Criterion
    rates: np.ndarray
    chosen: int
    """The place of the comparison's own miss rate."""
    ratios: Mapping[Pair, LogRatio] = field(default_factory=dict)
    """Of pairs in the order of the names; none for sketches."""
    tests: Mapping[Pair, PairTest] = field(default_factory=dict)
    quantile: float = math.nan
    """How many standard errors an interval at the chosen miss rate reaches; NaN where rows are too few."""

    @classmethod
    def of(cls, curves: Mapping[str, Curve], options: CompareOptions) -> Standings:
        """Rank curves at all coverages."""
        rates = _RATES[np.abs(_RATES - options.miss_rate) > SAME_SUM]
        rates = np.sort(np.append(rates, options.miss_rate))
        return cls(curves, options.rank_by, rates, int(np.searchsorted(rates, options.miss_rate)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of models and constant widths."""
        return tuple(self.curves)

    @property
    def has_rows(self) -> bool:
        """Whether there are rows, so that pairs can be tested."""
        return all(curve.source is not None for curve in self.curves.values())

    @cached_property
    def numbers(self) -> np.ndarray:
        """Interval score or half-width: (names, rates); NaN where a model does not get there."""
        return numbers_at(self.curves, self.rates, self.rank_by)

    def at(self, rate: float) -> Standing:
        """Say who is best at any miss rate; clearly so if that holds on both sides of it."""
        place = int(np.searchsorted(self.rates, rate - SAME_SUM))
        if place < self.rates.size and abs(self.rates[place] - rate) <= SAME_SUM:
            return self.at_place(place)
        around = [self.at_place(some) for some in (place - 1, place) if 0 <= some < self.rates.size]
        order = self._order(numbers_at(self.curves, np.array([rate]), self.rank_by)[:, 0])
        clear = len(around) > 1 and len(order) > 1 and all(one.best == order[0] for one in around)
        tested = any(one.tested for one in around)
        return _standing(rate, order, () if clear else order[1:], tested=tested)

    def at_place(self, place: int) -> Standing:
        """Say who is best at one of the miss rates."""
        order = self._order(self.numbers[:, place])
        close = tuple(name for name in order[1:] if not self.is_clear(order[0], name, place))
        tested = any(np.isfinite(ratio.margin[place]) for ratio in self.ratios.values())
        tested |= place == self.chosen and any(not math.isnan(test.pvalue) for test in self.tests.values())
        return _standing(float(self.rates[place]), order, close, tested=tested)

    def is_clear(self, a: str, b: str, place: int) -> bool:
        """Whether one of two is clearly better at one of the miss rates."""
        if place == self.chosen:
            return self.test(a, b).clear
        ratio = self.ratio_curve(a, b)
        if ratio is None or not abs(ratio.value[place]) >= SAME_SHARE:
            return False
        return bool(abs(ratio.value[place]) > ratio.margin[place])

    def test(self, a: str, b: str) -> PairTest:
        """Return the test of a pair, in either order; one that says nothing if it was not tested."""
        return self.tests.get((a, b)) or self.tests.get((b, a)) or PairTest(a=a, b=b, ratio=Estimate())

    def ratio_curve(self, a: str, b: str) -> LogRatio | None:
        """Return the ratio of a pair at all miss rates, in either order; margins are the same in both."""
        return self.ratios.get((a, b)) or self.ratios.get((b, a))

    def ratio(self, a: str, b: str, place: int | None = None) -> Estimate:
        """Return the number of a over that of b at a miss rate, by default the chosen one.

        Away from the chosen miss rate, the ends are those of the band for all of them.
        """
        place = self.chosen if place is None else place
        first, second = (self.numbers[self.names.index(name), place] for name in (a, b))
        value, margin = divide(first, second), math.nan
        curve = self.ratio_curve(a, b)
        if curve is not None:
            margins = self.quantile * curve.error if place == self.chosen else curve.margin
            margin = float(margins[place])
        low, high = value * bounded_exp(-margin), value * bounded_exp(margin)
        return Estimate(value=value, low=low, high=high, reliable=not math.isnan(margin))

    def lead(self, a: str, b: str, place: int | None = None) -> Estimate:
        """Return how much better a is than b, as a share of b's number; ends as those of `ratio`."""
        ratio = self.ratio(a, b, place)
        return replace(ratio, value=1 - ratio.value, low=1 - ratio.high, high=1 - ratio.low)

    def regimes(self) -> tuple[Regime, ...]:
        """Return the ranges of miss rates with one clear winner, and those that are too close to call."""
        found = []
        standings = [self.at_place(place) for place in range(self.rates.size)]
        leaders = [one.best if self.has_rows else next(iter(one.order), None) for one in standings]
        for best, group in itertools.groupby(range(self.rates.size), leaders.__getitem__):
            places = list(group)
            saved, runner_up = math.nan, None
            if best is not None and len(self.names) > 1:
                saved, runner_up = min(self._lead_over_next(standings[one].order, one) for one in places)
            low, high = (float(self.rates[end]) for end in (places[0], places[-1]))
            clear = self.has_rows and best is not None
            found.append(Regime(low=low, high=high, best=best, runner_up=runner_up, saved=saved, clear=clear))
        return tuple(found)

    def crossings(self) -> tuple[PairCrossing, ...]:
        """Return where two of them swap order for good, and clearly so on both sides."""
        found = []
        for (a, b), ratio in self.ratios.items():
            margin = np.maximum(ratio.margin, SAME_SHARE)
            margin[self.chosen] = 0.0 if self.is_clear(a, b, self.chosen) else math.inf
            cross = find_crossover(self.rates, ratio.value, margin)
            if cross is None:
                continue
            ends = {"miss_rate_low": cross.low, "miss_rate_high": cross.high}
            at = {"coverage": cross.coverage, "miss_rate": cross.miss_rate, **ends}
            found.append(PairCrossing(a=a, b=b, **at, better_above=a if cross.better_below == "a" else b))
        return tuple(found)

    def _order(self, numbers: np.ndarray) -> tuple[str, ...]:
        """Return the names of those with a number, the best first."""
        order = np.argsort(numbers, kind="stable")
        return tuple(self.names[one] for one in order if not math.isnan(numbers[one]))

    def _lead_over_next(self, order: tuple[str, ...], place: int) -> tuple[float, str | None]:
        return (self.lead(order[0], order[1], place).value, order[1]) if len(order) > 1 else (math.inf, None)


def _standing(rate: float, order: tuple[str, ...], close: tuple[str, ...], *, tested: bool) -> Standing:
    best = order[0] if order[1:] and not close else None
    return Standing(coverage=arguments.complement(rate), order=order, best=best, close=close, tested=tested)


def divide(first: float, second: float) -> float:
    """Return a ratio; that of equal numbers is 1, also where both are 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1.0 if first == second else float(np.divide(first, second))


def numbers_at(curves: Mapping[str, Curve], rates: np.ndarray, rank_by: Criterion) -> np.ndarray:
    """Return interval scores or half-widths: (curves, rates); NaN where a curve does not get there."""
    found = []
    for curve in curves.values():
        place = first_at_most(np, to_numpy(curve.miss_rate), rates + ROUNDING)
        number = np.append(to_numpy(curve.bandwidth), np.nan)[place]
        if rank_by == "interval_score":
            deficit = np.append(to_numpy(curve.deficit), np.nan)[place]
            number = np.asarray(costs.interval_score(number, deficit, rates, curve.side))
        found.append(number)
    return np.stack(found)
