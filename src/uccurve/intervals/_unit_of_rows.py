"""Rows in another unit of y."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import namespace

if TYPE_CHECKING:
    from uccurve.intervals._row_arrays import RowArrays

_SMALLEST = 5e-324
"""The smallest number of float64 that is not 0."""


def in_unit(rows: RowArrays, factor: float) -> RowArrays:
    """Multiply values by a power of two.

    A residual that would become 0 stays the smallest number where its band is 0: scaling never captures
    such a row, and it must not turn into an exact prediction.
    """
    scaled = rows.map_values(lambda column: column * factor)
    if factor >= 1:
        return scaled
    xp = namespace(rows.y_true)
    above = rows.y_true > rows.y_pred
    facing = rows.lower_band
    if rows.upper_band is not None:
        facing = xp.where(above, rows.upper_band, rows.lower_band)
    lost = (facing == 0) & (rows.y_true != rows.y_pred) & (scaled.y_true == scaled.y_pred)
    if not bool(xp.any(lost)):
        return scaled
    smallest = xp.full_like(scaled.y_pred, _SMALLEST)
    beside = scaled.y_pred + xp.where(above, smallest, -smallest)
    return scaled._replace(y_true=xp.where(lost, beside, scaled.y_true))
