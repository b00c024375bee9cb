"""The numbers of a comparison: scores, tests, crossings and segments."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve._kernels import costs
from uccurve.comparison._compare_options import MOST_AT_A_POINT, MOST_BOOTSTRAPS
from uccurve.comparison._constant_bands import constant_bands, pairs
from uccurve.comparison._pair_tests import PairTester
from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, SegmentScore
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.inference import conditional_coverage, confidence_interval
from uccurve.inference._blocks import block_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    import numpy as np

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.curve import Curve, OperatingPoint


class _Interval(NamedTuple):
    low: float
    high: float
    reliable: bool


_NO_INTERVAL = _Interval(math.nan, math.nan, reliable=False)


def or_nan(ask: Callable[..., float], *args: Any, **kwargs: Any) -> float:
    """Return a number, or NaN where a floor of the curve puts it out of reach."""
    try:
        return ask(*args, **kwargs)
    except UnreachableError:
        return math.nan


def point_or_none(curve: Curve, miss_rate: float) -> OperatingPoint | None:
    """Return the operating point at a miss rate, or None where a floor of the curve puts it out of reach."""
    try:
        return curve.at(miss_rate=miss_rate)
    except UnreachableError:
        return None


def parameter_or_nan(curve: Curve, miss_rate: float) -> float:
    """Return what moves a curve to a miss rate, or NaN where it is out of reach."""
    point = point_or_none(curve, miss_rate)
    return math.nan if point is None else point.parameter


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores curves with the options of a comparison."""

    options: CompareOptions
    rng: np.random.Generator

    def scores(self, curves: Mapping[str, Curve]) -> tuple[ModelScore, ...]:
        """Score curves by their names."""
        return tuple(self._score(name, curve) for name, curve in curves.items())

    def tests(
        self, curves: Mapping[str, Curve], own: Mapping[str, str], *, progress: bool
    ) -> tuple[PairTest, ...]:
        """Test models against each other and against their constant bands; none where rows are gone."""
        rows = {pair: (curves[pair[0]]._rows, curves[pair[1]]._rows) for pair in pairs(own)}
        exchangeable = {
            pair: (a, b)
            for pair, (a, b) in rows.items()
            if a is not None and b is not None and a is not b  # a constant band is not tested against itself
        }
        return PairTester(self.options, self.rng).tests(exchangeable, progress=progress)

    def crossings(self, curves: Mapping[str, Curve], own: Mapping[str, str]) -> tuple[PairCrossing, ...]:
        """Find where the curves of each pair swap order."""
        return tuple(
            PairCrossing(a=a, b=b, y=at.y, x=at.x, better_below=a if at.better_below == "self" else b)
            for a, b in pairs(own)
            for at in curves[a].crossings(curves[b], x=self.options.x, y=self.options.y)
        )

    def segments(self, models: Mapping[str, UCC], by: ArrayLike) -> tuple[SegmentScore, ...]:
        """Score the rows of each segment on their own, with their own constant bands."""
        first = next(iter(models.values())).intervals
        parts = {name: curve.intervals.by(by) for name, curve in models.items()}
        codes = block_codes(first, self.options.blocks)
        covered = {name: self._coverage_at(curve, by) for name, curve in models.items()}
        found: list[SegmentScore] = []
        for label, rows in first._rows_by_label(by, "by").items():
            segment: dict[str, Curve] = {
                name: UCC(groups[label], vary=self.options.vary) for name, groups in parts.items()
            }
            blocks = None if self.options.blocks is None else codes[rows]
            scorer = replace(self, options=replace(self.options, blocks=blocks))
            scores = scorer.scores(segment | constant_bands(segment))
            found += [
                SegmentScore(segment=label, score=score, **covered.get(score.model, {}).get(label, {}))
                for score in scores
            ]
        return tuple(found)

    def _coverage_at(self, curve: UCC, by: ArrayLike) -> dict[Hashable, dict[str, Any]]:
        """Return what each segment covers at the operating point of all rows; nothing where there is none."""
        options = self.options
        try:
            found = conditional_coverage(
                curve,
                by=by,
                coverage=arguments.complement(options.miss_rate),
                blocks=options.blocks,
                confidence_level=options.confidence_level,
            )
        except UnreachableError:
            return {}
        return {
            part.segment: {
                "coverage_at": part.coverage,
                "coverage_at_low": part.low,
                "coverage_at_high": part.high,
                "coverage_at_significant": part.significant,
            }
            for part in found.segments
        }

    def _score(self, name: str, curve: Curve) -> ModelScore:
        options, point = self.options, curve.original
        x, y = options.x, options.y
        chosen = point_or_none(curve, options.miss_rate)
        gain = self._interval(curve, "gain", y=y, n_resamples=MOST_BOOTSTRAPS)
        deficit_gain = self._interval(curve, "gain", y="deficit", n_resamples=MOST_BOOTSTRAPS)
        gain_at = self._interval(curve, "gain_at", **self._point, n_resamples=MOST_AT_A_POINT)
        part: dict[str, Any] = {"miss_rate": options.partial_range}
        return ModelScore(
            model=name,
            n=curve.n,
            miss_rate=point.miss_rate,
            coverage=point.coverage,
            bandwidth=point.bandwidth,
            excess=point.excess,
            deficit=point.deficit,
            interval_score=costs.interval_score(
                point.bandwidth, point.deficit, options.miss_rate, curve.side
            ),
            bandwidth_at=math.nan if chosen is None else chosen.bandwidth,
            gain_at=or_nan(curve.gain_at, **self._point),
            gain_at_low=gain_at.low,
            gain_at_high=gain_at.high,
            gain_at_reliable=gain_at.reliable,
            area=or_nan(curve.area, x=x, y=y),
            gain=or_nan(curve.gain, x=x, y=y),
            gain_low=gain.low,
            gain_high=gain.high,
            gain_reliable=gain.reliable,
            ceiling=curve.ceiling(x=x, y=y, asymmetric=not curve.symmetric),
            deficit_gain=or_nan(curve.gain, x=x, y="deficit"),
            deficit_gain_low=deficit_gain.low,
            deficit_gain_high=deficit_gain.high,
            deficit_gain_reliable=deficit_gain.reliable,
            deficit_ceiling=curve.ceiling(x=x, y="deficit", asymmetric=not curve.symmetric),
            strip_gain=or_nan(curve.gain, x=x, y=y, partial="strip", **part),
            mean_gain=or_nan(curve.gain, x=x, y=y, partial="mean", **part),
        )

    def _interval(self, curve: Curve, statistic: str, *, n_resamples: int, **options: Any) -> _Interval:
        """Return the confidence interval of a gain; NaN where it is out of reach, or rows are gone."""
        if curve.reference is curve:
            return _Interval(0.0, 0.0, reliable=True)
        if curve._rows is None:
            return _NO_INTERVAL
        if statistic == "gain":
            options |= {"x": self.options.x}
        resampled = self.options.resampling(self.rng, n_resamples)
        try:
            interval = confidence_interval(
                curve._rows, statistic, vary=self.options.vary, **resampled, **options
            )
        except (UnreachableError, ArgumentError):  # out of reach, or a single block
            return _NO_INTERVAL
        return _Interval(interval.low, interval.high, interval.reliable)

    @property
    def _point(self) -> dict[str, float]:
        return {"miss_rate": self.options.miss_rate}
