"""Areas and gains of an exact curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._kernels import areas
from uccurve.curve._ranges import below_floor

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Partial, X, Y
    from uccurve.curve._exact_data import ExactData
    from uccurve.curve._ranges import Span


def closed_area(curve: ExactData, y: Y) -> float:
    """Return the full area of bandwidth against y under ``scale``, without a sort."""
    total, width = curve.summary.weight, curve.summary.width
    if y == "miss_rate":
        area = width * (curve.miss_rate_sums[0] / total)
    else:
        area = width * (curve.deficit_sums[0] / total) / 2
    if not math.isfinite(area):
        raise below_floor(curve, 0) if curve.floor > 0 else arguments.overflow()
    return area


def closed_gain(curve: ExactData, y: Y) -> float:
    """Return the full gain of bandwidth against y under ``scale``, without a difference of areas."""
    if curve.summary.error == 0:
        return math.nan
    if y == "miss_rate":
        _, saved = curve.miss_rate_sums
        gain = saved / curve.summary.weight / curve.summary.error
    else:
        _, saved, square = curve.deficit_sums
        gain = saved / square
    if not math.isfinite(gain):
        raise below_floor(curve, 0)
    return gain


def area_over(curve: ExactData, x: X, y: Y, partial: Partial, part: Span) -> float:
    """Integrate over a part of the curve, on either vertical axis."""
    integrate = area_of_steps if y == "miss_rate" else area_of_lines
    return integrate(curve, x, partial, part)


def cost_candidates(curve: ExactData, x: X, y: Y) -> tuple[Array, Array, Array]:
    """Return the parameters among which a linear cost has its minimum, with x and y there.

    Costs bend upwards at the operating points only, except the deficit's under shift.
    """
    if y == "miss_rate" or curve.vary == "scale":
        return curve.parameter, getattr(curve, x), getattr(curve, y)
    return curve.sorted.lines.knots, curve.line(x), curve.line(y)


def area_of_steps(curve: ExactData, x: X, partial: Partial, part: Span) -> float:
    """Integrate with the miss rate, a step function, on the vertical axis."""
    xs, rates = curve.steps(x)
    if partial == "strip":
        low = _coordinate(curve, x, part.first)
        if math.isinf(part.last) and curve.floor > 0:
            raise below_floor(curve, part.miss_rates[0] if part.miss_rates else 0)
        return areas.strip_of_steps(curve.xp, xs, rates, low, max(low, _coordinate(curve, x, part.last)))
    if part.miss_rates is None:
        bottom, top = _coordinate(curve, "miss_rate", part.last), _coordinate(curve, "miss_rate", part.first)
    else:
        bottom, top = part.miss_rates
        if bottom < curve.floor:
            raise below_floor(curve, bottom)
    return (
        areas.mean_of_steps(curve.xp, xs, rates, bottom, top) / (top - bottom) if top > bottom else math.nan
    )


def area_of_lines(curve: ExactData, x: X, partial: Partial, part: Span) -> float:
    """Integrate with the deficit on the vertical axis: both axes are linear between breakpoints."""
    if math.isinf(part.last) and curve.floor > 0:
        raise below_floor(curve, part.miss_rates[0] if part.miss_rates else 0)
    xs, ys = curve.line(x), curve.line("deficit")
    x0, x1 = (_coordinate(curve, x, end) for end in (part.first, part.last))
    y0, y1 = (_coordinate(curve, "deficit", end) for end in (part.first, part.last))
    x1, y1 = max(x0, x1), min(y0, y1)
    if partial == "strip":
        return areas.trapezoids(curve.xp, ys, xs, (y0, x0), (y1, x1))
    return -areas.trapezoids(curve.xp, xs, ys, (x0, y0), (x1, y1)) / (y0 - y1) if y0 > y1 else math.nan


def _coordinate(curve: ExactData, cost: str, parameter: float) -> float:
    """Return a cost at the end of a part; where the part has no end, at the end of the curve."""
    if not math.isinf(parameter):
        return float(getattr(curve.at(parameter), cost))
    return float((getattr(curve, cost) if cost == "miss_rate" else curve.line(cost))[-1])
