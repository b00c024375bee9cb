r"""Nested pairs of bounds: bands that are piecewise linear in a parameter with the same knots in every row.

At the knots :math:`0 = \tau_0 < \tau_1 < … < \tau_K = 1` the band of a row is
:math:`0 = a_0 \le a_1 \le … \le a_K`. Between knots it is linear. Beyond 1 it is :math:`t\,a_K`, or stays
:math:`a_K` where there are no tails.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

Array = Any


class Ladder(NamedTuple):
    """The bands of all pairs of each row, from the innermost to the outermost."""

    knots: tuple[float, ...]
    """The parameters of the pairs, rising; the last is 1."""
    active: tuple[Array, ...]
    """The bands facing the observation, one column for each knot."""
    passive: tuple[Array, ...]
    """The bands facing away."""

    def select(self, mask: Array) -> Ladder:
        """Keep the rows where ``mask`` is true."""
        columns = (tuple(column[mask] for column in side) for side in self[1:])
        return Ladder(self.knots, *columns)


def make(
    xp: Any,
    above: Array,
    knots: tuple[float, ...],
    lower: tuple[Array, ...],
    upper: tuple[Array, ...],
) -> Ladder:
    """Split the bands of pairs into those facing the observation and those facing away.

    ``above`` says where the observation is above the center; ``lower`` and ``upper`` are distances from it.
    """
    pairs = list(zip(lower, upper, strict=True))
    active = tuple(xp.where(above, up, down) for down, up in pairs)
    passive = tuple(xp.where(above, down, up) for down, up in pairs)
    return Ladder(knots, active, passive)


def critical(xp: Any, abs_error: Array, ladder: Ladder, *, tails: bool) -> Array:
    """Return the smallest parameter at which the band facing the observation reaches it.

    0 where the error is 0; infinite where no parameter does.
    """
    outermost = ladder.active[-1]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        beyond = abs_error / outermost if tails else xp.full_like(abs_error, np.inf)
        found = xp.where(abs_error > outermost, beyond, xp.zeros_like(abs_error))
        low, begin = xp.zeros_like(abs_error), 0.0
        for end, high in zip(ladder.knots, ladder.active, strict=True):
            inside = (abs_error > low) & (abs_error <= high)
            share = (abs_error - low) / (high - low)
            # A bound that touches the observation is reached at its own knot, exactly.
            at = xp.where(abs_error == high, xp.full_like(share, end), begin + (end - begin) * share)
            found = xp.where(inside, xp.clip(at, begin, end), found)
            low, begin = high, end
    return found


def band_at(
    xp: Any, knots: tuple[float, ...], bands: tuple[Array, ...], parameter: float, *, tails: bool
) -> Array:
    """Return one side's bands at a parameter."""
    if parameter >= 1:
        return bands[-1] * parameter if tails else bands[-1]
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
    found, begin, below = xp.zeros_like(parameter), 0.0, 0.0
    for end, value in zip(knots, values, strict=True):
        inside = (parameter > begin) & (parameter <= end)
        between = below + (value - below) * ((parameter - begin) / (end - begin))
        at_end = xp.full_like(parameter, value)
        found = xp.where(inside, xp.where(parameter == end, at_end, xp.clip(between, below, value)), found)
        begin, below = end, value
    return xp.where(parameter > 1, parameter * below if tails else xp.full_like(parameter, below), found)
