"""What a curve is measured against: the hindsight ceiling of its gain, and the limit line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uccurve._base.arrays import frozen, namespace
from uccurve.curve.results import Frontier
from uccurve.formulas import areas
from uccurve.formulas.steps import weigh_missed
from uccurve.formulas.tolerances import ROUNDING

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve.curve import Curve
    from uccurve.intervals import Intervals


def ceiling(curve: Curve, x: X, y: Y, *, asymmetric: bool) -> float:
    """Return the largest gain any band around these predictions can have, known only in hindsight.

    The family knows it for symmetric bands on the bandwidth axis; of nested intervals against the miss rate,
    it follows from the limit line. On the excess axes the band z = |e| gains everything. A band on the right
    side alone needs half the bandwidth, so its area is half as large.
    """
    data = curve.data
    if data.summary.error == 0:
        return math.nan
    if x == "excess":
        return 1.0
    if data.family.nested and y == "miss_rate":
        rate, bandwidth = curve.frontier.miss_rate, curve.frontier.bandwidth
        least = areas.mean_of_steps(namespace(rate), bandwidth, rate, 0.0, 1.0)
        symmetric = 1 - least / curve.reference.area()
    else:
        symmetric = data.family.ceiling(data.output_errors(), lambda: curve.reference.area(y=y), y)
    if abs(symmetric) <= ROUNDING:  # of equal errors: nothing can be gained
        symmetric = 0.0
    return (1 + symmetric) / 2 if asymmetric and curve.side == "both" else symmetric


def frontier(intervals: Intervals) -> Frontier:
    """Cover the smallest absolute residuals first."""
    xp = namespace(intervals.y_true)
    (whole,) = intervals.rows.blocks(whole=True)
    error, weight = whole.abs_error, whole.weight
    order = xp.argsort(error)
    error, weight = xp.take(error, order), xp.ones_like(error) if weight is None else xp.take(weight, order)
    zero = xp.zeros_like(error[:1])
    share = error * weight
    total = intervals.rows.summary.weight
    covered = xp.cumulative_sum(xp.concat([zero, share])) / total
    missed, misses = (weigh_missed(xp, column) / total for column in (share, weight))
    return Frontier(miss_rate=frozen(misses), bandwidth=frozen(covered), deficit=frozen(missed))
