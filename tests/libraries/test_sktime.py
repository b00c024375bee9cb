"""sktime: real fits, read by `from_sktime`."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from library_series import made_series
from scipy.stats import norm
from sktime.forecasting.naive import NaiveForecaster
from sktime.forecasting.theta import ThetaForecaster

import uccurve as uc
from uccurve.adapters import from_sktime

Y = made_series()["middle"].asfreq("D")
PAST, FUTURE = Y[:-14], Y[-14:]
HORIZON = np.arange(1, 15)


@pytest.fixture(scope="module", params=[NaiveForecaster(sp=7), ThetaForecaster(sp=7)], ids=["naive", "theta"])
def forecaster(request):
    return request.param.fit(PAST, fh=HORIZON)


def test_intervals_have_the_coverage_of_their_columns(forecaster):
    output = forecaster.predict_interval(coverage=[0.5, 0.9])
    rows = from_sktime(FUTURE, output, y_pred=forecaster.predict())
    curve = rows.ucc(vary="level")
    variable = output.columns[0][0]
    for coverage in (0.5, 0.9):
        lower, upper = output[variable, coverage, "lower"], output[variable, coverage, "upper"]
        assert curve.at(nominal=coverage).bandwidth == pytest.approx((upper - lower).mean() / 2)
    assert rows.ucc().original.coverage == pytest.approx(FUTURE.between(lower, upper).mean())


def test_quantiles_variances_and_distributions_agree(forecaster):
    """All are of one Gaussian: a variance that were taken for a deviation would not fit."""
    quantiles = from_sktime(FUTURE, forecaster.predict_quantiles(alpha=[0.05, 0.5, 0.95]))
    variances = uc.Intervals.from_std(FUTURE, forecaster.predict(), np.sqrt(forecaster.predict_var()))
    whole = from_sktime(FUTURE.to_frame(), forecaster.predict_proba(), coverage=0.9)
    np.testing.assert_allclose(quantiles.upper, variances.y_pred + norm.ppf(0.95) * variances.upper_band)
    np.testing.assert_allclose(quantiles.upper, whole.upper)
    assert (quantiles.nominal, variances.nominal, whole.nominal) == (0.9, 0.6827, 0.9)


def test_a_forecaster_is_drawn_for_the_times_of_the_observations():
    """Also where the horizon was not given before."""
    fitted = NaiveForecaster(sp=7).fit(PAST)
    (curve,) = uc.UCCDisplay.from_estimator(fitted, None, FUTURE).curves.values()
    assert curve.intervals.nominal == 0.9
    np.testing.assert_allclose(curve.intervals.y_pred, fitted.predict(fh=HORIZON))
    plt.close("all")
