"""Labels of rows, the rows of each label, and the rows that ``intervals[...]`` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import check_readable, to_numpy
from uccurve.exceptions import ArgumentError, EmptyInputError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike

_PLAIN = "biufUmM"
_WANTED = "rows are taken by a slice, a mask or row numbers"


def group_rows(
    labels: ArrayLike, n: int, name: str = "labels", kept: np.ndarray | None = None
) -> dict[Hashable, np.ndarray]:
    """Map each label, in sorted order, to its rows; one sort serves all labels. Labels as in `as_labels`."""
    values = as_labels(labels, n, name, kept)
    try:
        if values.dtype == object:
            distinct: list[Hashable] = sorted(set(values.tolist()))
            code = {label: number for number, label in enumerate(distinct)}
            codes = np.array([code[label] for label in values.tolist()])
        else:
            array, codes = np.unique(values, return_inverse=True)
            distinct = array.tolist()
    except TypeError as error:
        kinds = " and ".join(sorted({type(label).__name__ for label in values.tolist()}))
        raise ArgumentError(argument=name, rule="be of one kind that can be sorted", got=kinds) from error
    rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    return dict(zip(distinct, rows, strict=True))


def as_labels(labels: ArrayLike, n: int, name: str = "labels", kept: np.ndarray | None = None) -> np.ndarray:
    """Convert labels to a NumPy array of n values, none of them missing.

    Where only some rows were ``kept``, the labels of all rows are accepted as well.
    """
    check_readable(name, labels)
    values, absent = _as_array(labels), None
    if isinstance(labels, np.ma.MaskedArray):
        absent = np.ma.getmaskarray(labels)
    if kept is not None and values.ndim == 1 and kept[-1] < values.size > n:
        values, absent = values[kept], None if absent is None else absent[kept]
    if values.shape != (n,):
        raise ShapeError(argument=name, rule=f"have the shape ({n},), one label a row", got=values.shape)
    missing = _missing(values) if absent is None else _missing(values) | absent
    if missing.any():
        raise ArgumentError(
            argument=name,
            rule="not be missing",
            count=int(np.count_nonzero(missing)),
            total=n,
            first=int(np.argmax(missing)),
        )
    return values


def _as_array(labels: ArrayLike) -> np.ndarray:
    """Convert labels to an array without changing them: a list of several types becomes objects."""
    if isinstance(labels, (list, tuple)):
        kinds = {type(label) for label in labels}
        if len(kinds) == 1 and kinds <= {int, float, str, bool}:
            values = np.asarray(labels)
        else:
            values = np.empty(len(labels), dtype=object)
            for row, label in enumerate(labels):
                values[row] = label
    elif isinstance(labels, np.ndarray) or frames.is_column(labels):
        values = np.asarray(labels)
    else:
        values = to_numpy(labels)
    if values.dtype.kind == "M":
        microseconds = values.astype("datetime64[us]")
        exact = np.array_equal(microseconds.astype(values.dtype), values, equal_nan=True)
        return microseconds if exact else values.astype(object)
    return values if values.dtype.kind in _PLAIN else values.astype(object)


def _missing(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind in "mM":
        return np.asarray(np.isnat(values))
    if values.dtype == object:
        return np.array([is_missing(value) for value in values], dtype=bool)
    return np.zeros(values.shape, dtype=bool)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or NA: all but None differ from themselves."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124
    except (TypeError, ArithmeticError):
        return True
    except ValueError:  # an array in place of a label, which cannot be sorted
        return False


def choose_rows(rows: Any, n: int) -> slice | np.ndarray:
    """Return a rising slice, or the numbers of the rows, each from 0 to n - 1."""
    numbers = _row_range(rows, n) if isinstance(rows, slice) else _row_numbers(rows, n)
    if len(numbers) == 0:
        raise EmptyInputError(f"intervals[...] must take at least one row, got none of {n}")
    if isinstance(numbers, range) and numbers.step > 0:
        return slice(numbers.start, numbers.stop, numbers.step)
    return np.asarray(numbers, dtype=np.int64)


def _row_range(rows: slice, n: int) -> range:
    try:
        return range(n)[rows]
    except (TypeError, ValueError) as error:
        raise ArgumentError("a slice of rows must have whole numbers", got=repr(rows)) from error


def _row_numbers(rows: Any, n: int) -> np.ndarray:
    """Return the numbers of the rows that a mask or an array of numbers takes."""
    check_readable("rows", rows)
    if np.ma.is_masked(rows):
        raise ArgumentError("a mask or row numbers must not be missing, but some are masked")
    values = to_numpy(rows)
    if values.ndim == 0 or isinstance(rows, tuple):
        raise ArgumentError(_WANTED, got=repr(rows), hint="Write intervals[3:4] to take row 3 alone.")
    if values.ndim != 1:
        raise ShapeError("a mask or row numbers must have one axis", got=f"the shape {values.shape}")
    if values.dtype.kind == "b":
        if values.shape != (n,):
            raise ShapeError(f"a mask must have the shape ({n},), one value per row", got=values.shape)
        return np.flatnonzero(values)
    if values.size and values.dtype.kind not in "iu":
        raise ArgumentError(_WANTED, got=f"{values.dtype} values")
    wrong = values[(values < -n) | (values >= n)]
    if wrong.size:
        raise ArgumentError(f"row numbers must be from {-n} to {n - 1}", got=wrong[0])
    values = values.astype(np.int64)
    return np.where(values < 0, values + n, values)
