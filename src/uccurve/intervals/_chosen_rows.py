"""Which rows ``intervals[...]`` takes: a slice, a mask, or row numbers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._base.unreadable_arrays import refuse_unreadable
from uccurve.exceptions import ArgumentError, EmptyInputError, ShapeError


def chosen_rows(rows: Any, n: int) -> slice | np.ndarray:
    """Return a rising slice, or the numbers of the rows, each from 0 to n - 1."""
    if isinstance(rows, slice):
        numbers = _range(rows, n)
        rising = slice(numbers.start, numbers.stop, numbers.step)
        return _some(rising if numbers.step > 0 else np.array(numbers, dtype=np.int64), len(numbers), n)
    refuse_unreadable("rows", rows)
    _refuse_others(rows)
    values = to_numpy(rows)
    if values.ndim != 1:
        raise ShapeError("a mask or row numbers must have one axis", got=f"the shape {values.shape}")
    if values.dtype.kind == "b":
        if values.shape != (n,):
            raise ShapeError(f"a mask must have the shape ({n},), one value per row", got=values.shape)
        values = np.flatnonzero(values)
    elif values.size and values.dtype.kind not in "iu":
        raise ArgumentError("rows are taken by a slice, a mask or row numbers", got=f"{values.dtype} values")
    wrong = values[(values < -n) | (values >= n)]
    if wrong.size:
        raise ArgumentError(f"row numbers must be from {-n} to {n - 1}", got=wrong[0])
    values = values.astype(np.int64)
    return _some(np.where(values < 0, values + n, values), values.size, n)


def _range(rows: slice, n: int) -> range:
    try:
        return range(n)[rows]
    except (TypeError, ValueError) as error:
        raise ArgumentError("a slice of rows must have whole numbers", got=repr(rows)) from error


def _refuse_others(rows: Any) -> None:
    if np.ma.is_masked(rows):
        raise ArgumentError("a mask or row numbers must not be missing, but some are masked")
    if rows is None or isinstance(rows, (str, bytes, tuple, type(...))):
        raise ArgumentError("rows are taken by a slice, a mask or row numbers", got=repr(rows))
    try:
        row = operator.index(rows)
    except TypeError:
        return
    end = "" if row == -1 else row + 1
    raise ArgumentError(
        "rows are taken by a slice, a mask or row numbers",
        got=row,
        hint=f"Write intervals[{row}:{end}] for the one row.",
    )


def _some(rows: slice | np.ndarray, count: int, n: int) -> slice | np.ndarray:
    if count == 0:
        raise EmptyInputError(f"intervals[...] must take at least one row, got none of {n}")
    return rows
