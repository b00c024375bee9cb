r"""Sums of hinges: piecewise linear, continuous, monotone functions of the parameter.

A rising sum is :math:`F(t) = \sum_i c_i\,(t - \tau_i)^+`, a falling one
:math:`G(t) = \sum_i c_i\,(\tau_i - t)^+`. With the knots sorted, prefix (suffix) sums of the
changes are the slopes, and prefix (suffix) sums of slope times step are the values. The latter
have terms of one sign; where changes of both signs meet in the former, they are added without
rounding, so that a slope that a row adds and takes back leaves nothing behind.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .prefix_sums import prefix_sums
from .rows import collect, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Array = Any

_ROUNDING = 2.0**-49
"""Relative difference between a value asked for and one at a knot that counts as none."""


class Hinges(NamedTuple):
    """Unsorted knots, and at each knot the change of slope of three costs.

    Bandwidth and excess are rising sums, the deficit is a falling one. ``bandwidth`` is None
    where it is simply proportional to the parameter. ``pulse`` is a further change of the
    excess' slope that each row takes back again, None where no row has one.
    """

    knots: Array
    bandwidth: Array | None
    excess: Array
    deficit: Array
    pulse: Array | None = None
    row: Array | None = None
    """The row each knot belongs to, where asked for."""
    deficit_follows: bool = False
    """Whether the deficit changes by what excess and pulse add up to where that is positive, else by 0.

    Its own column may then be left out: sorted hinges have that of the excess in its place.
    """


class Lines(NamedTuple):
    """Sorted knots, from the start of the curve on, and the costs' values there."""

    knots: Array
    bandwidth: Array | None
    excess: Array
    deficit: Array
    excess_slope: float
    """Slope of the excess behind the last knot."""
    bandwidth_slope: float
    """Slope of the bandwidth behind the last knot."""


def laid_out(parts: Iterable[tuple[int, Hinges]], rows: int) -> Hinges | None:
    """Lay hinges of blocks of rows end to end, with little memory, in NumPy: a knot of each row, then others.

    Each part has a pulse, a deficit that follows, and begins with as many knots as is said, one per row. None
    if these are not as many as ``rows`` in the end.
    """
    columns = [np.empty(2 * rows) for _ in range(3)]
    first, others = 0, rows
    for number, part in parts:
        more = part.knots.shape[0] - number
        for whole, column in zip(columns, (part.knots, part.excess, part.pulse), strict=True):
            whole[first : first + number] = column[:number]
            whole[others : others + more] = column[number:]
        first, others = first + number, others + more
    if first != rows:
        return None
    knots, excess, pulse = (whole[:others] for whole in columns)
    return Hinges(knots, None, excess, deficit=excess, pulse=pulse, deficit_follows=True)


def gather(xp: Any, hinges: Hinges, order: Array, knots: Array) -> Hinges:
    """Sort the hinges, once for all costs; ``knots`` are the start of the curve and the sorted knots."""
    excess = taken(xp, hinges.excess, order)
    shared = hinges.deficit is hinges.excess or hinges.deficit_follows
    return Hinges(
        knots,
        bandwidth=None if hinges.bandwidth is None else taken(xp, hinges.bandwidth, order),
        excess=excess,
        deficit=excess if shared else taken(xp, hinges.deficit, order),
        pulse=None if hinges.pulse is None else taken(xp, hinges.pulse, order),
        deficit_follows=hinges.deficit_follows,
    )


def integrate(xp: Any, ordered: Hinges, floor: float, total: float, block: int) -> Lines:
    """Turn sorted hinges into values.

    ``floor`` is the deficit of the rows that are never captured, ``total`` the total weight.
    """
    knots = ordered.knots
    bandwidth, bandwidth_slope = None, 0.0
    if ordered.bandwidth is not None:
        bandwidth, bandwidth_slope = rising(xp, knots, [ordered.bandwidth], total, block)
    columns = [ordered.excess] if ordered.pulse is None else [ordered.excess, ordered.pulse]
    excess, excess_slope = rising(xp, knots, columns, total, block)
    pulse = ordered.pulse if ordered.deficit_follows else None
    deficit = falling(xp, knots, ordered.deficit, floor, total, block, pulse=pulse)
    return Lines(knots, bandwidth, excess, deficit, excess_slope, bandwidth_slope)


def rising(xp: Any, knots: Array, columns: list[Array], total: float, block: int) -> tuple[Array, float]:
    """Values of a rising sum over ``total`` at the start and at each knot, and its slope at the end.

    The slope changes by the sum of ``columns`` at each knot. The knots begin with the start, where
    it does not change.
    """
    n = columns[0].shape[0]
    sums = [_running_sum(xp, column) for column in columns]
    slope, value = 0.0, 0.0

    def parts() -> Iterator[Array]:
        nonlocal slope, value
        yield xp.zeros((1,), dtype=knots.dtype, device=knots.device)
        for begin in range(0, n, block):
            end = min(begin + block, n)
            behind, *others = (add(column[begin:end]) for add, column in zip(sums, columns, strict=True))
            behind = xp.clip(sum(others, start=behind), min=0.0)
            before = xp.concat([xp.full_like(behind[:1], slope), behind[:-1]])
            values = _added(xp, before, knots[begin : end + 1], total, value)
            slope, value = float(behind[-1]), float(values[-1])
            yield values

    return collect(xp, parts(), n + 1), slope / total


def falling(
    xp: Any,
    knots: Array,
    changes: Array,
    floor: float,
    total: float,
    block: int,
    *,
    pulse: Array | None = None,
) -> Array:
    """Values of a falling sum over ``total`` at the start and at each knot, down to ``floor``.

    With a pulse, the slope changes by what both add up to where that is positive, else by 0.
    """
    n = changes.shape[0]
    add = _running_sum(xp, changes)
    value = floor / total

    def parts() -> Iterator[Array]:  # from the last knot to the first
        nonlocal value
        yield xp.full((1,), value, dtype=knots.dtype, device=knots.device)
        for end in range(n, 0, -block):
            begin = max(end - block, 0)
            some = changes[begin:end]
            if pulse is not None:
                some = xp.clip(some + pulse[begin:end], min=0.0)
            before = xp.clip(add(xp.flip(some)), min=0.0)
            values = _added(xp, before, -xp.flip(knots[begin : end + 1]), total, value)
            value = float(values[-1])
            yield xp.flip(values)

    return collect(xp, parts(), n + 1, backward=True)


def _added(xp: Any, slopes: Array, knots: Array, total: float, value: float) -> Array:
    """Go on from a value with slopes between knots, over ``total``."""
    terms = slopes * (knots[1:] - knots[:-1])
    terms /= total
    values = prefix_sums(xp, terms)
    values += value
    return values


def _running_sum(xp: Any, column: Array) -> Callable[[Array], Array]:
    """Return a function that takes the column block by block and goes on with its prefix sums.

    With changes of both signs, each is split at the same binary places, high enough for the upper
    parts to add up without rounding; what is left is too small for its rounding to matter.
    """
    n = column.shape[0]
    least = float(xp.min(column)) if n > 0 else 0.0
    largest = max(float(xp.max(column)), -least) if least < 0 else 0.0  # 0 where nothing is to be split
    places = []
    if largest > 0:
        places = [math.ldexp(1.0, math.frexp(n * largest)[1] + 1)]
        places.append(math.ldexp(places[0], math.frexp(n)[1] - 52))
    sums = [0.0] * (len(places) + 1)

    def add(block: Array) -> Array:
        result = None
        for i in range(len(sums)):
            part = block
            if i < len(places):
                part = (block + places[i]) - places[i]
                block = block - part
            prefix = prefix_sums(xp, part)
            prefix += sums[i]
            sums[i] = float(prefix[-1])
            result = prefix if result is None else prefix + result
        return result

    return add


def first_reaching(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Smallest parameter at which a rising line reaches ``value``; infinite if it never does."""
    slack = _ROUNDING * abs(value)
    index = _search(xp, values, value - slack, "left")
    if index < knots.shape[0] and float(values[index]) <= value + slack:
        return float(knots[index])
    return _between(knots, values, end_slope, value, index)


def last_within(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Largest parameter at which a rising line is still at most ``value``; infinite without one."""
    slack = _ROUNDING * abs(value)
    index = _search(xp, values, value + slack, "right")
    at_last_knot = index == knots.shape[0] and end_slope == 0
    if index > 0 and float(values[index - 1]) >= value - slack and not at_last_knot:
        return float(knots[index - 1])
    return _between(knots, values, end_slope, value, index)


def _search(xp: Any, values: Array, value: float, side: str) -> int:
    return int(xp.searchsorted(values, xp.full_like(values[:1], value), side=side)[0])


def _between(knots: Array, values: Array, end_slope: float, value: float, index: int) -> float:
    """Solve on the segment that leads up to a knot, or on the ray behind the last one."""
    if index == 0:
        return float(knots[0])
    t0, v0 = float(knots[index - 1]), float(values[index - 1])
    if index == knots.shape[0]:
        return t0 + (value - v0) / end_slope if end_slope > 0 else math.inf
    t1, v1 = float(knots[index]), float(values[index])
    return min(t0 + (t1 - t0) * ((value - v0) / (v1 - v0)), t1)
