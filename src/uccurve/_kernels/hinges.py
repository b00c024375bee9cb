r"""Sums of hinges: piecewise linear, continuous, monotone functions of the parameter.

A rising sum is :math:`F(t) = \sum_i c_i\,(t - \tau_i)^+`, a falling one
:math:`G(t) = \sum_i c_i\,(\tau_i - t)^+`. With the knots sorted, prefix (suffix) sums of the
changes are the slopes, and prefix (suffix) sums of slope times step are the values: every term
has one sign, so nothing cancels.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

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


def gather(xp: Any, hinges: Hinges, order: Array, start: float) -> Hinges:
    """Sort the hinges, once for all costs, and put the start of the curve in front of the knots."""
    first = xp.full((1,), start, dtype=hinges.knots.dtype, device=hinges.knots.device)
    excess = xp.take(hinges.excess, order)
    shared = hinges.deficit is hinges.excess
    return Hinges(
        xp.concat([first, xp.take(hinges.knots, order)]),
        bandwidth=None if hinges.bandwidth is None else xp.take(hinges.bandwidth, order),
        excess=excess,
        deficit=excess if shared else xp.take(hinges.deficit, order),
    )


def integrate(xp: Any, ordered: Hinges, floor: float, total: float) -> Lines:
    """Turn sorted hinges into values.

    ``floor`` is the deficit of the rows that are never captured, ``total`` the total weight.
    """
    knots = ordered.knots
    step = knots[1:] - knots[:-1]
    bandwidth, bandwidth_slope = None, 0.0
    if ordered.bandwidth is not None:
        bandwidth, bandwidth_slope = rising(xp, ordered.bandwidth, step, total)
    excess, excess_slope = rising(xp, ordered.excess, step, total)
    deficit = falling(xp, ordered.deficit, step, floor, total)
    return Lines(knots, bandwidth, excess, deficit, excess_slope, bandwidth_slope)


def rising(xp: Any, changes: Array, step: Array, total: float) -> tuple[Array, float]:
    """Values of a rising sum over ``total`` at the start and at each knot, and its slope at the end.

    ``step`` leads up to each knot, where the slope changes.
    """
    zero = xp.zeros((1,), dtype=step.dtype, device=step.device)
    if changes.shape[0] == 0:
        return zero, 0.0
    slope = _not_negative(xp, xp.cumulative_sum(changes), changes)
    end_slope = float(slope[-1]) / total
    gained = slope[:-1] * step[1:]
    del slope
    gained /= total
    return xp.concat([zero, zero, xp.cumulative_sum(gained)]), end_slope


def falling(xp: Any, changes: Array, step: Array, floor: float, total: float) -> Array:
    """Values of a falling sum over ``total`` at the start and at each knot, down to ``floor``."""
    slope = _not_negative(xp, xp.flip(xp.cumulative_sum(xp.flip(changes))), changes)
    slope *= step
    last = xp.full((1,), floor, dtype=step.dtype, device=step.device)
    lost = xp.concat([last, xp.flip(slope)])
    del slope
    lost /= total
    return xp.flip(xp.cumulative_sum(lost))


def _not_negative(xp: Any, slope: Array, changes: Array) -> Array:
    """Cut slopes below zero, which can only be rounding and only arise from negative changes."""
    if changes.shape[0] == 0 or bool(xp.min(changes) >= 0):
        return slope
    return xp.clip(slope, min=0.0)


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
