"""The exact curve as a path in the plane of any two axes, and the area below a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from uccurve.compat.uq360._coordinates import View
    from uccurve.compat.uq360._curve_knots import Knots


def path_of(knots: Knots, view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return the path in the units of a view; where the miss rate jumps, it has both ends of the jump."""
    if "missrate" not in (view.x, view.y):
        return knots.costs[view.x] / view.x_unit, knots.costs[view.y] / view.y_unit

    def column(axis: str, unit: float) -> np.ndarray:
        values = knots.costs[axis] / unit
        twice = np.repeat(values, 2)
        if axis == "missrate":
            twice[2::2] = values[:-1]  # each jump begins where the one before it ended
        return twice

    return column(view.x, view.x_unit), column(view.y, view.y_unit)


def area_below(x: np.ndarray, y: np.ndarray) -> float:
    """Return the area between a path and the x axis: exact, since the path is made of straight lines."""
    return abs(float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2)))


def part_of(
    x: np.ndarray, y: np.ndarray, low: float, high: float, *, on_x: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of a path with values in a range on one axis, cut right at both ends."""
    along = x if on_x else y
    if along[0] > along[-1]:  # along the path each cost only rises, or only falls
        low, high, along = -high, -low, -along
    first = int(np.searchsorted(along, low, side="left"))
    behind = int(np.searchsorted(along, high, side="right"))
    if first == along.size or behind == 0:
        return x[:0], y[:0]
    ends = [_between(along, first, low), _between(along, behind, high)]
    cut_x, cut_y = (
        np.concatenate([column[[a]] + share * (column[[b]] - column[[a]]) for a, b, share in ends])
        for column in (x, y)
    )
    inside = slice(first, max(first, behind))
    return (
        np.concatenate([cut_x[:1], x[inside], cut_x[1:]]),
        np.concatenate([cut_y[:1], y[inside], cut_y[1:]]),
    )


def _between(along: np.ndarray, place: int, value: float) -> tuple[int, int, float]:
    """Return where a value lies between two neighbors: their places and its share of the way."""
    if place == 0:
        return 0, 0, 0.0
    if place == along.size:
        return place - 1, place - 1, 0.0
    before, after = float(along[place - 1]), float(along[place])
    return place - 1, place, (value - before) / (after - before)
