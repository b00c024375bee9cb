"""Labels of rows, the rows of each label, and the rows that ``intervals[...]`` takes."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import check_readable, to_numpy
from uccurve.exceptions import ArgumentError, EmptyInputError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import ArrayLike

_PLAIN = "biufUmM"
_WANTED = "be a slice such as 3:4, a mask of {0} values, or row numbers below {0}"


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
    values = _as_array(labels)
    missing = np.zeros(values.shape[:1], dtype=bool)
    if isinstance(labels, np.ma.MaskedArray):
        missing = np.ma.getmaskarray(labels)
    values, missing = match_rows(values, n, name, kept), match_rows(missing, n, name, kept)
    if values.dtype.kind in "fmM":
        missing = missing | np.isnan(values)
    elif values.dtype == object:
        missing = missing | np.array([is_missing(value) for value in values], dtype=bool)
    if missing.any():
        raise ArgumentError(
            argument=name,
            rule="not be missing",
            count=int(np.count_nonzero(missing)),
            total=n,
            first=int(np.argmax(missing)),
        )
    return values


def match_rows(values: np.ndarray, n: int, name: str, kept: Any) -> np.ndarray:
    """Return one value for each of n rows; where only some rows were kept, those of all are accepted."""
    numbers = None if kept is None else to_numpy(kept)
    if numbers is not None and values.ndim == 1 and numbers[-1] < values.size > n:
        values = values[numbers]
    if values.shape != (n,):
        raise ShapeError(argument=name, rule=f"have the shape ({n},), one value per row", got=values.shape)
    return values


def _as_array(labels: ArrayLike) -> np.ndarray:
    """Convert labels to an array without changing them: a list of several types becomes objects."""
    if isinstance(labels, (list, tuple)):
        is_plain = {type(label) for label in labels} in ({int}, {float}, {str}, {bool})
        values = np.asarray(labels) if is_plain else np.fromiter(labels, dtype=object, count=len(labels))
    else:
        is_array = isinstance(labels, np.ndarray) or frames.is_column(labels)
        values = np.asarray(labels) if is_array else to_numpy(labels)
    if values.dtype.kind in "mM":
        microseconds = values.astype(f"{'datetime' if values.dtype.kind == 'M' else 'timedelta'}64[us]")
        exact = np.array_equal(microseconds.astype(values.dtype), values, equal_nan=True)
        return microseconds if exact else values.astype(object)
    return values if values.dtype.kind in _PLAIN else values.astype(object)


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
    check_readable("rows", rows)
    try:
        chosen = range(n)[rows] if isinstance(rows, slice) else np.arange(n)[_as_index(rows)]
    except (IndexError, TypeError, ValueError) as error:
        raise ArgumentError(argument="rows", rule=_WANTED.format(n), got=reprlib.repr(rows)) from error
    if len(chosen) == 0:
        raise EmptyInputError(argument="rows", rule=f"take at least one of {n} rows")
    if isinstance(chosen, range) and chosen.step > 0:
        return slice(chosen.start, chosen.stop, chosen.step)
    return np.asarray(chosen)


def _as_index(rows: Any) -> np.ndarray:
    """Return a mask or row numbers; what has no one axis, or is masked, is neither."""
    values = to_numpy(rows)
    if values.ndim != 1 or isinstance(rows, tuple) or np.ma.is_masked(rows):
        raise IndexError
    return values if values.size else np.empty(0, dtype=np.int64)
