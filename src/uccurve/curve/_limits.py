"""What a curve is measured against: the hindsight ceiling of its gain, and the limit line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uccurve._base.arrays import frozen, namespace
from uccurve._kernels import areas, rows
from uccurve.curve._results import Frontier

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve.families._family import Family
    from uccurve.intervals import Intervals


def ceiling(intervals: Intervals, family: Family, x: X, y: Y, *, asymmetric: bool) -> float:
    r"""Return the largest gain any band around these predictions can have, known only in hindsight.

    Symmetric bands, by Cauchy-Schwarz: :math:`1 - (E|e|)^2 / E(e^2)` on bandwidth-deficit; the family
    knows it on bandwidth-miss rate. On the excess axes the band :math:`z = |e|` gains everything.
    A band on the right side alone needs half the bandwidth, so its area is half as large.
    """
    summary = intervals._summary
    unit = summary.error
    if unit == 0:
        return math.nan
    xp = namespace(intervals.y_true)
    sums = rows.totals(lambda block: areas.ceiling_sums(xp, block, unit), intervals._blocks())
    root, square, exact = (s / summary.weight for s in sums)
    return ceiling_of(root, square, exact, family, x, y, asymmetric=asymmetric)


def ceiling_of(
    root: float, square: float, exact: float, family: Family, x: X, y: Y, *, asymmetric: bool
) -> float:
    """Return the ceiling from the means of the root and the square of |e| / E|e|, and the share of e = 0."""
    if x == "excess":
        return 1.0
    symmetric = 1 - 1 / square if y == "deficit" else family.miss_rate_ceiling(root, exact)
    return (1 + symmetric) / 2 if asymmetric else symmetric


def frontier(intervals: Intervals) -> Frontier:
    """Cover the smallest absolute residuals first."""
    xp = namespace(intervals.y_true)
    (whole,) = intervals._blocks(whole=True)
    error, weight = whole.abs_error, whole.weight
    if weight is None:
        error = xp.sort(error, stable=False)
        weight = xp.ones_like(error)
    else:
        order = xp.argsort(error)
        error, weight = xp.take(error, order), xp.take(weight, order)
    zero = xp.zeros_like(error[:1])
    share = error * weight
    total = intervals._summary.weight
    covered = xp.cumulative_sum(xp.concat([zero, share])) / total
    missed, misses = (
        xp.flip(xp.cumulative_sum(xp.flip(xp.concat([column, zero])))) / total for column in (share, weight)
    )
    return Frontier(miss_rate=frozen(misses), bandwidth=frozen(covered), deficit=frozen(missed))
