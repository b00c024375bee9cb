"""The scores of models and constant widths, of all rows and of segments."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.comparison._compare_options import MOST_AT_A_POINT, MOST_BOOTSTRAPS
from uccurve.comparison._constant_bands import constant_bands
from uccurve.comparison._records import ModelScore, SegmentScore
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.formulas import costs
from uccurve.formulas.tolerances import SAME_LEVEL
from uccurve.inference import block_codes, conditional_coverage, confidence_interval

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

    step: Callable[[], None] = lambda: None
    """Called after each score."""

    def scores(self, curves: Mapping[str, Curve]) -> tuple[ModelScore, ...]:
        """Score curves by their names; the best at the chosen coverage first, those out of reach last."""
        found = [self._score(name, curve) for name, curve in curves.items()]
        number = "score_at" if self.options.rank_by == "interval_score" else "bandwidth_at"
        numbers = {id(score): getattr(score, number) for score in found}
        return tuple(sorted(found, key=lambda s: (math.isnan(numbers[id(s)]), numbers[id(s)])))

    def segments(self, models: Mapping[str, UCC], by: ArrayLike) -> tuple[SegmentScore, ...]:
        """Score the rows of each segment on their own, with their own constant bands."""
        first = next(iter(models.values())).intervals
        parts = {name: curve.intervals.by(by) for name, curve in models.items()}
        codes = block_codes(first, self.options.blocks)
        covered = {name: self._coverage_at(curve, by) for name, curve in models.items()}
        found: list[SegmentScore] = []
        for label, rows in first.rows_by_label(by, "by").items():
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
        self.step()
        options, point = self.options, curve.original
        x, y = options.x, options.y
        chosen, claiming = point_or_none(curve, options.miss_rate), self._claiming(curve)
        score_at = or_nan(curve.score_at, **self._point)
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
            score_at=score_at,
            interval_score=score_at if claiming is None else self._scored(claiming, curve),
            interval_score_moved=claiming is None,
            bandwidth_at=math.nan if chosen is None else chosen.bandwidth,
            **self._quarters(curve),
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

    def _claiming(self, curve: Curve) -> OperatingPoint | None:
        """Return the operating point as supplied that claims the chosen coverage; None where nothing does."""
        claim = arguments.complement(self.options.miss_rate)
        if curve.source is not None and curve.source.rows.columns.nested is not None:
            levels = curve.source.ucc(vary="level")
            if any(abs(level - claim) < SAME_LEVEL for level in levels.levels):
                return levels.at(nominal=claim)
        if curve.nominal is not None and abs(curve.nominal - claim) < SAME_LEVEL:
            return curve.original
        return None

    def _scored(self, point: OperatingPoint, curve: Curve) -> float:
        return float(costs.interval_score(point.bandwidth, point.deficit, self.options.miss_rate, curve.side))

    def _quarters(self, curve: Curve) -> dict[str, Any]:
        """Return what the quarters with the narrowest and the widest intervals cover when moved."""
        found: dict[str, Any] = {
            "narrow_coverage": math.nan,
            "narrow_coverage_significant": False,
            "wide_coverage": math.nan,
            "wide_coverage_significant": False,
        }
        if curve.source is None or curve.reference is curve:
            return found
        options = self.options
        try:
            quarters = conditional_coverage(
                curve,
                by="width",
                bins=4,
                coverage=arguments.complement(options.miss_rate),
                blocks=options.blocks,
                confidence_level=options.confidence_level,
            ).segments
        except (UnreachableError, ArgumentError):  # out of reach, or a single block
            return found
        if len(quarters) < 4:  # noqa: PLR2004 - widths are equal in many rows
            return found
        for name, quarter in (("narrow_coverage", quarters[0]), ("wide_coverage", quarters[-1])):
            found |= {name: quarter.coverage, f"{name}_significant": quarter.significant}
        return found

    def _interval(self, curve: Curve, statistic: str, *, n_resamples: int, **options: Any) -> _Interval:
        """Return the confidence interval of a gain; NaN where it is out of reach, or rows are gone."""
        if curve.reference is curve:
            return _Interval(0.0, 0.0, reliable=True)
        if curve.source is None:
            return _NO_INTERVAL
        if statistic == "gain":
            options |= {"x": self.options.x}
        resampled = self.options.resampling(self.rng, n_resamples)
        try:
            interval = confidence_interval(
                curve.source, statistic, vary=self.options.vary, **resampled, **options
            )
        except (UnreachableError, ArgumentError):  # out of reach, or a single block
            return _NO_INTERVAL
        return _Interval(interval.low, interval.high, interval.reliable)

    @property
    def _point(self) -> dict[str, float]:
        return {"miss_rate": self.options.miss_rate}
