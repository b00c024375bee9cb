"""Arrays of any kind in, one namespace out. The only module that knows array-api-compat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import array_api_compat
import numpy as np

from uccurve._base import frames
from uccurve.exceptions import ArgumentError, NotNumericError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_BLOCK = 1 << 15
_EVERYTHING = 1 << 62


def namespace(array: Array) -> Namespace:
    """Return the array API namespace of an array that `as_arrays` made."""
    return array_api_compat.array_namespace(array)


def block_rows(array: Array) -> int:
    """Return how many rows to work on at once: what a CPU cache holds, or all rows on other devices."""
    return _BLOCK if isinstance(array, np.ndarray) else _EVERYTHING


def as_arrays(**values: ArrayLike | None) -> dict[str, Array | None]:
    """Convert the named values to float64 arrays of one namespace; None stays None.

    Arrays of the array API standard keep their kind. Lists, frame columns and NumPy arrays take the kind
    and the device of the other arguments. Nothing is copied without need.
    """
    foreign = [v for v in values.values() if _is_array(v) and not isinstance(v, np.ndarray)]
    kinds = {type(v).__module__.partition(".")[0] for v in foreign}
    if len(kinds) > 1:
        got = " and ".join(sorted(kinds))
        raise ArgumentError(f"all arrays must be of one kind, or of NumPy, got {got}: convert one of them.")
    like = foreign[0] if foreign else None
    return {name: None if v is None else _as_float(name, v, like) for name, v in values.items()}


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any namespace and device to NumPy, for labels, frames and plots."""
    try:
        return np.asarray(array)
    except TypeError:  # on another device
        return np.asarray(array_api_compat.to_device(array, "cpu"))


def from_numpy(array: np.ndarray, like: Array) -> Array:
    """Turn a NumPy array into one of ``like``'s namespace and device."""
    if isinstance(like, np.ndarray):
        return array
    return namespace(like).asarray(array, device=array_api_compat.device(like))


def frozen(array: Array) -> Array:
    """Make a NumPy result read-only, so that a cached curve cannot be changed by accident."""
    if isinstance(array, np.ndarray):
        array.flags.writeable = False
    return array


def _is_array(value: object) -> bool:
    return bool(array_api_compat.is_array_api_obj(value)) and not isinstance(value, np.generic)


def _as_float(name: str, value: ArrayLike, like: Array | None) -> Array:
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(_numeric(name, value).astype(np.float64), np.nan)
    elif frames.is_column(value):
        value = frames.to_numpy(name, value)
    elif not _is_array(value):
        value = _from_list(name, value)
    if isinstance(value, np.ndarray):
        value = np.asarray(_numeric(name, value), dtype=np.float64)
        return value if like is None else from_numpy(value, like)
    if getattr(value, "requires_grad", False):
        value = value.detach()  # a tensor of PyTorch: numbers are assessed, not differentiated
    xp = namespace(value)
    if not xp.isdtype(value.dtype, ("integral", "real floating")):
        raise NotNumericError(f"`{name}` must be numeric, got {value.dtype}.")
    return xp.astype(value, xp.float64, copy=False)


def _from_list(name: str, value: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype == object:  # None among numbers becomes NaN, which the rules then report
            not_a_number = next((v for v in array.flat if isinstance(v, (str, bytes, bool))), None)
            if not_a_number is not None:
                raise TypeError(f"{type(not_a_number).__name__} among its values")  # noqa: TRY301
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise NotNumericError(
            f"`{name}` must be numeric, got {type(value).__name__}: {str(error).rstrip('.')}."
        ) from error
    return array


def _numeric(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype == object:
        return _from_list(name, array)
    if array.dtype.kind not in "iuf":
        raise NotNumericError(f"`{name}` must be numeric, got {array.dtype}.")
    return array
