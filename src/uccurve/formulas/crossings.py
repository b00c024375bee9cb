"""Where two curves swap order."""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any

_ROUNDING = 1e-12
"""Difference of x, relative to x there and on average, that counts as none."""
_HEIGHTS = 2.0**40
"""How many heights of steps are told apart."""


class Trace(NamedTuple):
    """A curve as x against rising y. ``steps``: x jumps at each y; otherwise it is linear between."""

    y: Array
    x: Array
    steps: bool


def trace(xp: Any, x: Array, y: Array, *, steps: bool, exact: bool = True) -> Trace:
    """Turn a curve around: its arrays run with the parameter, so y falls and x rises.

    Heights that are not exact get the same value if they differ by rounding only.
    """
    if not exact:
        y = xp.round(y * _HEIGHTS) / _HEIGHTS
    return Trace(xp.flip(y), xp.flip(x), steps)


def crossings(xp: Any, a: Trace, b: Trace) -> tuple[Array, Array, Array]:
    """Return y, x and the sign of x_a - x_b just below, for each swap of order, by rising y.

    The difference is looked at from both sides of every level of either curve. Between levels it
    is linear, so that a change of sign there is found exactly; a stretch without difference
    counts as one swap if the order behind it is the opposite, and as none otherwise.
    """
    floor = max(float(a.y[0]), float(b.y[0]))
    levels = xp.concat([a.y, b.y])
    levels = xp.sort(xp.unique_values(levels[levels >= floor]))
    below = (_just_below(xp, a, levels), _just_below(xp, b, levels))
    at = (_at(xp, a, levels), _at(xp, b, levels))
    y = _interleave(xp, levels, levels)
    x_a, x_b = (_interleave(xp, *pair) for pair in zip(below, at, strict=True))
    y, x_a, x_b = y[1:], x_a[1:], x_b[1:]  # nothing lies below the floor
    difference = x_a - x_b
    typical = max(float(xp.mean(curve.x)) for curve in (a, b))
    rounding = _ROUNDING * (xp.maximum(x_a, x_b) + typical)
    difference = xp.where(xp.abs(difference) <= rounding, xp.zeros_like(difference), difference)
    ordered = xp.nonzero(difference)[0]
    if ordered.shape[0] == 0:
        return y[:0], y[:0], y[:0]
    sign = xp.sign(xp.take(difference, ordered))
    swapped = sign[1:] != sign[:-1]
    before, after = ordered[:-1][swapped], ordered[1:][swapped]
    crossing_y, crossing_x = _locate(xp, before, after, y, x_a, x_b, steps=a.steps)
    return crossing_y, crossing_x, sign[:-1][swapped]


def _locate(
    xp: Any, before: Array, after: Array, y: Array, x_a: Array, x_b: Array, *, steps: bool
) -> tuple[Array, Array]:
    """Place each swap between the last point of the old order and the first of the new one."""
    if steps:
        return xp.take(y, after), xp.maximum(xp.take(x_a, after), xp.take(x_b, after))
    after = xp.where(after == before + 1, after, before + 1)
    a0, a1 = xp.take(x_a, before), xp.take(x_a, after)
    d0, d1 = a0 - xp.take(x_b, before), a1 - xp.take(x_b, after)
    share = d0 / (d0 - d1)
    y0, y1 = xp.take(y, before), xp.take(y, after)
    return y0 + share * (y1 - y0), a0 + share * (a1 - a0)


def _at(xp: Any, curve: Trace, levels: Array) -> Array:
    """Smallest x at which the curve is down to each level."""
    index = xp.searchsorted(curve.y, levels, side="right") - 1
    return _between(xp, curve, levels, index)


def _just_below(xp: Any, curve: Trace, levels: Array) -> Array:
    """Limit of the same from below: larger where the curve is flat at that level."""
    index = xp.searchsorted(curve.y, levels, side="left")
    if curve.steps:
        return xp.take(curve.x, xp.clip(index - 1, min=0))
    last = curve.y.shape[0] - 1
    bounded = xp.clip(index, max=last)
    flat = (index <= last) & (xp.take(curve.y, bounded) == levels)
    return xp.where(flat, xp.take(curve.x, bounded), _between(xp, curve, levels, index - 1))


def _between(xp: Any, curve: Trace, levels: Array, index: Array) -> Array:
    last = curve.y.shape[0] - 1
    left = xp.clip(index, min=0, max=last)
    if curve.steps:
        return xp.take(curve.x, left)
    right = xp.clip(index + 1, min=0, max=last)
    y0, x0 = xp.take(curve.y, left), xp.take(curve.x, left)
    rise = xp.take(curve.y, right) - y0
    gap = xp.where(rise > 0, rise, xp.ones_like(rise))
    share = xp.clip((levels - y0) / gap, 0.0, 1.0)
    share = xp.where(rise > 0, share, xp.zeros_like(share))
    return x0 + share * (xp.take(curve.x, right) - x0)


def _interleave(xp: Any, first: Array, second: Array) -> Array:
    return xp.reshape(xp.stack([first, second], axis=1), (-1,))
