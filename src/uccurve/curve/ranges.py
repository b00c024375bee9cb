"""From a value or a range on any axis to parameters of the curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.formulas import lines, steps
from uccurve.intervals import checks

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Array
    from uccurve.curve.sorted_rows import CurveData

AXES = ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")
_SHARES = ("miss_rate", "coverage")
# Where models are compared that make no claim.
DEFAULT_MISS_RATE = 0.1

# Why some rows are never captured, and what to use instead.
_SCALED = (
    "scaling never captures a row with a zero band and a non-zero residual",
    "vary='shift', a range above that floor, or intervals.floored(band)",
)
_LEVELS = (
    "no level captures a row whose outermost quantile lies at the center and the observation beyond it",
    "vary='shift', or a range above that floor",
)
_WITHOUT_TAILS = (
    "tails='none' ends the curve at the outermost quantiles, and what lies outside of them stays missed",
    "tails='scale', or a range above that floor",
)


class Span(NamedTuple):
    """A part of the curve, between two parameters; the second one may be infinite."""

    first: float
    last: float
    miss_rates: tuple[float, float] | None
    """The miss rates themselves where the part was given by them, else None."""


def check_axes(x: str, y: str, partial: str = "mean", *values: Any) -> dict[str, Any]:
    """Check two axes and what a partial area means, and return the range that is given, by its axis.

    ``values`` are ranges in the order of `AXES`, of which at most one is not None.
    """
    arguments.option("x", x, ("bandwidth", "excess"))
    arguments.option("y", y, ("miss_rate", "deficit"))
    arguments.option("partial", partial, ("strip", "mean"))
    given = on_axes(*values)
    one_of("a range", given, required=False)
    return given


def one_of(what: str, given: Mapping[str, Any], *, required: bool) -> str | None:
    """Check that a value is given on one axis only, and return which."""
    named = list(given)
    if len(named) > 1 or (required and not named):
        got = " and ".join(f"`{name}`" for name in named) or "none"
        axes = (*AXES, "nominal") if required else AXES
        raise ArgumentError(f"{what} must be given by one of {', '.join(axes)}", got=got)
    return named[0] if named else None


def on_axes(*values: Any) -> dict[str, Any]:
    """Return the values that are given, by their axes; they come in the order of `AXES`, then a claim."""
    axes = (*AXES, "nominal")[: len(values)]
    return {axis: value for axis, value in zip(axes, values, strict=True) if value is not None}


def span(data: CurveData, given: Mapping[str, Any]) -> Span:
    """Find the part of the curve whose values on an axis lie in a range, both ends included."""
    axis = next(iter(given), None)
    if axis is None:
        return Span(data.start, math.inf, None)
    low, high = check_range(axis, given[axis], data.family.lowest)
    if axis == "parameter":
        return Span(max(low, data.start), high, None)
    if axis == "miss_rate":
        return Span(_reaching(data, axis, high, high), _leaving(data, axis, low), (low, high))
    if axis == "coverage":
        bottom = data.floor if high == float(data.coverages()[-1]) else 1 - high
        return Span(_reaching(data, axis, low, 1 - low), _leaving(data, axis, high), (bottom, 1 - low))
    first, last = (high, low) if axis == "deficit" else (low, high)  # the deficit falls
    return Span(
        _cost(data, axis, first, lines.first_reaching), _cost(data, axis, last, lines.last_within), None
    )


def choose_miss_rate(models: Any, coverage: float | None = None, miss_rate: float | None = None) -> float:
    """Return the point of a comparison: as passed, what all models claim, if they claim the same, or 10%.

    One standard deviation claims 68.27% without anybody having chosen that: it is no target.
    """
    given = models.values() if isinstance(models, Mapping) else ()
    claims: set[Any] = {getattr(model, "nominal", None) for model in given}
    is_target = len(claims) == 1 and not claims & {None, checks.ONE_DEVIATION}
    default = arguments.complement(claims.pop()) if is_target else DEFAULT_MISS_RATE
    return arguments.miss_rate_of(coverage, miss_rate, default)


def solve(data: CurveData, axis: str, value: Any) -> float:
    """Find the parameter at which the curve has a value on an axis."""
    if axis == "nominal":
        return _of_claim(data, value)
    if axis == "parameter":
        return arguments.number(axis, value, data.family.lowest)
    if axis in ("miss_rate", "coverage"):
        value = arguments.number(axis, value, 0, 1)
        return _reaching(data, axis, value, value if axis == "miss_rate" else 1 - value)
    value = arguments.number(axis, value, 0)
    if axis == "bandwidth" and data.family.bandwidth_line(data.summary) is not None:
        parameter = _of_bandwidth(data, value)
    elif axis == "deficit":
        parameter = _cost(data, axis, value, lines.first_reaching)
    else:
        parameter = _cost(data, axis, value, lines.last_within)
        if math.isinf(parameter):
            parameter = _cost(data, axis, value, lines.first_reaching)
    if math.isinf(parameter):
        limit = float(data.at_knots(axis)[-1])
        verb = "falls below" if axis == "deficit" else "exceeds"
        raise UnreachableError(f"no parameter gives a mean {axis} of {value:g}: it never {verb} {limit:g}")
    return parameter


def ask_curve(question: Callable[..., Any], *, otherwise: Any = math.nan, **asked: Any) -> Any:
    """Ask a curve, such as ``curve.gain``; return ``otherwise`` where its floor puts that out of reach."""
    try:
        return question(**asked)
    except UnreachableError:
        return otherwise


def below_floor(data: CurveData, wanted: float) -> UnreachableError:
    """Say why some rows are never captured, and what can be done."""
    reason, remedy = _LEVELS if data.family.nested else _SCALED
    if data.family.tails == "none":
        reason, remedy = _WITHOUT_TAILS
    return UnreachableError(
        f"{reason}: the miss rate stays at {data.floor:g}, but {wanted:g} is needed", hint=f"Use {remedy}."
    )


def check_range(axis: str, given: Any, lowest: float) -> tuple[float, float]:
    """Check a range on an axis; ``lowest`` is the smallest parameter."""
    try:
        low, high = (arguments.as_float(end) for end in given)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(argument=axis, rule="be a pair (low, high)", got=repr(given)) from error
    least = lowest if axis == "parameter" else 0.0
    most = 1.0 if axis in _SHARES else math.inf
    if not least <= low < high <= most:
        bounds = f" within [{least:g}, {most:g}]" if least > -math.inf else ""
        raise ArgumentError(argument=axis, rule=f"be a pair with low < high{bounds}", got=repr(given))
    return low, high


def _falling(data: CurveData, axis: str, value: float) -> tuple[Array, Array, float]:
    """Return a share along the curve and a value of it, with the sign that makes the share fall."""
    sign = 1.0 if axis == "miss_rate" else -1.0
    share = data.steps.miss_rate if axis == "miss_rate" else -data.coverages()
    return share, data.xp.full_like(share[:1], sign * value), data.slack


def _reaching(data: CurveData, axis: str, value: float, wanted: float) -> float:
    """Return the first operating point with at most a miss rate, or at least a coverage."""
    share, bound, rounding = _falling(data, axis, value)
    place = int(steps.first_at_most(data.xp, share, bound + rounding)[0])
    if place == share.shape[0]:
        raise below_floor(data, wanted)
    return float(data.steps.parameter[place])


def _leaving(data: CurveData, axis: str, value: float) -> float:
    """Return the first operating point with less than a miss rate, or more than a coverage."""
    share, bound, rounding = _falling(data, axis, value)
    place = int(steps.first_below(data.xp, share, bound - rounding)[0])
    return float(data.steps.parameter[place]) if place < share.shape[0] else math.inf


def _of_claim(data: CurveData, nominal: Any) -> float:
    """Return the parameter at which nested quantiles claim a coverage."""
    if not data.levels:
        raise ArgumentError(
            argument="nominal",
            rule='be passed for a curve with vary="level" only',
            hint="Pass `coverage` or `parameter`.",
        )
    nominal, largest = arguments.number("nominal", nominal, 0, 1), data.levels[-1]
    if nominal > largest:
        raise ArgumentError(
            argument="nominal",
            rule=f"be at most {largest:g}, the coverage of the outermost quantiles",
            got=f"{nominal:g}",
            hint="Beyond it pass `coverage` or `parameter`.",
        )
    return float(nominal / largest)


def _of_bandwidth(data: CurveData, bandwidth: float) -> float:
    """Return the parameter with a bandwidth: an operating point's own, if its bandwidth is the one given."""
    xp, own = data.xp, data.at_points("bandwidth")
    place = int(xp.searchsorted(own, xp.full_like(own[:1], bandwidth))[0])
    if place < own.shape[0] and float(own[place]) == bandwidth:
        return float(data.steps.parameter[place])
    return _cost(data, "bandwidth", bandwidth, lines.last_within)


def _cost(data: CurveData, axis: str, value: float, find: Any) -> float:
    """Return the first or the last parameter at which a continuous cost has a value, as ``find`` says."""
    if math.isinf(value):
        return math.inf
    xp, known = data.xp, data.family.bandwidth_line(data.summary) if axis == "bandwidth" else None
    if known is not None:
        knots, values = (xp.asarray(column, dtype=xp.float64) for column in known[:2])
        return float(find(xp, knots, values, known[2], value))
    found = data.lines
    if axis == "deficit":
        return float(find(xp, found.knots, -found.deficit, 0.0, -value))
    slope = found.excess_slope if axis == "excess" else found.bandwidth_slope
    return float(find(xp, found.knots, data.at_knots(axis), slope, value))
