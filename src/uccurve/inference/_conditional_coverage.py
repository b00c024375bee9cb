"""Coverage of segments: whether intervals hold for every part of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.text import format_table, number, percent, printable
from uccurve.inference._effective_rows import effective_rows, share_limits
from uccurve.inference._families import SAME
from uccurve.inference._judged_rows import judged_rows
from uccurve.inference._plain_rows import rows_of, vary_of
from uccurve.inference._row_segments import row_segments

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.curve import Curve
    from uccurve.intervals import Intervals

_MOST_SHOWN = 40
"""Segments that a printed table holds."""


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
        How many independent rows of equal weight would tell as much.
    coverage : float
        Share of their weight that is covered.
    low, high : float
        Ends of its confidence interval, which holds for all segments at once.
    half_width : float
        Mean half width, in units of y; of one-sided limits the mean distance to the limit.
    difference : float
        Coverage minus the expected one; 0.05 is 5 percentage points.
    significant : bool
        Whether the expected coverage is outside the interval, and at least 0.05 percentage points from the
        observed one: very many rows make less than that significant as well, but it prints as 0.0.
    """

    segment: Hashable
    lowest: float | None
    highest: float | None
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
        What tells them apart, in words.
    coverage : float
        Coverage of all rows.
    expected : float
        The coverage that each segment is held against.
    n : int
        Number of intervals with weight, one per row and output.
    parameter : float
        The operating point that was judged: what the intervals were scaled or shifted by.
    confidence_level : float
        Probability that the intervals hold for all segments at once.
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
        """How much the segment that falls short the most, significantly, covers too little; 0 without one."""
        return max((-part.difference for part in self.significant if part.difference < 0), default=0.0)

    def __repr__(self) -> str:
        short = sum(part.difference < 0 for part in self.significant)
        over = len(self.significant) - short
        title = (
            f"Coverage by {printable(self.by)}, {percent(self.expected)} expected: {short} of "
            f"{len(self.segments)} segments significantly below, {over} above"
        )
        shown = self.segments[:_MOST_SHOWN]
        columns = {
            "segment": [printable(str(part.segment)) for part in shown],
            "n": [str(part.n) for part in shown],
            "coverage": [
                f"{percent(part.coverage)} [{100 * part.low:.1f}, {100 * part.high:.1f}]" for part in shown
            ],
            "half width": [number(part.half_width) for part in shown],
            "significant": [_word(part) for part in shown],
        }
        left = len(self.segments) - len(shown)
        return format_table(title, columns) + (f"\n… and {left} more segments" if left else "")

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the segments as a frame, one row per segment.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.
        """
        columns = {
            column.name: np.asarray([getattr(part, column.name) for part in self.segments])
            for column in fields(SegmentCoverage)
        }
        for end in ("lowest", "highest"):
            columns[end] = columns[end].astype(float)  # NaN where there is none
        return frames.table(columns, backend or self._library)

    def plot(self, ax: Any = None) -> Any:
        """Draw the coverage of each segment with its interval, and return the matplotlib axes.

        Needs the extra ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        """
        from uccurve.plotting import plot_conditional_coverage  # noqa: PLC0415 - an optional library behind it

        return plot_conditional_coverage(self, ax=ax)


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
    given that is what they claim, `Intervals.nominal`; where they claim nothing, the coverage of all rows.
    With ``coverage`` the intervals are first moved to the operating point with this coverage on these
    rows, and the expected coverage is that of all rows there: how much they cover on the whole is then
    settled, and only its division among segments is judged.

    A segment is marked only where that is significant. The intervals are Clopper and Pearson's, which are
    exact for independent rows of equal weight, at the level :math:`1 - \alpha / K` for K segments
    (Bonferroni): with the probability ``confidence_level`` or more, all of them hold. Against the coverage
    of all rows they are cautious, the more so the larger the segment's share of the rows is.
    Weights, blocks and several outputs enter as an effective number of rows, which is approximate.

    Parameters
    ----------
    intervals : Intervals or UCC
        A model's intervals, or their curve.
    by : "width", "prediction", or array of shape (n,)
        What tells segments apart: the half width, or for one-sided limits the distance to the limit; the
        prediction; or one label per row, as in `Intervals.by`.
    bins : int, optional
        How many bins of about equal weight the numbers are put into, 10 by default for widths and
        predictions. Equal values stay together, so that there may be fewer. Labels are put into bins only
        where it is given; they must be numbers.
    coverage : float, optional
        Move the intervals to this coverage first; by default they are judged as given.
    confidence_level : float
        Probability that the intervals hold for all segments at once; 1 minus it is the level of significance.
    vary : {"scale", "shift"}, optional
        What moves the intervals to ``coverage``; by default that of the curve, else "scale".
    blocks : int or array of shape (n,), optional
        Which rows depend on each other: runs of so many consecutive rows, or rows with the same label. The
        correlation within blocks, estimated from all segments, then lowers the effective number of rows;
        it takes some dozens of blocks in all segments. Each row on its own if not given.
    name : str, optional
        What the segments are told apart by, in words; by default the name of a column of labels.

    Returns
    -------
    ConditionalCoverage
        The segments, each with its interval. Several outputs are pooled: each row has one interval per
        output, with a width and a prediction of its own and the label of the row; rows are the blocks.

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
    rows = judged_rows(given, vary, coverage, blocks)
    parts = row_segments(given, rows, by, bins, name)
    total = float(rows.weight.sum())
    overall = 1 - float(rows.weight[~rows.covered].sum()) / total
    expected = overall if coverage is not None or given.nominal is None else given.nominal
    weight = np.bincount(parts.segment, rows.weight)
    missed = np.bincount(parts.segment, rows.weight * ~rows.covered) / weight
    share = np.bincount(parts.segment, rows.weight * rows.covered) / weight
    alpha = (1 - level) / weight.size
    effective = effective_rows(rows, parts.segment, alpha)
    low, high = share_limits(share * effective, missed * effective, alpha / 2)
    outside = (expected < low) | (expected > high)
    columns = {
        "segment": parts.labels,
        "lowest": parts.lowest,
        "highest": parts.highest,
        "n": np.bincount(parts.segment).tolist(),
        "effective_n": effective.tolist(),
        "coverage": share.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
        "half_width": (np.bincount(parts.segment, rows.weight * rows.half_width) / weight).tolist(),
        "difference": (share - expected).tolist(),
        "significant": (outside & (np.abs(share - expected) >= SAME)).tolist(),
    }
    return ConditionalCoverage(
        segments=tuple(
            SegmentCoverage(**dict(zip(columns, values, strict=True)))
            for values in zip(*columns.values(), strict=True)
        ),
        by=parts.name,
        coverage=overall,
        expected=expected,
        n=rows.row.size,
        parameter=rows.parameter,
        confidence_level=level,
        _library=given.library,
    )


def _word(part: SegmentCoverage) -> str:
    if not part.significant:
        return "no"
    return "below" if part.difference < 0 else "above"
