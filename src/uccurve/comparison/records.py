"""What a comparison was made with and what it found, as records.

A field of a record is a column of its table; an `Estimate` takes several columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from uccurve._base import arguments
from uccurve.curve import DEFAULT_MISS_RATE, family_of
from uccurve.inference import CRITERIA, Criterion

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y

# What a test needs more of before it can decide.
Needs = Literal["resamples", "blocks", "rows"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CompareOptions:
    """The options of `compare`, checked.

    Attributes
    ----------
    x, y : str
        The axes of areas and gains.
    vary : str
        The family of operating points.
    miss_rate : float
        The point of the comparison: models are moved to it, ranked, tested and recommended there.
    rank_by : str
        What they are ranked by there: "interval_score" or "bandwidth".
    n_resamples : int | None
        Number of permutations per test; None for enough of them for the number of tests.
    blocks : int | array of shape (n,) | None
        Which rows depend on each other.
    by : array of shape (n,) | None
        Labels of segments.
    confidence_level : float
        Confidence level, and 1 minus the level of significance.
    """

    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    miss_rate: float = DEFAULT_MISS_RATE
    rank_by: Criterion = "interval_score"
    n_resamples: int | None = None
    blocks: ArrayLike | int | None = field(default=None, repr=False)
    by: ArrayLike | None = field(default=None, repr=False)
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        arguments.option("x", self.x, ("bandwidth", "excess"))
        arguments.option("y", self.y, ("miss_rate", "deficit"))
        family_of(self.vary)
        arguments.option("rank_by", self.rank_by, CRITERIA)
        if self.n_resamples is not None:
            arguments.whole("n_resamples", self.n_resamples, 2)
        arguments.number("confidence_level", self.confidence_level, 0, 1, open_=True)

    @property
    def coverage(self) -> float:
        """The coverage of the comparison."""
        return arguments.complement(self.miss_rate)

    @property
    def point(self) -> str:
        """The coverage of the comparison in words."""
        return f"{100 * self.coverage:.12g}%"

    @property
    def level(self) -> float:
        """The level of significance."""
        return 1 - self.confidence_level

    @property
    def confidence(self) -> str:
        """The confidence level in words."""
        return f"{100 * self.confidence_level:g}%"

    @property
    def by_score(self) -> bool:
        """Whether models are ranked by the interval score."""
        return self.rank_by == "interval_score"

    @property
    def axes(self) -> str:
        """The axes in words."""
        return f"{self.x} and {self.y}".replace("_", " ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A number with its confidence interval.

    Attributes
    ----------
    value : float
        The number; NaN where rows are never captured, or it was not asked for.
    low, high : float
        Ends of its confidence interval; NaN where there is none.
    reliable : bool
        Whether enough rows carry that interval, as in `ConfidenceInterval.reliable`.
    significant : bool
        Of a part of the rows: whether its coverage differs significantly from that of all rows, as in
        `conditional_coverage`. The interval then holds for all parts at once.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> ratio = comparison.tests[0].ratio
    >>> f"{ratio.value:.2f} (95% CI {ratio.low:.2f}–{ratio.high:.2f})"
    '0.80 (95% CI 0.70–0.92)'
    """

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    reliable: bool = False
    significant: bool = False

    @property
    def has_interval(self) -> bool:
        """Whether it has a confidence interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)


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
        Share of the weight outside the intervals as supplied.
    coverage : float
        Share of the weight inside them.
    bandwidth : float
        Mean half-width as supplied, or mean distance from the prediction to a one-sided limit, in units of y.
    excess : float
        Mean distance from hits to the nearer bound, in units of y.
    deficit : float
        Mean distance from misses to the nearer bound, in units of y.
    score_at : float
        Interval score of the intervals moved to the coverage of the comparison, in units of y; the lower, the
        better.
    bandwidth_at : float
        Mean half-width that is needed at the coverage of the comparison, in units of y.
    narrow_coverage, wide_coverage : Estimate
        What the quarter of the rows with the narrowest intervals, and the quarter with the widest, cover at
        the coverage of the comparison; NaN where there are no such quarters.
    gain_at : Estimate
        Share of the half-width of constant width that is saved there.
    area : float
        Area under the curve on the axes of the comparison.
    gain : Estimate
        Share of the area of constant width that is saved.
    ceiling : float
        The largest gain that hindsight could reach.
    deficit_gain : Estimate
        The gain with the deficit on the vertical axis.
    deficit_ceiling : float
        The largest gain that hindsight could reach there.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> score = comparison.scores[0]
    >>> f"{score.model}: {score.score_at:.2f}"
    'sharp: 5.17'
    """

    model: str
    n: int
    miss_rate: float
    coverage: float
    bandwidth: float
    excess: float
    deficit: float
    score_at: float
    bandwidth_at: float
    narrow_coverage: Estimate
    wide_coverage: Estimate
    gain_at: Estimate
    area: float
    gain: Estimate
    ceiling: float
    deficit_gain: Estimate
    deficit_ceiling: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SegmentScore:
    """The numbers of one model on the rows of one segment.

    Attributes
    ----------
    segment : Hashable
        The label of the segment.
    score : ModelScore
        The numbers.
    coverage_at : Estimate
        What the segment covers at the operating point at which all rows have the coverage of the comparison;
        NaN for constant width, and where there is no such point.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> crossing = uc.datasets.make_crossing(n=500, rng=0)
    >>> comparison = uc.compare(crossing.models, by=crossing.segment, n_resamples=99, rng=0)
    >>> comparison.segments[0].segment
    'high'
    """

    segment: Hashable
    score: ModelScore
    coverage_at: Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class PairTest:
    """Two models at the coverage of the comparison, by its criterion.

    Attributes
    ----------
    a, b : str
        The models.
    ratio : Estimate
        Interval score of a over that of b, or half-width where the comparison ranks by it; below 1, a is
        better. There is no interval where fewer than 5 rows are missed there, or captured.
    width_ratio : float
        Half-width of a over that of b.
    pvalue : float
        p-value of the paired permutation test of the difference.
    pvalue_holm : float
        The same, adjusted for the number of tests at this coverage.
    clear : bool
        Whether one of the two is clearly better: the interval excludes 1, and the adjusted p-value is at
        most the level of significance. Otherwise the two are too close to call.
    needs : "resamples", "blocks", "rows" or None
        What is needed more of before it can be decided: no adjusted p-value can be as small as the level of
        significance without it, or there is no interval. None where interval and p-value decide.
    n_units : int
        How many rows or blocks were exchanged or not; 0 where nothing was tested.
    smallest_pvalue_holm : float
        What no adjusted p-value can fall below, with so many rows or blocks, resamples and tests.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> test = comparison.tests[0]
    >>> f"{test.a} over {test.b}: p = {test.pvalue_holm:.2f}"
    'sharp over damped: p = 0.03'
    """

    a: str
    b: str
    ratio: Estimate
    width_ratio: float = math.nan
    pvalue: float = math.nan
    pvalue_holm: float = math.nan
    clear: bool = False
    needs: Needs | None = None
    n_units: int = 0
    smallest_pvalue_holm: float = math.nan

    @property
    def decision(self) -> str:
        """In words: clear, too close to call, or not decided; empty where nothing was tested."""
        if math.isnan(self.pvalue):
            return ""
        tested = "clear" if self.clear else "too close to call"
        return tested if self.needs is None else "not decided"


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

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> comparison.at(coverage=0.8).best
    'sharp'
    """

    coverage: float
    order: tuple[str, ...]
    best: str | None
    close: tuple[str, ...]
    tested: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    """A range of miss rates in which one model is clearly the best, or in which no lead is clear.

    Attributes
    ----------
    low, high : float
        The first and the last miss rate of the range, in steps of 0.1% up to 10%, of 0.5% above.
    best : str | None
        The model whose lead is clear at each of them; None where no lead is clear. Without tests, of
        sketches, the model that leads.
    runner_up : str | None
        The model that comes nearest to it anywhere in the range.
    saved : float
        How much better than that one it is there: the smallest lead in the range, as a share.
    clear : bool
        Whether the lead is clear: the simultaneous band of the ratio excludes 1, for every other model.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> [regime.best for regime in comparison.regimes]
    [None, 'sharp', None, 'sharp', None]
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

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, rank_by="bandwidth", n_resamples=99, rng=0)
    >>> [(crossing.a, crossing.b) for crossing in comparison.crossings]
    [('damped', 'constant width')]
    """

    a: str
    b: str
    coverage: float
    miss_rate: float
    miss_rate_low: float
    miss_rate_high: float
    better_above: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """What a comparison recommends, in sentences that are shown as text.

    Attributes
    ----------
    best : str | None
        The name of the model that is clearly the best at the chosen coverage; None where it is too close to
        call.
    answer : str
        The answer at the chosen coverage.
    beside : str
        What to know beside it: half-widths, and what the widest and narrowest intervals cover.
    elsewhere : str
        Who is clearly better at other coverages; empty where nobody is.
    segments : str
        Which segments cover significantly less or more than the chosen coverage; empty without segments.
    as_supplied : str
        What the intervals cover as supplied, and what moves them to the chosen coverage.
    cautions : tuple of str
        What limits the answer: few rows, too few blocks, no tests.

    See Also
    --------
    uccurve.compare : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> comparison.recommendation.best
    'sharp'
    """

    best: str | None
    answer: str
    beside: str
    elsewhere: str
    segments: str
    as_supplied: str
    cautions: tuple[str, ...]

    @property
    def details(self) -> str:
        """What stands between the answer and the cautions, in one text."""
        return " ".join(filter(None, (self.beside, self.elsewhere, self.segments, self.as_supplied)))

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences, those that are empty left out."""
        return tuple(filter(None, (self.answer, self.details, *self.cautions)))
