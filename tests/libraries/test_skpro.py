"""skpro: real fits, read by `from_skpro`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from library_rows import made_rows
from scipy.stats import norm
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from skpro.regression.residual import ResidualDouble

from uccurve.adapters import from_skpro

ROWS = made_rows()
INPUTS = pd.DataFrame(ROWS.X_test, columns=["a", "b"])
OBSERVED = pd.DataFrame({"y": ROWS.y_test})


@pytest.fixture(scope="module")
def regressor():
    forest = RandomForestRegressor(n_estimators=20, min_samples_leaf=30, random_state=0)
    inputs, observed = pd.DataFrame(ROWS.X, columns=["a", "b"]), pd.DataFrame({"y": ROWS.y})
    return ResidualDouble(LinearRegression(), forest).fit(inputs, observed)


def test_all_methods_agree(regressor):
    """All are of one Gaussian, whose deviation is the root of the variance."""
    whole = from_skpro(OBSERVED, regressor.predict_proba(INPUTS))
    pair = from_skpro(OBSERVED["y"], regressor.predict_interval(INPUTS, coverage=0.9))
    quantiles = from_skpro(ROWS.y_test, regressor.predict_quantiles(INPUTS, alpha=[0.05, 0.95]))
    variance = regressor.predict_var(INPUTS)
    expected = regressor.predict(INPUTS)["y"] + norm.ppf(0.95) * np.sqrt(variance["y"])
    for rows in (pair, quantiles, from_skpro(OBSERVED, regressor.predict_proba(INPUTS), coverage=0.9)):
        np.testing.assert_allclose(rows.upper, expected)
        assert rows.nominal == 0.9
    assert whole.ucc(vary="level").at(nominal=0.9).bandwidth == pytest.approx(pair.ucc().original.bandwidth)
