"""Tests of every pair: of areas, and of bandwidths at the coverage of the comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from uccurve._base.progress import StepBar
from uccurve.comparison._compare_options import MOST_AT_A_POINT, MOST_BOOTSTRAPS
from uccurve.comparison._holm import holm
from uccurve.comparison._records import PairTest
from uccurve.comparison._resolution import enough_resamples, lacking, units_word
from uccurve.inference import confidence_interval
from uccurve.inference._area_spec import AreaSpec
from uccurve.inference._permutation import shared_permutation_tests
from uccurve.inference._shared_intervals import shared_percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._resolution import Needs

Pair = tuple[str, str]

_FEWEST_EXCHANGES = 9999
_FEWEST_SORTED = 1999
"""Exchanges of a number that needs its rows in order take about ten times as long."""

_SEEDS = 1 << 62
"""Below it are the seeds of exchanges and of resamples, which all pairs share."""


class Number(NamedTuple):
    """What is tested."""

    statistic: Literal["area", "bandwidth_at"]
    options: dict[str, Any]
    fewest_exchanges: int
    most_bootstraps: int
    has_formula: bool
    """Whether its standard error has a formula."""


class Verdict(NamedTuple):
    """One test of a pair."""

    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    pvalue: float = math.nan
    adjusted: float = math.nan
    needs: Needs | None = None
    n_units: int = 0
    smallest: float = math.nan
    """What no adjusted p-value can fall below."""


@dataclass(frozen=True, eq=False)
class PairTester:
    """Tests pairs of rows with the options of a comparison."""

    options: CompareOptions
    rng: np.random.Generator

    def tests(self, rows: Mapping[Pair, tuple[Any, Any]], *, progress: bool) -> tuple[PairTest, ...]:
        """Test every pair twice: the areas, and the bandwidths at one coverage."""
        options = self.options
        area: dict[str, Any] = {"x": options.x, "y": options.y, "vary": options.vary}
        closed = AreaSpec(what="area", **area).closed
        point: dict[str, Any] = {"miss_rate": options.miss_rate, "vary": options.vary}
        fewest = _FEWEST_EXCHANGES if closed else _FEWEST_SORTED
        areas = Number("area", area, fewest, MOST_BOOTSTRAPS, closed)
        bandwidths = Number("bandwidth_at", point, _FEWEST_SORTED, MOST_AT_A_POINT, has_formula=False)
        numbers = (areas, bandwidths)
        bar = StepBar("testing differences", 2 * len(numbers) * len(rows), show=progress)
        first, second = (self._verdicts(rows, number, bar) for number in numbers)
        return tuple(_record(pair, first[pair], second[pair]) for pair in rows)

    def _verdicts(
        self, rows: Mapping[Pair, tuple[Any, Any]], number: Number, bar: StepBar
    ) -> dict[Pair, Verdict]:
        """Test one number of every pair, and adjust the p-values for how many there are."""
        level = 1 - self.options.confidence_level
        enough = self.options.n_resamples or enough_resamples(len(rows), level, number.fewest_exchanges)
        seed, other_seed = (int(number) for number in self.rng.integers(_SEEDS, size=2))
        found = shared_permutation_tests(
            rows,
            statistic=number.statistic,
            n_resamples=enough,
            blocks=self.options.blocks,
            seed=seed,
            tested=bar.step,
            **number.options,
        )
        adjusted = dict(zip(found, holm([test.pvalue for test in found.values()]), strict=True))
        ends = self._intervals({pair: rows[pair] for pair in found}, number, other_seed)
        verdicts = dict.fromkeys(rows, Verdict())
        for pair in rows:
            if pair in found:
                test, (low, high) = found[pair], ends[pair]
                needs = lacking(test, len(found), level, units_word(self.options.blocks))
                smallest = min(1.0, len(found) * test.smallest_pvalue)
                verdicts[pair] = Verdict(
                    test.statistic, low, high, test.pvalue, adjusted[pair], needs, test.n_units, smallest
                )
            bar.step()
        return verdicts

    def _intervals(
        self, rows: Mapping[Pair, tuple[Any, Any]], number: Number, seed: int
    ) -> dict[Pair, tuple[float, float]]:
        """Return the intervals of the differences: from formulas, or from resamples that all pairs share."""
        how = self.options.resampling(self.rng, number.most_bootstraps)
        if number.has_formula:
            found = {
                pair: confidence_interval(a, number.statistic, minus=b, **how, **number.options)
                for pair, (a, b) in rows.items()
            }
            return {pair: (interval.low, interval.high) for pair, interval in found.items()}
        how.pop("rng")
        return shared_percentile_intervals(rows, number.statistic, number.options, seed=seed, **how)


def _record(pair: Pair, area: Verdict, point: Verdict) -> PairTest:
    return PairTest(
        a=pair[0],
        b=pair[1],
        difference=area.difference,
        low=area.low,
        high=area.high,
        pvalue=area.pvalue,
        pvalue_holm=area.adjusted,
        needs=area.needs,
        difference_at=point.difference,
        difference_at_low=point.low,
        difference_at_high=point.high,
        pvalue_at=point.pvalue,
        pvalue_at_holm=point.adjusted,
        needs_at=point.needs,
        n_units=max(area.n_units, point.n_units),
        smallest_pvalue_holm=area.smallest,
        smallest_pvalue_at_holm=point.smallest,
    )
