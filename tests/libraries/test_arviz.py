"""ArviZ: groups of draws from a real fit of PyMC, read by `from_arviz`."""

from __future__ import annotations

import numpy as np
import pymc as pm
import pytest
import xarray as xr
from library_rows import made_rows

from uccurve.adapters import from_arviz

ROWS = made_rows(120)


def test_predictions_of_pymc_are_read():
    """Chains and draws are taken together; the group of new inputs has its own name."""
    with pm.Model() as model:
        inputs = pm.Data("inputs", ROWS.X)
        weights = pm.Normal("weights", 0, 2, shape=2)
        noise = pm.HalfNormal("noise", 1)
        pm.Normal("y", inputs @ weights, noise, observed=ROWS.y, shape=inputs.shape[0])
        options = {"random_seed": 0, "progressbar": False}
        trace = pm.sample(200, tune=200, chains=2, cores=1, compute_convergence_checks=False, **options)
        inside = pm.sample_posterior_predictive(trace, **options)
        pm.set_data({"inputs": ROWS.X_test})
        outside = pm.sample_posterior_predictive(trace, predictions=True, **options)
    assert model is not None
    intervals = from_arviz(ROWS.y_test, outside, group="predictions")
    draws = outside["predictions"]["y"].values.reshape(400, -1)
    assert np.allclose(intervals.y_pred, np.median(draws, axis=0))
    assert intervals.ucc(vary="level").at(nominal=0.9).coverage == pytest.approx(0.9, abs=0.12)
    assert from_arviz(ROWS.y, inside, coverage=0.8).nominal == pytest.approx(0.8)


def test_a_tree_of_xarray_is_read_like_inference_data():
    """What newer versions of ArviZ hold draws in; dimensions may be in any order."""
    draws = ROWS.y_test + np.random.default_rng(0).normal(size=(2, 100, 120))
    dataset = xr.Dataset({"y": (("chain", "draw", "row"), draws)}).transpose("row", "draw", "chain")
    tree = xr.DataTree.from_dict({"/posterior": xr.Dataset(), "/posterior_predictive": dataset})
    intervals = from_arviz(ROWS.y_test, tree, coverage=0.9)
    assert np.array_equal(intervals.y_pred, np.median(draws.reshape(200, -1), axis=0))
