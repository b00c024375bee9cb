r"""The family of bands :math:`k z` with :math:`k \ge 0`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .hinges import Hinges

if TYPE_CHECKING:
    from .rows import Rows

    Array = Any


def critical(xp: Any, rows: Rows, start: float) -> Array:  # noqa: ARG001 - the families share a signature
    """Smallest scale that captures a row: |e| / a; 0 where e = 0, infinite where only a = 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        k = rows.abs_error / rows.active
    if bool(xp.any(rows.active == 0)):
        k = xp.where(rows.abs_error == 0, xp.zeros_like(k), k)
    return k


def bands(xp: Any, band: Array, parameter: float) -> Array:  # noqa: ARG001 - the families share a signature
    """Move a band to the given scale."""
    return band * parameter


def hinges(xp: Any, rows: Rows, knots: Array, index: Array | None = None) -> Hinges:
    r"""Excess and deficit as sums of hinges, for rows with finite critical values ``knots``.

    A captured row has the excess :math:`\min(k a - |e|,\ |e| + k p)`: slope a from its critical
    value on; where a > p, slope p with a pulse of a - p up to :math:`k' = 2|e| / (a - p)`. A missed
    row has the deficit :math:`|e| - k a`.
    """
    slope = _weighted(rows.active, rows)
    if rows.passive is None:
        return Hinges(knots, bandwidth=None, excess=slope, deficit=slope, row=index)
    steeper = rows.active > rows.passive
    drop = xp.where(steeper, rows.active - rows.passive, xp.ones_like(slope))
    with np.errstate(over="ignore"):
        switch = 2 * rows.abs_error / drop
    switching = steeper & xp.isfinite(switch)
    zero = xp.zeros_like(slope)
    pulse = xp.where(switching, _weighted(drop, rows), zero)
    taken_back = -pulse[switching]
    none = xp.zeros_like(taken_back)
    return Hinges(
        xp.concat([knots, switch[switching]]),
        bandwidth=None,
        excess=xp.concat([xp.where(switching, _weighted(rows.passive, rows), slope), none]),
        deficit=xp.concat([slope, none]),
        pulse=xp.concat([pulse, taken_back]),
        row=None if index is None else xp.concat([index, index[switching]]),
    )


def _weighted(column: Array, rows: Rows) -> Array:
    return column if rows.weight is None else column * rows.weight
