"""One core for all arrays: the same numbers from NumPy and from a namespace that allows nothing else."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import given, settings

import uccurve as uc
from errors import raises
from strategies import cases


@given(cases(zero_bands=True))
@settings(max_examples=150)
def test_the_curve_is_the_same_and_keeps_the_kind(case):
    """Arrays come back as arrays of the kind that went in."""
    expected, curve = case.curve(), case.curve(strict.asarray)
    for name in ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit"):
        got = getattr(curve, name)
        assert type(got) is type(strict.asarray(1.0))
        np.testing.assert_allclose(np.asarray(got), getattr(expected, name), rtol=1e-13, atol=0)
    np.testing.assert_allclose(np.asarray(curve.frontier.bandwidth), expected.frontier.bandwidth, rtol=1e-13)


@pytest.mark.parametrize("device", ["no_float64", "no_x64"])
def test_arrays_that_cannot_be_float64_are_taken_as_numpy_arrays(device):
    """JAX without x64, and some devices: the values are kept exactly, and sums are not those of float32."""
    y, p, z = np.random.default_rng(0).lognormal(size=(3, 2000)).astype(np.float32)

    def narrow(column):
        return strict.asarray(column, device=strict.Device(device))

    got, expected = uc.Intervals.from_bands(narrow(y), narrow(p), z), uc.Intervals.from_bands(y, p, z)
    assert type(got.y_true) is np.ndarray
    assert got.y_true.dtype == np.float64
    for name in ("parameter", "miss_rate", "bandwidth", "excess", "deficit"):
        np.testing.assert_array_equal(getattr(got.ucc(), name), getattr(expected.ucc(), name))
    assert uc.auucc(narrow(y), narrow(y - z), y + z) == uc.auucc(y, y - z, y + z)
    whole = strict.asarray([1, 2, 4], dtype=strict.int32, device=strict.Device(device))
    assert uc.Intervals.from_bands(whole, whole, 1).y_true.tolist() == [1, 2, 4]
    beside = uc.Intervals.from_bands(narrow(y), strict.asarray(p), z)
    assert type(beside.y_true) is type(strict.asarray(1.0))
    assert beside.ucc().area() == pytest.approx(expected.ucc().area(), rel=1e-14)
    with raises(uc.exceptions.NotNumericError, "y_true"):
        uc.Intervals.from_bands(strict.asarray([True], device=strict.Device(device)), [1.0], 1.0)


@pytest.mark.slow
def test_tensors_that_require_gradients_are_taken_as_numbers():
    """The output of a network, as it comes: curves, sketches, tests, frames and comparisons."""
    import torch

    generator = torch.Generator().manual_seed(0)
    y = torch.randn(50, generator=generator, dtype=torch.float64)
    p = torch.zeros(50, dtype=torch.float64, requires_grad=True)
    z = (torch.rand(50, generator=generator, dtype=torch.float64) + 0.2).requires_grad_()
    tensors = uc.Intervals.from_bands(y, p, z)
    arrays = uc.Intervals.from_bands(y.numpy(), p.detach().numpy(), z.detach().numpy())
    assert p.requires_grad
    assert not tensors.y_pred.requires_grad
    assert tensors.ucc().area() == pytest.approx(arrays.ucc().area(), rel=1e-14)
    assert tensors.sketch() == arrays.sketch()
    intervals = (uc.confidence_interval(rows, "gain", rng=0) for rows in (tensors, arrays))
    assert next(intervals) == next(intervals)
    assert np.isclose(uc.coverage(y, p - z, p + z), uc.coverage(y.numpy(), arrays.lower, arrays.upper))
