"""Scores of models and segments, tests of pairs of models, and who is best at which coverage."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.progress import StepBar
from uccurve.comparison.records import (
    Estimate,
    ModelScore,
    PairCrossing,
    PairTest,
    Regime,
    SegmentScore,
    Standing,
)
from uccurve.curve import UCC, Curve, ask_curve
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.formulas import costs
from uccurve.formulas.steps import first_at_most
from uccurve.formulas.tolerances import ROUNDING, SAME_SHARE, SAME_SUM
from uccurve.inference import (
    Contrast,
    PairedRatios,
    Resampling,
    Sample,
    Statistic,
    block_codes,
    bounded_exp,
    conditional_coverage,
    find_crossover,
    permutation_tests,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.random import Generator

    from uccurve.comparison.records import CompareOptions, Needs
    from uccurve.inference import Criterion, LogRatio, PermutationTest

Pair = tuple[str, str]
CONSTANT = "constant width"
_COSTS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
# Rows that must be missed, and captured, for an interval at one coverage; fewer cover too seldom.
FEWEST_FOR_INTERVAL = 5
_QUARTERS = 4
# Miss rates that are looked at: in steps of 0.1% up to 10%, of 0.5% above.
_RATES = np.concatenate([np.arange(1, 100) / 1000, np.arange(20, 200) / 200])
# Bootstraps of each number by default. Bands of a strict level need more, and so do p-values of many models.
_BOOTSTRAPS = {"gain": 999, "gain_at": 499, "ratio": 499}
_FEWEST_BOOTSTRAPS, _MOST_BOOTSTRAPS = 99, 9999
_FEWEST_EXCHANGES = 1999
_MOST_EXCHANGES = 99_999
# How far below the level of significance the smallest adjusted p-value should lie.
_MARGIN = 10
# Models beyond which not all pairs are tested, but those with a leader, at whatever coverage, and those of a
# model and its own constant width. Which models lead is known only afterwards. So p-values are adjusted for
# all pairs, by the largest difference of any two models: Holm's adjustment for so many tests would need very
# many exchanges.
_MANY = 12


class Scorer:
    """Scores models on the same rows beside their constant widths, and tests pairs of them.

    Attributes
    ----------
    constants : dict of str to Curve
        Constant widths by their names, one for each way of predicting.
    own : dict of str to str
        The name of each model's own constant width.
    curves : dict of str to Curve
        Models and constant widths.
    """

    def __init__(
        self, models: Mapping[str, Curve], options: CompareOptions, rng: Generator, *, progress: bool = False
    ) -> None:
        self.models, self.options, self.rng, self.progress = models, options, rng, progress
        like: dict[str, str] = {}
        for name, curve in models.items():
            same = (other for other in like.values() if curve.has_same_constant(models[other]))
            like[name] = next(same, name)
        several = len(set(like.values())) > 1
        self.own = {name: f"{CONSTANT} of {first}" if several else CONSTANT for name, first in like.items()}
        self.constants = {self.own[first]: models[first].reference for first in like.values()}
        self.curves = {**models, **self.constants}
        for name in models.keys() & self.constants:
            rule, hint = f"not use the name {name!r}", "The reference has it."
            raise ArgumentError(argument="models", rule=rule, hint=hint)

    @cached_property
    def sample(self) -> Sample | None:
        """The rows of all curves, sorted once for everything; None of sketches."""
        if any(curve.source is None for curve in self.curves.values()):
            return None
        return Sample.of(self.curves, self.options.blocks, self.options.vary)

    def _resampling(self, what: str) -> Resampling:
        options = self.options
        most = max(_BOOTSTRAPS[what], min(math.ceil(2 / options.level), _MOST_BOOTSTRAPS))
        n_resamples = max(_FEWEST_BOOTSTRAPS, min(options.n_resamples or most, most))
        return Resampling(options.confidence_level, n_resamples, self.rng)

    # -- scores ---------------------------------------------------------------------------------

    def scores(self) -> tuple[ModelScore, ...]:
        """Score the curves; the best at the chosen coverage first, those out of reach last."""
        bar, scores = StepBar("scoring models", len(self.curves), show=self.progress), []
        for name in self.curves:
            bar.step()
            scores.append(self._score(name))
        numbers = "score_at" if self.options.by_score else "bandwidth_at"
        scores.sort(key=lambda score: (math.isnan(getattr(score, numbers)), getattr(score, numbers)))
        return tuple(scores)

    def segments(self) -> tuple[SegmentScore, ...]:
        """Score the rows of each segment on their own, with their own constant bands."""
        options, by = self.options, self.options.by
        rows = {name: curve.intervals for name, curve in self.models.items() if isinstance(curve, UCC)}
        first = next(iter(rows.values()))
        places_by_label = first.rows_by_label(by, "by")
        parts = {name: intervals.by(by) for name, intervals in rows.items()}
        codes = block_codes(first, options.blocks)
        covered = {name: self._coverages(curve, by=by) for name, curve in self.models.items()}
        found: list[SegmentScore] = []
        for label, places in places_by_label.items():
            curves = {name: UCC(groups[label], vary=options.vary) for name, groups in parts.items()}
            blocks = None if options.blocks is None else codes[places]
            for score in Scorer(curves, replace(options, blocks=blocks), self.rng).scores():
                coverage = covered.get(score.model, {}).get(label, Estimate())
                found.append(SegmentScore(segment=label, score=score, coverage_at=coverage))
        return tuple(found)

    def _score(self, name: str) -> ModelScore:
        curve, options = self.curves[name], self.options
        at: dict[str, Any] = {"miss_rate": options.miss_rate}
        axes: dict[str, Any] = {"x": options.x, "y": options.y}
        on_deficit: dict[str, Any] = {"x": options.x, "y": "deficit"}
        narrow, wide = self._quarters(curve)
        chosen = ask_curve(curve.at, otherwise=None, **at)
        asymmetric = not curve.symmetric
        return ModelScore(
            model=name,
            n=curve.n,
            **{cost: getattr(curve.original, cost) for cost in _COSTS},
            score_at=ask_curve(curve.score_at, **at),
            bandwidth_at=math.nan if chosen is None else chosen.bandwidth,
            narrow_coverage=narrow,
            wide_coverage=wide,
            gain_at=self._estimate(name, "gain_at", at),
            area=ask_curve(curve.area, **axes),
            gain=self._estimate(name, "gain", axes),
            ceiling=curve.ceiling(**axes, asymmetric=asymmetric),
            deficit_gain=self._estimate(name, "gain", on_deficit),
            deficit_ceiling=curve.ceiling(**on_deficit, asymmetric=asymmetric),
        )

    def _estimate(self, name: str, what: str, asked: Mapping[str, Any]) -> Estimate:
        """Return a gain with its interval; there is none where it is out of reach, or rows are gone."""
        curve = self.curves[name]
        value = ask_curve(getattr(curve, what), **asked)
        if curve.reference is curve:
            return Estimate(value=value, low=0.0, high=0.0, reliable=True)
        with suppress(UnreachableError, ArgumentError):  # out of reach, or a single block
            if self.sample is not None:
                statistic = Statistic(what=what, vary=self.options.vary, **asked)
                found = Contrast.of(self.sample, statistic, name).interval(self._resampling(what))
                return Estimate(value=value, low=found.low, high=found.high, reliable=found.reliable)
        return Estimate(value=value)

    def _quarters(self, curve: Curve) -> tuple[Estimate, Estimate]:
        """Return what the quarters with the narrowest and the widest intervals cover when moved."""
        found = {} if curve.reference is curve else self._coverages(curve, by="width", bins=_QUARTERS)
        if len(found) < _QUARTERS:  # widths are equal in many rows, or rows are gone
            return Estimate(), Estimate()
        narrowest, *_, widest = found.values()
        return narrowest, widest

    def _coverages(self, curve: Curve, **parts: Any) -> dict[Hashable, Estimate]:
        """Return what parts of the rows cover at the operating point of all rows, if there is one."""
        options, found = self.options, {}
        judging: dict[str, Any] = {"blocks": options.blocks, "confidence_level": options.confidence_level}
        with suppress(UnreachableError, ArgumentError):  # out of reach, or a single block
            for one in conditional_coverage(curve, coverage=options.coverage, **judging, **parts).segments:
                ends = {"low": one.low, "high": one.high}
                share = Estimate(value=one.coverage, **ends, reliable=True, significant=one.significant)
                found[one.segment] = share
        return found

    # -- pairs ----------------------------------------------------------------------------------

    def standings(self) -> tuple[Standings, Standings]:
        """Rank models and constant widths at all coverages, and compare pairs, at the chosen one by tests.

        The second ranks them by the other criterion, for readers who wonder: there nothing is tested. Not
        ranked twice are constant widths that a model has. Sketches have no rows to compare.
        """
        flat = {self.own[name] for name, curve in self.models.items() if curve.reference is curve}
        others = {name: band for name, band in self.constants.items() if name not in flat}
        options, sample = self.options, self.sample
        rates = _RATES[np.abs(_RATES - options.miss_rate) > SAME_SUM]
        rates = np.sort(np.append(rates, options.miss_rate))
        chosen = int(np.searchsorted(rates, options.miss_rate))
        standings = Standings({**self.models, **others}, options.rank_by, rates, chosen)
        criterion: Criterion = "bandwidth" if options.by_score else "interval_score"
        other = replace(standings, rank_by=criterion, has_tests=False)
        if sample is None:
            pairs = itertools.combinations(standings.names, 2)
            tests = {(a, b): PairTest(a=a, b=b, ratio=standings.ratio(a, b)) for a, b in pairs}
            return replace(standings, tests=tests), other
        resampling = self._resampling("ratio")
        ratios = PairedRatios.of(sample, rates, options.rank_by, resampling)
        found = {pair: ratios.ratio(*pair) for pair in self._pairs(standings)}
        fewest = sample.effective_rows * min(options.miss_rate, 1 - options.miss_rate)
        quantile = math.nan if fewest < FEWEST_FOR_INTERVAL else ratios.quantile
        permutations = self._count_permutations(1 if len(standings.names) > _MANY else len(found))
        drawn = {"permutations": permutations, "bootstraps": resampling.n_resamples}
        standings = replace(standings, ratios=found, quantile=quantile, resamples=drawn)
        tests = self._tests(standings, sample, ratios)
        by_other = replace(ratios, criterion=other.rank_by)
        other = replace(other, ratios={pair: by_other.ratio(*pair) for pair in self._pairs(other)})
        return replace(standings, tests=tests), other

    def _pairs(self, standings: Standings) -> list[Pair]:
        """Return the pairs to compare: all, or of many models those with a leader or with an own constant."""
        pairs = list(itertools.combinations(standings.names, 2))
        if len(standings.names) <= _MANY:
            return pairs
        orders = (standings.at_place(place).order for place in range(standings.rates.size))
        leaders = {order[0] for order in orders if order}
        return [(a, b) for a, b in pairs if leaders & {a, b} or self.own.get(a) == b]

    def _tests(self, standings: Standings, sample: Sample, ratios: PairedRatios) -> dict[Pair, PairTest]:
        """Test pairs at the chosen coverage, with p-values adjusted for their number."""
        options, many, pairs = self.options, len(standings.names) > _MANY, list(standings.ratios)
        what = "score_at" if options.by_score else "bandwidth_at"
        asked = Statistic(what=what, vary=options.vary, miss_rate=options.miss_rate)
        n_resamples = standings.resamples["permutations"]
        bar = StepBar("testing differences", n_resamples, show=self.progress)
        found = permutation_tests(sample, pairs, asked, n_resamples, self.rng, step=bar.step)
        bar.finish()
        adjusted, family = adjust_holm({pair: test.pvalue for pair, test in found.items()}), len(found)
        if many:
            largest, family = ratios.pvalues_of_the_largest(standings.chosen), 1
            adjusted = {pair: max(test.pvalue, largest[pair]) for pair, test in found.items()}
            least = max([1 / (1 + len(ratios.counts)), *(test.smallest_pvalue for test in found.values())])
            found = {pair: replace(test, smallest_pvalue=least) for pair, test in found.items()}
        tests, by_width = {}, replace(standings, rank_by="bandwidth")
        for a, b in pairs:
            ratio, width_ratio, test = standings.ratio(a, b), by_width.ratio(a, b), found.get((a, b))
            record = PairTest(a=a, b=b, ratio=ratio, width_ratio=width_ratio.value)
            tests[a, b] = record if test is None else self._decide(record, test, adjusted[a, b], family)
        return tests

    def _count_permutations(self, n_tests: int) -> int:
        """Return how many permutations each test takes.

        By default so many that the smallest adjusted p-value can be a tenth of the level. That depends on
        nothing that was observed, so that the p-values stay valid.
        """
        wanted = math.ceil(_MARGIN * n_tests / self.options.level - SAME_SUM) - 1
        return self.options.n_resamples or max(_FEWEST_EXCHANGES, min(wanted, _MOST_EXCHANGES))

    def _decide(self, record: PairTest, test: PermutationTest, adjusted: float, family: int) -> PairTest:
        """Say whether a pair is told apart: by its interval, and by the adjusted p-value of its test."""
        ratio, level = record.ratio, self.options.level
        is_same, few = abs(ratio.value - 1) < SAME_SHARE, math.isnan(ratio.low)
        differs = not (is_same or few or ratio.low <= 1 <= ratio.high)
        unit: Needs = "rows" if self.options.blocks is None else "blocks"
        needs: Needs | None = unit if few and not is_same else None
        least = max(level, (1 + SAME_SUM) * test.smallest_pvalue)
        if differs and family * test.smallest_pvalue > level and max(test.pvalue, adjusted / family) <= least:
            needs = unit if family * 2.0 ** (1 - test.n_units) > level else "resamples"
        return replace(
            record,
            pvalue=test.pvalue,
            pvalue_holm=adjusted,
            clear=differs and needs is None and adjusted <= level,
            needs=needs,
            n_units=test.n_units,
            smallest_pvalue_holm=min(1.0, family * test.smallest_pvalue),
        )


@dataclass(frozen=True, eq=False)
class Standings:
    """Who is best at which coverage, and how sure that is: the source of verdicts, tables and charts.

    At the coverage of the comparison a lead is clear if the paired interval of the ratio excludes 1, and
    the adjusted p-value of the permutation test is at most the level of significance. At any other coverage,
    and at all of them where nothing was tested, it is clear if the simultaneous band of the ratio leaves 1
    out there.

    Attributes
    ----------
    curves : mapping of str to Curve
        Models and constant widths.
    rank_by : str
        What they are ranked by: "interval_score" or "bandwidth".
    rates : numpy.ndarray
        The miss rates that are looked at.
    chosen : int
        The place of the comparison's own miss rate.
    ratios : mapping of Pair to LogRatio
        The ratio at each miss rate, of pairs in the order of the names; none for sketches.
    tests : mapping of Pair to PairTest
        The tests of pairs at the chosen miss rate.
    quantile : float
        How many standard errors an interval at the chosen miss rate reaches; NaN where rows are too few.
    has_tests : bool
        Whether tests decide at the chosen miss rate; else the band decides there, too.
    resamples : mapping of str to int
        How many were drawn: "permutations" for each test, "bootstraps" for the bands; none for sketches.
    """

    curves: Mapping[str, Curve]
    rank_by: Criterion
    rates: np.ndarray
    chosen: int
    ratios: Mapping[Pair, LogRatio] = field(default_factory=dict)
    tests: Mapping[Pair, PairTest] = field(default_factory=dict)
    quantile: float = math.nan
    has_tests: bool = True
    resamples: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of models and constant widths."""
        return tuple(self.curves)

    @property
    def has_rows(self) -> bool:
        """Whether there are rows, so that pairs can be tested."""
        return all(curve.source is not None for curve in self.curves.values())

    def is_tested_at(self, place: int) -> bool:
        """Whether tests decide at one of the miss rates, rather than the band."""
        return place == self.chosen and self.has_tests

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
        return self._at_places[place]

    @cached_property
    def _at_places(self) -> list[Standing]:
        return [self._rank(place) for place in range(self.rates.size)]

    def _rank(self, place: int) -> Standing:
        order = self._order(self.numbers[:, place])
        close = tuple(name for name in order[1:] if not self.is_clear(order[0], name, place))
        tested = any(np.isfinite(ratio.margin[place]) for ratio in self.ratios.values())
        tested |= self.is_tested_at(place) and any(test.decision for test in self.tests.values())
        return _standing(float(self.rates[place]), order, close, tested=tested)

    def is_clear(self, a: str, b: str, place: int) -> bool:
        """Whether one of two is clearly better at one of the miss rates."""
        if self.is_tested_at(place):
            return self.test(a, b).clear
        ratio = self.ratio_curve(a, b)
        return bool(ratio and abs(ratio.value[place]) > np.maximum(ratio.margin[place], SAME_SHARE))

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
            margins = self.quantile * curve.error if self.is_tested_at(place) else curve.margin
            margin = float(margins[place])
        low, high = value * bounded_exp(-margin), value * bounded_exp(margin)
        return Estimate(value=value, low=low, high=high, reliable=not math.isnan(margin))

    def lead(self, a: str, b: str, place: int | None = None) -> Estimate:
        """Return how much better a is than b, as a share of b's number; ends as those of `ratio`."""
        ratio = self.ratio(a, b, place)
        return replace(ratio, value=1 - ratio.value, low=1 - ratio.high, high=1 - ratio.low)

    def regimes(self) -> tuple[Regime, ...]:
        """Return the ranges of miss rates with one clear winner, and those without a clear lead."""
        found = []
        leaders = [one.best if self.has_rows else next(iter(one.order), None) for one in self._at_places]
        for best, group in itertools.groupby(range(self.rates.size), leaders.__getitem__):
            places = list(group)
            saved, runner_up = math.nan, None
            if best is not None and len(self.names) > 1:
                saved, runner_up = min(self._lead_over_next(place) for place in places)
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
            if cross is not None:
                ends = {"miss_rate_low": cross.low, "miss_rate_high": cross.high}
                at = {"coverage": cross.coverage, "miss_rate": cross.miss_rate, **ends}
                found.append(PairCrossing(a=a, b=b, **at, better_above=a if cross.better_below == "a" else b))
        return tuple(found)

    def _order(self, numbers: np.ndarray) -> tuple[str, ...]:
        """Return the names of those with a number, the best first."""
        order = np.argsort(numbers, kind="stable")
        return tuple(self.names[one] for one in order if not math.isnan(numbers[one]))

    def _lead_over_next(self, place: int) -> tuple[float, str | None]:
        order = self.at_place(place).order
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


def adjust_holm(p_values: Mapping[Any, float]) -> dict[Any, float]:
    """Adjust p-values for their number (Holm 1979); NaN stays NaN and does not count."""
    counted = sorted((key for key, p in p_values.items() if not math.isnan(p)), key=p_values.__getitem__)
    multiplied = [min(1.0, p_values[key] * (len(counted) - rank)) for rank, key in enumerate(counted)]
    adjusted = zip(counted, itertools.accumulate(multiplied, max), strict=True)
    return dict.fromkeys(p_values, math.nan) | dict(adjusted)
