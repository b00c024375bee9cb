r"""Sums of hinges: piecewise linear, continuous, monotone functions of the parameter.

A rising sum is :math:`F(t) = \sum_i c_i\,(t - \tau_i)^+`, a falling one
:math:`G(t) = \sum_i c_i\,(\tau_i - t)^+`. With the knots sorted, prefix (suffix) sums of the
changes are the slopes, and prefix (suffix) sums of slope times step are the values: every term
has one sign, so nothing cancels.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from .rows import collect

if TYPE_CHECKING:
    from collections.abc import Iterator

Array = Any


class Hinges(NamedTuple):
    """Unsorted knots, and at each knot the change of slope of three costs.

    Bandwidth and excess are rising sums, the deficit is a falling one. ``bandwidth`` is None
    where it is simply proportional to the parameter.
    """

    knots: Array
    bandwidth: Array | None
    excess: Array
    deficit: Array


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


def gather(xp: Any, hinges: Hinges, order: Array, start: float, block: int) -> Hinges:
    """Sort the hinges, once for all costs, and put the start of the curve in front of the knots."""
    first = xp.full((1,), start, dtype=hinges.knots.dtype, device=hinges.knots.device)
    n = order.shape[0]
    parts = [slice(begin, min(begin + block, n)) for begin in range(0, max(n, 1), block)]

    def take(column: Array, *front: Array) -> Array:
        return collect(xp, chain(front, (xp.take(column, order[part]) for part in parts)), n + len(front))

    excess = take(hinges.excess)
    shared = hinges.deficit is hinges.excess
    return Hinges(
        take(hinges.knots, first),
        bandwidth=None if hinges.bandwidth is None else take(hinges.bandwidth),
        excess=excess,
        deficit=excess if shared else take(hinges.deficit),
    )


def integrate(xp: Any, ordered: Hinges, floor: float, total: float, block: int) -> Lines:
    """Turn sorted hinges into values.

    ``floor`` is the deficit of the rows that are never captured, ``total`` the total weight.
    """
    knots = ordered.knots
    bandwidth, bandwidth_slope = None, 0.0
    if ordered.bandwidth is not None:
        bandwidth, bandwidth_slope = rising(xp, knots, ordered.bandwidth, total, block)
    excess, excess_slope = rising(xp, knots, ordered.excess, total, block)
    deficit = falling(xp, knots, ordered.deficit, floor, total, block)
    return Lines(knots, bandwidth, excess, deficit, excess_slope, bandwidth_slope)


def rising(xp: Any, knots: Array, changes: Array, total: float, block: int) -> tuple[Array, float]:
    """Values of a rising sum over ``total`` at the start and at each knot, and its slope at the end.

    The knots begin with the start, where no slope changes.
    """
    n, mixed = changes.shape[0], _mixed(xp, changes)
    slope, value = 0.0, 0.0

    def parts() -> Iterator[Array]:
        nonlocal slope, value
        yield xp.zeros((1,), dtype=knots.dtype, device=knots.device)
        for begin in range(0, n, block):
            end = min(begin + block, n)
            behind = _slopes(xp, xp.cumulative_sum(changes[begin:end]) + slope, mixed=mixed)
            before = xp.concat([xp.full_like(behind[:1], slope), behind[:-1]])
            gained = before * (knots[begin + 1 : end + 1] - knots[begin:end]) / total
            values = xp.cumulative_sum(gained) + value
            slope, value = float(behind[-1]), float(values[-1])
            yield values

    return collect(xp, parts(), n + 1), slope / total


def falling(xp: Any, knots: Array, changes: Array, floor: float, total: float, block: int) -> Array:
    """Values of a falling sum over ``total`` at the start and at each knot, down to ``floor``."""
    n, mixed = changes.shape[0], _mixed(xp, changes)
    slope, value = 0.0, floor / total

    def parts() -> Iterator[Array]:  # from the last knot to the first
        nonlocal slope, value
        yield xp.full((1,), value, dtype=knots.dtype, device=knots.device)
        for end in range(n, 0, -block):
            begin = max(end - block, 0)
            before = _slopes(xp, xp.cumulative_sum(xp.flip(changes[begin:end])) + slope, mixed=mixed)
            lost = before * xp.flip(knots[begin + 1 : end + 1] - knots[begin:end]) / total
            values = xp.cumulative_sum(lost) + value
            slope, value = float(before[-1]), float(values[-1])
            yield values

    return xp.flip(collect(xp, parts(), n + 1))


def _mixed(xp: Any, changes: Array) -> bool:
    """Whether some changes are negative."""
    return changes.shape[0] > 0 and bool(xp.min(changes) < 0)


def _slopes(xp: Any, slopes: Array, *, mixed: bool) -> Array:
    """Cut slopes below zero, which can only be rounding and only arise from negative changes."""
    return xp.clip(slopes, min=0.0) if mixed else slopes


def first_reaching(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Smallest parameter at which a rising line reaches ``value``; infinite if it never does."""
    return _solve(xp, knots, values, end_slope, value, side="left")


def last_within(xp: Any, knots: Array, values: Array, end_slope: float, value: float) -> float:
    """Largest parameter at which a rising line is still at most ``value``; infinite without one."""
    return _solve(xp, knots, values, end_slope, value, side="right")


def _solve(xp: Any, knots: Array, values: Array, end_slope: float, value: float, side: str) -> float:
    index = int(xp.searchsorted(values, xp.full_like(values[:1], value), side=side)[0])
    if index == 0:
        return float(knots[0])
    t0, v0 = float(knots[index - 1]), float(values[index - 1])
    if index == knots.shape[0]:
        return t0 + (value - v0) / end_slope if end_slope > 0 else math.inf
    t1, v1 = float(knots[index]), float(values[index])
    return min(t0 + (t1 - t0) * ((value - v0) / (v1 - v0)), t1)
