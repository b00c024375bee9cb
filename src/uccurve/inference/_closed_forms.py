"""Full areas and gains on the bandwidth axis of a proportional family, from weighted sums of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels import areas
from uccurve.curve._ranges import below_floor
from uccurve.inference._reweighted import ReweightedData

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Y
    from uccurve.inference._area_spec import AreaSpec
    from uccurve.inference._presorted import Presorted

OWN_COLUMNS = 2
"""Columns in front that an area needs; a gain needs the constant band's, too."""


def columns(presorted: Presorted, y: Y) -> np.ndarray:
    """Return half widths, what the area and that of the constant band are means of, and ones: (n, 4)."""
    error, k = presorted.rows.abs_error, presorted.critical
    if presorted.never_captured.size:
        raise below_floor(ReweightedData(presorted, np.ones(error.size)), 0)
    own_and_constant = (k, error) if y == "miss_rate" else (error * k, error * error)
    return np.stack([presorted.half_width, *own_and_constant, np.ones(error.size)], axis=1)


def value(spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
    """Return area or gain from sums of the columns along the last axis."""
    width, own, constant, weight = np.moveaxis(sums, -1, 0)
    if spec.what == "gain":
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1 - width * own / (weight * constant))
    return np.asarray(areas.closed_area(width / weight, own / weight, deficit=spec.y == "deficit"))


def gradient(spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
    """Return how area or gain changes with each of the sums; shape (4,)."""
    width, own, constant, total = sums
    if spec.what == "gain":
        if constant == 0:
            return np.full(sums.size, np.nan)
        slopes = np.array([-own, -width, width * own / constant, width * own / total])
        return np.asarray(slopes / (total * constant))
    slopes = np.array([own, width, 0, -2 * width * own / total]) / total**2
    return np.asarray(slopes * (1.0 if spec.y == "miss_rate" else 0.5))
