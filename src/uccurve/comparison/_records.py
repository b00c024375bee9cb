"""What a comparison found, as records.

A field of `ModelScore` is a column of the scores: `_scoring` fills it, `_readable_tables` says how it is
printed, and ``report_page/_contents`` lists the columns of the page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve.comparison._resolution import Needs


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelScore:
    """The numbers of one model, or of constant width. NaN where rows are never captured.

    Attributes
    ----------
    model : str
        Its name.
    n : int
        Number of rows.
    miss_rate : float
        Share of the weight outside the intervals as given.
    coverage : float
        Share of the weight inside them.
    bandwidth : float
        Mean half width as given, or mean distance from the prediction to a one-sided limit, in units of y.
    excess : float
        Mean distance from hits to the nearer bound, in units of y.
    deficit : float
        Mean distance from misses to the nearer bound, in units of y.
    score_at : float
        Interval score of the intervals moved to the coverage of the comparison, in units of y; the lower, the
        better.
    interval_score : float
        Interval score of the bounds that claim this coverage, as supplied; where the model claims no such
        coverage it is ``score_at``.
    interval_score_moved : bool
        Whether it is of moved intervals, as nothing claims this coverage.
    bandwidth_at : float
        Mean half-width that is needed at the coverage of the comparison, in units of y.
    narrow_coverage, wide_coverage : float
        What the quarter of the rows with the narrowest intervals, and the quarter with the widest, cover at
        the coverage of the comparison; NaN where there are no such quarters.
    narrow_coverage_significant, wide_coverage_significant : bool
        Whether that differs significantly from the coverage of all rows, as in `conditional_coverage`.
    gain_at : float
        Share of the constant band's bandwidth that is saved there.
    gain_at_low, gain_at_high : float
        Ends of its confidence interval.
    gain_at_reliable : bool
        Whether enough rows carry that interval, as in `ConfidenceInterval.reliable`.
    area : float
        Area under the curve on the axes of the comparison.
    gain : float
        Share of the constant band's area that is saved.
    gain_low, gain_high : float
        Ends of its confidence interval.
    gain_reliable : bool
        Whether enough rows carry that interval.
    ceiling : float
        The largest gain that hindsight could reach.
    deficit_gain : float
        The gain with the deficit on the vertical axis.
    deficit_gain_low, deficit_gain_high : float
        Ends of its confidence interval.
    deficit_gain_reliable : bool
        Whether enough rows carry that interval.
    deficit_ceiling : float
        The largest gain that hindsight could reach there.
    strip_gain : float
        Partial gain over the range of miss rates, by strips.
    mean_gain : float
        Partial gain over the range of miss rates, by mean bandwidths.
    """

    model: str
    n: int
    miss_rate: float
    coverage: float
    bandwidth: float
    excess: float
    deficit: float
    score_at: float
    interval_score: float
    interval_score_moved: bool
    bandwidth_at: float
    narrow_coverage: float
    narrow_coverage_significant: bool
    wide_coverage: float
    wide_coverage_significant: bool
    gain_at: float
    gain_at_low: float
    gain_at_high: float
    gain_at_reliable: bool
    area: float
    gain: float
    gain_low: float
    gain_high: float
    gain_reliable: bool
    ceiling: float
    deficit_gain: float
    deficit_gain_low: float
    deficit_gain_high: float
    deficit_gain_reliable: bool
    deficit_ceiling: float
    strip_gain: float
    mean_gain: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SegmentScore:
    """The numbers of one model on the rows of one segment.

    Attributes
    ----------
    segment : Hashable
        The label of the segment.
    score : ModelScore
        The numbers.
    coverage_at : float
        What the segment covers at the operating point at which all rows have the coverage of the comparison;
        NaN for constant bands, and where there is no such point.
    coverage_at_low, coverage_at_high : float
        Ends of its interval, which holds for all segments of a model at once.
    coverage_at_significant : bool
        Whether it differs significantly from the coverage of all rows, as in `conditional_coverage`.
    """

    segment: Hashable
    score: ModelScore
    coverage_at: float = math.nan
    coverage_at_low: float = math.nan
    coverage_at_high: float = math.nan
    coverage_at_significant: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PairTest:
    """Two models at the coverage of the comparison, by its criterion; and their areas, if asked for.

    Attributes
    ----------
    a, b : str
        The models.
    ratio : float
        Interval score of a over that of b, or half-width where the comparison ranks by it; below 1 a is
        better.
    ratio_low, ratio_high : float
        Ends of its confidence interval; NaN where fewer than 5 rows are missed there, or captured.
    width_ratio : float
        Half-width of a over that of b.
    pvalue : float
        p-value of the paired permutation test of the difference.
    pvalue_holm : float
        The same, adjusted for the number of tests at this coverage.
    clear : bool
        Whether one of the two is clearly better: the interval leaves 1 out, and the adjusted p-value is at
        most the level of significance. Otherwise the two are too close to call.
    needs : "resamples", "blocks", "rows" or None
        What is needed more of before it can be decided: no adjusted p-value can be as small as the level of
        significance without it, or there is no interval. None where interval and p-value decide.
    n_units : int
        How many rows or blocks were exchanged or not; 0 where nothing was tested.
    smallest_pvalue_holm : float
        What no adjusted p-value can fall below, with so many rows or blocks, resamples and tests.
    area_difference : float
        Area of a minus area of b; NaN unless areas were asked for, like what follows.
    area_low, area_high : float
        Ends of its confidence interval.
    area_pvalue, area_pvalue_holm : float
        p-value of its permutation test, and the same adjusted for the number of tests of areas.
    """

    a: str
    b: str
    ratio: float
    ratio_low: float = math.nan
    ratio_high: float = math.nan
    width_ratio: float = math.nan
    pvalue: float = math.nan
    pvalue_holm: float = math.nan
    clear: bool = False
    needs: Needs | None = None
    n_units: int = 0
    smallest_pvalue_holm: float = math.nan
    area_difference: float = math.nan
    area_low: float = math.nan
    area_high: float = math.nan
    area_pvalue: float = math.nan
    area_pvalue_holm: float = math.nan


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Who is best at one coverage, and who may be as good.

    Attributes
    ----------
    coverage : float
        The coverage.
    order : tuple of str
        Models and constant widths that reach it, the best first.
    best : str | None
        The first of them, if its lead over all others is clear; None where it is too close to call, or
        nothing was tested.
    close : tuple of str
        The others whose distance from the first is not clear.
    tested : bool
        Whether that could be tested: not for sketches, which have no rows, and not where too few rows decide.
    """

    coverage: float
    order: tuple[str, ...]
    best: str | None
    close: tuple[str, ...]
    tested: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    """A range of miss rates in which one model is clearly the best, or in which it is too close to call.

    Attributes
    ----------
    low, high : float
        The first and the last miss rate of the range, in steps of 0.1% up to 10%, of 0.5% above; of more
        than 24 models and constant widths, in steps of 0.5% and 2.5%.
    best : str | None
        The model whose lead is clear at each of them; None where it is too close to call. Without tests, of
        sketches, the model that leads.
    runner_up : str | None
        The model that comes nearest to it anywhere in the range.
    saved : float
        How much better than that one it is there: the smallest lead in the range, as a share.
    clear : bool
        Whether the lead is clear: the simultaneous band of the ratio leaves 1 out, for every other model.
    """

    low: float
    high: float
    best: str | None
    runner_up: str | None
    saved: float
    clear: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PairCrossing:
    """A coverage at which two models swap order for good, and clearly so on both sides.

    Attributes
    ----------
    a, b : str
        The models.
    coverage, miss_rate : float
        Where they cross.
    miss_rate_low, miss_rate_high : float
        Miss rates between which that lies.
    better_above : str
        The model that is better at higher coverage.
    """

    a: str
    b: str
    coverage: float
    miss_rate: float
    miss_rate_low: float
    miss_rate_high: float
    better_above: str
