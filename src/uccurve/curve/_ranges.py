"""From a value or a range on any axis to parameters of the curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from uccurve._base import arguments
from uccurve._kernels import hinges
from uccurve.exceptions import ArgumentError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, Range, Vary
    from uccurve.curve._exact_data import ExactData

AXES = ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")


class Span(NamedTuple):
    """A part of the curve, between two parameters; the second one may be infinite."""

    first: float
    last: float
    miss_rates: tuple[float, float] | None
    """The miss rates themselves where the part was given by them, else None."""


def one_of(what: str, given: Mapping[str, Any], *, required: bool) -> str | None:
    """Check that a value is given on one axis only, and return which."""
    unknown = [name for name in given if name not in AXES]
    if unknown:
        raise TypeError(f"unexpected argument {unknown[0]!r}; {what} is given by one of {', '.join(AXES)}.")
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1 or (required and not named):
        got = " and ".join(f"`{name}`" for name in named) or "none"
        raise ArgumentError(f"give {what} by one of {', '.join(AXES)}; got {got}.")
    return named[0] if named else None


def unit_factor(size: float, limit: float = 2.0**400) -> float:
    """Return the power of two that brings a size near 1, if its square could leave float64; else 1."""
    if size == 0 or 1 / limit < size < limit:
        return 1.0
    return math.ldexp(1.0, -max(math.frexp(size)[1], -1000))


def in_unit(given: Range, factor: float, vary: Vary) -> Range:
    """Express a range in another unit of y."""
    units = {"bandwidth", "excess", "deficit"} | ({"parameter"} if vary == "shift" else set())
    scaled = {
        axis: tuple(end * factor for end in pair) if axis in units else pair  # type: ignore[attr-defined]
        for axis, pair in given.items()
    }
    return cast("Range", scaled)


def span(curve: ExactData, axis: str | None, given: Mapping[str, Any]) -> Span:
    """Find the part of the curve whose values on an axis lie in a range, both ends included."""
    if axis is None:
        return Span(curve.start, math.inf, None)
    low, high = pair(axis, given[axis], curve.start if curve.vary == "shift" else 0.0)
    if axis == "parameter":
        return Span(max(low, curve.start), high, None)
    slack = curve.slack
    if axis == "miss_rate":
        first = _point(curve, curve.miss_rate > high + slack, high)
        return Span(first, _next(curve, curve.miss_rate >= low - slack), (low, high))
    if axis == "coverage":
        bottom = curve.floor if high == float(curve.coverage[-1]) else 1 - high
        first = _point(curve, curve.coverage < low - slack, 1 - low)
        return Span(first, _next(curve, curve.coverage <= high + slack), (bottom, 1 - low))
    if axis == "deficit":
        return Span(_reach(curve, axis, high, "first"), _reach(curve, axis, low, "last"), None)
    return Span(_reach(curve, axis, low, "first"), _reach(curve, axis, high, "last"), None)


def solve(curve: ExactData, axis: str, value: Any) -> float:
    """Find the parameter at which the curve has a value on an axis."""
    if axis == "parameter":
        return arguments.number(axis, value, *(() if curve.vary == "shift" else (0,)))
    if axis in ("miss_rate", "coverage"):
        value = arguments.number(axis, value, 0, 1)
        if axis == "miss_rate":
            return _point(curve, curve.miss_rate > value + curve.slack, value)
        return _point(curve, curve.coverage < value - curve.slack, 1 - value)
    value = arguments.number(axis, value, 0)
    if axis == "bandwidth" and curve.vary == "scale":
        found = _scale_of(curve, value)
    elif axis == "deficit":
        found = _reach(curve, axis, value, "first")
    else:
        found = _reach(curve, axis, value, "last")
        if math.isinf(found):
            found = _reach(curve, axis, value, "first")
    if math.isinf(found):
        limit = float(curve.line(axis)[-1])
        verb = "falls below" if axis == "deficit" else "exceeds"
        raise UnreachableError(f"no parameter gives a mean {axis} of {value:g}: it never {verb} {limit:g}.")
    return found


def below_floor(curve: ExactData, wanted: float) -> UnreachableError:
    """Say that scaling cannot capture some rows, and what can be done."""
    return UnreachableError(
        f"scaling never captures a row with a zero band and a non-zero residual: the miss rate stays at "
        f"{curve.floor:g}, but {wanted:g} is needed. Use vary='shift', a range above that floor, or "
        f"intervals.floored(band)."
    )


def _scale_of(curve: ExactData, bandwidth: float) -> float:
    """Return the scale with a bandwidth: an operating point's own, if its bandwidth is the one given."""
    scale = _reach(curve, "bandwidth", bandwidth, "last")
    xp, own = curve.xp, curve.bandwidth
    index = int(xp.searchsorted(own, xp.full_like(own[:1], bandwidth))[0])
    exact = index < own.shape[0] and float(own[index]) == bandwidth
    return float(curve.parameter[index]) if exact else scale


def pair(axis: str, given: Any, start: float) -> tuple[float, float]:
    """Check a range on an axis."""
    try:
        low, high = (arguments.as_float(end) for end in given)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"`{axis}` must be a pair (low, high), got {given!r}.") from error
    least = -math.inf if axis == "parameter" and start < 0 else 0.0
    most = 1.0 if axis in ("miss_rate", "coverage", "partial_range") else math.inf
    if not least <= low < high <= most:
        bounds = f" within [{least:g}, {most:g}]" if least > -math.inf else ""
        raise ArgumentError(f"`{axis}` must be a pair with low < high{bounds}, got {given!r}.")
    return low, high


def _point(curve: ExactData, above: Array, wanted: float) -> float:
    """Return the first operating point behind those marked in ``above``."""
    index = int(curve.xp.count_nonzero(above))
    if index == above.shape[0]:
        raise below_floor(curve, wanted)
    return float(curve.parameter[index])


def _next(curve: ExactData, inside: Array) -> float:
    """Return the operating point at which the part marked in ``inside`` ends."""
    index = int(curve.xp.count_nonzero(inside))
    return float(curve.parameter[index]) if index < inside.shape[0] else math.inf


def _reach(curve: ExactData, axis: str, value: float, which: str) -> float:
    """Return the first or the last parameter at which a continuous cost has a value."""
    if math.isinf(value):
        return math.inf
    if axis == "bandwidth" and curve.vary == "scale":
        width = curve.summary.width
        return value / width if width > 0 else (0.0 if value == 0 else math.inf)
    lines, xp = curve.sorted.lines, curve.xp
    find = hinges.first_reaching if which == "first" else hinges.last_within
    if axis == "deficit":
        return find(xp, lines.knots, -lines.deficit, 0.0, -value)
    slope = lines.excess_slope if axis == "excess" else lines.bandwidth_slope
    return find(xp, lines.knots, curve.line(axis), slope, value)
