"""The points of a curve that are the cheapest for some linear cost."""

from __future__ import annotations

from typing import Any


def lower_hull(xp: Any, x: Any, y: Any) -> Any:
    """Return the places of the lower hull of points that go right and down, by rising x.

    A point on or above the line between two others is never the only cheapest one. Neighbors are
    tried all at once until none is left out; what remains after that is convex. Of points that
    coincide, the first stays.
    """
    first = xp.ones_like(x[:1], dtype=xp.bool)
    kept = xp.nonzero(xp.concat([first, (x[1:] != x[:-1]) | (y[1:] != y[:-1])]))[0]
    while kept.shape[0] > 2:  # noqa: PLR2004
        left, middle, right = kept[:-2], kept[1:-1], kept[2:]
        rise = (y[middle] - y[left]) * (x[right] - x[left])
        line = (y[right] - y[left]) * (x[middle] - x[left])
        below = rise < line
        if bool(xp.all(below)):
            break
        ends = xp.ones_like(below[:1])
        kept = kept[xp.concat([ends, below, ends])]
    return kept
