"""What a curve is measured against: the hindsight ceiling of its gain, and the limit line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import frozen, namespace
from uccurve.curve.results import Frontier
from uccurve.formulas import areas, rows
from uccurve.formulas.bands import OutputErrors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import X, Y
    from uccurve.formulas.bands import Scale
    from uccurve.intervals import Intervals


def errors_of_outputs(intervals: Intervals) -> list[OutputErrors]:
    """Return the means that ceilings need."""
    xp = namespace(intervals.y_true)

    def means(output: Intervals, width: float) -> OutputErrors:
        sums = rows.totals(lambda block: areas.ceiling_sums(xp, block), output.rows.blocks())
        summary = output.rows.summary
        return OutputErrors(width, summary.error, *(number / summary.weight for number in sums))

    return list(map(means, intervals.outputs(), intervals.rows.summary.widths))


def ceiling(
    outputs: Sequence[OutputErrors],
    family: Scale,
    constant_area: Callable[[], float],
    x: X,
    y: Y,
    *,
    asymmetric: bool,
) -> float:
    """Return the largest gain any band around these predictions can have, known only in hindsight.

    The family knows it for symmetric bands on the bandwidth axis. On the excess axes the band z = |e| gains
    everything. A band on the right side alone needs half the bandwidth, so its area is half as large.
    ``constant_area`` returns the area of the constant band on bandwidth and y.
    """
    if x == "excess":
        return 1.0
    symmetric = family.ceiling(outputs, constant_area, y)
    return (1 + symmetric) / 2 if asymmetric else symmetric


def frontier_area(line: Frontier) -> float:
    """Return the area under the limit line: the mean bandwidth over all miss rates."""
    rate, bandwidth = line.miss_rate, line.bandwidth
    return areas.mean_of_steps(namespace(rate), bandwidth, rate, 0.0, 1.0)


def frontier(intervals: Intervals) -> Frontier:
    """Cover the smallest absolute residuals first."""
    xp = namespace(intervals.y_true)
    (whole,) = intervals.rows.blocks(whole=True)
    error, weight = whole.abs_error, whole.weight
    if weight is None:
        error = xp.sort(error, stable=False)
        weight = xp.ones_like(error)
    else:
        order = xp.argsort(error)
        error, weight = xp.take(error, order), xp.take(weight, order)
    zero = xp.zeros_like(error[:1])
    share = error * weight
    total = intervals.rows.summary.weight
    covered = xp.cumulative_sum(xp.concat([zero, share])) / total
    missed, misses = (
        xp.flip(xp.cumulative_sum(xp.flip(xp.concat([column, zero])))) / total for column in (share, weight)
    )
    return Frontier(miss_rate=frozen(misses), bandwidth=frozen(covered), deficit=frozen(missed))
