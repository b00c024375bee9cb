"""Prophet: real fits, read by `from_prophet`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_long
from prophet import Prophet
from prophet.diagnostics import cross_validation

import uccurve as uc
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


def test_cutoffs_of_cross_validation_are_blocks(model):
    cv = cross_validation(model, initial="70 days", period="10 days", horizon="10 days", disable_tqdm=True)
    rows = from_prophet(cv["y"], cv, nominal=0.9)
    np.testing.assert_array_equal(rows.y_pred, cv["yhat"])
    found = uc.confidence_interval(rows, "parameter", coverage=0.9, blocks=cv["cutoff"], rng=0)
    assert found.low < found.high


def test_all_levels_are_in_the_draws(model):
    """For more than one level, Prophet's own draws can be read."""
    future = DATA[["ds"]][120:]
    draws = model.predictive_samples(future)["yhat"]
    rows = uc.Intervals.from_samples(DATA["y"][120:], draws, axis=1, levels=(0.05, 0.25, 0.75, 0.95))
    output = model.predict(future)
    assert rows.ucc().original.bandwidth == pytest.approx(
        from_prophet(DATA, output, nominal=0.9).ucc().original.bandwidth, rel=0.1
    )
