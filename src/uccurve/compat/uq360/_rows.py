"""What UQ360's ``fit`` takes, checked, and what becomes of bands of zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve.exceptions import (
    ArgumentError,
    NonFiniteError,
    NotNumericError,
    RepairedInputWarning,
    ShapeError,
)
from uccurve.intervals import Intervals, rules

_MATRIX = 2
_COLUMNS = 3


def finite_floats(name: str, values: Any) -> np.ndarray:
    """Return a copy of values as floats, in rows that are finite: nobody's array changes, here or later."""
    found = _floats(name, values)
    if found.ndim == 0 or found.size == 0:
        raise ShapeError(argument=name, rule="have rows", got=f"shape {found.shape}")
    bad = ~np.isfinite(found).reshape(len(found), -1).all(axis=1)
    if bad.any():
        raise rules.rows_error(
            NonFiniteError, bad, argument=name, rule="be finite", hint="Leave such rows out."
        )
    return found


def _floats(name: str, values: Any) -> np.ndarray:
    try:
        return np.array(unmasked(values), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NotNumericError(argument=name, rule="hold numbers in rows of equal length") from error


def unmasked(values: Any) -> Any:
    """Return NaN in the place of masked values, also of arrays in a list."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    if isinstance(values, (list, tuple)) and any(isinstance(one, np.ma.MaskedArray) for one in values):
        return [unmasked(one) for one in values]
    return values


def observations(gt: Any) -> np.ndarray:
    """Return the observations as floats of shape (n,); a single column is taken as such."""
    values = finite_floats("gt", gt)
    if values.ndim == _MATRIX and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ShapeError(argument="gt", rule="have shape (n,)", got=values.shape)
    return values


def matrices(X: Any, n: int) -> list[np.ndarray]:  # noqa: N803 - UQ360's name
    """Return the matrix of each model, shape (n, 3): predictions, lower bands, upper bands.

    A list, or a tuple, of matrices has several models; a list of rows is one matrix.
    """
    several = isinstance(X, (list, tuple)) and len(X) > 0 and _floats("X", X[0]).ndim == _MATRIX
    found = [finite_floats("X", one) for one in (X if several else [X])]
    for matrix in found:
        if matrix.shape != (n, _COLUMNS):
            raise ShapeError(
                argument="X",
                rule=(
                    f"have three columns (predictions, lower bands, upper bands) and a row for each of {n} "
                    "observations, or be a list of such matrices"
                ),
                got=f"shape {matrix.shape}",
            )
    return found


def intervals_of(matrix: np.ndarray, gt: np.ndarray) -> Intervals:
    """Check the rows of one model, and replace bands of zero, with a warning."""
    pred, lower, upper = matrix.T
    given = Intervals.from_bands(gt, pred, lower, None if np.array_equal(lower, upper) else upper)
    if (matrix[:, 1:] > 0).all():
        return given
    return Intervals.from_bands(gt, pred, _above_zero("lower", lower), _above_zero("upper", upper))


def _above_zero(side: str, band: np.ndarray) -> np.ndarray:
    """Replace bands of exactly zero by the smallest other band of their side; nothing else is touched."""
    zero = band == 0
    if not zero.any():
        return band
    if zero.all():
        raise ArgumentError(argument="X", rule=f"have {side} bands above 0, but all of them are zero")
    smallest = float(np.min(band[~zero]))
    counted = arguments.rows_that(int(zero.sum()), band.size, "has", "have")
    warn_caller(
        f"{counted} a {side} band of zero, replaced by the smallest other one, {smallest:g}.",
        RepairedInputWarning,
    )
    return np.where(zero, smallest, band)


def unit_of(gt: np.ndarray) -> float:
    """Return the standard deviation of the observations; 1 where they do not vary, with a warning."""
    if np.ptp(gt) > 0:  # of equal numbers NumPy may find a deviation of 4e-15
        return float(np.std(gt))
    warn_caller("`gt` has a standard deviation of 0; the unit is 1 instead.", RepairedInputWarning)
    return 1.0
