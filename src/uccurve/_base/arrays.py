"""Arrays of any kind in, one namespace out. The only module that knows array-api-compat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import array_api_compat
import numpy as np

from uccurve._base import frames
from uccurve.exceptions import ArgumentError, NotNumericError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Namespace

_BLOCK = 1 << 15
_LARGE_BLOCK = 1 << 26
_SINGLE = 32
_NUMERIC_KINDS = "iufO"
_UNREADABLE_TENSORS = {
    "is_meta": "a tensor on the device meta: compute it on a device with memory",
    "is_nested": "a nested tensor: concatenate its parts",
    "is_quantized": "a quantized tensor: call .dequantize()",
}
"""Properties of PyTorch tensors whose values cannot be read, and what to do about them."""


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
    arguments. Nothing is copied without need; `owned` copies what the caller could change.
    """
    return _convert(values, keep_single=False)


def as_rows(**values: ArrayLike | None) -> dict[str, Array | None]:
    """Do the same for rows, which are kept: off the CPU, float32 stays float32, and half becomes float32.

    Memory and its speed are what other devices are short of. `widened` turns blocks of rows into float64, in
    which everything but differences of the given numbers is computed.
    """
    return _convert(values, keep_single=True)


def _convert(values: Mapping[str, ArrayLike | None], *, keep_single: bool) -> dict[str, Array | None]:
    readable = {name: _as_possible_float64(name, value) for name, value in values.items()}
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
    return {
        name: None if value is None else _as_float(name, value, like, keep_single=keep_single)
        for name, value in readable.items()
    }


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any namespace and device to NumPy, for labels, frames, plots; float32 as float64."""
    array = _read("array", array)
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
    if array_api_compat.is_jax_array(array):
        return array
    if not isinstance(array, np.ndarray):
        return namespace(array).asarray(array, copy=True)
    is_new = isinstance(given, (list, tuple, int, float, np.generic)) or (
        isinstance(given, np.ndarray) and not np.may_share_memory(array, given)
    )
    return frozen(array if is_new or _is_read_only(array) else np.array(array, order="C"))


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


def _is_array(value: object) -> bool:
    return bool(array_api_compat.is_array_api_obj(value)) and not isinstance(value, np.generic)


def _kind(array: Array) -> str:
    """Name the library of an array; the arrays of JAX are made by another one."""
    return "jax" if array_api_compat.is_jax_array(array) else type(array).__module__.partition(".")[0]


def _read(name: str, value: Any) -> Any:
    """Refuse what holds no values, and leave out the gradients and lazy signs of a PyTorch tensor."""
    check_readable(name, value)
    return value.detach().resolve_neg() if array_api_compat.is_torch_array(value) else value


def _as_possible_float64(name: str, value: ArrayLike | None) -> ArrayLike | None:
    """Turn an array whose library has no float64 into one of NumPy."""
    value = _read(name, value)
    if not _is_array(value) or isinstance(value, np.ndarray) or _has_float64(value):
        return value
    _refuse_other_types(name, value)
    return to_numpy(value).astype(np.float64)


def _has_float64(array: Array) -> bool:
    """Whether the library of an array has float64 on its device, as JAX without x64 does not."""
    inspect = getattr(namespace(array), "__array_namespace_info__", None)
    if inspect is None:
        return True
    return "float64" in inspect().dtypes(device=array_api_compat.device(array), kind="real floating")


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


def _as_float(name: str, value: ArrayLike, like: Array | None, *, keep_single: bool) -> Array:
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
    single = keep_single and _is_single_off_cpu(xp, value)
    return xp.astype(value, xp.float32 if single else xp.float64, copy=False)


def _is_single_off_cpu(xp: Namespace, array: Array) -> bool:
    """Whether an array holds floats of at most 32 bits on another device."""
    if "cpu" in str(array_api_compat.device(array)).lower() or not xp.isdtype(array.dtype, "real floating"):
        return False
    return bool(xp.finfo(array.dtype).bits <= _SINGLE)


def _from_list(name: str, value: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype == object:  # None among numbers becomes NaN, which the rules then report
            not_a_number = first_not_numeric(array)
            if not_a_number is not None:
                raise TypeError(f"{type(not_a_number).__name__} among its values")  # noqa: TRY301
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        for element in value if isinstance(value, (list, tuple)) else ():
            check_readable(name, element)
        reason = str(error).partition("\n")[0].rstrip(".")
        raise NotNumericError(
            argument=name, rule="be numeric", got=f"{type(value).__name__}: {reason}"
        ) from error
    return array


def _numeric(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype == object:
        return _from_list(name, array)
    _refuse_other_types(name, array)
    return array


def first_not_numeric(values: np.ndarray) -> object:
    """Return the first value that is text, a truth value, a complex number or a time; None without one."""
    return next((value for value in values.flat if not _may_be_number(value)), None)


def _may_be_number(value: object) -> bool:
    if isinstance(value, (str, bytes, bool, complex)):
        return False
    kind = getattr(getattr(value, "dtype", None), "kind", "O")  # of NumPy's scalars and arrays
    return not isinstance(kind, str) or kind in _NUMERIC_KINDS


def check_readable(name: str, value: object) -> None:
    """Raise an error that says what to do, if an argument's values cannot be read as they are."""
    reason = _why_unreadable(value)
    if reason is not None:
        raise ArgumentError(argument=name, rule="hold values", got=reason)


def _why_unreadable(value: Any) -> str | None:
    """Say what keeps a value from being read, and what to do; libraries are recognized, not imported."""
    classes = type(value).__mro__
    if any(cls.__name__ == "Tracer" and cls.__module__.partition(".")[0] == "jax" for cls in classes):
        return "one that JAX traces: call this outside of jax.jit, jax.vmap and jax.grad"
    if array_api_compat.is_torch_array(value):
        return _why_unreadable_tensor(value)
    dense = next((call for call in ("toarray", "todense") if hasattr(classes[0], call)), None)
    return None if dense is None else f"a sparse {classes[0].__name__}: call .{dense}()"


def _why_unreadable_tensor(tensor: Any) -> str | None:
    for flag, reason in _UNREADABLE_TENSORS.items():
        if getattr(tensor, flag):
            return reason
    if str(tensor.layout) != "torch.strided":
        return "a sparse tensor: call .to_dense()"
    try:  # one value, since transformations of PyTorch hide behind ordinary tensors
        tensor.detach().resolve_neg().reshape(-1)[:1].real.cpu().double().numpy()
    except (RuntimeError, TypeError):
        return "one whose values PyTorch does not give: call this outside of torch.func and torch.compile"
    return None
