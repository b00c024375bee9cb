"""How sure the coverage of a segment is, by the rule of `uccurve.conditional_coverage`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import UnreachableError
from uccurve.inference import conditional_coverage, share_limits

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.comparison import CompareOptions
    from uccurve.curve import UCC


class CoverageIntervals(NamedTuple):
    """Intervals of a segment's coverage, one for each operating point."""

    low: np.ndarray
    high: np.ndarray
    flag: np.ndarray
    """Whether the coverage differs significantly from the one that was chosen for all rows."""


def coverage_intervals(
    coverage: np.ndarray, chosen: np.ndarray, n: float, *, confidence_level: float, n_segments: int
) -> CoverageIntervals:
    """Return Clopper-Pearson intervals that hold for all segments at once (Bonferroni).

    Parameters
    ----------
    coverage : numpy.ndarray
        Share of the segment's weight that is captured at each operating point; NaN where there is none.
    chosen : numpy.ndarray
        Coverage of all rows there.
    n : float
        Effective number of rows in the segment.
    confidence_level : float
        Probability that the intervals of all segments cover.
    n_segments : int
        How many segments the rows have.
    """
    low, high = np.full(coverage.shape, np.nan), np.full(coverage.shape, np.nan)
    known = np.isfinite(coverage)
    share, tail = coverage[known], (1 - confidence_level) / n_segments / 2
    low[known], high[known] = share_limits(share * n, (1 - share) * n, tail)
    with np.errstate(invalid="ignore"):
        return CoverageIntervals(low, high, (chosen < low) | (chosen > high))


def effective_rows_of_segments(curve: UCC, options: CompareOptions) -> dict[Hashable, float]:
    """Return how many independent rows of equal weight would tell as much about each segment.

    How much rows of a block say is taken from the point of the comparison.
    """
    asked = partial(
        conditional_coverage,
        curve,
        by=cast("ArrayLike", options.by),
        blocks=options.blocks,
        confidence_level=options.confidence_level,
    )
    try:
        found = asked(coverage=arguments.complement(options.miss_rate))
    except UnreachableError:
        found = asked()
    return {part.segment: part.effective_n for part in found.segments}
