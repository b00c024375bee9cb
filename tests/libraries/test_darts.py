"""Darts: real fits, read by `from_darts`."""

from __future__ import annotations

import numpy as np
import pytest
from darts import TimeSeries
from darts.models import LinearRegressionModel
from library_series import DAYS, made_series

from uccurve.adapters import from_darts

WIDE = made_series()
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]


def series(*names):
    return TimeSeries.from_times_and_values(DAYS, WIDE[list(names)].to_numpy(), columns=list(names))


def fitted(*names):
    model = LinearRegressionModel(
        lags=7, output_chunk_length=7, likelihood="quantile", quantiles=LEVELS, alpha=0
    )
    return model.fit(series(*names)[:110])


@pytest.fixture(scope="module")
def model():
    return fitted("middle")


def test_quantiles_are_read_by_the_names_of_components(model):
    output = model.predict(7, predict_likelihood_parameters=True)
    rows = from_darts(series("middle"), output, crossed="sort").intervals
    np.testing.assert_array_equal(rows.y_true, WIDE["middle"][110:117])
    np.testing.assert_allclose(rows.ucc(vary="level").reliability().levels, (0.5, 0.9))
    ordered = np.sort(output.all_values()[:, :, 0], axis=1)
    np.testing.assert_allclose(rows.upper, ordered[:, -1])


def test_draws_are_read(model):
    output = model.predict(7, num_samples=199)
    rows = from_darts(series("middle"), output, coverage=0.9).intervals
    draws = output.all_values()[:, 0]
    np.testing.assert_allclose(rows.lower, np.quantile(draws, 0.05, axis=1, method="weibull"))
    assert rows.nominal == 0.9


def test_several_components_are_outputs():
    output = fitted("small", "large").predict(7, predict_likelihood_parameters=True)
    truth = series("large", "small")
    rows = from_darts(truth, output, crossed="sort").intervals
    np.testing.assert_array_equal(rows.y_true[:, 0], WIDE["large"][110:117])
    assert rows.upper_band[:, 0].mean() > rows.upper_band[:, 1].mean()
