"""The exact curve as a path in the plane of any two axes, and the area below a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from uccurve.curve import UCC


class Axis(NamedTuple):
    """What is shown on an axis."""

    cost: str
    """As `UCC` calls it."""
    unit: float
    """The number that values are divided by."""


class Part(NamedTuple):
    """A part of the curve: values on one of the two axes, as they are shown."""

    on_x: bool
    low: float
    high: float


def knots(curve: UCC) -> dict[str, np.ndarray]:
    """Return parameter and costs where the curve bends or jumps.

    The first knot has bands of zero, the last is the first at which no more is missed than at the end.
    Between two knots, bandwidth, excess and deficit are linear, and the miss rate is constant.
    """
    lines = curve.data.lines
    at = np.asarray(lines.knots)
    point = np.searchsorted(curve.parameter, at, side="right") - 1
    found = {
        "parameter": at,
        "miss_rate": curve.miss_rate[point],
        "bandwidth": at * curve.intervals.bandwidth if lines.bandwidth is None else lines.bandwidth,
        "excess": lines.excess,
        "deficit": lines.deficit,
    }
    first = int(np.searchsorted(at, at[0], side="right")) - 1
    last = int(np.argmax(found["miss_rate"] == curve.miss_rate[-1]))
    return {name: np.asarray(column)[first : max(first, last) + 1] for name, column in found.items()}


def path(curve: UCC, x: Axis, y: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return the curve on two axes; where the miss rate jumps, it has both ends of the jump."""
    found = knots(curve)

    def column(axis: Axis) -> np.ndarray:
        values = found[axis.cost] / axis.unit
        if "miss_rate" not in (x.cost, y.cost):
            return values
        twice = np.repeat(values, 2)
        if axis.cost == "miss_rate":
            twice[2::2] = values[:-1]  # each jump begins where the one before it ended
        return twice

    return column(x), column(y)


def area(curve: UCC, x: Axis, y: Axis, part: Part | None) -> float:
    """Return the area below the path, or a part of it: exact, since it is made of straight lines."""
    xs, ys = path(curve, x, y)
    if part is not None:
        xs, ys = _cut(xs, ys, part)
    return abs(float(np.sum(np.diff(xs) * (ys[1:] + ys[:-1]) / 2)))


def _cut(x: np.ndarray, y: np.ndarray, part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Return a part of a path, cut right at both ends."""
    along, low, high = x if part.on_x else y, part.low, part.high
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
