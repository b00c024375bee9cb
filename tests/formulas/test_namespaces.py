"""One suite for all kinds of arrays: the same curve to the last digits, and arrays of the kind that came in."""

from __future__ import annotations

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import uccurve as uc

COSTS = ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit")


@pytest.fixture(params=[torch.asarray, jnp.asarray, array_api_strict.asarray], ids=["torch", "jax", "strict"])
def kind(request):
    """A function that makes arrays of one kind."""
    with jax.enable_x64(new_val=True):
        yield request.param


def columns(seed, n=60):
    """Integers and powers of two, so that sums are exact; ties and exact predictions."""
    rng = np.random.default_rng(seed)
    y_pred = rng.integers(-8, 9, size=n).astype(float)
    error = rng.integers(-6, 7, size=n).astype(float)
    low, high = 2.0 ** rng.integers(-2, 4, size=(2, n))
    return y_pred + error, y_pred, low, high


def both(given, kind, **options):
    """Intervals of arrays of one kind, and of NumPy."""
    return (
        uc.Intervals.from_bands(*(kind(column) for column in given), **options),
        uc.Intervals.from_bands(*given, **options),
    )


@pytest.mark.parametrize(("vary", "sides"), [("scale", 3), ("scale", 4), ("shift", 4)])
def test_points_areas_and_optima_are_the_same(kind, vary, sides):
    """Every operating point with all four costs; areas, whole and in part; the cheapest point."""
    rows, expected = both(columns(1)[:sides], kind)
    curve, reference = rows.ucc(vary=vary), expected.ucc(vary=vary)
    for name in COSTS:
        found, wanted = getattr(curve, name), getattr(reference, name)
        assert type(found) is type(rows.y_true), name
        np.testing.assert_allclose(
            np.asarray(found), wanted, rtol=1e-13, atol=1e-14 * np.max(np.abs(wanted)), err_msg=name
        )
    for axes in ({}, {"x": "excess", "y": "deficit"}, {"partial": "strip", "miss_rate": (0.2, 0.6)}):
        assert curve.area(**axes) == pytest.approx(reference.area(**axes), rel=1e-12)
    mine, theirs = (c.minimize_cost(0.4, x="excess") for c in (curve, reference))
    assert mine.cost == pytest.approx(theirs.cost, rel=1e-13)


def test_weights_and_sketches_are_the_same(kind):
    """Weighted rows, zero weights among them."""
    rows, expected = both(columns(7), kind, sample_weight=np.arange(60) % 4 / 2)
    assert rows.ucc().area() == pytest.approx(expected.ucc().area(), rel=1e-13)
    assert uc.UCCSketch.of(rows) == uc.UCCSketch.of(expected)


def test_limits_are_the_same(kind):
    """One-sided ones, from bounds."""
    y, y_pred, _, high = columns(8)
    limit = uc.Intervals.from_bounds(kind(y), upper=kind(y_pred + high), y_pred=kind(y_pred))
    expected = uc.Intervals.from_bounds(y, upper=y_pred + high, y_pred=y_pred)
    assert limit.ucc().area() == pytest.approx(expected.ucc().area(), rel=1e-13)
