"""Arrays of any kind in, one namespace out. The only module that knows array-api-compat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import array_api_compat
import numpy as np

from uccurve._base import frames
from uccurve.exceptions import ArgumentError, NotNumericError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_BLOCK = 1 << 15
_LARGE_BLOCK = 1 << 26
_SINGLE = 32
_NUMERIC_KINDS = "iufO"


def namespace(array: Array) -> Namespace:
    """Return the array API namespace of an array that `as_arrays` made."""
    return array_api_compat.array_namespace(array)


def block_rows(array: Array) -> int:
    """Return how many rows to work on at once: what a CPU cache holds, or far more on other devices."""
    return _BLOCK if isinstance(array, np.ndarray) else _LARGE_BLOCK


def as_arrays(*, keep_single: bool = False, **values: ArrayLike | None) -> dict[str, Array | None]:
    """Convert the named values to float64 arrays of one namespace; None stays None.

    Arrays of the array API standard keep their kind, if it has float64 on their device: those of JAX without
    x64 become NumPy arrays. Lists, frame columns and NumPy arrays take the kind and the device of the other
    arguments. Nothing is copied without need; `owned` copies what the caller could change.

    With ``keep_single``, off the CPU, float32 stays float32, and half becomes float32: memory and its speed
    are what other devices are short of. `widened` turns blocks of rows into float64, in which everything but
    differences of the given numbers is computed.
    """
    readable = {name: _as_possible_float64(name, value) for name, value in values.items()}
    foreign = {name: value for name, value in readable.items() if _is_foreign(value)}
    lead, like = next(iter(foreign.items()), ("", None))
    for name, array in foreign.items():
        if _home(array) != _home(like):
            raise ArgumentError(
                argument=name, rule=f"be of NumPy or, as `{lead}`, of {_home(like)}", got=_home(array)
            )
    return {
        name: None if value is None else _as_float(name, value, like, keep_single=keep_single)
        for name, value in readable.items()
    }


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any namespace and device to NumPy, for labels, frames, plots; float32 as float64."""
    array = _as_plain("array", array)
    if isinstance(array, np.ndarray):
        return array
    try:
        copied = np.asarray(array)
    except TypeError:  # on another device
        copied = np.asarray(array_api_compat.to_device(array, "cpu"))
    except RuntimeError:  # on a device that NumPy is told not to read by itself
        copied = np.from_dlpack(array)
    return copied.astype(np.float64, copy=False) if copied.dtype.kind == "f" else copied


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
    kind = str(getattr(given, "dtype", getattr(given, "type", "double"))).lower()
    has_kind = any(name in kind for name in ("float64", "double", str(array.dtype)))
    if isinstance(given, (list, tuple, int, float, np.generic)) or not has_kind:
        return frozen(array)  # converted, and so a new one
    if array_api_compat.is_jax_array(array) or (isinstance(array, np.ndarray) and _is_read_only(array)):
        return array
    if isinstance(array, np.ndarray):
        return frozen(np.array(array, order="C"))
    return namespace(array).asarray(array, copy=True)


def read_only(array: Array) -> Array:
    """Return a NumPy array, or a view of it, that cannot be written to; other arrays have no such flag."""
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        return array
    return frozen(array.view())


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


def _is_foreign(value: object) -> bool:
    """Whether a value is an array of another library than NumPy."""
    return bool(array_api_compat.is_array_api_obj(value)) and not isinstance(value, (np.ndarray, np.generic))


def _home(array: Array) -> str:
    """Name the library of an array, and its device, unless JAX moves arrays between devices by itself."""
    if array_api_compat.is_jax_array(array):
        return "jax"
    return f"{type(array).__module__.partition('.')[0]} on {array_api_compat.device(array)}"


def check_readable(name: str, value: Any) -> None:
    """Raise an error if the values of an array are not there to be read: traced, sparse, or on no device."""
    is_traced = any(cls.__name__ == "Tracer" for cls in type(value).__mro__)
    is_readable = not is_traced and not hasattr(type(value), "todense")
    if array_api_compat.is_torch_array(value):
        try:  # one value, since transformations of PyTorch hide behind ordinary tensors
            value.detach().resolve_neg().reshape(-1)[:1].real.cpu().double().numpy()
        except (RuntimeError, TypeError):
            is_readable = False
    if not is_readable:
        raise ArgumentError(
            argument=name,
            rule="be dense and have values, outside of jit, vmap and grad",
            got=type(value).__name__,
        )


def _as_plain(name: str, value: Any) -> Any:
    """Refuse what holds no values, and leave out the gradients and lazy signs of a PyTorch tensor."""
    check_readable(name, value)
    return value.detach().resolve_neg() if array_api_compat.is_torch_array(value) else value


def _as_possible_float64(name: str, value: ArrayLike | None) -> ArrayLike | None:
    """Turn an array into one of NumPy if its library has no float64 on its device, as JAX without x64."""
    value = _as_plain(name, value)
    if not _is_foreign(value):
        return value
    known = namespace(value).__array_namespace_info__()
    if "float64" in known.dtypes(device=array_api_compat.device(value), kind="real floating"):
        return value
    _check_type(name, value)
    return to_numpy(value).astype(np.float64)


def _as_float(name: str, value: ArrayLike, like: Array | None, *, keep_single: bool) -> Array:
    if frames.is_column(value):
        value = frames.to_numpy(name, value)
    if not _is_foreign(value):
        array = _read_numbers(name, value)
        return array if like is None else from_numpy(array, like)
    _check_type(name, value)
    xp = namespace(value)
    is_single = xp.isdtype(value.dtype, "real floating") and xp.finfo(value.dtype).bits <= _SINGLE
    on_cpu = "cpu" in str(array_api_compat.device(value)).lower()
    kind = xp.float32 if keep_single and is_single and not on_cpu else xp.float64
    return xp.astype(value, kind, copy=False)


def _read_numbers(name: str, value: ArrayLike) -> np.ndarray:
    """Convert a list, or an array of any type, to float64; None, pandas' NA and masked values become NaN."""
    try:
        array = np.asarray(value)
        if array.dtype == object:
            not_a_number = first_not_numeric(array)
            if not_a_number is not None:
                raise TypeError(f"{type(not_a_number).__name__} among its values")  # noqa: TRY301
            is_na = np.reshape([type(each).__name__ == "NAType" for each in array.flat], array.shape)
            array = np.where(is_na, np.nan, array).astype(np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise NotNumericError(
            argument=name, rule="be numeric", got=f"{type(value).__name__}: {reason}"
        ) from error
    _check_type(name, array)
    array = array.astype(np.float64, copy=False)
    return np.where(value.mask, np.nan, array) if isinstance(value, np.ma.MaskedArray) else array


def _check_type(name: str, array: Array) -> None:
    if not namespace(array).isdtype(array.dtype, ("integral", "real floating")):
        raise NotNumericError(argument=name, rule="be numeric", got=array.dtype)


def first_not_numeric(values: np.ndarray) -> object:
    """Return the first value that is text, a truth value, a complex number or a time; None without one."""
    for value in values.flat:
        kind = getattr(getattr(value, "dtype", None), "kind", "O")  # of NumPy's scalars and arrays
        if isinstance(value, (str, bytes, bool, complex)) or kind not in _NUMERIC_KINDS:
            return value
    return None
