"""Areas, gains and costs of a curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve._base import arguments
from uccurve.curve._curve_data import floor, line
from uccurve.curve._ranges import below_floor, span
from uccurve.formulas import areas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, Partial, X, Y
    from uccurve.curve._curve_data import CurveData, WholeCurveData
    from uccurve.curve._ranges import Span


def has_closed_form(data: CurveData, x: X) -> bool:
    """Whether full areas and gains on x need sums over the rows only."""
    return x == "bandwidth" and data.family.proportional


def closed_area(data: WholeCurveData, y: Y) -> float:
    """Return the full area of bandwidth against y under a proportional family, without a sort."""
    deficit = y == "deficit"
    own = data.deficit_sums.moment if deficit else data.miss_rate_sums.critical
    area = float(areas.closed_area(data.summary.width, own / data.summary.weight, deficit=deficit))
    if not math.isfinite(area):
        raise below_floor(data, 0) if floor(data) > 0 else arguments.overflow()
    return area


def closed_gain(data: WholeCurveData, y: Y) -> float:
    """Return the full gain of bandwidth against y, without a difference of areas."""
    if data.summary.error == 0:
        return math.nan
    if data.summary.constant and data.summary.narrowest > 0:
        return 0.0  # exactly, however bounds were rounded
    if y == "miss_rate":
        saved, constant = data.miss_rate_sums.saved, data.miss_rate_sums.constant
    else:
        saved, constant = data.deficit_sums.saved, data.deficit_sums.square
    if not math.isfinite(saved):
        raise below_floor(data, 0) if floor(data) > 0 else arguments.overflow()
    return saved / constant


def area(data: CurveData, x: X, y: Y, partial: Partial, axis: str | None, given: Mapping[str, Any]) -> float:
    """Return the area over a range on an axis; without one the whole, by its closed form where it has one.

    Of a part, NaN means an empty one.
    """
    if axis is None and has_closed_form(data, x):
        return closed_area(cast("WholeCurveData", data), y)
    with np.errstate(over="ignore", invalid="ignore"):
        found = area_over(data, x, y, partial, span(data, axis, given))
    if math.isinf(found) or (math.isnan(found) and axis is None):
        raise arguments.overflow()
    return found


def area_over(data: CurveData, x: X, y: Y, partial: Partial, part: Span) -> float:
    """Integrate over a part of the curve, on either vertical axis."""
    integrate = area_of_steps if y == "miss_rate" else area_of_lines
    return integrate(data, x, partial, part)


def cost_candidates(data: CurveData, x: X, y: Y) -> tuple[Array, Array, Array]:
    """Return the parameters among which a linear cost has its minimum, with x and y there."""
    if y == "miss_rate" or data.family.deficit_bends_at_points:
        return data.parameter, getattr(data, x), getattr(data, y)
    return data.lines.knots, line(data, x), line(data, y)


def area_of_steps(data: CurveData, x: X, partial: Partial, part: Span) -> float:
    """Integrate with the miss rate, a step function, on the vertical axis."""
    xs, rates = data.steps(x)
    if partial == "strip":
        low = _coordinate(data, x, part.first)
        _check_reached(data, part)
        return areas.strip_of_steps(data.xp, xs, rates, low, max(low, _coordinate(data, x, part.last)))
    if part.miss_rates is None:
        bottom, top = _coordinate(data, "miss_rate", part.last), _coordinate(data, "miss_rate", part.first)
    else:
        bottom, top = part.miss_rates
        if bottom < floor(data):
            raise below_floor(data, bottom)
    return areas.mean_of_steps(data.xp, xs, rates, bottom, top) / (top - bottom) if top > bottom else math.nan


def area_of_lines(data: CurveData, x: X, partial: Partial, part: Span) -> float:
    """Integrate with the deficit on the vertical axis: both axes are linear between breakpoints."""
    _check_reached(data, part)
    xs, ys = line(data, x), data.lines.deficit
    x0, x1 = (_coordinate(data, x, end) for end in (part.first, part.last))
    y0, y1 = (_coordinate(data, "deficit", end) for end in (part.first, part.last))
    x1, y1 = max(x0, x1), min(y0, y1)
    if partial == "strip":
        return areas.trapezoids(data.xp, ys, xs, (y0, x0), (y1, x1))
    return -areas.trapezoids(data.xp, xs, ys, (x0, y0), (x1, y1)) / (y0 - y1) if y0 > y1 else math.nan


def _check_reached(data: CurveData, part: Span) -> None:
    """Refuse a part that runs to the end of a curve which never gets there."""
    if math.isinf(part.last) and floor(data) > 0:
        raise below_floor(data, part.miss_rates[0] if part.miss_rates else 0)


def _coordinate(data: CurveData, cost: str, parameter: float) -> float:
    """Return a cost at the end of a part; where the part has no end, at the end of the curve."""
    if not math.isinf(parameter):
        return float(getattr(data.at(parameter), cost))
    if cost in ("miss_rate", "bandwidth"):  # nothing is missed behind the last point, so that it is the end
        return float(getattr(data, cost)[-1])
    return float(line(data, cost)[-1])
