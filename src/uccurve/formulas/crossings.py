"""Where two curves swap order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .tolerances import ROUNDING

# How many heights of steps are told apart.
_HEIGHTS = 2.0**40


class Trace(NamedTuple):
    """A curve as x against rising y. ``steps``: x jumps at each y; otherwise it is linear between."""

    y: np.ndarray
    x: np.ndarray
    steps: bool

    def at(self, levels: np.ndarray) -> np.ndarray:
        """Return the smallest x at which the curve is down to each level."""
        if not self.steps:
            return np.asarray(np.interp(levels, self.y, self.x))
        place = np.searchsorted(self.y, levels, side="right") - 1
        return np.asarray(self.x[np.maximum(place, 0)])

    def just_below(self, levels: np.ndarray) -> np.ndarray:
        """Return the limit of the same from below: larger where the curve is flat at that level."""
        place = np.searchsorted(self.y, levels, side="left")
        if self.steps:
            return np.asarray(self.x[np.maximum(place - 1, 0)])
        place = np.minimum(place, self.y.size - 1)
        return np.where(self.y[place] == levels, self.x[place], np.interp(levels, self.y, self.x))


def trace(x: np.ndarray, y: np.ndarray, *, steps: bool, exact: bool = True) -> Trace:
    """Turn a curve around: its arrays run with the parameter, so y falls and x rises.

    Heights that are not exact get the same value if they differ by rounding only.
    """
    if not exact:
        y = np.round(y * _HEIGHTS) / _HEIGHTS
    return Trace(np.flip(y), np.flip(x), steps)


def crossings(a: Trace, b: Trace) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return y, x and the sign of x_a - x_b just below, for each swap of order, by rising y.

    The difference is looked at from both sides of every level of either curve. Between levels it
    is linear, so that a change of sign there is found exactly; a stretch without difference
    counts as one swap if the order behind it is the opposite, and as none otherwise.
    """
    levels = np.unique(np.concatenate([a.y, b.y]))
    levels = levels[levels >= max(a.y[0], b.y[0])]
    y = np.repeat(levels, 2)[1:]  # nothing lies below the lowest level
    x_a, x_b = (np.stack([c.just_below(levels), c.at(levels)], axis=1).ravel()[1:] for c in (a, b))
    difference, typical = x_a - x_b, max(a.x.mean(), b.x.mean())
    difference[np.abs(difference) <= ROUNDING * (np.maximum(x_a, x_b) + typical)] = 0.0
    ordered = np.flatnonzero(difference)
    sign = np.sign(difference[ordered])
    swapped = sign[1:] != sign[:-1]
    before, after = ordered[:-1][swapped], ordered[1:][swapped]
    if a.steps:
        return y[after], np.maximum(x_a[after], x_b[after]), sign[:-1][swapped]
    after = before + 1
    share = (x_a - x_b)[before] / ((x_a - x_b)[before] - (x_a - x_b)[after])
    crossing_y, crossing_x = (line[before] + share * (line[after] - line[before]) for line in (y, x_a))
    return crossing_y, crossing_x, sign[:-1][swapped]
