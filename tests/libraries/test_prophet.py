"""Prophet: real fits, read by `from_prophet`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_long
from prophet import Prophet

from uccurve.adapters import from_prophet

DATA = made_long().query("unique_id == 'middle'").drop(columns="unique_id").reset_index(drop=True)


@pytest.fixture(scope="module")
def model():
    return Prophet(interval_width=0.9, yearly_seasonality=False).fit(DATA[:120])


def test_forecasts_are_joined_with_observations(model):
    """Rows of a forecast are counted from 0, whatever the rows of the data are called."""
    output = model.predict(DATA[["ds"]][120:])
    rows = from_prophet(DATA, output, nominal=0.9)
    np.testing.assert_array_equal(rows.y_true, DATA["y"][120:])
    inside = DATA["y"][120:].reset_index(drop=True).between(output["yhat_lower"], output["yhat_upper"]).mean()
    assert rows.ucc().original.coverage == pytest.approx(inside)
    assert rows.nominal == 0.9
