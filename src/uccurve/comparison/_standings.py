"""Who is best at which coverage, and how sure that is: the source of verdicts, tables and charts.

At the coverage of the comparison a lead is clear if the paired interval of the ratio leaves 1 out, and the
adjusted p-value of the permutation test is at most the level of significance. At any other coverage it is
clear if the simultaneous band of the ratio leaves 1 out there.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.progress import StepBar
from uccurve.comparison._holm import holm
from uccurve.comparison._records import PairCrossing, PairTest, Regime, Standing
from uccurve.comparison._resolution import enough_resamples, lacking, units_word
from uccurve.formulas import costs
from uccurve.formulas.steps import first_at_most
from uccurve.formulas.tolerances import ROUNDING, SAME_SUM
from uccurve.inference import (
    PairedRatios,
    Resampling,
    Sample,
    Statistic,
    bounded_exp,
    find_crossover,
    permutation_tests,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.curve import Curve
    from uccurve.inference import LogRatio, PermutationTest

Pair = tuple[str, str]

RATES = np.concatenate([np.arange(1, 100) / 1000, np.arange(20, 200) / 200])
"""Miss rates that are looked at: in steps of 0.1% up to 10%, of 0.5% above."""
SAME = 0.0005
"""Relative difference below which two numbers are the same: no p-value makes a finding of it."""
_FEWEST_EXCHANGES = 1999
_MOST_RESAMPLES = 499
FEWEST_FOR_INTERVAL = 5
"""Rows that must be missed, and captured, for an interval at one coverage; fewer cover too seldom."""
_MANY = 12
"""Models beyond which not all pairs are tested, but those with the leader and with constant width.

Which model leads is known only afterwards. So p-values are adjusted for all pairs, by the largest difference
of any two models: Holm's adjustment for so many tests would need very many exchanges.
"""
_VERY_MANY = 24
_COARSE_RATES = np.concatenate([np.arange(1, 20) / 200, np.arange(4, 40) / 40])
"""The same where there are very many models: in steps of 0.5% up to 10%, of 2.5% above."""


class Lead(NamedTuple):
    """The share by which one model is better than another, with its interval; NaN where there is none."""

    share: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, eq=False)
class Standings:
    """The numbers of all models and constant widths at miss rates, and what tells them apart."""

    names: tuple[str, ...]
    rates: np.ndarray
    numbers: np.ndarray
    """Interval score or half-width: (names, rates); NaN where a model does not get there."""
    ratios: Mapping[Pair, LogRatio]
    """Of pairs in the order of the names; none for sketches."""
    tests: Mapping[Pair, PairTest]
    chosen: int
    """The place of the comparison's own miss rate."""
    has_rows: bool = False
    """Whether there are rows, so that pairs can be tested."""

    @classmethod
    def of(
        cls,
        curves: Mapping[str, Curve],
        own: Mapping[str, str],
        options: CompareOptions,
        rng: np.random.Generator,
        *,
        progress: bool,
    ) -> Standings:
        """Rank curves at all coverages, and compare them in pairs where there are rows."""
        names = tuple(curves)
        rates = _rates(options.miss_rate, len(names))
        numbers = curve_numbers(curves, rates, options)
        chosen = int(np.searchsorted(rates, options.miss_rate))
        made = cls(names, rates, numbers, {}, {}, chosen)
        rows = {name: curve.source for name, curve in curves.items() if curve.source is not None}
        if len(rows) == len(curves):
            return made._paired(rows, curves, own, options, rng, progress=progress)
        pairs = itertools.combinations(names, 2)
        return replace(made, tests={(a, b): PairTest(a=a, b=b, ratio=made._ratio(a, b)) for a, b in pairs})

    def at(self, rate: float, numbers: np.ndarray) -> Standing:
        """Say who is best by the numbers at any miss rate; clearly so if that holds on both sides of it."""
        place = int(np.searchsorted(self.rates, rate - SAME_SUM))
        if place < self.rates.size and abs(self.rates[place] - rate) <= SAME_SUM:
            return self.at_place(place)
        around = [self.at_place(some) for some in (place - 1, place) if 0 <= some < self.rates.size]
        names = self._order(numbers)
        first, others = names[:1], names[1:]
        clear = len(around) > 1 and others and all((standing.best,) == first for standing in around)
        return Standing(
            coverage=arguments.complement(rate),
            order=names,
            best=names[0] if clear else None,
            close=() if clear else others,
            tested=any(standing.tested for standing in around),
        )

    def at_place(self, place: int) -> Standing:
        """Say who is best at one of the miss rates."""
        names = self._order(self.numbers[:, place])
        others = names[1:]
        close = tuple(name for name in others if not self.is_clear(names[0], name, place))
        tested = any(np.isfinite(ratio.margin[place]) for ratio in self.ratios.values())
        tested |= place == self.chosen and any(not math.isnan(test.pvalue) for test in self.tests.values())
        return Standing(
            coverage=arguments.complement(float(self.rates[place])),
            order=names,
            best=names[0] if others and not close else None,
            close=close,
            tested=tested,
        )

    def is_clear(self, a: str, b: str, place: int) -> bool:
        """Whether one of two is clearly better at one of the miss rates."""
        pair = (a, b) if (a, b) in self.tests else (b, a)
        if place == self.chosen:
            return pair in self.tests and self.tests[pair].clear
        ratio = self.ratios.get(pair)
        if ratio is None or not abs(ratio.value[place]) >= SAME:
            return False
        return bool(abs(ratio.value[place]) > ratio.margin[place])

    def lead(self, a: str, b: str) -> Lead:
        """Return how much better a is than b at the chosen coverage, as a share of b's number."""
        test = self.test(a, b)
        if test is None:
            return Lead(1 - self._ratio(a, b))
        if test.a == a:
            return Lead(1 - test.ratio, 1 - test.ratio_high, 1 - test.ratio_low)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio, low, high = np.divide(1.0, [test.ratio, test.ratio_low, test.ratio_high]).tolist()
        return Lead(1 - ratio, 1 - low, 1 - high)

    def lead_at(self, a: str, b: str, place: int) -> Lead:
        """Return the same at any miss rate, with the simultaneous band away from the chosen one."""
        if place == self.chosen:
            return self.lead(a, b)
        first, second = (self.numbers[self.names.index(name), place] for name in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = float(np.divide(first, second)) if first != second else 1.0
        found = self.ratios.get((a, b)) or self.ratios.get((b, a))
        margin = math.nan if found is None else float(found.margin[place])
        return Lead(1 - ratio, 1 - ratio * bounded_exp(margin), 1 - ratio * bounded_exp(-margin))

    def test(self, a: str, b: str) -> PairTest | None:
        """Return the test of a pair, in either order."""
        return self.tests.get((a, b)) or self.tests.get((b, a))

    def regimes(self) -> tuple[Regime, ...]:
        """Return the ranges of miss rates with one clear winner, and those that are too close to call."""
        found = []
        standings = [self.at_place(place) for place in range(self.rates.size)]
        keys = [standing.best if self.has_rows else (standing.order or (None,))[0] for standing in standings]
        for best, group in itertools.groupby(range(self.rates.size), keys.__getitem__):
            places = list(group)
            lead, runner_up = math.nan, None
            if best is not None and len(self.names) > 1:
                lead, runner_up = min(self._lead_over_next(best, place) for place in places)
            found.append(
                Regime(
                    low=float(self.rates[places[0]]),
                    high=float(self.rates[places[-1]]),
                    best=best,
                    runner_up=runner_up,
                    saved=lead,
                    clear=self.has_rows and best is not None,
                )
            )
        return tuple(found)

    def crossings(self) -> tuple[PairCrossing, ...]:
        """Return where two of them swap order for good, and clearly so on both sides."""
        found = []
        for (a, b), ratio in self.ratios.items():
            margin = np.maximum(ratio.margin, SAME)
            margin[self.chosen] = 0.0 if self.is_clear(a, b, self.chosen) else math.inf
            cross = find_crossover(self.rates, ratio.value, margin)
            if cross is not None:
                found.append(
                    PairCrossing(
                        a=a,
                        b=b,
                        coverage=cross.coverage,
                        miss_rate=cross.miss_rate,
                        miss_rate_low=cross.low,
                        miss_rate_high=cross.high,
                        better_above=a if cross.better_below == "a" else b,
                    )
                )
        return tuple(found)

    def _order(self, numbers: np.ndarray) -> tuple[str, ...]:
        """Return the names of those with a number, the best first."""
        return tuple(
            self.names[one] for one in np.argsort(numbers, kind="stable") if not math.isnan(numbers[one])
        )

    def _lead_over_next(self, best: str, place: int) -> tuple[float, str | None]:
        order = self.at_place(place).order
        if len(order) < 2:  # noqa: PLR2004
            return math.inf, None
        first, second = (self.numbers[self.names.index(name), place] for name in (best, order[1]))
        return 1 - float(first / second) if second > 0 else 0.0, order[1]

    def _ratio(self, a: str, b: str) -> float:
        first, second = (self.numbers[self.names.index(name), self.chosen] for name in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.divide(first, second)) if first != second else 1.0

    def _pairs(self, own: Mapping[str, str]) -> tuple[list[Pair], list[Pair]]:
        """Return the pairs that are tested at the chosen coverage, and those that are compared at any.

        All, unless models are many: then those with the leader and with constant width, and those with the
        leaders at other coverages.
        """
        every = list(itertools.combinations(self.names, 2))
        if len(self.names) <= _MANY:
            return every, every
        leaders = {place: self._order(self.numbers[:, place])[:1] for place in range(self.rates.size)}
        leader = (leaders[self.chosen] or self.names)[0]
        constant = own.get(leader, leader)
        tested = [pair for pair in every if {leader, constant} & set(pair) or own.get(pair[0]) == pair[1]]
        anywhere = {name for names in leaders.values() for name in names}
        return tested, list(dict.fromkeys([*tested, *(pair for pair in every if anywhere & set(pair))]))

    def _paired(
        self,
        rows: Mapping[str, Any],
        curves: Mapping[str, Curve],
        own: Mapping[str, str],
        options: CompareOptions,
        rng: np.random.Generator,
        *,
        progress: bool,
    ) -> Standings:
        """Compare pairs: at all coverages by ratio curves, and at the chosen one by tests."""
        tested, pairs = self._pairs(own)
        sample = Sample.of(rows, options.blocks, options.vary)
        n_resamples = min(options.n_resamples or _MOST_RESAMPLES, _MOST_RESAMPLES)
        resampling = Resampling(options.confidence_level, n_resamples, rng)
        ratios = PairedRatios.of(sample, self.rates, options.rank_by, resampling)
        found = {}
        bar = StepBar("comparing pairs", len(pairs), show=progress)
        for a, b in pairs:
            found[a, b] = ratios.ratio(a, b)
            bar.step()
        made = replace(self, ratios=found, has_rows=True)
        missed = sample.effective_rows * min(options.miss_rate, 1 - options.miss_rate)
        intervals = made._intervals(curves, tested, ratios, options, few=missed < FEWEST_FOR_INTERVAL)
        return replace(made, tests=made._tested(sample, intervals, ratios, options, rng, progress=progress))

    def _intervals(
        self,
        curves: Mapping[str, Curve],
        pairs: Sequence[Pair],
        ratios: PairedRatios,
        options: CompareOptions,
        *,
        few: bool,
    ) -> dict[Pair, PairTest]:
        """Return the ratios of pairs at the chosen coverage, with intervals unless rows are too few."""
        by_width = replace(options, rank_by="bandwidth")
        widths = curve_numbers(curves, self.rates[[self.chosen]], by_width)[:, 0]
        made = {}
        for a, b in pairs:
            margin = math.nan if few else ratios.quantile * float(self.ratios[a, b].error[self.chosen])
            value = self._ratio(a, b)
            with np.errstate(divide="ignore", invalid="ignore"):
                width_ratio = float(np.divide(widths[self.names.index(a)], widths[self.names.index(b)]))
            made[a, b] = PairTest(
                a=a,
                b=b,
                ratio=value,
                ratio_low=value * bounded_exp(-margin),
                ratio_high=value * bounded_exp(margin),
                width_ratio=width_ratio,
            )
        return made

    def _tested(
        self,
        sample: Sample,
        pairs: Mapping[Pair, PairTest],
        ratios: PairedRatios,
        options: CompareOptions,
        rng: np.random.Generator,
        *,
        progress: bool,
    ) -> dict[Pair, PairTest]:
        """Test pairs at the chosen coverage, with p-values adjusted for their number."""
        family = len(pairs) if len(self.names) <= _MANY else 1
        n_resamples = options.n_resamples or enough_resamples(family, options.level, _FEWEST_EXCHANGES)
        bar = StepBar("testing differences", n_resamples, show=progress)
        what = "score_at" if options.rank_by == "interval_score" else "bandwidth_at"
        asked = Statistic(what=what, vary=options.vary, miss_rate=options.miss_rate)
        found = permutation_tests(sample, list(pairs), asked, n_resamples, rng, step=bar.step)
        bar.finish()
        if len(self.names) <= _MANY:
            family = len(found)
            adjusted = dict(zip(found, holm([test.pvalue for test in found.values()]), strict=True))
        else:
            largest = ratios.pvalues_of_the_largest(self.chosen)
            adjusted = {(a, b): max(test.pvalue, largest[a, b]) for (a, b), test in found.items()}
        return {
            pair: _decided(record, found[pair], adjusted[pair], family, options) if pair in found else record
            for pair, record in pairs.items()
        }


def _decided(
    record: PairTest, test: PermutationTest, adjusted: float, family: int, options: CompareOptions
) -> PairTest:
    """Say whether a pair is told apart: by its interval, and by the adjusted p-value of its test."""
    few = math.isnan(record.ratio_low)
    differs = not record.ratio_low <= 1 <= record.ratio_high and abs(record.ratio - 1) >= SAME
    unit = units_word(options.blocks)
    needs = lacking(test, family, options.level, unit) if differs else None
    significant = differs and needs is None and adjusted <= options.level
    return replace(
        record,
        pvalue=test.pvalue,
        pvalue_holm=adjusted,
        clear=significant and not few,
        needs=unit if significant and few else needs,
        n_units=test.n_units,
        smallest_pvalue_holm=min(1.0, family * test.smallest_pvalue),
    )


def _rates(chosen: float, models: int) -> np.ndarray:
    """Return the miss rates that are looked at, the chosen one among them."""
    rates = _COARSE_RATES if models > _VERY_MANY else RATES
    rates = rates[np.abs(rates - chosen) > SAME_SUM]
    return np.sort(np.append(rates, chosen))


def curve_numbers(curves: Mapping[str, Curve], rates: np.ndarray, options: CompareOptions) -> np.ndarray:
    """Return interval scores or half-widths: (curves, rates); NaN where a curve does not get there."""
    return np.stack([_numbers(curve, rates, options) for curve in curves.values()])


def _numbers(curve: Curve, rates: np.ndarray, options: CompareOptions) -> np.ndarray:
    place = first_at_most(np, to_numpy(curve.miss_rate), rates + ROUNDING)
    bandwidth = np.append(to_numpy(curve.bandwidth), np.nan)[place]
    if options.rank_by == "bandwidth":
        return bandwidth
    deficit = np.append(to_numpy(curve.deficit), np.nan)[place]
    return np.asarray(costs.interval_score(bandwidth, deficit, rates, curve.side))
