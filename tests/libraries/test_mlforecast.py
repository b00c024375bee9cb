"""mlforecast: real fits, read by `from_nixtla`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_long
from mlforecast import MLForecast
from mlforecast.utils import PredictionIntervals
from sklearn.linear_model import LinearRegression, Ridge

from uccurve.adapters import from_nixtla

LONG = made_long()
CONFORMAL = PredictionIntervals(n_windows=4, h=7)


@pytest.fixture(scope="module")
def engine():
    return MLForecast(models={"linear": LinearRegression(), "ridge": Ridge()}, freq="D", lags=[1, 7])


def test_conformal_intervals_of_several_models_are_read(engine):
    """The columns of all points come before those of all bounds."""
    output = engine.cross_validation(
        df=LONG, h=7, n_windows=2, level=[50, 80.5], prediction_intervals=CONFORMAL
    )
    models = from_nixtla(output)
    assert list(models) == ["linear", "ridge"]
    for name, rows in models.items():
        assert rows.nominal == 0.805
        np.testing.assert_array_equal(rows.y_pred, output[name])
        np.testing.assert_array_equal(rows.lower, output[f"{name}-lo-80.5"])
        assert rows.ucc().original.coverage == pytest.approx(
            output["y"].between(output[f"{name}-lo-80.5"], output[f"{name}-hi-80.5"]).mean()
        )
    assert len(set(models.blocks.tolist())) == 6
