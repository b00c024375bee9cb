"""Frames as skforecast returns them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from messages import check_message
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
    message = (
        "`nominal` must be given: the frame does not say what `interval` was asked for; write 0.9 for "
        "`interval=[0.05, 0.95]`."
    )
    check_message(lambda: from_skforecast(Y, bounds()), ArgumentError, message)
    message = "`nominal` must satisfy 0 < nominal < 1, got 90: write 0.9 for 90%."
    check_message(lambda: from_skforecast(Y, bounds(), nominal=90), ArgumentError, message)
    with pytest.raises(ArgumentError, match=r"0\.1, which looks like a miss rate: did you mean 0\.9"):
        from_skforecast(Y, bounds(), nominal=0.1)
    message = "`nominal` must be one coverage, as there is one pair of bounds, got [0.5, 0.9]."
    check_message(lambda: from_skforecast(Y, bounds(), nominal=[0.5, 0.9]), ArgumentError, message)


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
    message = "`nominal` must not be given beside quantiles: `coverage` chooses one of their levels."
    check_message(lambda: from_skforecast(Y, output, nominal=0.9), ArgumentError, message)
    message = "`levels` must be given for draws only: the columns of `output` tell them."
    check_message(lambda: from_skforecast(Y, output, levels=(0.1, 0.9)), ArgumentError, message)


def test_bootstrapped_draws_become_levels():
    draws = RNG.gamma(4, 2, size=(10, 99))
    output = pd.DataFrame(draws, index=Y.index, columns=[f"pred_boot_{number}" for number in range(99)])
    rows = from_skforecast(Y, output)
    assert rows.nominal == 0.98
    np.testing.assert_allclose(rows.y_pred, np.median(draws, axis=1))
    one = from_skforecast(Y, output, coverage=0.9)
    np.testing.assert_allclose(one.upper, np.quantile(draws, 0.95, axis=1, method="weibull"))
    message = "`nominal` must not be given beside draws: `coverage` chooses one of their levels."
    check_message(lambda: from_skforecast(Y, output, nominal=0.9), ArgumentError, message)


def test_times_that_disagree_are_refused():
    """The whole series, or the same days in another order."""
    message = "`y_true` must have the 10 rows of `output`, got 30: give `y_true.loc[output.index]`."
    check_message(lambda: from_skforecast(HISTORY, bounds(), nominal=0.9), ShapeError, message)
    with pytest.raises(IndexMismatchError, match="has the same labels in another order, in 10 of 10 rows"):
        from_skforecast(Y[::-1], bounds(), nominal=0.9)
    with pytest.raises(IndexMismatchError, match="has other labels"):
        from_skforecast(HISTORY[:10], bounds(), nominal=0.9)


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
    message = (
        "`y_true` must have the series and time of each forecast in `output`, but 4 of 20 rows have none there; "
        f"first at row 16: '{output['level'].iloc[16]}', 2024-01-29 00:00:00."
    )
    check_message(lambda: from_skforecast(short, output, nominal=0.9), IndexMismatchError, message)


@pytest.mark.parametrize("wrong", [{}, {"a": [1.0, 2.0]}])
def test_series_without_an_index_cannot_be_joined(wrong):
    message = "`y_true` must hold series of pandas, whose index has their times, by name."
    check_message(lambda: from_skforecast(wrong, of_series(), nominal=0.9), ArgumentTypeError, message)


def test_a_series_in_the_order_of_the_forecasts_is_taken_by_position():
    output = of_series()
    assert from_skforecast(pd.Series(1.0, index=output.index), output, nominal=0.9).n == 20


def test_the_midpoint_can_be_the_prediction():
    output = bounds().assign(pred=99.0)
    with pytest.raises(
        PredictionOutsideError, match=r"inside \[`lower_bound`, `upper_bound`\].*Give `y_pred=None`"
    ):
        from_skforecast(Y, output, nominal=0.9)
    np.testing.assert_allclose(from_skforecast(Y, output, nominal=0.9, y_pred=None).y_pred, POINT + 0.5)
    message = "`y_pred` must be 'pred' or None, got 'mean'."
    check_message(lambda: from_skforecast(Y, output, nominal=0.9, y_pred="mean"), ArgumentError, message)


def test_other_frames_are_refused():
    message = (
        "`output` must have 'lower_bound', 'upper_bound', or quantiles such as 'q_0.05', or draws such as "
        "'pred_boot_0', got 'pred'."
    )
    check_message(lambda: from_skforecast(Y, bounds()[["pred"]], nominal=0.9), MissingColumnError, message)
    message = "`output` must be a frame of pandas, got ndarray."
    check_message(lambda: from_skforecast(Y, POINT, nominal=0.9), ArgumentTypeError, message)
