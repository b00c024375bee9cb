"""What UQ360's functions take, checked, and what becomes of bands of zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.exceptions import ArgumentError, NonFiniteError, RepairedInputWarning, ShapeError
from uccurve.intervals import Intervals, rules

_MATRIX = 2


def to_floats(name: str, values: Any) -> np.ndarray:
    """Return a copy of values as floats, masked ones as NaN: nobody's array changes, here or later."""
    if isinstance(values, (list, tuple)) and any(map(np.ma.is_masked, values)):  # rows of a masked matrix
        values = np.ma.array(values)
    return np.array(to_numpy(as_arrays(**{name: values})[name]))


def finite_floats(name: str, values: Any) -> np.ndarray:
    """Return a copy of values as floats, in rows that are finite."""
    found = to_floats(name, values)
    if found.ndim == 0 or found.size == 0:
        raise ShapeError(argument=name, rule="have rows", got=f"shape {found.shape}")
    bad = ~np.isfinite(found).reshape(len(found), -1).all(axis=1)
    if bad.any():
        hint = "Drop these rows."
        raise rules.rows_error(NonFiniteError, bad, argument=name, rule="be finite", hint=hint)
    return found


def read_models(X: Any, gt: Any) -> list[Intervals]:  # noqa: N803 - UQ360's name
    """Return the rows of each model, of a matrix of shape (n, 3): predictions, lower bands, upper bands.

    A list, or a tuple, of matrices has several models; a list of rows is one matrix.
    """
    several = isinstance(X, (list, tuple)) and len(X) > 0 and to_floats("X", X[0]).ndim == _MATRIX
    return [_read_model(one, gt) for one in (X if several else [X])]


def _read_model(X: Any, gt: Any) -> Intervals:  # noqa: N803
    """Check the rows of one model, and replace bands of zero, with a warning; ``gt`` may be a column."""
    frames.check_same_index({"gt": gt, "X": X})
    observed, matrix = finite_floats("gt", gt), finite_floats("X", X)
    if observed.shape[1:] not in ((), (1,)):
        raise ShapeError(argument="gt", rule="have shape (n,)", got=observed.shape)
    if matrix.shape != (n := len(observed), 3):
        rule = f"have {n} rows of prediction, lower band, upper band, or be a list of such matrices"
        raise ShapeError(argument="X", rule=rule, got=f"shape {matrix.shape}")
    lower, upper = _above_zero("lower", matrix[:, 1]), _above_zero("upper", matrix[:, 2])
    other = None if np.array_equal(lower, upper) else upper
    return Intervals.from_bands(observed.reshape(-1), matrix[:, 0], lower, other)


def _above_zero(side: str, band: np.ndarray) -> np.ndarray:
    """Replace bands of exactly zero by the smallest other band of their side; nothing else is touched."""
    zero = band == 0
    if not zero.any() or (band < 0).any():  # which is refused later
        return band
    if zero.all():
        raise ArgumentError(argument="X", rule=f"have {side} bands above 0, but all of them are zero")
    smallest = float(np.min(band[~zero]))
    counted = arguments.rows_that(int(zero.sum()), band.size, "has", "have")
    words = f"{counted} zero as {side} band, replaced by the smallest other one, {smallest:g}."
    arguments.warn_caller(words, RepairedInputWarning)
    return np.where(zero, smallest, band)
