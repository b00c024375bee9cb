"""skforecast: real fits, read by `from_skforecast`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_series
from skforecast.model_selection import TimeSeriesFold, backtesting_forecaster
from skforecast.recursive import ForecasterRecursive, ForecasterRecursiveMultiSeries
from sklearn.linear_model import Ridge

import uccurve as uc
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
    """Quantiles are those of the draws, for the same seed."""
    quantiles = from_skforecast(
        FUTURE, forecaster.predict_quantiles(14, quantiles=[0.05, 0.5, 0.95], n_boot=99)
    )
    draws = from_skforecast(FUTURE, forecaster.predict_bootstrapping(14, n_boot=99), coverage=0.9)
    np.testing.assert_allclose(quantiles.upper, draws.upper)
    np.testing.assert_allclose(quantiles.y_pred, draws.y_pred)


def test_folds_of_a_backtest_are_blocks(forecaster):
    folds = TimeSeriesFold(steps=7, initial_train_size=100, refit=False)
    _, output = backtesting_forecaster(
        forecaster,
        Y,
        cv=folds,
        metric="mean_absolute_error",
        interval=[0.1, 0.9],
        interval_method="conformal",
        show_progress=False,
    )
    rows = from_skforecast(Y.loc[output.index], output, nominal=0.8)
    np.testing.assert_array_equal(rows.y_pred, output["pred"])
    compared = uc.compare({"ridge": rows}, blocks=output["fold"], n_resamples=99, rng=0)
    assert len(compared.scores) == 2


def test_several_series_are_joined():
    """The frame names them in its column ``level``, time by time."""
    several = ForecasterRecursiveMultiSeries(Ridge(), lags=14)
    several.fit(WIDE[:-14].asfreq("D"), store_in_sample_residuals=True)
    output = several.predict_interval(14, method="conformal", interval=[0.1, 0.9])
    rows = from_skforecast(WIDE, output, nominal=0.8)
    expected = [WIDE.loc[day, name] for day, name in zip(output.index, output["level"], strict=True)]
    np.testing.assert_array_equal(rows.y_true, expected)
    assert rows.n == 42
