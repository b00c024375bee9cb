"""Arrays without values, or in a layout of their own: one line of ours, wherever arrays come in."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals
Y = np.array([1.0, 2.0, 4.0])
good = I.from_bands(Y, np.zeros(3), np.ones(3))

DOORS = {
    "from_quantiles": ("quantiles", lambda a: I.from_quantiles(Y, a, [0.1, 0.9])),
    "from_samples": ("samples", lambda a: I.from_samples(Y, a)),
    "by": ("labels", good.by),
    "blocks": ("blocks", lambda a: uc.confidence_interval(good, "area", blocks=a)),
    "rows": ("rows", lambda a: good[a]),
}


def tracer():
    """An object that is made like the values under ``jax.jit``: JAX itself is not among the test libraries."""

    def unreadable(*_args, **_options):
        message = "Attempted to call __array__ on a traced array\nThe error occurred while tracing …"
        raise TypeError(message)

    base = type("Tracer", (), {"__module__": "jax._src.core", "__array__": unreadable, "shape": (3,)})
    return type("DynamicJaxprTracer", (base,), {"__module__": "jax._src.interpreters.partial_eval"})()


@pytest.mark.parametrize("door", DOORS)
def test_values_that_jax_traces_are_refused_at_every_door(door):
    """They have no values yet; the way out is to call the library outside."""
    argument, action = DOORS[door]
    with raises(ex.ArgumentError, argument):
        action(tracer())


def test_a_list_of_unreadable_values_is_no_list_of_numbers():
    """NumPy says why it cannot read them."""
    with raises(ex.NotNumericError, "y_true"):
        uc.coverage([tracer()] * 3, Y, Y)


def test_sparse_matrices_of_scipy_are_refused_with_the_call_to_make():
    """NumPy would make one object of them."""
    from scipy import sparse

    for made in (sparse.csr_matrix(np.eye(3)), sparse.coo_array(np.eye(3))):
        with raises(ex.ArgumentError, "y_true"):
            I.from_bands(made, np.eye(3), 1)


def test_arrays_on_two_devices_are_not_mixed():
    """Which one is meant nobody knows, and libraries fail far from here."""
    here = strict.asarray([1.0, 2.0])
    there = strict.asarray([1.0, 2.0], device=strict.Device("device1"))
    with raises(ex.ArgumentError, "y_pred"):
        I.from_bands(here, there, 1)


TENSORS = {
    "meta": lambda t: t.ones(3, device="meta"),
    "sparse": lambda t: t.ones(3).to_sparse(),
    "nested": lambda t: t.nested.nested_tensor([t.ones(2), t.ones(3)], layout=t.jagged),
    "quantized": lambda t: t.quantize_per_tensor(t.ones(3), 0.1, 0, t.quint8),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # PyTorch warns that sparse and nested tensors may change
@pytest.mark.parametrize("kind", TENSORS)
def test_tensors_without_plain_values_are_refused(kind):
    """No traceback of PyTorch, where numbers are wanted and where labels are."""
    import torch

    for door in (uc.coverage, good.by):
        with pytest.raises(ex.ArgumentError):
            door(*[TENSORS[kind](torch)] * (3 if door is uc.coverage else 1))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the class of the interpreter is deprecated inside PyTorch
@pytest.mark.parametrize("transform", ["vmap", "grad"])
def test_tensors_under_a_transformation_are_refused(transform):
    """Their values are not there to be read."""
    import torch

    def call(y):
        with raises(ex.ArgumentError, "y_true"):
            uc.coverage(y, Y, Y + 1)
        return y.sum()

    getattr(torch.func, transform)(call)(torch.ones((2, 3) if transform == "vmap" else 3))


@pytest.mark.slow
def test_tensors_in_lists_and_odd_but_readable_ones():
    """A list of tensors with gradients is named in one line; half precision and negated views are read."""
    import torch

    with raises(ex.NotNumericError, "y_true"):
        uc.coverage([torch.ones(1, requires_grad=True)], [0], [2])
    half = torch.tensor([1.0, 2.0, 4.0], dtype=torch.bfloat16)
    assert uc.coverage(half, Y, Y) == 1
    negated = torch.tensor([1j, 2j, 4j]).conj().imag
    assert negated.is_neg()
    assert I.from_bands(negated, -half, 1).sketch() == I.from_bands(-Y, -Y, np.ones(3)).sketch()
