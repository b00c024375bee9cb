"""Coverage of segments: whether intervals hold for every part of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import to_numpy
from uccurve._base.text import format_table, number, percent, printable
from uccurve.curve import Curve, ranges
from uccurve.exceptions import ArgumentError
from uccurve.formulas.tolerances import LAST_PLACES, SAME_SHARE
from uccurve.inference.closed_forms import share_limits, t_quantile
from uccurve.inference.units import Sample, Units, label_codes, rows_of, vary_of
from uccurve.intervals import Intervals, as_labels

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike, Vary

_DEFAULT_BINS = 10
_MOST_SHOWN = 40  # segments in a printed table


def conditional_coverage(
    intervals: Intervals | Curve,
    *,
    by: ArrayLike | str = "width",
    bins: int | None = None,
    coverage: float | None = None,
    confidence_level: float = 0.95,
    vary: Vary | None = None,
    blocks: ArrayLike | int | None = None,
    name: str | None = None,
) -> ConditionalCoverage:
    r"""Ask whether intervals cover as much in every segment as they should.

    The null hypothesis of each segment is that its true coverage is the expected one. For intervals as
    supplied that is what they claim, `Intervals.nominal`; where they claim nothing, the coverage of all
    rows. With ``coverage`` the intervals are first moved to the operating point with this coverage on these
    rows, and the expected coverage is that of all rows there: only its division among segments is judged.

    A segment is marked only where that is significant. The intervals are Clopper and Pearson's, which are
    exact for independent rows of equal weight, at the level :math:`1 - \alpha / K` for K segments
    (Bonferroni): with the probability ``confidence_level`` or more, all of them are right. Against the
    coverage of all rows they are conservative, the more so the larger the segment's share of the rows.
    Weights, blocks and several outputs enter as an effective number of rows, which is approximate.

    Parameters
    ----------
    intervals : Intervals or UCC
        A model's intervals, or their curve.
    by : "width", "prediction", or array of shape (n,)
        What distinguishes segments: the half-width, or for one-sided limits the distance to the limit; the
        prediction; or one label per row, as in `Intervals.by`.
    bins : int, optional
        How many bins of about equal weight the numbers are put into, 10 by default for widths and
        predictions. Equal values stay together, so that there may be fewer. Labels are put into bins only
        where it is given; they must be numbers.
    coverage : float, optional
        Move the intervals to this coverage first; by default they are judged as supplied.
    confidence_level : float
        Probability that all intervals are right at once; 1 minus it is the level of significance.
    vary : {"scale", "shift", "level"}, optional
        What moves the intervals to ``coverage``; by default that of the curve, else "scale".
    blocks : int or array of shape (n,), optional
        Which rows depend on each other: runs of so many consecutive rows, or rows with the same label. The
        correlation within blocks, estimated from all segments, then lowers the effective number of rows;
        this needs a few dozen blocks in total. Each row on its own if not given.
    name : str, optional
        What distinguishes the segments, in words; by default the name of a column of labels.

    Returns
    -------
    ConditionalCoverage
        The segments, each with its interval. Several outputs are pooled: each row has one interval per
        output, with a width and a prediction of its own and the label of the row; rows are the blocks.

    Raises
    ------
    ShapeError
        If ``by`` or ``blocks`` do not have one label per row.
    ArgumentError
        If labels are missing, cannot be sorted, have no row with weight, or are not numbers where ``bins`` is
        passed; or if an option has a value outside its rule.
    UnreachableError
        If scaling does not reach the coverage, because rows have zero bands.
    ArgumentTypeError
        If ``intervals`` are neither `Intervals` nor a `UCC`.

    See Also
    --------
    coverage : Of all rows.
    ConformalScaler : Calibrates each segment with ``by=``.

    References
    ----------
    A. N. Angelopoulos, S. Bates, "A Gentle Introduction to Conformal Prediction and Distribution-Free
    Uncertainty Quantification" (2021), :doi:`10.48550/arXiv.2107.07511`, section 3.1.

    C. J. Clopper, E. S. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
    Binomial", Biometrika 26 (1934), :doi:`10.1093/biomet/26.4.404`.

    E. L. Korn, B. I. Graubard, "Confidence Intervals for Proportions with Small Expected Number of Positive
    Counts Estimated from Survey Data", Survey Methodology 24 (1998).

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(2000, rng=0)
    >>> constant = uc.Intervals.from_std(data.y_true, data.y_pred, 1.0)
    >>> found = uc.conditional_coverage(constant, by=data.std, bins=4, coverage=0.9, name="noise")
    >>> [round(segment.coverage, 2) for segment in found.segments]
    [1.0, 0.99, 0.94, 0.67]
    >>> round(found.largest_shortfall, 2)
    0.23
    """
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    if name is not None:
        arguments.instance("name", name, str, "a str")
    vary = vary_of(vary, intervals)
    given = rows_of("intervals", intervals)
    sample = Sample.of({"intervals": given}, blocks, vary, fewest_units=1)
    data, parameter = sample.data["intervals"], sample.family.as_given
    if coverage is not None:
        parameter = ranges.solve(data, "miss_rate", arguments.miss_rate_of(coverage, None))
    covered = data.presorted.critical <= max(parameter, data.start)
    half_width = data.presorted.costs_at(parameter).half_width
    segment, columns = _divide_rows(given, sample, half_width, by, bins)
    overall = 1 - float(data.weight[~covered].sum()) / data.total
    expected = overall if coverage is not None or given.nominal is None else given.nominal
    weight = np.bincount(segment, data.weight)
    alpha = (1 - level) / weight.size
    share, effective, low, high = share_intervals(data.weight, covered, segment, sample.blocks, alpha)
    is_outside = (expected < low) | (expected > high)
    columns |= {
        "n": np.bincount(segment).tolist(),
        "effective_n": effective.tolist(),
        "coverage": share.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
        "half_width": (np.bincount(segment, data.weight * half_width) / weight).tolist(),
        "difference": (share - expected).tolist(),
        "significant": (is_outside & (np.abs(share - expected) >= SAME_SHARE)).tolist(),
    }
    return ConditionalCoverage(
        segments=tuple(
            SegmentCoverage(**dict(zip(columns, values, strict=True)))
            for values in zip(*columns.values(), strict=True)
        ),
        by=name or _name_of(by, given.side),
        coverage=overall,
        expected=expected,
        n=segment.size,
        parameter=parameter,
        confidence_level=level,
        _library=given.library,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class SegmentCoverage:
    """What the intervals of one segment cover.

    Attributes
    ----------
    segment : Hashable
        Its label, or the range of its bin in words.
    lowest, highest : float | None
        The smallest and the largest value in its bin, in units of y for widths and predictions; None where
        rows have labels.
    n : int
        Number of intervals with weight, one per row and output.
    effective_n : float
        The equivalent number of independent rows of equal weight.
    coverage : float
        Share of their weight that is covered.
    low, high : float
        Ends of its confidence interval, which holds for all segments at once.
    half_width : float
        Mean half-width, in units of y; of one-sided limits the mean distance to the limit.
    difference : float
        Coverage minus the expected one; 0.05 is 5 percentage points.
    significant : bool
        Whether the expected coverage is outside the interval, and at least 0.05 percentage points from the
        observed one: very many rows make less than that significant as well, but it prints as 0.0.

    See Also
    --------
    conditional_coverage : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> found = uc.conditional_coverage(models["sharp"], bins=2, coverage=0.9)
    >>> found.segments[0].coverage
    0.884
    """

    segment: Hashable
    lowest: float | None = None
    highest: float | None = None
    n: int
    effective_n: float
    coverage: float
    low: float
    high: float
    half_width: float
    difference: float
    significant: bool


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ConditionalCoverage:
    """What the intervals of each segment cover.

    Attributes
    ----------
    segments : tuple of SegmentCoverage
        The segments, by rising label or value.
    by : str
        What distinguishes them, in words.
    coverage : float
        Coverage of all rows.
    expected : float
        The coverage expected of each segment.
    n : int
        Number of intervals with weight, one per row and output.
    parameter : float
        The operating point that was judged: what the intervals were scaled or shifted by.
    confidence_level : float
        Probability that all intervals are right at once.

    See Also
    --------
    conditional_coverage : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> uc.conditional_coverage(models["sharp"], bins=2, coverage=0.9)
    Coverage by half-width, 90.0% expected: 0 of 2 segments significantly below, 0 above
          segment    n  coverage         95% CI  half-width  significant
    0.102 to 1.56  250     88.4%  83.1 to 92.5%      0.8905  no
     1.57 to 15.2  250     91.6%  86.8 to 95.1%       3.292  no
    """

    segments: tuple[SegmentCoverage, ...]
    by: str
    coverage: float
    expected: float
    n: int
    parameter: float
    confidence_level: float
    _library: str | None = field(default=None, repr=False)

    @property
    def significant(self) -> tuple[SegmentCoverage, ...]:
        """The segments that differ significantly from the expected coverage, in either direction."""
        return tuple(segment for segment in self.segments if segment.significant)

    @property
    def lowest_coverage(self) -> float:
        """The smallest coverage of a segment: by width, the size-stratified coverage (SSC).

        The smallest of several noisy numbers is too small on average, the more so the smaller the segments.
        """
        return min(segment.coverage for segment in self.segments)

    @property
    def largest_shortfall(self) -> float:
        """The largest significant shortfall of a segment from the expected coverage; 0 if there is none."""
        return max((-part.difference for part in self.significant if part.difference < 0), default=0.0)

    def __repr__(self) -> str:
        short = sum(part.difference < 0 for part in self.significant)
        over = len(self.significant) - short
        title = (
            f"Coverage by {printable(self.by)}, {percent(self.expected)} expected: {short:,} of "
            f"{len(self.segments):,} segments significantly below, {over:,} above"
        )
        shown = self.segments[:_MOST_SHOWN]
        columns = {
            "segment": [printable(str(part.segment)) for part in shown],
            "n": [f"{part.n:,}" for part in shown],
            "coverage": [percent(part.coverage) for part in shown],
            f"{100 * self.confidence_level:g}% CI": [
                f"{100 * part.low:.1f} to {percent(part.high)}" for part in shown
            ],
            "half-width": [number(part.half_width) for part in shown],
            "significant": [
                ("below" if part.difference < 0 else "above") if part.significant else "no" for part in shown
            ],
        }
        left = len(self.segments) - len(shown)
        return format_table(title, columns) + (f"\n… and {left:,} more segments" if left else "")

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the segments as a frame, one row per segment.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.

        Returns
        -------
        frame
            One row per segment.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
        """
        return frames.table_of_records(self.segments, backend or self._library)

    def plot(self, ax: Any = None) -> Any:
        """Draw the coverage of each segment with its interval, and return the matplotlib axes.

        Needs the extra ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        ArgumentTypeError
            If ``ax`` is not matplotlib axes.
        """
        from uccurve.plotting import plot_conditional_coverage  # noqa: PLC0415 - an optional library behind it

        return plot_conditional_coverage(self, ax=ax)


# -- which segment they are in ------------------------------------------------------------------


def _name_of(by: ArrayLike | str, side: str) -> str:
    """Say what segments are told apart by."""
    if isinstance(by, str):
        of_width = "half-width" if side == "both" else "distance to the limit"
        return of_width if by == "width" else by
    column = getattr(by, "name", None)
    return column if isinstance(column, str) and column else "label"


def _divide_rows(
    given: Intervals, sample: Sample, half_width: np.ndarray, by: ArrayLike | str, bins: int | None
) -> tuple[np.ndarray, dict[str, Any]]:
    """Divide rows by half-width, by prediction, by labels, or by bins of other numbers.

    Returns the segment of each element, numbered from 0, and the columns of `SegmentCoverage` that tell the
    segments apart.
    """
    bins = None if bins is None else arguments.whole("bins", bins, 1)
    columns, rounding = given.rows.columns, 0.0
    y_pred = to_numpy(given.y_pred)[sample.kept].ravel()
    if not isinstance(by, str):
        if bins is None:
            return _divide_by_label(given, sample, by)
        values = _numbers(given, sample, by)
    elif by == "prediction":
        values = y_pred
    elif by == "width":
        values = half_width
        if columns.lower is not None or columns.upper is not None:
            rounding = LAST_PLACES * (np.abs(y_pred) + 2 * half_width)
    else:
        raise ArgumentError(
            argument="by", rule="be 'width', 'prediction', or an array of one label per row", got=repr(by)
        )
    return _divide_into_bins(values, sample.weight, bins or _DEFAULT_BINS, rounding)


def _divide_by_label(given: Intervals, sample: Sample, by: ArrayLike) -> tuple[np.ndarray, dict[str, Any]]:
    codes, labels = label_codes(given, by, "by")
    segment = sample.by_element(codes)
    without_weight = np.flatnonzero(np.bincount(segment, minlength=len(labels)) == 0)
    if without_weight.size:
        label = labels[int(without_weight[0])]
        raise ArgumentError(argument="sample_weight", rule=f"be positive for some row of the label {label!r}")
    return segment, {"segment": labels}


def _numbers(given: Intervals, sample: Sample, by: ArrayLike) -> np.ndarray:
    """Return the numbers of elements, one for each row."""
    values = as_labels(by, given.n, "by", None if given.kept is None else to_numpy(given.kept))
    if values.dtype.kind not in "iuf":
        raise ArgumentError(
            argument="by",
            rule="contain numbers to be put into bins",
            got=type(values.tolist()[0]).__name__,
            hint="Leave `bins` out to judge each label.",
        )
    return sample.by_element(values.astype(float))


def _divide_into_bins(
    values: np.ndarray, weight: np.ndarray, bins: int, rounding: np.ndarray | float
) -> tuple[np.ndarray, dict[str, Any]]:
    r"""Divide values into bins of about equal weight.

    A run of equal values with the weight :math:`w`, after the weight :math:`c` of all smaller ones, goes
    into the bin :math:`\lfloor b\,(c + w/2) / W \rfloor` of b. Bins that stay empty are left out.
    Neighbors that differ by no more than ``rounding`` are equal.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    slack = np.broadcast_to(rounding, values.shape)[order]
    with np.errstate(invalid="ignore", over="ignore"):  # infinite neighbors are equal
        rises = np.diff(ordered) > np.maximum(slack[1:], slack[:-1])
    run = np.concatenate([[0], np.cumsum(rises)])
    of_run = np.bincount(run, weights=weight[order])
    up_to = np.cumsum(of_run)
    _, bin_of_run = np.unique(np.floor(bins * (up_to - of_run / 2) / up_to[-1]), return_inverse=True)
    ordered_bins = bin_of_run[run]
    segment = np.empty(values.size, dtype=np.int64)
    segment[order] = ordered_bins
    ends = np.cumsum(np.bincount(ordered_bins))
    lowest, highest = ordered[np.append(0, ends[:-1])].tolist(), ordered[ends - 1].tolist()
    return segment, {"segment": _name_ranges(lowest, highest), "lowest": lowest, "highest": highest}


def _name_ranges(lowest: list[float], highest: list[float]) -> list[str]:
    """Name ranges by their ends, with as few digits as tell the ranges apart."""

    def show(value: float, digits: int) -> str:
        rounded = f"{value:.{digits}g}"
        return number(float(rounded)) if digits <= 4 else rounded  # noqa: PLR2004 - up to here without exponents

    texts: list[str] = []
    for digits in range(3, 18):
        ends = [(show(low, digits), show(high, digits)) for low, high in zip(lowest, highest, strict=True)]
        texts = [low if low == high else f"{low} to {high}" for low, high in ends]
        if len(set(texts)) == len(texts):
            break
    return texts


# -- how many independent rows would tell as much -----------------------------------------------


def share_intervals(
    weight: np.ndarray, covered: np.ndarray, segment: np.ndarray, blocks: Units, alpha: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what each segment covers, its effective number of rows, and both Clopper-Pearson limits.

    The arguments are those of `_effective_rows`.
    """
    total = np.bincount(segment, weight)
    share, missed = (np.bincount(segment, weight * part) / total for part in (covered, ~covered))
    effective = _effective_rows(weight, covered, segment, blocks, alpha)
    return share, effective, *share_limits(share * effective, missed * effective, alpha / 2)


def _effective_rows(
    weight: np.ndarray, covered: np.ndarray, segment: np.ndarray, blocks: Units, alpha: float
) -> np.ndarray:
    r"""Return the effective number of rows of each segment, shape (segments,).

    Independent rows of the weights :math:`w_i`: Kish's :math:`(\sum w)^2 / \sum w^2`, or fewer where heavy
    rows are missed more often than light ones, by the linearized variance of the share. Rows that depend on
    each other within blocks, which have the weights :math:`W_b` in the segment:

    .. math:: n^* = \frac{(\sum w)^2}{(1 - \rho) A + \rho \max(A, \sum W_b^2)}
       \cdot \min\left(1, \frac{t_{n-1}^2}{t_{\nu}^2}\right), \quad
       A = \max\left(\sum w_i^2, \frac{\sum w_i^2 (c_i - c)^2}{c (1 - c)}\right)

    The correlation :math:`\rho` within blocks is estimated from all segments together: that of a single
    segment would be too small just where its coverage is off. The second factor, of Korn and Graubard
    (1998), allows for few blocks: :math:`\nu` are the degrees of freedom of :math:`\rho`, which all segments
    add to.

    Parameters
    ----------
    weight, covered, segment : numpy.ndarray
        The weight of each element, whether it is covered, and its segment, numbered from 0.
    blocks : Units
        What depends on each other.
    alpha : float
        Probability outside the interval of one segment, which the quantiles of t are for.
    """
    total, of_rows = np.bincount(segment, weight), np.bincount(segment, weight**2)
    share = np.bincount(segment, weight * covered) / total
    off_of_rows = weight * (covered - share[segment])
    between_rows, spread = np.bincount(segment, off_of_rows**2), share * (1 - share)
    least = np.maximum(of_rows, np.divide(between_rows, spread, out=of_rows.copy(), where=spread > 0))
    if blocks.number == weight.size:
        return np.asarray(total**2 / least)
    parts, part = np.unique(segment * blocks.number + blocks.of_element, return_inverse=True)
    owner, block = np.divmod(parts, blocks.number)  # of each part of a block in a segment
    n_blocks, of_blocks = np.bincount(owner), np.bincount(owner, np.bincount(part, weight) ** 2)
    off_of_parts = np.bincount(part, off_of_rows)
    # The squares of the blocks' sums exceed those of their rows by the products of different rows. These are
    # held against what they would be if all rows of a block were covered alike.
    known = n_blocks > 1
    unbiased = n_blocks[known] / (n_blocks[known] - 1)
    between_blocks = np.bincount(owner, off_of_parts**2)
    products = float(np.sum(unbiased * between_blocks[known] - between_rows[known]))
    alike = float(np.sum((spread * (of_blocks - of_rows))[known]))
    rho = min(max(products / alike, 0.0), 1.0) if alike > 0 else 1.0
    found = total**2 / ((1 - rho) * least + rho * np.maximum(least, of_blocks))
    count = np.bincount(segment)
    several = known & (n_blocks < count)
    if several.any():
        freedom = _degrees_of_freedom(off_of_parts, owner, block)
        t_rows, t_blocks = (t_quantile(alpha / 2, df) for df in (count[several] - 1, freedom))
        found[several] *= np.minimum((t_rows / t_blocks) ** 2, 1.0)
    return np.where(n_blocks == 1, 1.0, found)


def _degrees_of_freedom(off: np.ndarray, owner: np.ndarray, block: np.ndarray) -> float:
    """Return how many independent comparisons of blocks the correlation within them rests on.

    Parts of one block in several segments are as good as blocks of their own where they differ from their
    segments independently, and as good as one where they differ alike: how alike they are is estimated.
    """
    n_blocks = np.bincount(owner)
    inside = (n_blocks > 1)[owner]
    owner, off = owner[inside], off[inside]
    _, block = np.unique(block[inside], return_inverse=True)
    apart = float(np.sum(n_blocks[n_blocks > 1] - 1))
    together = float(block.max())  # the distinct blocks less one
    size = np.sqrt(np.bincount(owner, off**2)[owner] / n_blocks[owner])
    some = size > 0
    relative, block = off[some] / size[some], block[some]
    parts = np.bincount(block).astype(float)
    if not (parts > 1).any() or apart <= together:
        return apart
    alike = np.sum(np.bincount(block, relative) ** 2) - np.sum(relative**2)
    share = min(max(float(alike / np.sum(parts * (parts - 1))), 0.0), 1.0)
    return apart / (1 + (apart / together - 1) * share)
