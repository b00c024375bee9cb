"""Rows as the formulas see them, and sums over blocks of rows."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Array = Any


class Rows(NamedTuple):
    """Columns of equal length; ``passive`` is None when it equals ``active``, or with a ladder.

    Attributes
    ----------
    ladder : Any
        All nested pairs, where they move the operating point; ``active`` is then that of the
        outermost.
    """

    abs_error: Array
    active: Array
    passive: Array | None
    weight: Any
    ladder: Any = None


def make(
    xp: Any,
    y_true: Array,
    y_pred: Array,
    lower_band: Array,
    upper_band: Array | None,
    weight: Array | None,
    side: str = "both",
) -> Rows:
    r"""Split the bands into the one facing the observation and the one facing away.

    ``upper_band`` is None for symmetric bands. A residual of 0 faces the upper band. A one-sided limit has
    one band, ``lower_band`` on either side. It is the symmetric case with the part of the residual that
    points to the limit, :math:`e^+ = \max(y - \hat y, 0)` or :math:`e^- = \max(\hat y - y, 0)`, for
    :math:`|e|`.
    """
    residual = y_true - y_pred
    if side != "both":
        return Rows(toward_limit(xp, residual, side), lower_band, None, weight)
    active, passive = lower_band, None
    if upper_band is not None:
        active, passive = _facing(xp, residual >= 0, lower_band, upper_band)
    own = isinstance(residual, np.ndarray)  # nobody else holds it: its place is used again
    return Rows(np.abs(residual, out=residual) if own else xp.abs(residual), active, passive, weight)


def _facing(xp: Any, above: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Return the upper number and the lower one, exchanged where an observation is not above."""
    if isinstance(lower, np.ndarray) and lower.dtype == upper.dtype == np.float64:
        bits = lower.view(np.int64), upper.view(np.int64)
        # np.where takes several times as long: no processor foresees the choice.
        differing = bits[0] ^ bits[1]
        differing &= -above.view(np.int8).astype(np.int64)
        active = (bits[0] ^ differing).view(np.float64)
        return active, np.bitwise_xor(bits[1], differing, out=differing).view(np.float64)
    return xp.where(above, upper, lower), xp.where(above, lower, upper)


def toward_limit(xp: Any, residual: Array, side: str) -> Array:
    """Return the part of a residual that points to a one-sided limit; NaN stays NaN."""
    return xp.clip(residual if side == "upper" else -residual, min=0.0)


def select(rows: Rows, mask: Array) -> Rows:
    """Keep the rows where ``mask`` is true."""
    error, active, passive, weight = (None if column is None else column[mask] for column in rows[:4])
    return Rows(error, active, passive, weight, None if rows.ladder is None else rows.ladder.select(mask))


def total(xp: Any, values: Array, weight: Array | None) -> float:
    """Weighted sum of a column."""
    return float(xp.sum(values if weight is None else values * weight))


def totals(function: Callable[[Any], tuple[float, ...]], blocks: Iterable[Any]) -> tuple[float, ...]:
    """Add up the sums that ``function`` returns for each block, without further rounding.

    Rows that are never captured make them infinite or NaN, for the caller to judge.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return tuple(map(math.fsum, zip(*map(function, blocks), strict=True)))


def gather(xp: Any, column: Array, places: Array, *, front: float | None = None) -> Array:
    """Return the numbers at places that are all within the column; behind another number, if one is given."""
    if isinstance(column, np.ndarray):
        room = 0 if front is None else 1
        found = np.empty(room + places.shape[0], dtype=column.dtype)
        found[:room] = 0.0 if front is None else front
        np.take(column, places, out=found[room:], mode="clip")  # nothing to clip: one pass and no copy
        return found
    found = xp.take(column, places)
    if front is None:
        return found
    return xp.concat([xp.full((1,), front, dtype=found.dtype, device=found.device), found])


def collect(xp: Any, parts: Iterable[Array], length: int, *, backward: bool = False) -> Array:
    """Lay parts end to end, in one array of at most ``length``; ``backward``, from its end to its start.

    Those of NumPy are written as they come, which needs no memory for all of them at once.
    """
    parts = iter(parts)
    first = next(parts)
    if first.shape[0] == length:
        return first
    if not isinstance(first, np.ndarray):  # few and large ones, on other devices
        several = [first, *parts]
        return xp.concat(several[::-1] if backward else several)
    whole = np.empty(length, dtype=first.dtype)
    filled = 0
    for part in chain((first,), parts):
        size = part.shape[0]
        begin = length - filled - size if backward else filled
        whole[begin : begin + size] = part
        filled += size
    return whole[length - filled :] if backward else whole[:filled]
