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
        k = rows.size / rows.active
    if bool(xp.any(rows.active == 0)):
        k = xp.where(rows.size == 0, xp.zeros_like(k), k)
    return k


def bands(xp: Any, band: Array, parameter: float) -> Array:  # noqa: ARG001 - the families share a signature
    """Move a band to the given scale."""
    return band * parameter


def hinges(xp: Any, rows: Rows, knots: Array) -> Hinges:
    r"""Excess and deficit as sums of hinges, for rows with finite critical values ``knots``.

    A captured row has the excess :math:`\min(k a - |e|,\ |e| + k p)`: slope a from its critical
    value on, and slope p from :math:`k' = 2|e| / (a - p)` on where a > p. A missed row has the
    deficit :math:`|e| - k a`.
    """
    slope = rows.active if rows.weight is None else rows.active * rows.weight
    if rows.passive is None:
        return Hinges(knots, bandwidth=None, excess=slope, deficit=slope)
    switching = rows.active > rows.passive
    size, drop = rows.size[switching], (rows.active - rows.passive)[switching]
    with np.errstate(over="ignore"):
        switch = 2 * size / drop
    if rows.weight is not None:
        drop = drop * rows.weight[switching]
    reached = xp.isfinite(switch)
    switch, drop = switch[reached], drop[reached]
    return Hinges(
        xp.concat([knots, switch]),
        bandwidth=None,
        excess=xp.concat([slope, -drop]),
        deficit=xp.concat([slope, xp.zeros_like(drop)]),
    )
