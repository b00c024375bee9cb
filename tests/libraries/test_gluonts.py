"""GluonTS: real forecasts, read by `from_gluonts`."""

from __future__ import annotations

import numpy as np
import pytest
from gluonts.dataset.pandas import PandasDataset
from gluonts.evaluation import make_evaluation_predictions
from gluonts.model.npts import NPTSPredictor
from library_series import made_series

from uccurve.adapters import from_gluonts

WIDE = made_series().to_period("D")
DATASET = PandasDataset({name: WIDE[[name]].rename(columns={name: "target"}) for name in WIDE})
PREDICTOR = NPTSPredictor(prediction_length=7)


@pytest.fixture(scope="module")
def evaluated():
    forecasts, series = make_evaluation_predictions(DATASET, predictor=PREDICTOR, num_samples=99)
    return list(series), list(forecasts)


def test_draws_are_read_with_their_series(evaluated):
    """Observations are the last week of each series, which follows the history."""
    series, forecasts = evaluated
    found = from_gluonts(series, forecasts)
    assert found.series.tolist() == np.repeat(list(WIDE), 7).tolist()
    np.testing.assert_allclose(found.intervals.y_true, WIDE[-7:].to_numpy().T.ravel(), rtol=1e-6)
    one = from_gluonts(series, forecasts, coverage=0.9)
    expected = np.concatenate(
        [np.quantile(forecast.samples, 0.95, axis=0, method="weibull") for forecast in forecasts]
    )
    np.testing.assert_allclose(one.intervals.upper, expected, rtol=1e-6)


def test_quantile_forecasts_keep_their_levels(evaluated):
    series, forecasts = evaluated
    quantiles = [forecast.to_quantile_forecast(["p10", "0.5", "0.9"]) for forecast in forecasts]
    rows = from_gluonts(series, quantiles).intervals
    assert rows.nominal == 0.8
    expected = np.concatenate([forecast.quantile("0.9") for forecast in quantiles])
    np.testing.assert_allclose(rows.upper, expected)
