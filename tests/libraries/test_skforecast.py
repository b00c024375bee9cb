"""skforecast: real fits, read by `from_skforecast`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_series
from skforecast.recursive import ForecasterRecursive
from sklearn.linear_model import Ridge

from uccurve.adapters import from_skforecast

WIDE = made_series()
Y = WIDE["middle"].asfreq("D")
FUTURE = Y[-14:]


@pytest.fixture(scope="module")
def forecaster():
    made = ForecasterRecursive(Ridge(), lags=14)
    made.fit(Y[:-14], store_in_sample_residuals=True)
    return made


@pytest.mark.parametrize("method", ["bootstrapping", "conformal"])
def test_bounds_are_read_as_they_are(forecaster, method):
    output = forecaster.predict_interval(14, method=method, interval=[0.05, 0.95], n_boot=50)
    rows = from_skforecast(FUTURE, output, nominal=0.9, y_pred=None)
    inside = FUTURE.between(output["lower_bound"], output["upper_bound"]).mean()
    assert rows.ucc().original.coverage == pytest.approx(inside)
    assert rows.ucc().original.bandwidth == pytest.approx(
        (output["upper_bound"] - output["lower_bound"]).mean() / 2
    )


def test_quantiles_and_draws_are_read(forecaster):
    """Quantiles as skforecast gives them, and draws by the rule of this library: 99 of them reach 98%."""
    output = forecaster.predict_quantiles(14, quantiles=[0.05, 0.5, 0.95], n_boot=99)
    quantiles = from_skforecast(FUTURE, output)
    np.testing.assert_array_equal(quantiles.upper, output["q_0.95"])
    boot = forecaster.predict_bootstrapping(14, n_boot=99)
    draws = from_skforecast(FUTURE, boot, coverage=0.9)
    np.testing.assert_allclose(draws.upper, np.quantile(boot, 0.95, axis=1, method="weibull"))
    np.testing.assert_allclose(draws.y_pred, quantiles.y_pred)
