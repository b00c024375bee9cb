r"""The family of bands :math:`\max(z + s, 0)` with any real s."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .hinges import Hinges

if TYPE_CHECKING:
    from .rows import Rows

    Array = Any


def critical(xp: Any, rows: Rows, start: float) -> Array:
    """Smallest shift that captures a row: |e| - a; a row with e = 0 is captured from the start."""
    return xp.where(rows.abs_error == 0, xp.full_like(rows.abs_error, start), rows.abs_error - rows.active)


def bands(xp: Any, band: Array, parameter: float) -> Array:
    """Move a band by the given shift, down to zero at most."""
    return xp.maximum(band + parameter, xp.zeros_like(band))


def hinges(
    xp: Any,
    rows: Rows,
    knots: Array,  # noqa: ARG001 - the families share a signature
    index: Array | None = None,
) -> Hinges:
    r"""Half width, excess and deficit as sums of hinges.

    Each band opens at :math:`s = -z`. The deficit falls with slope 1 from there to the critical
    value. The excess rises with slope 1 from the critical value on; where :math:`a - p > 2|e|`
    the far bound is nearer from :math:`2|e| - a` on, and stays where it is until :math:`-p`.
    """
    weight = xp.ones_like(rows.abs_error) if rows.weight is None else rows.weight
    touch, opened = rows.abs_error - rows.active, -rows.active
    zero = xp.zeros_like(weight)
    if rows.passive is None:
        return Hinges(
            xp.concat([touch, opened]),
            bandwidth=xp.concat([zero, weight]),
            excess=xp.concat([weight, zero]),
            deficit=xp.concat([weight, -weight]),
            row=None if index is None else xp.concat([index, index]),
        )
    passive = rows.passive
    switching = rows.active - passive > 2 * rows.abs_error
    nearer = (2 * rows.abs_error - rows.active)[switching]
    drop = weight[switching]
    none = xp.zeros_like(drop)
    return Hinges(
        xp.concat([touch, opened, -passive, nearer]),
        bandwidth=xp.concat([zero, weight / 2, weight / 2, none]),
        excess=xp.concat([weight, zero, xp.where(switching, weight, zero), -drop]),
        deficit=xp.concat([weight, -weight, zero, none]),
        row=None if index is None else xp.concat([index, index, index, index[switching]]),
    )
