"""The door: what UQ360's ``fit`` takes, checked, and what it does with bands of zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.caller_warnings import warn_caller
from uccurve.compat.uq360._exact_model import ExactModel
from uccurve.compat.uq360._published_model import PublishedModel
from uccurve.exceptions import (
    ArgumentError,
    NonFiniteError,
    NotNumericError,
    RepairedInputWarning,
    ShapeError,
)
from uccurve.intervals import Intervals
from uccurve.intervals._array_rules import rows_error

if TYPE_CHECKING:
    from uccurve.compat.uq360._fitted_model import FittedModel

_MATRIX = 2
_COLUMNS = 3
_LOWER, _UPPER = 1, 2


def observations(gt: Any) -> np.ndarray:
    """Return the observations as floats of shape (n,); a single column is taken as such."""
    values = floats("gt", gt)
    if values.ndim == _MATRIX and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ShapeError(argument="gt", rule="have shape (n,)", got=values.shape)
    refuse_infinite("gt", values)
    return values


def matrices(X: Any, n: int) -> list[np.ndarray]:  # noqa: N803 - UQ360's name
    """Return the matrix of each model, shape (n, 3): predictions, lower bands, upper bands.

    A list, or a tuple, of matrices has several models; a list of rows is one matrix.
    """
    several = isinstance(X, (list, tuple)) and len(X) > 0 and floats("X", X[0]).ndim == _MATRIX
    found = [floats("X", one) for one in (X if several else [X])]
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
        refuse_infinite("X", matrix)
    return found


def fitted(matrix: np.ndarray, gt: np.ndarray, *, as_published: bool) -> FittedModel:
    """Check the rows of one model, and repair bands of zero in a copy, with a warning."""
    symmetric = np.array_equal(matrix[:, _LOWER], matrix[:, _UPPER])
    given = Intervals.from_bands(gt, *(matrix.T[:_UPPER] if symmetric else matrix.T))
    if as_published:
        repaired = _repaired_as_published(matrix)
        return PublishedModel(gt - repaired[:, 0], repaired[:, _LOWER], repaired[:, _UPPER])
    if (matrix[:, _LOWER:] > 0).all():
        return ExactModel(given)
    lower, upper = (_repaired(side, matrix[:, at]) for side, at in (("lower", _LOWER), ("upper", _UPPER)))
    return ExactModel(Intervals.from_bands(gt, matrix[:, 0], lower, upper))


def unit_of(gt: np.ndarray, *, as_published: bool) -> float:
    """Return the standard deviation of the observations; 1 where they do not vary, with a warning."""
    unit = float(np.std(gt)) if as_published or np.ptp(gt) > 0 else 0.0  # of equal numbers it may be 4e-15
    if unit == 0 or (as_published and np.isclose(unit, 0.0)):
        warn_caller(
            f"`gt` has a standard deviation of {unit:g}; the unit is 1 instead.", RepairedInputWarning
        )
        return 1.0
    return unit


def floats(name: str, values: Any) -> np.ndarray:
    """Return a copy of values as floats, masked ones as NaN: nobody's array changes, here or later."""
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


def refuse_infinite(name: str, values: np.ndarray) -> None:
    """Refuse rows with NaN or infinite values."""
    rows = ~np.isfinite(values.reshape(values.shape[0], -1)).all(axis=1)
    if rows.any():
        raise rows_error(NonFiniteError, rows, argument=name, rule="be finite", hint="Leave such rows out.")


def _all_zero(side: str) -> ArgumentError:
    return ArgumentError(argument="X", rule=f"have {side} bands above 0, but all of them are zero")


def _repaired(side: str, band: np.ndarray) -> np.ndarray:
    """Replace bands of exactly zero by the smallest other band of their side; nothing else is touched."""
    zero = band == 0
    if not zero.any():
        return band
    if zero.all():
        raise _all_zero(side)
    smallest = float(np.min(band[~zero]))
    counted = arguments.rows_that(int(zero.sum()), band.size, "has", "have")
    warn_caller(
        f"{counted} a {side} band of zero, replaced by the smallest other one, {smallest:g}.",
        RepairedInputWarning,
    )
    return np.where(zero, smallest, band)


def _repaired_as_published(matrix: np.ndarray) -> np.ndarray:
    """Replace what is within 1e-8 of zero anywhere, predictions among it, as UQ360 does."""
    for side, place in (("lower", _LOWER), ("upper", _UPPER)):
        if np.isclose(np.sum(matrix[:, place]), 0.0):
            raise _all_zero(side)
    for side, place in (("lower", _LOWER), ("upper", _UPPER)):
        zero = np.isclose(matrix[:, place], 0.0)
        if zero.any():
            smallest = float(np.min(matrix[matrix[:, place] > 0, place]))
            everywhere = np.isclose(matrix, 0.0)
            counted = arguments.rows_that(int(zero.sum()), zero.size, "has", "have")
            warn_caller(
                f"{counted} a {side} band within 1e-8 of zero; as UQ360 does, all "
                f"{int(everywhere.sum())} such values of `X`, predictions included, become {smallest:g}.",
                RepairedInputWarning,
            )
            matrix = np.where(everywhere, smallest, matrix)
    return matrix
