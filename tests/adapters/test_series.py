"""Forecasts of Darts and of GluonTS, as small stand-ins of their classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from library_outputs import DAYS, LEVELS, Forecast, TimeSeries

from errors import raises
from uccurve.adapters import from_darts, from_gluonts
from uccurve.exceptions import ArgumentError, DroppedRowsWarning, IndexMismatchError, ShapeError

# -- Darts -------------------------------------------------------------------------------------------


def series(seed=0, names=("sales",), index=DAYS):
    """Observations."""
    rng = np.random.default_rng(seed)
    return TimeSeries(index, rng.normal(10, 2, size=(len(index), len(names), 1)), names)


def drawn(first=20, draws=99, names=("sales",), seed=1):
    """What ``predict(7, num_samples=99)`` returns."""
    values = np.random.default_rng(seed).gamma(4, 2, size=(7, len(names), draws))
    return TimeSeries(DAYS[first : first + 7], values, names)


def quantiles(first=20, names=("sales",), front="{}_"):
    """What ``predict(7, predict_likelihood_parameters=True)`` returns, all levels of a component in turn."""
    steps = np.arange(7)[:, None] + np.array(LEVELS) * 8 + 5
    values = np.concatenate([steps + number for number in range(len(names))], axis=1)
    called = tuple(f"{front.format(name)}q{level:.3f}" for name in names for level in LEVELS)
    return TimeSeries(DAYS[first : first + 7], values[:, :, None], called)


def test_quantiles_of_darts_may_have_no_component_in_front():
    """Where there is one."""
    output = quantiles(front="")
    assert np.array_equal(from_darts(series(), output).intervals.y_pred, output.array[:, 2, 0])


@pytest.mark.parametrize("forecast", [drawn, quantiles])
def test_several_forecasts_of_one_series_are_blocks(forecast):
    """What ``historical_forecasts(…, last_points_only=False)`` returns."""
    found = from_darts(series(), [forecast(day) for day in (2, 9, 16)])
    assert found.blocks.tolist() == [block for block in range(3) for _ in range(7)]
    assert set(found.series.tolist()) == {0}
    assert repr(found).endswith("series=1, blocks=3)")
    assert np.array_equal(found.intervals.y_true, series().array[2:23, 0, 0])


def test_several_series_have_one_or_several_forecasts_each():
    truths = [series(0), series(1)]
    found = from_darts(truths, [[drawn(), drawn(10)], drawn()])
    assert found.series.tolist() == [0] * 14 + [1] * 7
    assert found.blocks.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    assert np.array_equal(found.intervals.y_true[14:], truths[1].array[20:27, 0, 0])
    with raises(ShapeError, "output"):
        from_darts(truths, [drawn()])


@pytest.mark.parametrize("forecast", [drawn, quantiles])
def test_several_components_of_darts_are_outputs(forecast):
    """Matched by their names, whatever their order."""
    own = forecast(names=("returns", "sales"))
    found = from_darts(series(names=("sales", "returns")), own).intervals
    kept = [number for number, name in enumerate(own.components) if name.startswith("sales")]
    single = TimeSeries(own.time_index, own.array[:, kept], tuple(own.components[k] for k in kept))
    assert np.array_equal(found.upper[:, 0], from_darts(series(), single).intervals.upper)
    with raises(ArgumentError, "output"):
        from_darts(series(names=("sales", "returns")), forecast(names=("sales", "profit")))


def test_times_of_darts_without_an_observation_are_refused():
    """Whole numbers are times too, and do not match dates."""
    for index, count, first in ((DAYS[:25], 2, 5), (pd.RangeIndex(30), 7, 0)):
        with raises(IndexMismatchError, "y_true", count=count, first=first):
            from_darts(series(index=index), drawn())


def test_other_forecasts_of_darts_are_refused():
    """Those without intervals, of different kinds, and anything that is no series."""
    truth, point = series(), TimeSeries(DAYS[20:27], np.ones((7, 1, 1)))
    for wrong in (point, [], [drawn(), quantiles(10)], [drawn(), drawn(draws=50)], [1]):
        with raises(ArgumentError, "output"):
            from_darts(truth, wrong)
    for wrong in (drawn(), None, [1]):
        with raises(ArgumentError, "y_true"):
            from_darts(wrong, [drawn()])


# -- GluonTS -----------------------------------------------------------------------------------------


def observed(columns=1):
    """The series of a forecast, as ``make_evaluation_predictions`` returns it: a frame with its history."""
    return pd.DataFrame(np.arange(30.0)[:, None] + np.arange(columns), index=DAYS.to_period("D"))


def sampled(item_id=None, start=24, draws=49, shape=(6,)):
    """A SampleForecast: draws are read by this library's own rule, and not by its method."""
    samples = np.random.default_rng(0).gamma(4, 5, size=(draws, *shape))
    return Forecast(item_id=item_id, start=start, samples=samples, quantile=None)


def test_the_mean_of_gluonts_is_no_quantile():
    """Keys may have any order."""
    arrays = np.array([0.0, 9, 5, 1, 7])[:, None] + np.arange(24.0, 30)
    keys = ["mean", "0.9", "0.5", "0.1", "0.7"]
    forecast = Forecast(forecast_array=arrays, forecast_keys=keys, quantile=None)
    rows = from_gluonts([observed()], [forecast]).intervals
    assert np.array_equal(rows.y_true, np.arange(24.0, 30))
    assert np.array_equal([rows.lower, rows.y_pred, rows.upper], arrays[[3, 2, 1]])


def test_items_and_forecasts_are_labels():
    """Several windows of an item are one series and several blocks; iterators are read once."""
    forecasts = [sampled("a", 12), sampled("a", 18), sampled("b", 24)]
    found = from_gluonts(iter([observed()] * 3), iter(forecasts))
    assert found.series.tolist() == ["a"] * 12 + ["b"] * 6
    assert found.blocks.tolist() == [0] * 6 + [1] * 6 + [2] * 6
    assert np.array_equal(found.intervals.y_true, np.arange(12.0, 30))
    missing = observed()
    missing.iloc[13] = np.nan  # as GluonTS marks it
    with pytest.warns(DroppedRowsWarning):
        left = from_gluonts([missing, observed(), observed()], forecasts, invalid="drop")
    assert left.blocks.tolist() == [0] * 5 + [1] * 6 + [2] * 6
    assert len(left.series) == left.intervals.n == 17
    unnamed = from_gluonts([observed()] * 2, [sampled(), sampled("b")])
    assert unnamed.series.tolist() == [0] * 6 + [1] * 6


def test_observations_of_gluonts_come_in_several_forms():
    """By time where they have an index; arrays hold the steps of the forecast only. Columns are outputs."""
    known = observed()
    for truth in (known[0], known[0].to_list()[24:], known.to_numpy()[24:]):
        found = from_gluonts([truth], [sampled()])
        assert np.array_equal(found.intervals.y_true, np.arange(24.0, 30))
    several = from_gluonts([observed(2)], [sampled(shape=(6, 2))])
    assert np.array_equal(several.intervals.y_true[:, 0], found.intervals.y_true)


def test_other_forecasts_of_gluonts_are_refused():
    """Beyond the observations, of another shape, of several kinds, or none at all."""
    with raises(IndexMismatchError, "y_true", count=2, first=4):
        from_gluonts([observed()[:28]], [sampled()])
    with raises(IndexMismatchError, "y_true", count=6, first=0) as caught:
        from_gluonts([observed().to_timestamp()], [sampled()])
    assert "Period" in caught.value.hint
    for truths in ([np.arange(30.0)], [observed(2)], [observed()] * 2):
        with raises(ShapeError, "y_true"):
            from_gluonts(truths, [sampled()])
    mean = Forecast(forecast_array=np.ones((1, 6)), forecast_keys=["mean"])
    for forecasts in ([], [sampled(), sampled(draws=9)], [mean], [Forecast()]):
        with raises(ArgumentError, "output"):
            from_gluonts([observed()] * len(forecasts), forecasts)
