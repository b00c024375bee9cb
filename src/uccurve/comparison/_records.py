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
    """The numbers of one model, or of a constant band. NaN where rows are never captured.

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
    interval_score : float
        Width plus penalty for misses at the nominal miss rate, in units of y.
    bandwidth_at : float
        Bandwidth that is needed at the coverage of the comparison, in units of y.
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
    interval_score: float
    bandwidth_at: float
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
    """The differences of two models' areas, and of their bandwidths at one coverage, with their tests.

    Attributes
    ----------
    a, b : str
        The models.
    difference : float
        Area of a minus area of b.
    low, high : float
        Ends of its confidence interval.
    pvalue : float
        p-value of the paired permutation test.
    pvalue_holm : float
        The same, adjusted for the number of tests.
    needs : "resamples", "blocks", "rows" or None
        What the test needs more of before it can decide: no adjusted p-value can be below the level of
        significance without it. None where the p-value decides.
    difference_at : float
        Bandwidth of a minus bandwidth of b at the coverage of the comparison.
    difference_at_low, difference_at_high : float
        Ends of its confidence interval.
    pvalue_at, pvalue_at_holm : float
        p-values of the test there.
    needs_at : "resamples", "blocks", "rows" or None
        What that test needs more of before it can decide.
    n_units : int
        How many rows or blocks were exchanged or not; 0 where nothing was tested.
    smallest_pvalue_holm, smallest_pvalue_at_holm : float
        What no adjusted p-value can fall below, with so many rows or blocks, resamples and tests.
    """

    a: str
    b: str
    difference: float
    low: float
    high: float
    pvalue: float
    pvalue_holm: float
    needs: Needs | None = None
    difference_at: float = math.nan
    difference_at_low: float = math.nan
    difference_at_high: float = math.nan
    pvalue_at: float = math.nan
    pvalue_at_holm: float = math.nan
    needs_at: Needs | None = None
    n_units: int = 0
    smallest_pvalue_holm: float = math.nan
    smallest_pvalue_at_holm: float = math.nan


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    """A range of miss rates in which one model needs the least bandwidth.

    Attributes
    ----------
    low, high : float
        The miss rates.
    best : str | None
        The model; None where no order is known, or where two need the same.
    runner_up : str | None
        The second best.
    saved : float
        Share of the runner-up's bandwidth that is saved; 0 where two models need the same.
    pvalue : float
        p-value of the lead over every other model, the largest of them; it allows for the choice of the
        range. NaN where nothing was tested.
    significant : bool
        Whether it is below the level of significance.
    needs : "blocks", "rows" or None
        What is too few for any range to be significant; None where they suffice.
    """

    low: float
    high: float
    best: str | None
    runner_up: str | None
    saved: float
    pvalue: float
    significant: bool
    needs: Needs | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PairCrossing:
    """A point at which the curves of two models swap order.

    Attributes
    ----------
    a, b : str
        The models.
    y : float
        Where they cross on the vertical axis.
    x : float
        Where they cross on the horizontal axis.
    better_below : str
        The model that needs less x just below this y.
    """

    a: str
    b: str
    y: float
    x: float
    better_below: str
