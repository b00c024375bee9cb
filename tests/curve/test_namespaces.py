"""One core for all arrays: the same numbers from NumPy and from a namespace that allows nothing else."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from strategies import cases

PAIRS = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


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


@pytest.mark.slow
@given(cases(), st.sampled_from(PAIRS))
@settings(max_examples=60)
def test_single_numbers_are_the_same_floats(case, pair):
    """Areas, gains, points, optima and crossings come back as Python floats."""
    expected, curve = case.curve(), case.curve(strict.asarray)
    for ask in (
        lambda c: c.area(x=pair[0], y=pair[1]),
        lambda c: c.gain(x=pair[0], y=pair[1]),
        lambda c: c.area(x=pair[0], y=pair[1], miss_rate=(0.2, 0.7), partial="strip"),
        lambda c: c.area(x=pair[0], y=pair[1], partial="mean", coverage=(0.2, 0.7)),
        lambda c: c.area(x=pair[0], y=pair[1], deficit=(0.1, 0.7), partial="strip"),
        lambda c: c.ceiling(x=pair[0], y=pair[1]),
        lambda c: c.at(miss_rate=0.3).excess,
        lambda c: c.at(deficit=0.3).parameter,
        lambda c: c.minimize_cost(0.4, x=pair[0], y=pair[1]).cost,
        lambda c: float(len(c.crossings(c.reference, x=pair[0], y=pair[1]))),
    ):
        got = ask(curve)
        assert type(got) is float
        assert got == pytest.approx(ask(expected), rel=1e-12, abs=0, nan_ok=True)


def test_everything_else_runs_too():
    """Constructors, views, groups, metrics and calibration on strict arrays, lists mixed in."""
    rng = np.random.default_rng(0)
    p, y, z = rng.normal(size=(3, 30))
    z = np.abs(z)
    asarray = strict.asarray
    a = uc.Intervals.from_bounds(
        asarray(y), asarray(p - z), asarray(p + 2 * z), y_pred=list(p), sample_weight=list(z)
    )
    b = uc.Intervals.from_bounds(y, p - z, p + 2 * z, y_pred=p, sample_weight=z)
    assert a.standardized().ucc().area() == pytest.approx(b.standardized().ucc().area())
    labels = rng.integers(0, 3, size=30)
    for key, group in a.by(labels).items():
        assert group.ucc().gain() == pytest.approx(b.by(labels)[key].ucc().gain())
    for name in ("constant", "standardized"):
        assert type(getattr(a, name)().lower_band) is type(asarray(1.0))
    assert uc.excess(a.y_true, a.lower, a.upper) == pytest.approx(uc.excess(y, b.lower, b.upper))
    two = uc.Intervals.from_samples(asarray(rng.normal(size=(30, 2))), asarray(rng.normal(size=(9, 30, 2))))
    assert two.outputs()[1].ucc().area() > 0
    wide = uc.Intervals.from_quantiles(
        asarray(y), asarray(np.stack([p - z, p, p + z], axis=1)), [0.1, 0.5, 0.9]
    )
    scaler = uc.ConformalScaler(0.8).fit(wide)
    lower, _ = scaler.transform(lower=wide.lower, upper=wide.upper)
    assert type(lower) is type(asarray(1.0))
    assert type(scaler.transform(wide).lower_band) is type(asarray(1.0))
    for rows in (slice(3, None, 2), slice(None, 3, -1), asarray(y > 0), y > 0, [4, -1]):
        some = two[rows if not isinstance(rows, np.ndarray) else asarray(rows)]
        assert type(some.y_true) is type(asarray(1.0))
        assert some.n_outputs == 2
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        kept = uc.Intervals.from_bands(asarray([1.0, float("nan")]), asarray([0.0, 0.0]), 1.0, invalid="drop")
    assert kept.n == 1
    assert len(a.ucc().to_frame("pandas")) == 31
    integers = uc.Intervals.from_bands(asarray([1, 2]), asarray([0, 0]), asarray([1, 2]))
    assert integers.y_true.dtype == strict.float64
    with pytest.raises(uc.exceptions.NotNumericError):
        uc.Intervals.from_bands(asarray([True]), asarray([1.0]), 1.0)


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
