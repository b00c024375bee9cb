"""Frames as skforecast returns them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from errors import raises
from uccurve.adapters import from_skforecast
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    IndexMismatchError,
    MissingColumnError,
    PredictionOutsideError,
    ShapeError,
)

DAYS = pd.date_range("2024-01-01", periods=30)
RNG = np.random.default_rng(0)
HISTORY = pd.Series(RNG.normal(10, 2, size=30), index=DAYS, name="y")
Y = HISTORY[20:]
POINT = RNG.normal(10, 1, size=10)


def bounds():
    """What ``predict_interval`` returns."""
    columns = {"pred": POINT, "lower_bound": POINT - 2, "upper_bound": POINT + 3}
    return pd.DataFrame(columns, index=Y.index)


def of_series(reordered=False):
    """What a forecaster of several series returns: time by time, with the series in ``level``."""
    index, names = np.repeat(DAYS[20:], 2), np.tile(["b", "a"] if reordered else ["a", "b"], 10)
    point = RNG.normal(10, 1, size=20)
    columns = {"level": names, "pred": point, "lower_bound": point - 2, "upper_bound": point + 3}
    return pd.DataFrame(columns, index=index)


def test_bounds_claim_what_is_said():
    """The frame does not say it: 0.9 is asked for, and 90 is not guessed to be it."""
    rows = from_skforecast(Y, bounds(), nominal=0.9)
    assert rows.nominal == 0.9
    np.testing.assert_array_equal(rows.y_pred, POINT)
    np.testing.assert_array_equal(rows.upper, POINT + 3)
    with raises(ArgumentError, "nominal"):
        from_skforecast(Y, bounds())
    with raises(ArgumentError, "nominal"):
        from_skforecast(Y, bounds(), nominal=[0.5, 0.9])


def test_folds_of_a_backtest_are_beside_the_bounds():
    """They are blocks for tests."""
    output = bounds()
    output.insert(0, "fold", np.repeat([0, 1], 5))
    assert from_skforecast(Y, output, nominal=0.9).n == 10


def test_quantiles_tell_their_levels():
    levels = (0.05, 0.25, 0.5, 0.75, 0.95)
    output = pd.DataFrame({f"q_{level}": POINT + 4 * level for level in levels}, index=Y.index)
    rows = from_skforecast(Y, output)
    assert (rows.nominal, rows.ucc(vary="level").reliability().levels) == (0.9, (0.5, 0.9))
    np.testing.assert_array_equal(rows.y_pred, output["q_0.5"])
    assert from_skforecast(Y, output, coverage=0.5).nominal == 0.5
    with raises(ArgumentError, "nominal"):
        from_skforecast(Y, output, nominal=0.9)
    with raises(ArgumentError, "levels"):
        from_skforecast(Y, output, levels=(0.1, 0.9))


def test_bootstrapped_draws_become_levels():
    draws = RNG.gamma(4, 2, size=(10, 99))
    output = pd.DataFrame(draws, index=Y.index, columns=[f"pred_boot_{number}" for number in range(99)])
    rows = from_skforecast(Y, output)
    assert rows.nominal == 0.98
    np.testing.assert_allclose(rows.y_pred, np.median(draws, axis=1))
    one = from_skforecast(Y, output, coverage=0.9)
    np.testing.assert_allclose(one.upper, np.quantile(draws, 0.95, axis=1, method="weibull"))


def test_times_that_disagree_are_refused():
    """The whole series, or the same days in another order."""
    with raises(ShapeError, "y_true"):
        from_skforecast(HISTORY, bounds(), nominal=0.9)
    with raises(IndexMismatchError, "output", count=10, first=0):
        from_skforecast(Y[::-1], bounds(), nominal=0.9)


@pytest.mark.parametrize("as_dict", [False, True])
@pytest.mark.parametrize("reordered", [False, True])
def test_several_series_are_joined_by_series_and_time(as_dict, reordered):
    """A frame with a column for each, or a dict, with all of their history."""
    output = of_series(reordered)
    wide = pd.DataFrame({"a": HISTORY, "b": HISTORY + 100, "not forecast": 0.0})
    rows = from_skforecast(dict(wide) if as_dict else wide, output, nominal=0.9)
    expected = [wide.loc[day, name] for day, name in zip(output.index, output["level"], strict=True)]
    np.testing.assert_array_equal(rows.y_true, expected)
    short = wide[:28]
    with raises(IndexMismatchError, "y_true", count=4, first=16):
        from_skforecast(short, output, nominal=0.9)


@pytest.mark.parametrize("wrong", [{}, {"a": [1.0, 2.0]}])
def test_series_without_an_index_cannot_be_joined(wrong):
    with raises(ArgumentTypeError, "y_true"):
        from_skforecast(wrong, of_series(), nominal=0.9)


def test_the_midpoint_can_be_the_prediction():
    output = bounds().assign(pred=99.0)
    with raises(PredictionOutsideError, "y_pred", count=10, first=0):
        from_skforecast(Y, output, nominal=0.9)
    np.testing.assert_allclose(from_skforecast(Y, output, nominal=0.9, y_pred=None).y_pred, POINT + 0.5)
    with raises(ArgumentError, "y_pred"):
        from_skforecast(Y, output, nominal=0.9, y_pred="mean")


def test_other_frames_are_refused():
    with raises(MissingColumnError, "output"):
        from_skforecast(Y, bounds()[["pred"]], nominal=0.9)
    with raises(ArgumentTypeError, "output"):
        from_skforecast(Y, POINT, nominal=0.9)
