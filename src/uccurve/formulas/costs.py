r"""The four costs of intervals, row by row, and the interval score.

The *room* of a row is the signed distance from its observation to the nearer bound,
:math:`\min(y - l,\ u - y)`: 0 or more inside the interval, below 0 outside.

These are the definitions. Along a curve `lines` adds the same costs up, and in a sketch ``sketch/curve``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

Array = Any


def missed(y: Array, lower: Array, upper: Array) -> Array:
    """Whether an observation lies outside its interval; a bound that touches it is a hit."""
    return (y < lower) | (y > upper)


def captured(y: Array, lower: Array, upper: Array) -> Array:
    """Whether an observation lies inside its interval, bounds included."""
    return (lower <= y) & (y <= upper)


def half_width(lower: Array, upper: Array) -> Array:
    """Half the width of an interval."""
    return (upper - lower) / 2


def room(xp: Any, y: Array, lower: Array, upper: Array) -> Array:
    r"""Signed distance from an observation to the nearer bound.

    In terms of bands the row is :math:`|e|` between :math:`-p` and :math:`a`, the passive and the active
    band. A one-sided limit is the symmetric case with :math:`e^+`, what of the residual points to it.
    """
    return xp.minimum(y - lower, upper - y)


def excess(xp: Any, room: Array) -> Array:
    """Room that a hit does not need; 0 for a miss."""
    return xp.clip(room, min=0.0)


def deficit(xp: Any, room: Array) -> Array:
    """Room that a miss lacks; 0 for a hit."""
    return xp.clip(-room, min=0.0)


class RowCosts(NamedTuple):
    """The costs of each row, in units of y; ``missed`` is 1 or 0."""

    missed: Array
    half_width: Array
    excess: Array
    deficit: Array


def of_rows(xp: Any, abs_error: Array, bands: tuple[Array, Array], captured: Array) -> RowCosts:
    """Return the costs of rows whose bands were moved.

    ``bands`` face the observation and away from it; ``captured`` says by rank which rows are hits.
    """
    active, passive = bands
    near, zero = room(xp, abs_error, -passive, active), xp.zeros_like(abs_error)
    return RowCosts(
        xp.where(captured, zero, xp.ones_like(zero)),
        (active + passive) / 2,
        xp.where(captured, excess(xp, near), zero),
        xp.where(captured, zero, deficit(xp, near)),
    )


def interval_score(bandwidth: Any, deficit: Any, miss_rate: Any, side: str = "both") -> Any:
    r"""Width plus a penalty for misses: :math:`2 (\beta + \delta / \alpha)`; of rows or of means.

    A one-sided limit has the distance :math:`\beta` for a width, and one tail:
    :math:`\beta + \delta / \alpha`. That is the pinball loss of the level :math:`1 - \alpha` over
    :math:`\alpha`, plus the mean residual, which does not depend on the limit.
    """
    return (2 if side == "both" else 1) * (bandwidth + deficit / miss_rate)


def share_saved(own: float, theirs: float) -> float:
    """Return the share of a reference's cost that is saved."""
    if own == theirs:
        return 0.0
    return 1 - own / theirs if theirs > 0 else -math.inf
