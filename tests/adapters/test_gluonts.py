"""Forecasts of GluonTS, as small stand-ins of its classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import uccurve as uc
from errors import raises
from uccurve.adapters import from_gluonts
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DroppedRowsWarning,
    IndexMismatchError,
    ShapeError,
)

STEPS = 6
PERIODS = pd.period_range("2024-01-01", periods=30, freq="D")


class Forecast:
    """What all forecasts of GluonTS have."""

    def __init__(self, start=24, item_id=None):
        self.start_date, self.item_id = PERIODS[start], item_id
        self.index = pd.period_range(self.start_date, periods=STEPS, freq="D")


class SampleForecast(Forecast):
    def __init__(self, samples, **where):
        super().__init__(**where)
        self.samples = samples

    quantile = None
    """Draws are read by this library's own rule."""


class QuantileForecast(Forecast):
    def __init__(self, arrays, keys, **where):
        super().__init__(**where)
        self.forecast_array, self.forecast_keys = arrays, keys

    quantile = None
    """Levels that are not there would be extrapolated."""


class DistributionForecast(Forecast):
    def quantile(self, level):
        return np.arange(STEPS) + norm.ppf(level)


def observed(columns=1):
    """The series of a forecast, as ``make_evaluation_predictions`` returns it: a frame with its history."""
    values = np.arange(30.0)[:, None] + np.arange(columns)
    return pd.DataFrame(values, index=PERIODS)


def drawn(item_id=None, start=24, draws=49, shape=(STEPS,), seed=0):
    return SampleForecast(
        np.random.default_rng(seed).gamma(4, 5, size=(draws, *shape)), item_id=item_id, start=start
    )


def quantiles(item_id=None, start=24):
    """With the mean among the quantiles, and keys in any order."""
    keys = ["mean", "0.9", "0.5", "0.1", "0.75", "0.25"]
    shares = [0, 0.9, 0.5, 0.1, 0.75, 0.25]
    arrays = np.array(shares)[:, None] * 10 + np.arange(24.0, 24 + STEPS)
    return QuantileForecast(arrays, keys, item_id=item_id, start=start)


def test_draws_become_levels_around_their_median():
    """49 draws reach 96%; of the usual levels that is 95%."""
    forecast = drawn()
    found = from_gluonts([observed()], [forecast])
    np.testing.assert_array_equal(found.intervals.y_true, np.arange(24.0, 30.0))
    np.testing.assert_allclose(found.intervals.y_pred, np.median(forecast.samples, axis=0))
    assert found.intervals.nominal == 0.95
    one = from_gluonts([observed()], [forecast], coverage=0.8).intervals
    np.testing.assert_allclose(one.upper, np.quantile(forecast.samples, 0.9, axis=0, method="weibull"))


def test_quantiles_are_told_by_their_keys():
    forecast = quantiles()
    rows = from_gluonts([observed()], [forecast]).intervals
    np.testing.assert_array_equal(rows.lower, forecast.forecast_array[3])
    np.testing.assert_array_equal(rows.y_pred, forecast.forecast_array[2])
    assert (rows.nominal, rows.ucc(vary="level").reliability().levels) == (0.8, (0.5, 0.8))
    with raises(ArgumentError, "levels"):
        from_gluonts([observed()], [forecast], levels=(0.1, 0.9))


def test_distributions_are_read_at_levels():
    rows = from_gluonts([observed()], [DistributionForecast()], coverage=0.9).intervals
    np.testing.assert_allclose(rows.upper, np.arange(STEPS) + norm.ppf(0.95))
    assert from_gluonts([observed()], [DistributionForecast()]).intervals.nominal == 0.99
    assert from_gluonts([observed()], [DistributionForecast()], levels=(0.1, 0.9)).intervals.nominal == 0.8


def test_items_and_forecasts_are_labels():
    """Several windows of an item are one series and several blocks; iterators are read once."""
    forecasts = [drawn("a", 12), drawn("a", 18), drawn("b", 24)]
    found = from_gluonts(iter([observed()] * 3), iter(forecasts))
    assert found.series.tolist() == ["a"] * 12 + ["b"] * 6
    assert found.blocks.tolist() == [0] * 6 + [1] * 6 + [2] * 6
    np.testing.assert_array_equal(found.intervals.y_true, np.r_[12.0:24.0, 24.0:30.0])
    compared = uc.compare(
        {"one": found.intervals}, by=found.series, blocks=found.blocks, n_resamples=99, rng=0
    )
    assert {"a", "b"} <= {score.segment for score in compared.segments}
    unnamed = from_gluonts([observed()] * 2, [drawn(), drawn("b")])
    assert unnamed.series.tolist() == [0] * 6 + [1] * 6


@pytest.mark.parametrize(
    "truth",
    [observed()[0], observed().to_timestamp(), observed()[0].to_list()[24:], observed().to_numpy()[24:]],
    ids=["series", "time stamps", "list", "column"],
)
def test_observations_come_in_several_forms(truth):
    """By time where they have an index; arrays hold the steps of the forecast only."""
    found = from_gluonts([truth], [drawn()])
    np.testing.assert_array_equal(found.intervals.y_true, np.arange(24.0, 30.0))


def test_several_components_are_outputs():
    found = from_gluonts([observed(2)], [drawn(shape=(STEPS, 2))]).intervals
    np.testing.assert_array_equal(found.y_true[:, 1], np.arange(25.0, 31.0))
    with raises(ShapeError, "y_true"):
        from_gluonts([observed()], [drawn("a", shape=(STEPS, 2))])


def test_forecasts_beyond_the_observations_are_refused():
    with raises(IndexMismatchError, "y_true", count=2, first=4):
        from_gluonts([observed()[:28]], [drawn()])
    with raises(ShapeError, "y_true"):
        from_gluonts([np.arange(30.0)], [drawn()])


def test_other_lists_are_refused():
    with raises(ShapeError, "y_true"):
        from_gluonts([observed()] * 2, [drawn()])
    with raises(ArgumentTypeError, "output"):
        from_gluonts([observed()], [Forecast()])
    for forecasts in ([], [drawn(), quantiles()], [QuantileForecast(np.ones((1, STEPS)), ["mean"])]):
        with raises(ArgumentError, "output"):
            from_gluonts([observed()] * len(forecasts), forecasts)
    with raises(ArgumentTypeError, "y_true"):
        from_gluonts(observed(), [drawn()])


def test_missing_observations_can_be_dropped():
    """GluonTS marks them by NaN."""
    truth = observed()
    truth.iloc[26] = np.nan
    with pytest.warns(DroppedRowsWarning):
        found = from_gluonts([truth], [drawn()], invalid="drop")
    assert found.intervals.n == len(found.series) == 5
