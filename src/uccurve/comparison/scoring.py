"""The scores of models and segments, and tests of pairs of models."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from uccurve._base.progress import StepBar
from uccurve.comparison.records import Estimate, ModelScore, PairTest, SegmentScore
from uccurve.comparison.regimes import Standings, divide, numbers_at
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.formulas import costs
from uccurve.formulas.tolerances import SAME_LEVEL, SAME_SHARE, SAME_SUM
from uccurve.inference import (
    Contrast,
    PairedRatios,
    Resampling,
    Sample,
    Statistic,
    block_codes,
    conditional_coverage,
    permutation_tests,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.random import Generator

    from uccurve.comparison.records import CompareOptions, Needs
    from uccurve.comparison.regimes import Pair
    from uccurve.curve import Curve
    from uccurve.inference import PermutationTest, SegmentCoverage

CONSTANT = "constant width"
_COSTS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
# Rows that must be missed, and captured, for an interval at one coverage; fewer cover too seldom.
FEWEST_FOR_INTERVAL = 5
_QUARTERS = 4
_MOST_BOOTSTRAPS = {"area": 999, "gain": 999, "gain_at": 499, "ratio": 499}
_FEWEST_EXCHANGES = 1999
# Areas that need no sorting take about a tenth of the time of others.
_FEWEST_OF_AREAS = 9999
_MOST_EXCHANGES = 99_999
# How far below the level of significance the smallest adjusted p-value should lie.
_MARGIN = 10
# Models beyond which not all pairs are tested, but those with a leader. Which models lead is known only
# afterwards. So p-values are adjusted for all pairs, by the largest difference of any two models: Holm's
# adjustment for so many tests would need very many exchanges.
_MANY = 12


def ask_curve(question: Callable[..., Any], *, otherwise: Any = math.nan, **asked: Any) -> Any:
    """Ask a curve, such as ``curve.gain``; return ``otherwise`` where its floor puts that out of reach."""
    try:
        return question(**asked)
    except UnreachableError:
        return otherwise


class Scorer:
    """Scores models on the same rows beside their constant widths, and tests pairs of them.

    Attributes
    ----------
    constants : dict of str to Curve
        The constant bands by their names, one for each way of predicting.
    own : dict of str to str
        The name of each model's own constant band.
    curves : dict of str to Curve
        Models and constant bands.
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
        rows = {name: curve.source for name, curve in self.curves.items() if curve.source is not None}
        if len(rows) < len(self.curves):
            return None
        return Sample.of(rows, self.options.blocks, self.options.vary)

    def _resampling(self, what: str) -> Resampling:
        most = _MOST_BOOTSTRAPS[what]
        n_resamples = min(self.options.n_resamples or most, most)
        return Resampling(self.options.confidence_level, n_resamples, self.rng)

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
        parts = {name: intervals.by(by) for name, intervals in rows.items()}
        codes = block_codes(first, options.blocks)
        covered = {
            name: {one.segment: Estimate.of_part(one) for one in self._coverages(curve, by=by)}
            for name, curve in self.models.items()
        }
        found: list[SegmentScore] = []
        for label, places in first.rows_by_label(by, "by").items():
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
        score_at, claimed = ask_curve(curve.score_at, **at), self._claimed_score(curve)
        chosen = ask_curve(curve.at, otherwise=None, **at)
        asymmetric = not curve.symmetric
        return ModelScore(
            model=name,
            n=curve.n,
            **{cost: getattr(curve.original, cost) for cost in _COSTS},
            score_at=score_at,
            interval_score=score_at if claimed is None else claimed,
            interval_score_moved=claimed is None,
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
        try:
            if self.sample is None:
                return Estimate(value=value)
            contrast = Contrast.of(self.sample, Statistic(what=what, vary=self.options.vary, **asked), name)
            found = contrast.interval(self._resampling(what))
        except (UnreachableError, ArgumentError):  # out of reach, or a single block
            return Estimate(value=value)
        return Estimate(value=value, low=found.low, high=found.high, reliable=found.reliable)

    def _claimed_score(self, curve: Curve) -> float | None:
        """Return the interval score of bounds as supplied that claim the coverage; None if nothing does."""
        claim, point = self.options.coverage, None
        if curve.source is not None and curve.source.rows.columns.nested is not None:
            levels = curve.source.ucc(vary="level")
            if any(abs(level - claim) < SAME_LEVEL for level in levels.levels):
                point = levels.at(nominal=claim)
        if point is None and curve.nominal is not None and abs(curve.nominal - claim) < SAME_LEVEL:
            point = curve.original
        if point is None:
            return None
        score = costs.interval_score(point.bandwidth, point.deficit, self.options.miss_rate, curve.side)
        return float(score)

    def _quarters(self, curve: Curve) -> tuple[Estimate, Estimate]:
        """Return what the quarters with the narrowest and the widest intervals cover when moved."""
        has_widths = curve.source is not None and curve.reference is not curve
        found = self._coverages(curve, by="width", bins=_QUARTERS) if has_widths else ()
        if len(found) < _QUARTERS:  # widths are equal in many rows
            return Estimate(), Estimate()
        return Estimate.of_part(found[0]), Estimate.of_part(found[-1])

    def _coverages(self, curve: Curve, **parts: Any) -> tuple[SegmentCoverage, ...]:
        """Return what parts of the rows cover at the operating point of all rows, if there is one."""
        options = self.options
        judging: dict[str, Any] = {"blocks": options.blocks, "confidence_level": options.confidence_level}
        try:
            return conditional_coverage(curve, coverage=options.coverage, **judging, **parts).segments
        except (UnreachableError, ArgumentError):  # out of reach, or a single block
            return ()

    # -- pairs ----------------------------------------------------------------------------------

    def standings(self) -> Standings:
        """Rank models and constant widths at all coverages, and compare pairs, at the chosen one by tests.

        Not ranked twice are constant widths that a model has. Sketches have no rows to compare.
        """
        flat = [curve for curve in self.models.values() if curve.reference is curve]
        bands = self.constants.items()
        others = {name: band for name, band in bands if not any(one.has_same_constant(band) for one in flat)}
        options, sample = self.options, self.sample
        standings = Standings.of({**self.models, **others}, options)
        if sample is None:
            every = itertools.combinations(standings.names, 2)
            tests = {(a, b): PairTest(a=a, b=b, ratio=standings.ratio(a, b)) for a, b in every}
            return replace(standings, tests=tests)
        pairs = self._pairs(standings)
        ratios = PairedRatios.of(sample, standings.rates, options.rank_by, self._resampling("ratio"))
        found = {pair: ratios.ratio(*pair) for pair in pairs}
        fewest = sample.effective_rows * min(options.miss_rate, 1 - options.miss_rate)
        quantile = math.nan if fewest < FEWEST_FOR_INTERVAL else ratios.quantile
        standings = replace(standings, ratios=found, quantile=quantile)
        tests = self._tests(standings, pairs, sample, ratios)
        if options.test_areas and tests:
            tests = self._area_tests(tests, sample)
        return replace(standings, tests=tests)

    def _pairs(self, standings: Standings) -> list[Pair]:
        """Return the pairs that are compared: all, unless models are many.

        Then those with a leader, at whatever coverage, and those of a model and its own constant band.
        """
        every = list(itertools.combinations(standings.names, 2))
        if len(standings.names) <= _MANY:
            return every
        orders = (standings.at_place(place).order for place in range(standings.rates.size))
        leaders = {order[0] for order in orders if order}
        return [(a, b) for a, b in every if leaders & {a, b} or self.own.get(a) == b]

    def _tests(
        self, standings: Standings, pairs: Sequence[Pair], sample: Sample, ratios: PairedRatios
    ) -> dict[Pair, PairTest]:
        """Test pairs at the chosen coverage, with p-values adjusted for their number."""
        options, many = self.options, len(standings.names) > _MANY
        what = "score_at" if options.by_score else "bandwidth_at"
        asked = Statistic(what=what, vary=options.vary, miss_rate=options.miss_rate)
        found, adjusted = self._permute(sample, pairs, asked, 1 if many else len(pairs))
        if many:
            largest = ratios.pvalues_of_the_largest(standings.chosen)
            adjusted = {pair: max(test.pvalue, largest[pair]) for pair, test in found.items()}
        family = 1 if many else len(found)
        chosen = standings.rates[[standings.chosen]]
        widths = dict(zip(self.curves, numbers_at(self.curves, chosen, "bandwidth")[:, 0], strict=True))
        records = {}
        for a, b in pairs:
            width_ratio = divide(widths[a], widths[b])
            records[a, b] = PairTest(a=a, b=b, ratio=standings.ratio(a, b), width_ratio=width_ratio)
            if (a, b) in found:
                records[a, b] = self._decide(records[a, b], found[a, b], adjusted[a, b], family)
        return records

    def _permute(
        self, sample: Sample, pairs: Sequence[Pair], asked: Statistic, n_tests: int
    ) -> tuple[dict[Pair, PermutationTest], dict[Pair, float]]:
        """Test pairs by a statistic; return the tests, and the p-values adjusted for their number.

        By default so many resamples are drawn that the smallest adjusted p-value can be a tenth of the level.
        That depends on nothing that was observed, so that the p-values stay valid.
        """
        wanted = math.ceil(_MARGIN * max(1, n_tests) / self.options.level - SAME_SUM) - 1
        fewest = _FEWEST_OF_AREAS if asked.is_closed else _FEWEST_EXCHANGES
        n_resamples = self.options.n_resamples or max(fewest, min(wanted, _MOST_EXCHANGES))
        bar = StepBar("testing differences", n_resamples, show=self.progress)
        found = permutation_tests(sample, pairs, asked, n_resamples, self.rng, step=bar.step)
        bar.finish()
        return found, adjust_holm({pair: test.pvalue for pair, test in found.items()})

    def _decide(self, record: PairTest, test: PermutationTest, adjusted: float, family: int) -> PairTest:
        """Say whether a pair is told apart: by its interval, and by the adjusted p-value of its test."""
        ratio, level = record.ratio, self.options.level
        few = math.isnan(ratio.low)
        differs = not ratio.low <= 1 <= ratio.high and abs(ratio.value - 1) >= SAME_SHARE
        unit: Needs = "rows" if self.options.blocks is None else "blocks"
        needs: Needs | None = None
        smallest = max(level, (1 + SAME_SUM) * test.smallest_pvalue)
        if differs and family * test.smallest_pvalue > level and test.pvalue <= smallest:
            needs = unit if family * 2.0 ** (1 - test.n_units) > level else "resamples"
        significant = differs and needs is None and adjusted <= level
        return replace(
            record,
            pvalue=test.pvalue,
            pvalue_holm=adjusted,
            clear=significant and not few,
            needs=unit if significant and few else needs,
            n_units=test.n_units,
            smallest_pvalue_holm=min(1.0, family * test.smallest_pvalue),
        )

    def _area_tests(self, tests: Mapping[Pair, PairTest], sample: Sample) -> dict[Pair, PairTest]:
        """Add differences of areas, with intervals and p-values: a family of tests of their own."""
        asked = Statistic(what="area", x=self.options.x, y=self.options.y, vary=self.options.vary)
        found, adjusted = self._permute(sample, list(tests), asked, len(tests))
        records = dict(tests)
        for pair, test in found.items():
            ends = Contrast.of(sample, asked, *pair).interval(self._resampling("area"))
            area = Estimate(value=test.statistic, low=ends.low, high=ends.high, reliable=ends.reliable)
            records[pair] = replace(
                tests[pair], area=area, area_pvalue=test.pvalue, area_pvalue_holm=adjusted[pair]
            )
        return records


def adjust_holm(p_values: Mapping[Any, float]) -> dict[Any, float]:
    """Adjust p-values for their number (Holm 1979); NaN stays NaN and does not count."""
    counted = sorted((key for key, p in p_values.items() if not math.isnan(p)), key=p_values.__getitem__)
    adjusted = dict.fromkeys(p_values, math.nan)
    largest = 0.0
    for rank, key in enumerate(counted):
        largest = max(largest, min(1.0, p_values[key] * (len(counted) - rank)))
        adjusted[key] = largest
    return adjusted
