"""Areas, gains and costs of a curve, and the curves that others are measured against."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve.ranges import below_floor, span
from uccurve.curve.results import Crossing
from uccurve.exceptions import ArgumentError, PairError
from uccurve.formulas import areas, crossings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, Partial, Side, X, Y
    from uccurve.curve.curve import Curve
    from uccurve.curve.ranges import Span
    from uccurve.curve.sorted_rows import CurveData
    from uccurve.intervals import Intervals


# A constant band so much wider than the residuals leaves few digits of them under ``shift``.
_LOST = 2.0**20


# -- areas and gains --------------------------------------------------------------------------------------


def closed_gain(data: CurveData, y: Y) -> float:
    """Return the full gain of bandwidth against y, without a difference of areas."""
    if data.summary.error == 0:
        return math.nan
    if data.summary.constant and data.summary.narrowest > 0:
        return 0.0  # exactly, however bounds were rounded
    sums = data.closed_sums(y)
    if not math.isfinite(sums.saved):
        raise below_floor(data, 0) if data.floor > 0 else arguments.overflow()
    return sums.saved / sums.constant


def closed_area(data: CurveData, y: Y) -> float:
    """Return the full area of bandwidth against y under a proportional family, without a sort."""
    own = data.closed_sums(y).own / data.summary.weight
    area = float(areas.closed_area(data.summary.width, own, deficit=y == "deficit"))
    if not math.isfinite(area):
        raise below_floor(data, 0) if data.floor > 0 else arguments.overflow()
    return area


def area(data: CurveData, x: X, y: Y, partial: Partial, given: Mapping[str, Any]) -> float:
    """Return the area over a range on an axis; without one the whole, by its closed form where it has one.

    Of a part, NaN means an empty one.
    """
    if not given and x == "bandwidth" and data.family.proportional:
        return closed_area(data, y)
    if y == "deficit" or x == "excess":
        _ = data.lines  # whose sort finds the steps as well
    with np.errstate(over="ignore", invalid="ignore"):
        found = area_over(data, x, y, partial, given)
    if math.isinf(found) or (math.isnan(found) and not given):
        raise arguments.overflow()
    return found


def area_over(data: CurveData, x: X, y: Y, partial: Partial, given: Mapping[str, Any]) -> float:
    """Integrate over a part of the curve: the miss rate is a step function, the deficit a line."""
    integrate = _area_of_steps if y == "miss_rate" else _area_of_lines
    return integrate(data, x, partial if given else "strip", span(data, given))  # of all of it they are equal


def _area_of_steps(data: CurveData, x: X, partial: Partial, part: Span) -> float:
    xs, rates = data.jumps(x)
    if partial == "strip":
        low = _coordinate(data, x, part.first)
        _check_reached(data, part)
        return areas.strip_of_steps(data.xp, xs, rates, low, max(low, _coordinate(data, x, part.last)))
    if part.miss_rates is None:
        bottom, top = _coordinate(data, "miss_rate", part.last), _coordinate(data, "miss_rate", part.first)
    else:
        bottom, top = part.miss_rates
        if bottom < data.floor:
            raise below_floor(data, bottom)
    return areas.mean_of_steps(data.xp, xs, rates, bottom, top) / (top - bottom) if top > bottom else math.nan


def _area_of_lines(data: CurveData, x: X, partial: Partial, part: Span) -> float:
    _check_reached(data, part)
    xs, ys = data.at_knots(x), data.lines.deficit
    x0, x1 = (_coordinate(data, x, end) for end in (part.first, part.last))
    y0, y1 = (_coordinate(data, "deficit", end) for end in (part.first, part.last))
    x1, y1 = max(x0, x1), min(y0, y1)
    if partial == "strip":
        return areas.trapezoids(data.xp, ys, xs, (y0, x0), (y1, x1))
    return -areas.trapezoids(data.xp, xs, ys, (x0, y0), (x1, y1)) / (y0 - y1) if y0 > y1 else math.nan


def _check_reached(data: CurveData, part: Span) -> None:
    """Refuse a part that runs to the end of a curve which never gets there."""
    if math.isinf(part.last) and data.floor > 0:
        raise below_floor(data, part.miss_rates[0] if part.miss_rates else 0)


def _coordinate(data: CurveData, cost: str, parameter: float) -> float:
    """Return a cost at the end of a part; where the part has no end, at the end of the curve."""
    if not math.isinf(parameter):
        return float(getattr(data.at(parameter), cost))
    if cost == "miss_rate":
        return data.floor
    if cost == "bandwidth":  # nothing is missed behind the last point, so that it is the end
        return float(data.at_points(cost)[-1])
    return float(data.at_knots(cost)[-1])


# -- costs and crossings ----------------------------------------------------------------------------------


def corners(data: CurveData, x: X, y: Y) -> tuple[Array, Array, Array]:
    """Return the parameters at which the curve bends, with x and y there: a linear cost is least at one."""
    if y == "miss_rate":
        return data.steps.parameter, data.at_points(x), data.steps.miss_rate
    return data.lines.knots, data.at_knots(x), data.lines.deficit


def find_crossings(mine: CurveData, theirs: CurveData, x: X, y: Y) -> tuple[Crossing, ...]:
    """Return each swap of order, by rising y."""
    steps = y == "miss_rate"
    exact = not steps or mine.slack == theirs.slack == 0  # sums of weights compare up to rounding
    curves = [map(to_numpy, corners(data, x, y)[1:]) for data in (mine, theirs)]
    traces = (crossings.trace(across, along, steps=steps, exact=exact) for across, along in curves)
    ys, xs, signs = (column.tolist() for column in crossings.crossings(*traces))
    return tuple(
        Crossing(x=at_x, y=at_y, better_below="self" if sign < 0 else "other")
        for at_y, at_x, sign in zip(ys, xs, signs, strict=True)
    )


# -- references -------------------------------------------------------------------------------------------


def check_reference(curve: Curve, reference: Curve) -> None:
    """Refuse a reference that is not a curve of the same rows; sketches keep their number only."""
    arguments.instance("reference", reference, type(curve))
    check_side("reference", curve.side, reference.side)
    if curve.source is not None and reference.source is not None:
        check_pair(curve.source, reference.source)
    elif curve.n != reference.n:
        rule = f"be a curve of the same rows, but it has {reference.n} and not {curve.n}"
        raise ArgumentError(argument="reference", rule=rule)


def check_pair(a: Intervals, b: Intervals) -> None:
    """Refuse two models that are not on the same rows, with the same weights."""
    same: dict[str, Any] = {"argument": "y_true", "rule": "be the same rows in both of a pair"}
    if a.y_true.shape != b.y_true.shape:
        raise PairError(**same, got=f"the shapes {tuple(a.y_true.shape)} and {tuple(b.y_true.shape)}")
    differing = np.flatnonzero((to_numpy(a.y_true) != to_numpy(b.y_true)).reshape(a.n, -1).any(axis=1))
    if differing.size:
        raise PairError(**same, count=int(differing.size), total=a.n, first=int(differing[0]))
    if a.side != b.side:
        raise PairError("a pair must have bounds on the same side", got=f"{a.side!r} and {b.side!r}")
    # equal weights are as if none were given
    mine, theirs = (
        np.empty(0) if model.rows.summary.equal_weights else to_numpy(model.sample_weight) for model in (a, b)
    )
    if not np.array_equal(mine, theirs):
        raise PairError(argument="sample_weight", rule="be the same in both of a pair")


def check_side(name: str, mine: Side, theirs: Side) -> None:
    """Refuse to measure a one-sided limit against bounds on another side: their widths do not compare."""
    if mine != theirs:
        raise ArgumentError(
            argument=name, rule="have bounds on the same side", got=f"{theirs!r} and not {mine!r}"
        )


def null_reference(curve: Curve, given: Mapping[str, Any]) -> Curve:
    """Return the curve of the constant band.

    Under ``shift`` constant bands of any width have the same costs, at other parameters. The narrowest one
    keeps all digits of residuals that are far smaller than the band.
    """
    reference, summary = curve.reference, curve.data.summary
    fixed = not curve.data.family.in_units_of_y or reference is curve or "parameter" in given
    if fixed or reference.source is None or summary.width <= _LOST * summary.error:
        return reference
    return reference.source.shifted(-min(summary.widths)).ucc(vary=reference.vary)
