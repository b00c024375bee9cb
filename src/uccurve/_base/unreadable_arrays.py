"""Arrays whose values cannot be read: recognized by their classes, without importing their libraries."""

from __future__ import annotations

from typing import Any

from uccurve.exceptions import ArgumentError

_TRACED = "one that JAX traces: call this outside of jax.jit, jax.vmap and jax.grad"
_META = "a tensor on the device meta: compute it on a device with memory"
_SPARSE = "a sparse tensor: call .to_dense()"
_NESTED = "a nested tensor: concatenate its parts"
_QUANTIZED = "a quantized tensor: call .dequantize()"
_TRANSFORMED = (
    "a tensor whose values PyTorch does not give: call this outside of torch.func and torch.compile"
)
_DENSE_CALLS = {
    "jax.experimental.sparse": "todense",
    "scipy.sparse": "toarray",
    "cupyx.scipy.sparse": "toarray",
    "sparse": "todense",
}
"""Modules of sparse arrays, and the method that makes a plain array."""


def refuse_unreadable(name: str, value: object) -> None:
    """Raise an error that says what to do, if an argument's values cannot be read as they are."""
    reason = _reason(value)
    if reason is not None:
        raise ArgumentError(argument=name, rule="hold values", got=reason)


def as_plain_tensor(value: Any) -> Any:
    """Return the numbers of a PyTorch tensor, without gradients and lazy signs; other values as they are."""
    if not _is_tensor(value):
        return value
    return value.detach().resolve_neg()


def _is_tensor(value: object) -> bool:
    return ("torch", "Tensor") in _ancestry(value)


def _ancestry(value: object) -> set[tuple[str, str]]:
    """Return library and name of all classes that a value is of."""
    return {(cls.__module__.partition(".")[0], cls.__name__) for cls in type(value).__mro__}


def _reason(value: object) -> str | None:
    if ("jax", "Tracer") in _ancestry(value):
        return _TRACED
    if _is_tensor(value):
        return _reason_of_tensor(value)
    module = f"{type(value).__module__}."
    for sparse, call in _DENSE_CALLS.items():
        if module.startswith(f"{sparse}.") and hasattr(value, call):
            return f"a sparse {type(value).__name__}: call .{call}()"
    return None


def _reason_of_tensor(tensor: Any) -> str | None:
    if tensor.is_meta:
        return _META
    if tensor.is_nested:
        return _NESTED
    if tensor.is_quantized:
        return _QUANTIZED
    if str(tensor.layout) != "torch.strided":
        return _SPARSE
    try:  # one value, since transformations of PyTorch hide behind ordinary tensors
        as_plain_tensor(tensor).reshape(-1)[:1].real.cpu().double().numpy()
    except (RuntimeError, TypeError):
        return _TRANSFORMED
    return None
