"""Areas and gains in JAX: those of the library, compiled, mapped and differentiated."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import uccurve as uc
from uccurve.jax import auucc, auucc_gain


def rows(n=200, seed=0, outputs=None):
    rng = np.random.default_rng(seed)
    shape = (n,) if outputs is None else (n, outputs)
    low, high = rng.lognormal(sigma=0.7, size=(2, *shape))
    y_pred = rng.normal(size=shape)
    y_true = y_pred + low * rng.standard_t(4, size=shape)
    y_true.flat[::17] = y_pred.flat[::17]
    return [y_true, y_pred, low, high], rng.uniform(0.1, 2, size=n)


@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("outputs", [None, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_they_are_those_of_the_library(y, sides, outputs, weighted):
    """On asymmetric bands, exact predictions, weights and several outputs."""
    columns, weight = rows(outputs=outputs)
    columns, weight = columns[:sides], weight if weighted else None
    y_true, y_pred, low = columns[:3]
    high = columns[3] if sides == 4 else low
    given = {"y_pred": y_pred, "y": y, "sample_weight": weight}
    with jax.enable_x64(new_val=True):
        arrays = [jnp.asarray(column) for column in columns]
        for mine, theirs in ((auucc, uc.auucc), (auucc_gain, uc.auucc_gain)):
            compiled = jax.jit(mine, static_argnames="y")
            assert compiled.__wrapped__ is mine
            found = compiled(*arrays, y=y, sample_weight=weight)
            assert found.dtype == jnp.float64
            assert float(found) == pytest.approx(
                theirs(y_true, y_pred - low, y_pred + high, **given), rel=1e-10
            )


def test_float32_has_six_digits():
    """The precision of the arrays is that of the result."""
    columns, _ = rows()
    found = auucc(*(jnp.asarray(column, dtype=jnp.float32) for column in columns))
    assert found.dtype == jnp.float32
    y_true, y_pred, low, high = columns
    assert float(found) == pytest.approx(
        uc.auucc(y_true, y_pred - low, y_pred + high, y_pred=y_pred), rel=1e-5
    )


@pytest.mark.parametrize("function", [auucc, auucc_gain])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_gradients_are_slopes(function, y):
    """Against differences, where an exact prediction is among the rows."""
    columns, _ = rows(n=40)
    with jax.enable_x64(new_val=True):
        arrays = [jnp.asarray(column) for column in columns]
        slope = jax.grad(lambda low: function(*arrays[:2], low, arrays[3], y=y))(arrays[2])
        assert bool(jnp.all(jnp.isfinite(slope)))
        step = 1e-6
        for row in (0, 1, 17, 39):
            moved = [arrays[2].at[row].add(sign * step) for sign in (1, -1)]
            up, down = (function(*arrays[:2], low, arrays[3], y=y) for low in moved)
            assert float(slope[row]) == pytest.approx(float((up - down) / (2 * step)), rel=1e-5, abs=1e-9)


def test_they_map_over_models():
    """One call for many bands around the same predictions."""
    (y_true, y_pred, low, _), _ = rows()
    factors = jnp.asarray([0.5, 1.0, 2.0])
    found = jax.vmap(lambda power: auucc(y_true, y_pred, low**power))(factors)
    assert found.shape == (3,)
    alone = [float(auucc(y_true, y_pred, low ** float(power))) for power in factors]
    np.testing.assert_allclose(found, alone, rtol=1e-5)


def test_constant_bands_gain_nothing_and_factors_cancel():
    """The laws of the library."""
    (y_true, y_pred, low, high), _ = rows()
    assert float(auucc_gain(y_true, y_pred, np.full(200, 0.5))) == 0
    with jax.enable_x64(new_val=True):
        given = [jnp.asarray(column) for column in (y_true, y_pred, low, high)]
        scaled = [given[0], given[1], 4 * given[2], 4 * given[3]]
        assert float(auucc(*scaled)) == pytest.approx(float(auucc(*given)), rel=1e-12)


def test_a_band_of_zero_makes_the_area_infinite():
    """No factor captures that row."""
    assert float(auucc(np.array([1.0, 2.0]), np.zeros(2), np.array([1.0, 0.0]))) == np.inf


def test_an_unknown_axis_is_refused():
    """By name."""
    with pytest.raises(uc.exceptions.ArgumentError, match="`y` must be"):
        auucc(np.ones(2), np.zeros(2), np.ones(2), y="excess")
