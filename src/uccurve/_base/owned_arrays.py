"""Arrays that nobody else can change: copies of those that the caller could still write to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import frozen, is_immutable, namespace

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, ArrayLike

_DOUBLE = ("float64", "double")
"""What the types of columns and arrays that need no conversion are called, as parts of their names."""


def owned(array: Array, given: ArrayLike | None) -> Array:
    """Return an array that nobody else can change, copied only where needed.

    Parameters
    ----------
    array : array of float64
        What `as_arrays` made of an argument.
    given : array, column, list or number
        The argument itself. It is not copied if the conversion has made a new array, or if it is
        read-only, with all arrays that it is a view of.
    """
    if _is_converted(given, array):
        return frozen(array)
    if is_immutable(array) or (isinstance(array, np.ndarray) and _is_read_only(array)):
        return array
    if isinstance(array, np.ndarray):
        return frozen(np.array(array, order="C"))
    return namespace(array).asarray(array, copy=True)


def read_only(array: Array) -> Array:
    """Return a NumPy array, or a view of it, that cannot be written to; other arrays have no such flag."""
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        return array
    return frozen(array.view())


def _is_converted(given: ArrayLike | None, array: Array) -> bool:
    """Whether a value had to be converted to become an array of floats, which then is a new one."""
    if isinstance(given, (list, tuple, int, float, np.generic, np.ma.MaskedArray)):
        return True
    if getattr(given, "ndim", 1) == 2 and frames.is_column(given):  # noqa: PLR2004
        return True  # a frame, whose columns are stacked
    kind = str(getattr(given, "dtype", getattr(given, "type", "double")))
    if kind == str(array.dtype):  # such as float32 on a card
        return False
    return not any(double in kind.lower() for double in _DOUBLE)


def _is_read_only(array: np.ndarray) -> bool:
    """Whether an array cannot be written to, nor any array or buffer that it is a view of."""
    base: Any = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    if base is None:
        return True
    try:  # a buffer, such as bytes or a file that is mapped to memory
        with memoryview(base) as buffer:
            return bool(buffer.readonly)
    except TypeError:
        return False
