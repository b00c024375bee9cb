"""NumPyro: real posterior predictive draws, read by `from_numpyro`."""

from __future__ import annotations

import jax
import numpy as np
import numpyro
import numpyro.distributions as dist
import pytest
from library_rows import made_rows
from numpyro.infer import MCMC, NUTS, Predictive

import uccurve as uc
from errors import raises
from uccurve.adapters import from_numpyro

ROWS = made_rows(150)


def model(inputs, y=None):
    weights = numpyro.sample("weights", dist.Normal(0, 2).expand([3]))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    mean = numpyro.deterministic("mean", weights[0] + inputs @ weights[1:])
    numpyro.sample("obs", dist.Normal(mean, noise), obs=y)


def test_draws_of_the_observations_are_read():
    """The site is named where there are several; arrays of JAX are read as they are."""
    mcmc = MCMC(NUTS(model), num_warmup=150, num_samples=300, num_chains=1, progress_bar=False)
    mcmc.run(jax.random.key(0), ROWS.X, ROWS.y)
    output = Predictive(model, mcmc.get_samples())(jax.random.key(1), ROWS.X_test)
    assert set(output) == {"mean", "obs"}
    intervals = from_numpyro(ROWS.y_test, output, variable="obs")
    draws = np.asarray(output["obs"], dtype=float)
    assert np.allclose(intervals.y_pred, np.median(draws, axis=0))
    assert intervals.ucc(vary="level").at(nominal=0.9).coverage == pytest.approx(0.9, abs=0.1)
    with raises(uc.exceptions.ArgumentError, "variable"):
        from_numpyro(ROWS.y_test, output)


def test_distributions_of_numpyro_are_read_without_draws():
    """They have quantiles themselves."""
    y_pred = np.asarray(ROWS.X_test[:, 1])
    intervals = uc.Intervals.from_distribution(ROWS.y_test, dist.Normal(y_pred, 1.0))
    assert np.allclose(intervals.y_pred, y_pred, atol=1e-6)
