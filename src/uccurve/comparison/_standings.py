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
from uccurve._kernels import costs
from uccurve._kernels.points import SLACK, first_at_most
from uccurve.comparison._holm import holm
from uccurve.comparison._records import PairCrossing, PairTest, Regime, Standing
from uccurve.comparison._resolution import enough_resamples, lacking, units_word
from uccurve.curve._curve_data import floor
from uccurve.inference._at_rates import Ratios, bounded_exp, known_rates
from uccurve.inference._exchange_tables import exchange_tests
from uccurve.inference._plain_rows import plain_rows
from uccurve.inference._presorted import Presorted
from uccurve.inference._ratio_curve import crossover

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.curve import Curve
    from uccurve.inference._at_rates import LogRatio
    from uccurve.inference._exchanges import PermutationTest

Pair = tuple[str, str]

RATES = np.concatenate([np.arange(1, 100) / 1000, np.arange(20, 200) / 200])
"""Miss rates that are looked at: in steps of 0.1% up to 10%, of 0.5% above."""
SAME = 0.0005
"""Relative difference below which two numbers are the same: no p-value makes a finding of it."""
_FEWEST_EXCHANGES = 1999
_MOST_RESAMPLES = 499
_FEWEST_UNITS = 20
"""Rows or blocks below which a band over all coverages says nothing."""
_MANY = 12
"""Models beyond which only the leader is tested against the others.

The leader is wrongly called the best only if its test against the best one errs. There are as many such tests
as other models, and Holm's family is these.
"""
_MANY_EXCHANGES = 2.0
"""How many of them, times tests over the level of significance."""
_VERY_MANY = 24
_COARSE_RATES = np.concatenate([np.arange(1, 20) / 200, np.arange(4, 40) / 40])
"""The same where there are very many models: in steps of 0.5% up to 10%, of 2.5% above."""
_ROUNDING = 1e-9


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
        numbers = np.stack([_numbers(curve, rates, options) for curve in curves.values()])
        chosen = int(np.searchsorted(rates, options.miss_rate))
        made = cls(names, rates, numbers, {}, {}, chosen)
        pairs, tested = made._pairs(own)
        rows = {name: curve._rows for name, curve in curves.items() if curve._rows is not None}
        if len(rows) < len(curves):
            tests = {pair: PairTest(a=pair[0], b=pair[1], ratio=made._ratio(*pair)) for pair in pairs}
            return replace(made, tests=tests)
        ratios = made._paired_ratios(rows, pairs, options, rng, progress=progress)
        made = replace(made, ratios=ratios, has_rows=True)
        widths = {name: _bandwidth_at(curve, options.miss_rate) for name, curve in curves.items()}
        return replace(made, tests=made._compared(rows, widths, tested, options, rng, progress=progress))

    def at(self, rate: float) -> Standing:
        """Say who is best at a miss rate; between two that were looked at, what holds at both."""
        place = int(np.searchsorted(self.rates, rate - _ROUNDING))
        if place < self.rates.size and abs(self.rates[place] - rate) <= _ROUNDING:
            return self.at_place(place)
        around = [self.at_place(some) for some in (place - 1, place) if 0 <= some < self.rates.size]
        here = replace(around[-1], coverage=arguments.complement(rate))
        agreed = {standing.best for standing in around}
        if len(around) > 1 and len(agreed) == 1:
            return here
        return replace(here, best=None, close=here.order[1:])

    def at_place(self, place: int) -> Standing:
        """Say who is best at one of the miss rates."""
        column = self.numbers[:, place]
        order = [int(one) for one in np.argsort(column, kind="stable") if not math.isnan(column[one])]
        names = tuple(self.names[one] for one in order)
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
            cross = crossover(self.rates, ratio.value, np.maximum(ratio.margin, SAME))
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
        """Return the pairs that are looked at, and those that are tested: all, or those with the leader."""
        every = list(itertools.combinations(self.names, 2))
        if len(self.names) <= _MANY:
            return every, every
        leader = (self.at_place(self.chosen).order or self.names)[0]
        constant = own.get(leader, leader)
        tested = [pair for pair in every if leader in pair]
        drawn = [pair for pair in every if constant in pair or own.get(pair[0]) == pair[1]]
        return list(dict.fromkeys([*tested, *drawn])), tested

    def _paired_ratios(
        self,
        rows: Mapping[str, Any],
        pairs: Sequence[Pair],
        options: CompareOptions,
        rng: np.random.Generator,
        *,
        progress: bool,
    ) -> dict[Pair, LogRatio]:
        """Return the ratio curves of pairs, from the same resamples."""
        given = {f"models[{name!r}]": model for name, model in rows.items()}
        plain = plain_rows(given, options.blocks, nested=options.family.nested)
        models = [Presorted(model, options.family, plain.outputs) for model in plain.models]
        n_resamples = min(options.n_resamples or _MOST_RESAMPLES, _MOST_RESAMPLES)
        ratios = Ratios.of(
            models, plain, self.rates, options.rank_by, options.confidence_level, n_resamples, rng
        )
        known = known_rates(self.rates, plain.effective_rows)
        if plain.blocks.n_blocks < _FEWEST_UNITS:
            known[:] = False
        found = {}
        bar = StepBar("comparing pairs", len(pairs), show=progress)
        for a, b in pairs:
            found[a, b] = ratios.ratio(self.names.index(a), self.names.index(b), known)
            bar.step()
        return found

    def _compared(
        self,
        rows: Mapping[str, Any],
        widths: Mapping[str, float],
        tested: Sequence[Pair],
        options: CompareOptions,
        rng: np.random.Generator,
        *,
        progress: bool,
    ) -> dict[Pair, PairTest]:
        """Compare all pairs at the chosen coverage, and test some; p-values are adjusted for their number."""
        enough = enough_resamples(len(tested), options.level, _FEWEST_EXCHANGES)
        if len(self.names) > _MANY:
            enough = max(_FEWEST_EXCHANGES, math.ceil(_MANY_EXCHANGES * len(tested) / options.level))
        n_resamples = options.n_resamples or enough
        bar = StepBar("testing differences", n_resamples, show=progress)
        found = exchange_tests(
            rows,
            tested,
            criterion=options.rank_by,
            miss_rate=options.miss_rate,
            vary=options.vary,
            blocks=options.blocks,
            n_resamples=n_resamples,
            rng=rng,
            exchanged=bar.step,
        )
        bar.finish()
        adjusted = dict(zip(found, holm([test.pvalue for test in found.values()]), strict=True))
        normal = Ratios.normal_quantile(options.confidence_level)
        made = {}
        for (a, b), ratio in self.ratios.items():
            with np.errstate(divide="ignore", invalid="ignore"):
                width_ratio = float(np.divide(widths[a], widths[b]))
            margin = normal * float(ratio.error[self.chosen])
            value = self._ratio(a, b)
            record = PairTest(
                a=a,
                b=b,
                ratio=value,
                ratio_low=value * bounded_exp(-margin),
                ratio_high=value * bounded_exp(margin),
                ratio_reliable=bool(np.isfinite(ratio.margin[self.chosen])),
                width_ratio=width_ratio,
            )
            test = found.get((a, b))
            if test is not None:
                record = _decided(record, test, adjusted[a, b], len(found), options)
            made[a, b] = record
        return made


def _decided(
    record: PairTest, test: PermutationTest, adjusted: float, family: int, options: CompareOptions
) -> PairTest:
    """Say whether a pair is told apart: by its interval, and by the adjusted p-value of its test."""
    differs = not record.ratio_low <= 1 <= record.ratio_high and abs(record.ratio - 1) >= SAME
    needs = lacking(test, family, options.level, units_word(options.blocks)) if differs else None
    return replace(
        record,
        pvalue=test.pvalue,
        pvalue_holm=adjusted,
        clear=differs and needs is None and adjusted <= options.level,
        needs=needs,
        n_units=test.n_units,
        smallest_pvalue_holm=min(1.0, family * test.smallest_pvalue),
    )


def _rates(chosen: float, models: int) -> np.ndarray:
    """Return the miss rates that are looked at, the chosen one among them."""
    rates = _COARSE_RATES if models > _VERY_MANY else RATES
    rates = rates[np.abs(rates - chosen) > _ROUNDING]
    return np.sort(np.append(rates, chosen))


def _numbers(curve: Curve, rates: np.ndarray, options: CompareOptions) -> np.ndarray:
    """Return interval scores or half-widths at miss rates; NaN below the floor of the curve."""
    data = curve._data
    place = first_at_most(np, to_numpy(data.miss_rate), rates + SLACK)
    bandwidth = np.append(to_numpy(data.bandwidth), np.nan)[place]
    if options.rank_by == "bandwidth":
        return bandwidth
    deficit = np.append(to_numpy(data.deficit), np.nan)[place]
    return np.asarray(costs.interval_score(bandwidth, deficit, rates, curve.side))


def _bandwidth_at(curve: Curve, rate: float) -> float:
    return curve.at(miss_rate=rate).bandwidth if floor(curve._data) <= rate else math.nan
