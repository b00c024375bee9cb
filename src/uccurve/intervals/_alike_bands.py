"""Which bands are alike: equal but for the rounding of the bounds that they were given by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import namespace

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Namespace
    from uccurve.intervals._row_arrays import RowArrays


def rounding_of(band: Array) -> float:
    """Return how far bands may be off, relative to the prediction and to themselves: two last places.

    That is half a unit in the last place of both bounds, of the midpoint and of the difference. A rounding
    beyond thrice its root, relative to the band, is not negligible: bands then count as given.
    """
    return 2 * float(namespace(band).finfo(band.dtype).eps)


def asymmetry(xp: Namespace, block: RowArrays) -> tuple[bool, float]:
    """Return whether the bands of each row differ by rounding only, and by how much they differ at most."""
    if block.upper_band is None:
        return True, 0.0
    with np.errstate(invalid="ignore"):  # of infinite bands, which the sums tell
        difference = xp.abs(block.upper_band - block.lower_band)
        rounding = _rounding(xp, block, block.lower_band)
    return bool(xp.all(difference <= 2 * rounding)), float(xp.max(difference))


def nearest(block: RowArrays, low: float, high: float) -> tuple[float, float]:
    """Return the largest band less its rounding, and the smallest band plus its rounding.

    Bands are alike if the two are in order. A band that was given is exact. One that follows from bounds
    is as exact as its own row: a large prediction elsewhere says nothing about it.

    Parameters
    ----------
    block : RowArrays
        Some of the rows.
    low, high : float
        The smallest and the largest band of the rows with weight.
    """
    xp, relative = namespace(block.y_true), rounding_of(block.lower_band)
    if (block.lower is None and block.upper is None) or (
        block.weight is not None and not bool(xp.any(block.weight > 0))
    ):
        return high - relative * high, low + relative * low
    if high - low > 2 * relative * (float(xp.max(xp.abs(block.y_pred))) + high):
        return high, low  # far apart, whatever was rounded
    least, most = -math.inf, math.inf
    for band in (block.lower_band, block.upper_band):
        if band is not None:
            rounding = _rounding(xp, block, band)
            smallest, largest = band - rounding, band + rounding
            if block.weight is not None:
                smallest, largest = smallest[block.weight > 0], largest[block.weight > 0]
            least, most = max(least, float(xp.max(smallest))), min(most, float(xp.min(largest)))
    return least, most


def _rounding(xp: Namespace, block: RowArrays, band: Array) -> Array:
    """Return how far bands may be off; 0 where that is not negligible, as bands are then taken as given."""
    relative = rounding_of(band)
    if block.lower is None and block.upper is None:
        return relative * band
    rounding = relative * xp.abs(block.y_pred) + relative * band
    return xp.where(rounding <= math.sqrt(8 * relative) * band, rounding, xp.zeros_like(band))
