"""Which rows are covered, as the intervals are given or at one operating point of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import UCC
from uccurve.inference._blocks import block_codes

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.intervals import Intervals

_ROUNDING = 8 * 2.0**-52
"""Relative error of a width that is the difference of two bounds."""


class JudgedRows(NamedTuple):
    """Rows in NumPy, one element per row and output, those without weight left out; shapes (m,)."""

    covered: np.ndarray
    weight: np.ndarray
    half_width: np.ndarray
    """Half widths, or distances to one-sided limits."""
    rounding: np.ndarray
    """Differences between half widths that may be rounding."""
    y_pred: np.ndarray
    row: np.ndarray
    """The number of the row among all."""
    block: np.ndarray | None
    """What depends on each other; None where all elements are independent."""
    parameter: float
    """The operating point."""


def judged_rows(
    intervals: Intervals, vary: Vary, coverage: float | None, blocks: ArrayLike | int | None
) -> JudgedRows:
    """Judge the intervals as given, or moved to the narrowest operating point with at least a coverage."""
    curve = UCC(intervals, vary=vary)
    data, columns = curve.data, intervals.rows.columns
    codes = block_codes(intervals, blocks)
    parameter = data.family.as_given
    if coverage is not None:
        parameter = curve.at(miss_rate=arguments.miss_rate_of(coverage, None)).parameter
    weight = np.ones(intervals.n)
    if not intervals.rows.summary.equal_weights:
        weight = to_numpy(intervals.sample_weight)
    outputs = intervals.n_outputs
    row = np.repeat(np.arange(intervals.n), outputs)
    kept = weight[row] > 0
    row = row[kept]
    bands = [to_numpy(b).ravel()[kept] for b in (columns.lower_band, columns.upper_band) if b is not None]
    half_width = sum(data.family.bands(np, band, parameter) / len(bands) for band in bands)
    y_pred = to_numpy(intervals.y_pred).ravel()[kept]
    from_bounds = columns.lower is not None or columns.upper is not None
    rounding = _ROUNDING * (np.abs(y_pred) + sum(bands)) if from_bounds else np.zeros(row.size)
    critical = to_numpy(intervals.critical(vary=vary)).ravel()[kept]
    independent = blocks is None and outputs == 1
    return JudgedRows(
        covered=critical <= max(parameter, data.start),
        weight=weight[row],
        half_width=np.asarray(half_width),
        rounding=np.asarray(rounding),
        y_pred=y_pred,
        row=row,
        block=None if independent else codes[row],
        parameter=parameter,
    )
