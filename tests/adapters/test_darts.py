"""Forecasts of Darts, as small stand-ins of its TimeSeries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import uccurve as uc
from errors import raises
from uccurve.adapters import from_darts
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    IndexMismatchError,
    ShapeError,
)

DAYS = pd.date_range("2024-01-01", periods=40)
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class TimeSeries:
    """What the adapter uses of a TimeSeries: values of shape (time, components, samples)."""

    time_index: pd.Index
    array: np.ndarray
    names: tuple = ("sales",)

    @property
    def components(self):
        return pd.Index(self.names)

    def all_values(self):
        return self.array


def series(seed=0, names=("sales",), index=DAYS):
    """Observations."""
    rng = np.random.default_rng(seed)
    return TimeSeries(index, rng.normal(10, 2, size=(len(index), len(names), 1)), names)


def drawn(days=slice(30, 37), draws=99, names=("sales",), seed=1):
    """What ``predict(7, num_samples=99)`` returns."""
    rng = np.random.default_rng(seed)
    return TimeSeries(DAYS[days], rng.gamma(4, 2, size=(len(DAYS[days]), len(names), draws)), names)


def quantiles(days=slice(30, 37), names=("sales",), levels=LEVELS):
    """What ``predict(7, predict_likelihood_parameters=True)`` returns, all levels of a component in turn."""
    steps = np.arange(len(DAYS[days]))[:, None] + np.array(levels) * 8 + 5
    values = np.concatenate([steps + number for number in range(len(names))], axis=1)
    called = tuple(f"{name}_q{level:.3f}" for name in names for level in levels)
    return TimeSeries(DAYS[days], values[:, :, None], called)


def test_draws_become_levels_around_their_median():
    """As many of the usual levels as the draws reach: 99 draws reach 98%."""
    truth, output = series(), drawn()
    found = from_darts(truth, output)
    rows = found.intervals
    np.testing.assert_array_equal(rows.y_true, truth.array[30:37, 0, 0])
    np.testing.assert_allclose(rows.y_pred, np.median(output.array[:, 0], axis=1))
    assert rows.nominal == 0.98
    assert rows.ucc(vary="level").reliability().levels[-1] == 0.98
    np.testing.assert_allclose(
        from_darts(truth, output, coverage=0.9).intervals.upper,
        np.quantile(output.array[:, 0], 0.95, axis=1, method="weibull"),
    )
    assert from_darts(truth, output, levels=(0.1, 0.9)).intervals.nominal == 0.8


def test_quantiles_are_told_by_the_names_of_components():
    truth, output = series(), quantiles()
    rows = from_darts(truth, output).intervals
    np.testing.assert_array_equal(rows.lower, output.array[:, 0, 0])
    np.testing.assert_array_equal(rows.y_pred, output.array[:, 2, 0])
    assert rows.nominal == 0.9
    half = from_darts(truth, output, coverage=0.5).intervals
    np.testing.assert_array_equal(half.upper, output.array[:, 3, 0])
    with raises(ArgumentError, "levels"):
        from_darts(truth, output, levels=(0.05, 0.95))


@pytest.mark.parametrize("forecast", [drawn, quantiles])
def test_several_forecasts_of_one_series_are_blocks(forecast):
    """What ``historical_forecasts(…, last_points_only=False)`` returns."""
    found = from_darts(series(), [forecast(slice(day, day + 7)) for day in (12, 19, 26)])
    assert found.blocks.tolist() == [block for block in range(3) for _ in range(7)]
    assert set(found.series.tolist()) == {0}
    assert repr(found).endswith("series=1, blocks=3)")
    truth = series().array[12:33, 0, 0]
    np.testing.assert_array_equal(found.intervals.y_true, truth)
    uc.compare({"one": found.intervals}, blocks=found.blocks, n_resamples=99, rng=0)


def test_several_series_have_one_or_several_forecasts_each():
    truths = [series(0), series(1)]
    found = from_darts(truths, [drawn(seed=2), drawn(seed=3)])
    assert found.series.tolist() == [0] * 7 + [1] * 7
    np.testing.assert_array_equal(found.intervals.y_true[7:], truths[1].array[30:37, 0, 0])
    found = from_darts(truths, [[drawn(), drawn(slice(20, 27))], [drawn()]])
    assert found.series.tolist() == [0] * 14 + [1] * 7
    assert found.blocks.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    with raises(ShapeError, "output"):
        from_darts(truths, [drawn()])


@pytest.mark.parametrize("forecast", [drawn, quantiles])
def test_several_components_are_outputs(forecast):
    """Matched by their names, whatever their order."""
    truth = series(names=("sales", "returns"))
    found = from_darts(truth, forecast(names=("returns", "sales"))).intervals
    assert found.n_outputs == 2
    own = forecast(names=("returns", "sales"))
    alone = TimeSeries(truth.time_index, truth.array[:, :1], ("sales",))
    kept = [number for number, name in enumerate(own.names) if name.startswith("sales")]
    single = TimeSeries(own.time_index, own.array[:, kept], tuple(own.names[number] for number in kept))
    np.testing.assert_array_equal(found.upper[:, 0], from_darts(alone, single).intervals.upper)
    with raises(ArgumentError, "output"):
        from_darts(truth, forecast(names=("sales", "profit")))


def test_times_without_an_observation_are_refused():
    """Whole numbers are times too, and do not match dates."""
    short = TimeSeries(DAYS[:35], series().array[:35])
    with raises(IndexMismatchError, "y_true", count=2, first=5):
        from_darts(short, drawn())
    counted = series(index=pd.RangeIndex(40))
    with raises(IndexMismatchError, "y_true", count=7, first=0):
        from_darts(counted, drawn())


def test_forecasts_without_intervals_are_refused():
    """And anything that is no series."""
    point = TimeSeries(DAYS[30:37], np.ones((7, 1, 1)))
    for wrong in (point, []):
        with raises(ArgumentError, "output"):
            from_darts(series(), wrong)
    with raises(ArgumentTypeError, "output"):
        from_darts(series(), [1])
    with raises(ArgumentError, "y_true"):
        from_darts(drawn(), drawn())
    with raises(ArgumentTypeError, "y_true"):
        from_darts(None, drawn())


def test_forecasts_of_different_kinds_are_refused():
    with raises(ArgumentError, "output"):
        from_darts(series(), [drawn(), quantiles(slice(20, 27))])
    with raises(ArgumentError, "output"):
        from_darts(series(), [drawn(), drawn(draws=50)])
    uneven = quantiles(names=("sales", "returns"))
    uneven = TimeSeries(uneven.time_index, uneven.array[:, 1:], uneven.names[1:])
    with raises(ArgumentError, "output"):
        from_darts(series(names=("sales", "returns")), uneven)
