"""Rows as the formulas see them, and sums over blocks of rows."""

from __future__ import annotations

import math
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .ladders import Ladder

    Array = Any

_FEW = 2


class Rows(NamedTuple):
    """Columns of equal length; ``passive`` is None when it equals ``active``, or with a ladder."""

    abs_error: Array
    active: Array
    passive: Array | None
    weight: Any
    ladder: Ladder | None = None
    """All nested pairs, where they move the operating point; ``active`` is then that of the outermost."""


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
    if upper_band is None:
        return Rows(_own_size(xp, residual), lower_band, None, weight)
    above = residual >= 0
    active = xp.where(above, upper_band, lower_band)
    passive = xp.where(above, lower_band, upper_band)
    return Rows(_own_size(xp, residual), active, passive, weight)


def _own_size(xp: Any, own: Array) -> Array:
    """Return the absolute values of an array that nobody else holds, in its place if it is NumPy's."""
    return np.abs(own, out=own) if isinstance(own, np.ndarray) else xp.abs(own)


def sorted_behind(xp: Any, column: Array) -> Array:
    """Sort a column that begins with its smallest, and that nobody else holds; NumPy's in its place."""
    if isinstance(column, np.ndarray):
        column[1:].sort()
        return column
    return xp.sort(column, stable=False)


def sorted_and_order(xp: Any, column: Array, *, stable: bool) -> tuple[Array | None, Array]:
    """Return a column in rising order, and that order; None for the column where it is not known for free.

    A sort of PyTorch finds both.
    """
    if type(column).__module__ == "torch":
        return tuple(column.sort(stable=stable))
    return None, xp.argsort(column, stable=stable)


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

    Sums beyond the range of float64 come back infinite or NaN, for the caller to judge.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return tuple(map(_add, zip(*map(function, blocks), strict=True)))


def collect(xp: Any, parts: Iterable[Array], length: int) -> Array:
    """Lay parts end to end, in one array of at most ``length``.

    Many parts are written into it as they come, which needs no memory for all of them at once.
    """
    parts = iter(parts)
    head = list(islice(parts, _FEW + 1))
    if len(head) <= _FEW:
        return head[0] if len(head) == 1 else xp.concat(head)
    whole, filled = xp.empty((length,), dtype=head[0].dtype, device=head[0].device), 0
    for part in chain(head, parts):
        whole[filled : filled + part.shape[0]] = part
        filled += part.shape[0]
    return whole if filled == length else whole[:filled]


def _add(parts: tuple[float, ...]) -> float:
    try:
        return math.fsum(parts)
    except (OverflowError, ValueError):  # sums beyond float64, or infinities of both signs
        return math.nan if any(map(math.isnan, parts)) else math.inf
