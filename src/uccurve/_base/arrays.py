"""Arrays of any kind in, one namespace out. The only module that knows array-api-compat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import array_api_compat
import numpy as np

from uccurve._base import frames, object_values
from uccurve._base.unreadable_arrays import as_plain_tensor, refuse_unreadable
from uccurve.exceptions import ArgumentError, NotNumericError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_BLOCK = 1 << 15
_LARGE_BLOCK = 1 << 26
_SINGLE = 32


def namespace(array: Array) -> Namespace:
    """Return the array API namespace of an array that `as_arrays` made."""
    return array_api_compat.array_namespace(array)


def block_rows(array: Array) -> int:
    """Return how many rows to work on at once: what a CPU cache holds, or far more on other devices."""
    return _BLOCK if isinstance(array, np.ndarray) else _LARGE_BLOCK


def as_arrays(**values: ArrayLike | None) -> dict[str, Array | None]:
    """Convert the named values to float64 arrays of one namespace; None stays None.

    Arrays of the array API standard keep their kind, if it has float64 on their device: those of JAX without
    x64 become NumPy arrays. Lists, frame columns and NumPy arrays take the kind and the device of the other
    arguments. Nothing is copied without need; `owned_arrays.owned` copies what the caller could change.
    """
    return _converted(values, _double)


def as_rows(**values: ArrayLike | None) -> dict[str, Array | None]:
    """Do the same for rows, which are kept: off the CPU, float32 stays float32, and half becomes float32.

    Memory and its speed are what other devices are short of. `widened` turns blocks of rows into float64, in
    which everything but differences of the given numbers is computed.
    """
    return _converted(values, _single_off_cpu)


def _converted(
    values: Mapping[str, ArrayLike | None], precision: Callable[[Namespace, Array], Any]
) -> dict[str, Array | None]:
    readable = {name: _readable(name, value) for name, value in values.items()}
    foreign = {name: v for name, v in readable.items() if _is_array(v) and not isinstance(v, np.ndarray)}
    kinds = {_kind(v) for v in foreign.values()}
    if len(kinds) > 1:
        got = " and ".join(sorted(kinds))
        raise ArgumentError(
            "all arrays must be of one kind, or of NumPy", got=got, hint="Convert one of them."
        )
    if kinds != {"jax"}:  # JAX moves arrays between devices by its own rules
        _refuse_two_devices(foreign)
    like = next(iter(foreign.values()), None)
    return {name: None if v is None else _as_float(name, v, like, precision) for name, v in readable.items()}


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any namespace and device to NumPy, for labels, frames, plots; float32 as float64."""
    refuse_unreadable("array", array)
    array = as_plain_tensor(array)
    if isinstance(array, np.ndarray):
        return array
    copied = _copied(array)
    return copied.astype(np.float64, copy=False) if copied.dtype.kind == "f" else copied


def _copied(array: Array) -> np.ndarray:
    try:
        return np.asarray(array)
    except UnicodeDecodeError:  # texts beside bytes
        return np.asarray(array, dtype=object)
    except TypeError:  # on another device
        return np.asarray(array_api_compat.to_device(array, "cpu"))
    except RuntimeError:  # on a device that NumPy is told not to read by itself
        return np.from_dlpack(array)


def has_float64(array: Array) -> bool:
    """Whether the library of an array has float64 on its device, as JAX without x64 does not."""
    inspect = getattr(namespace(array), "__array_namespace_info__", None)
    if inspect is None:
        return True
    return "float64" in inspect().dtypes(device=array_api_compat.device(array), kind="real floating")


def from_numpy(array: np.ndarray, like: Array) -> Array:
    """Turn a NumPy array into one of ``like``'s namespace and device."""
    if isinstance(like, np.ndarray):
        return array
    if not array.flags.writeable:  # tensors would share the memory, and cannot be read-only
        array = array.copy()
    return namespace(like).asarray(array, device=array_api_compat.device(like))


def frozen(array: Array) -> Array:
    """Make a NumPy result read-only, so that a cached curve cannot be changed by accident."""
    if isinstance(array, np.ndarray):
        array.flags.writeable = False
    return array


def widened(array: Array) -> Array:
    """Return an array in float64, in which everything but differences of the given numbers is computed."""
    xp = namespace(array)
    return xp.astype(array, xp.float64, copy=False)


def is_immutable(array: Array) -> bool:
    """Whether arrays of this kind can never be written to, as those of JAX."""
    return bool(array_api_compat.is_jax_array(array))


def _is_array(value: object) -> bool:
    return bool(array_api_compat.is_array_api_obj(value)) and not isinstance(value, np.generic)


def _kind(array: Array) -> str:
    """Name the library of an array; the arrays of JAX are made by another one."""
    return "jax" if array_api_compat.is_jax_array(array) else type(array).__module__.partition(".")[0]


def _readable(name: str, value: ArrayLike | None) -> ArrayLike | None:
    """Refuse what holds no values, and turn arrays that cannot be float64 into NumPy arrays that are."""
    refuse_unreadable(name, value)
    value = as_plain_tensor(value)  # numbers are assessed, not differentiated
    if not _is_array(value) or isinstance(value, np.ndarray) or has_float64(value):
        return value
    _refuse_other_types(name, value)
    return to_numpy(value).astype(np.float64)


def _refuse_two_devices(foreign: dict[str, Array]) -> None:
    devices = {str(array_api_compat.device(array)): name for name, array in reversed(foreign.items())}
    if len(devices) > 1:
        (one, first), (other, second) = list(reversed(devices.items()))[:2]
        raise ArgumentError(
            argument=second, rule=f"be on the device of `{first}`, {one}", got=other, hint="Move one of them."
        )


def _refuse_other_types(name: str, array: Array) -> None:
    if not namespace(array).isdtype(array.dtype, ("integral", "real floating")):
        raise NotNumericError(argument=name, rule="be numeric", got=array.dtype)


def _as_float(
    name: str, value: ArrayLike, like: Array | None, precision: Callable[[Namespace, Array], Any]
) -> Array:
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(_numeric(name, value).astype(np.float64), np.nan)
    elif frames.is_column(value):
        value = frames.to_numpy(name, value)
    elif not _is_array(value):
        value = _from_list(name, value)
    if isinstance(value, np.ndarray):
        value = np.asarray(_numeric(name, value), dtype=np.float64)
        return value if like is None else from_numpy(value, like)
    _refuse_other_types(name, value)
    xp = namespace(value)
    return xp.astype(value, precision(xp, value), copy=False)


def _double(xp: Namespace, _array: Array) -> Any:
    return xp.float64


def _single_off_cpu(xp: Namespace, array: Array) -> Any:
    """Return float32 for floats of at most that size on another device, float64 for everything else."""
    on_cpu = "cpu" in str(array_api_compat.device(array)).lower()
    if on_cpu or not xp.isdtype(array.dtype, "real floating") or xp.finfo(array.dtype).bits > _SINGLE:
        return xp.float64
    return xp.float32


def _from_list(name: str, value: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype == object:  # None among numbers becomes NaN, which the rules then report
            not_a_number = object_values.first_not_numeric(array)
            if not_a_number is not None:
                raise TypeError(f"{type(not_a_number).__name__} among its values")  # noqa: TRY301
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        for element in value if isinstance(value, (list, tuple)) else ():
            refuse_unreadable(name, element)
        reason = str(error).partition("\n")[0].rstrip(".")
        raise NotNumericError(
            argument=name, rule="be numeric", got=f"{type(value).__name__}: {reason}"
        ) from error
    return array


def _numeric(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype == object:
        return _from_list(name, array)
    if array.dtype.kind not in "iuf":
        raise NotNumericError(argument=name, rule="be numeric", got=array.dtype)
    return array
