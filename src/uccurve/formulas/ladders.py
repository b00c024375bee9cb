r"""Nested pairs of bounds: bands that are piecewise linear in a parameter with the same knots in every row.

At the knots :math:`0 = \tau_0 < \tau_1 < … < \tau_K = 1` the band of a row is
:math:`0 = a_0 \le a_1 \le … \le a_K`. Between knots it is linear. Beyond 1 it is :math:`t\,a_K`, or stays
:math:`a_K` where there are no tails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

Array = Any

_LARGEST = 1.7e308
"""No band is larger."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """The bounds of all pairs of each row, from the innermost to the outermost."""

    xp: Any
    knots: tuple[float, ...]
    """The parameters of the pairs, rising; the last is 1."""
    center: Array
    above: Array
    """Whether the observation is above the center."""
    lower: tuple[Array, ...]
    """The lower bounds, one column for each knot."""
    upper: tuple[Array, ...]

    @cached_property
    def active(self) -> tuple[Array, ...]:
        """The bands facing the observation, one column for each knot."""
        return self._bands(facing=True)

    @cached_property
    def passive(self) -> tuple[Array, ...]:
        """The bands facing away."""
        return self._bands(facing=False)

    def _bands(self, *, facing: bool) -> tuple[Array, ...]:
        # Products with 0 and 1 are exact, and quicker than a choice that no processor can foresee.
        above = self.xp.astype(self.above, self.center.dtype)
        up, down = (above, 1 - above) if facing else (1 - above, above)
        pairs = zip(self.lower, self.upper, strict=True)
        return tuple((high - self.center) * up + (self.center - low) * down for low, high in pairs)

    def select(self, rows: Any) -> Ladder:
        """Keep the rows of a mask or a slice."""
        lower, upper = (tuple(column[rows] for column in side) for side in (self.lower, self.upper))
        return Ladder(self.xp, self.knots, self.center[rows], self.above[rows], lower, upper)


def critical(xp: Any, abs_error: Array, ladder: Ladder, *, tails: bool) -> Array:
    """Return the smallest parameter at which the band facing the observation reaches it.

    0 where the error is 0; infinite where no parameter does.
    """
    bands, knots = ladder.active, ladder.knots
    outermost = bands[-1]
    low, high = xp.zeros_like(abs_error), outermost
    begin, end = low, xp.full_like(low, knots[-1])
    for knot, band in zip(knots[:-1], bands[:-1], strict=True):
        passed = xp.astype(abs_error > band, abs_error.dtype)  # 1 where the band is left behind
        low, begin = xp.maximum(low, band * passed), xp.maximum(begin, knot * passed)
        high = xp.minimum(high, xp.maximum(band, _LARGEST * passed))
        end = xp.minimum(end, xp.maximum(xp.full_like(passed, knot), 2 * passed))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xp.minimum(begin + (end - begin) * ((abs_error - low) / (high - low)), end)
        # A bound that touches the observation is reached at its own knot, exactly.
        found = xp.where(abs_error == high, end, found)
        scaled = abs_error / outermost if tails else xp.full_like(abs_error, np.inf)
    found = xp.where(abs_error > outermost, scaled, found)
    return xp.where(abs_error == 0, xp.zeros_like(found), found)


def band_at(
    xp: Any, knots: tuple[float, ...], bands: tuple[Array, ...], parameter: float, *, tails: bool
) -> Array:
    """Return one side's bands at a parameter; the last knot need not be 1."""
    if parameter >= knots[-1]:
        return bands[-1] * (parameter / knots[-1]) if tails else bands[-1]
    below, begin = xp.zeros_like(bands[0]), 0.0
    for end, band in zip(knots, bands, strict=True):
        if parameter <= end:
            share = (parameter - begin) / (end - begin)
            return band if share == 1 else below + (band - below) * share
        below, begin = band, end
    return bands[-1]


def band_at_each(xp: Any, knots: tuple[float, ...], bands: tuple[Array, ...], parameter: Array) -> Array:
    """Return one side's bands at a finite parameter of each row, scaled beyond the outermost pair."""
    found = bands[-1] * parameter
    below, begin = xp.zeros_like(bands[0]), 0.0
    for end, band in zip(knots, bands, strict=True):
        between = below + (band - below) * ((parameter - begin) / (end - begin))
        inside = (parameter >= begin) & (parameter <= end)
        found = xp.where(inside, xp.where(parameter == end, band, between), found)
        below, begin = band, end
    return found


def segments(
    knots: tuple[float, ...], bands: tuple[Array, ...], *, tails: bool
) -> Iterator[tuple[float, float, Array]]:
    """Yield where each segment of one side's bands begins and ends, and its slope; the last has no end."""
    begin, below = 0.0, bands[0] * 0.0
    for end, band in zip(knots, bands, strict=True):
        yield begin, end, (band - below) / (end - begin)
        begin, below = end, band
    yield begin, math.inf, below if tails else below * 0.0


def interpolate(
    xp: Any, knots: tuple[float, ...], values: tuple[float, ...], parameter: Array, *, tails: bool
) -> Array:
    """Return a function that is 0 at 0 and has the given values at the knots, at each of the parameters."""
    edges = xp.asarray([0.0, *knots], dtype=parameter.dtype, device=parameter.device)
    if not bool(xp.all(parameter[1:] >= parameter[:-1])):
        order = xp.argsort(parameter)
        ordered = interpolate(xp, knots, values, xp.take(parameter, order), tails=tails)
        return xp.take(ordered, xp.argsort(order))
    ends = [int(place) for place in xp.searchsorted(parameter, edges, side="right")]
    parts, begin, below = [xp.zeros_like(parameter[: ends[0]])], 0.0, 0.0
    for first, last, knot, value in zip(ends, ends[1:], knots, values, strict=False):
        inside = parameter[first:last]
        between = (inside - begin) * ((value - below) / (knot - begin)) + below
        parts.append(xp.minimum(between, xp.full_like(between, value)))
        begin, below = knot, value
    tail = parameter[ends[-1] :]
    parts.append(tail * below if tails else xp.full_like(tail, below))
    return xp.concat(parts)
