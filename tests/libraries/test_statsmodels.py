"""statsmodels: real fits, read by `from_statsmodels`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from library_rows import made_rows
from statsmodels.tsa.ar_model import AutoReg
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.exponential_smoothing.ets import ETSModel

import uccurve as uc
from uccurve.adapters import from_statsmodels

ROWS = made_rows()
FRAME = pd.DataFrame(ROWS.X, columns=["a", "b"]).assign(y=ROWS.y)
TEST = pd.DataFrame(ROWS.X_test, columns=["a", "b"]).assign(y=ROWS.y_test).sample(frac=1, random_state=0)


def test_prediction_intervals_of_a_regression_are_read_at_every_coverage():
    """obs_ci, not mean_ci; several coverages become levels."""
    prediction = smf.ols("y ~ a + b", FRAME).fit().get_prediction(TEST)
    intervals = from_statsmodels(TEST["y"], prediction, nominal=[0.5, 0.8, 0.95])
    frame = prediction.summary_frame(alpha=0.05)
    assert np.array_equal(intervals.lower, frame["obs_ci_lower"])
    assert np.array_equal(intervals.y_pred, frame["mean"])
    curve = intervals.ucc(vary="level")
    half = np.mean(np.diff(prediction.conf_int(obs=True, alpha=0.2))) / 2
    assert curve.at(nominal=0.8).bandwidth == pytest.approx(half)
    assert curve.at(nominal=0.95).coverage == pytest.approx(0.95, abs=0.05)


def test_forecasts_of_time_series_are_prediction_intervals():
    """ARIMA and AutoReg call them intervals of the mean, exponential smoothing does not."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=260)
    y = 10 + np.array([noise[:k][::-1] @ 0.6 ** np.arange(k) for k in range(1, 261)])
    series = pd.Series(y, index=pd.date_range("2026-01-01", periods=260, freq="D"))
    known, future = series[:200], series[200:]
    arima = ARIMA(known, order=(1, 0, 0), trend="c").fit().get_forecast(60)
    ar = AutoReg(known, 1).fit().get_prediction(200, 259)
    ets = ETSModel(known).fit(disp=0).get_prediction(start=200, end=259)
    for output in (arima, ar, ets):
        intervals = from_statsmodels(future, output, nominal=[0.5, 0.9])
        assert intervals.ucc(vary="level").at(nominal=0.9).coverage > 0.75
    with pytest.raises(uc.exceptions.IndexMismatchError):
        from_statsmodels(future.shift(1, freq="D"), arima, nominal=0.9)
