"""Areas and gains in JAX: those of the library, compiled, mapped and differentiated."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.jax import auucc, auucc_gain


def rows(n=200, seed=0, outputs=None):
    rng = np.random.default_rng(seed)
    shape = (n,) if outputs is None else (n, outputs)
    low, high = rng.lognormal(sigma=0.7, size=(2, *shape))
    y_pred = rng.normal(size=shape)
    y_true = y_pred + low * rng.standard_t(4, size=shape)
    y_true.flat[::17] = y_pred.flat[::17]
    return [y_true, y_pred, low, high], rng.uniform(0.1, 2, size=n)


def of_bands(function):
    """Take columns in the order of `rows`."""

    def call(y_true, y_pred, band, upper_band=None, **options):
        return function(y_true, y_pred=y_pred, band=band, upper_band=upper_band, **options)

    return call


@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
@pytest.mark.parametrize(
    ("sides", "outputs", "weighted"), [(3, None, False), (4, None, True), (4, 3, False), (3, 3, True)]
)
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
            compiled = jax.jit(of_bands(mine), static_argnames="y")
            found = compiled(*arrays, y=y, sample_weight=weight)
            assert found.dtype == jnp.float64
            wanted = theirs(y_true, y_pred - low, y_pred + high, **given)
            assert float(found) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize(("mine", "theirs"), [(auucc, uc.auucc), (auucc_gain, uc.auucc_gain)])
@pytest.mark.parametrize(("predicted", "outputs"), [(False, 3), (True, None)])
def test_the_order_is_that_of_the_library(mine, theirs, predicted, outputs):
    """Observations, lower bounds, upper bounds; predictions by name, or the midpoints."""
    (y_true, y_pred, low, high), weight = rows(outputs=outputs)
    named = {"y_pred": y_pred} if predicted else {}
    columns = (y_true, y_pred - low, y_pred + high)
    with jax.enable_x64(new_val=True):
        found = jax.jit(mine)(*columns, sample_weight=weight, **named)
    assert float(found) == pytest.approx(theirs(*columns, sample_weight=weight, **named), rel=1e-10)
    with pytest.raises(TypeError, match="positional"):
        mine(*columns, y_pred)


BAD = {
    "a column beside rows": ({"upper": np.ones((2, 1))}, ex.ShapeError, "upper"),
    "a column of weights": ({"sample_weight": np.ones((2, 1))}, ex.ShapeError, "sample_weight"),
    "no axis": ({"y_true": 1.0}, ex.ShapeError, "y_true"),
    "no rows": (dict.fromkeys(("y_true", "lower", "upper"), np.ones(0)), ex.EmptyInputError, "y_true"),
    "an unknown axis": ({"y": "excess"}, ex.ArgumentError, "y"),
    "one bound": ({"upper": None}, ex.ArgumentError, "lower"),
    "bounds and bands": ({"band": np.ones(2), "y_pred": np.ones(2)}, ex.ArgumentError, "lower"),
}


@pytest.mark.parametrize(("change", "error", "argument"), BAD.values(), ids=BAD)
def test_bad_arguments_are_named(change, error, argument):
    """Shapes are known even while JAX traces; a column beside rows would have been a table of all pairs."""
    good = {"y_true": np.ones(2), "lower": np.zeros(2), "upper": np.ones(2)}
    with raises(error, argument):
        auucc(**(good | change))


@pytest.mark.parametrize("function", [auucc, auucc_gain])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_gradients_are_slopes(function, y):
    """Against differences, where an exact prediction is among the rows."""
    columns, _ = rows(n=40)
    function = of_bands(function)
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
    """One call for many bands around the same predictions, in the precision of the arrays."""
    (y_true, y_pred, low, _), _ = rows()
    factors = jnp.asarray([0.5, 1.0, 2.0])
    found = jax.vmap(lambda power: auucc(y_true, y_pred=y_pred, band=low**power))(factors)
    assert (found.shape, found.dtype) == ((3,), jnp.float32)
    alone = [float(auucc(y_true, y_pred=y_pred, band=low ** float(power))) for power in factors]
    np.testing.assert_allclose(found, alone, rtol=1e-5)


def test_constant_bands_gain_nothing_and_factors_cancel():
    """The laws of the library."""
    (y_true, y_pred, low, high), _ = rows()
    assert float(auucc_gain(y_true, y_pred=y_pred, band=np.full(200, 0.5))) == 0
    with jax.enable_x64(new_val=True):
        given = [jnp.asarray(column) for column in (y_true, y_pred, low, high)]
        scaled = [given[0], given[1], 4 * given[2], 4 * given[3]]
        assert float(of_bands(auucc)(*scaled)) == pytest.approx(float(of_bands(auucc)(*given)), rel=1e-12)


def test_a_band_of_zero_makes_the_area_infinite():
    """No factor captures that row."""
    assert float(auucc(np.array([1.0, 2.0]), np.array([-1.0, 0.0]), np.array([1.0, 0.0]))) == np.inf
