"""Which segments cover significantly less than all rows do, at every operating point of the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from uccurve._base import arguments
from uccurve._kernels.binomial import upper_limit_is_below
from uccurve.exceptions import UnreachableError
from uccurve.inference import conditional_coverage

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.comparison import CompareOptions
    from uccurve.curve import UCC


def short_segments(
    curve: UCC, options: CompareOptions, expected: np.ndarray, coverage: Mapping[Hashable, np.ndarray]
) -> dict[Hashable, str]:
    """Mark, for each segment, the operating points at which it falls short: "1" where it does, else "0".

    The rule is that of `uccurve.conditional_coverage` at each point, with the number of segments that the
    rows have in all. How much rows of a block say is taken from the point of the comparison.

    Parameters
    ----------
    curve : UCC
        The curve of all rows.
    options : CompareOptions
        The labels, blocks and confidence level.
    expected : numpy.ndarray
        The coverage of all rows at the operating points; NaN where there is none.
    coverage : mapping of label to numpy.ndarray
        What segments cover there.
    """
    rows = effective_rows_of_segments(curve, options)
    tail = (1 - options.confidence_level) / len(rows) / 2
    known = np.isfinite(expected)
    marks = {}
    for label, covered in coverage.items():
        short = np.zeros(expected.shape, dtype=bool)
        hits, misses = covered[known] * rows[label], (1 - covered[known]) * rows[label]
        short[known] = upper_limit_is_below(hits, misses, expected[known], tail)
        marks[label] = "".join(map(str, short.astype(int).tolist()))
    return marks


def effective_rows_of_segments(curve: UCC, options: CompareOptions) -> dict[Hashable, float]:
    """Return how many independent rows of equal weight would tell as much about each segment."""
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
