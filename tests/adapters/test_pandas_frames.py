"""Results of statsmodels, and frames of Prophet, skforecast, sktime and skpro."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from library_outputs import (
    DAYS,
    LEVELS,
    MIDDLE,
    PRED,
    SIDES,
    TABLE,
    YHAT,
    Normal,
    Prediction,
    Y,
    frame,
    multi,
)

from errors import raises
from uccurve import exceptions as ex
from uccurve.adapters import from_prophet, from_skforecast, from_skpro, from_sktime, from_statsmodels

# -- statsmodels -------------------------------------------------------------------------------------


class Forecast(Prediction):
    """One of a model of time series."""


Forecast.__module__ = "statsmodels.tsa.statespace.mlemodel"


@pytest.mark.parametrize(
    "output",
    [Prediction("mean_ci", "obs_ci"), Prediction("pi"), Forecast("mean_ci")],
    ids=["ols", "ets", "arima"],
)
def test_results_are_read_at_every_coverage(output):
    """By alpha, 1 - coverage, as it is written."""
    intervals = from_statsmodels(Y, output, nominal=[0.5, 0.9])
    assert np.array_equal(intervals.upper, MIDDLE + (2 - 2 * 0.1))
    assert intervals.ucc(vary="level").at(nominal=0.5).bandwidth == 1
    assert np.array_equal(intervals.y_pred, MIDDLE)


def test_intervals_of_the_mean_are_refused_with_the_reason():
    """They are not meant to cover observations."""
    for output in (Prediction("mean_ci"), Prediction("ci")):
        with raises(ex.ArgumentError, "output") as caught:
            from_statsmodels(Y, output, nominal=0.9)
        assert "not meant to cover observations" in caught.value.hint
    for output in (Prediction(), Prediction("obs_ci").summary_frame(0.1)):
        with raises(ex.ArgumentError, "output"):
            from_statsmodels(Y, output, nominal=0.9)


# -- Prophet -----------------------------------------------------------------------------------------

# Counted from 0, as Prophet returns it, for the last four days.
FORECAST = pd.DataFrame({"ds": DAYS[26:], **YHAT})
HISTORY = pd.DataFrame({"ds": DAYS, "y": np.arange(30.0)})


def test_observations_of_prophet_are_joined_by_their_time():
    """Whatever their order and their library, and with all of the history."""
    history = pl.from_pandas(HISTORY.sample(frac=1, random_state=0))
    assert np.array_equal(from_prophet(history, FORECAST, nominal=0.8).y_true, [26, 27, 28, 29])


def test_cross_validation_has_observations_beside_the_forecasts():
    cv = FORECAST.assign(y=MIDDLE, cutoff=DAYS[25])
    for truth in (cv["y"], cv):
        assert np.array_equal(from_prophet(truth, cv, nominal=0.8).y_true, MIDDLE)


def test_frames_of_prophet_need_their_columns_and_a_claim():
    """The claim is an option of the model, and not in the frame."""
    with raises(ex.ArgumentError, "nominal"):
        from_prophet(HISTORY, FORECAST)
    with raises(ex.MissingColumnError, "output"):
        from_prophet(HISTORY, FORECAST.drop(columns="yhat_upper"), nominal=0.8)
    with raises(ex.MissingColumnError, "output") as caught:
        from_prophet(HISTORY, FORECAST.set_index("ds"), nominal=0.8)
    assert "reset_index" in caught.value.hint


# -- skforecast --------------------------------------------------------------------------------------

BOUNDS = frame(**PRED)
WIDE = pd.DataFrame({"a": np.arange(30.0), "b": np.arange(30.0) + 100, "not forecast": 0.0}, index=DAYS)


@pytest.mark.parametrize(("read", "columns"), [(from_prophet, YHAT), (from_skforecast, PRED)])
def test_the_midpoint_can_be_the_prediction(read, columns):
    """A mean may lie outside of its bounds: the error says what to do, and that works."""
    output = frame(**{**columns, next(iter(columns)): 99.0})
    with raises(ex.PredictionOutsideError, "y_pred", count=4, first=0):
        read(Y, output, nominal=0.8)
    assert np.array_equal(read(Y, output, nominal=0.8, y_pred=None).y_pred, MIDDLE)
    with raises(ex.ArgumentError, "y_pred"):
        read(Y, output, nominal=0.8, y_pred="trend")


def test_bounds_of_skforecast_claim_what_is_said():
    """The frame does not say it. Folds stand beside them."""
    assert np.array_equal(from_skforecast(Y, BOUNDS.assign(fold=0), nominal=0.9).upper, MIDDLE + 1)
    for nominal in (None, [0.5, 0.9]):
        with raises(ex.ArgumentError, "nominal"):
            from_skforecast(Y, BOUNDS, nominal=nominal)


def test_frames_of_skforecast_need_bounds_quantiles_or_draws():
    with raises(ex.MissingColumnError, "output"):
        from_skforecast(Y, BOUNDS[["pred"]], nominal=0.9)


@pytest.mark.parametrize("kind", [pd.DataFrame, dict])
@pytest.mark.parametrize("names", [["a", "b"], ["b", "a"]])
def test_several_series_are_joined_by_series_and_time(kind, names):
    """A frame with a column for each, or a dict, with all of their history."""
    days = np.repeat(DAYS[28:], 2)
    output = BOUNDS.set_axis(days).assign(level=names * 2)
    rows = from_skforecast(kind(WIDE), output, nominal=0.9)
    expected = [WIDE.loc[day, name] for day, name in zip(days, output["level"], strict=True)]
    assert np.array_equal(rows.y_true, expected)
    with raises(ex.IndexMismatchError, "y_true", count=2, first=2):
        from_skforecast(kind(WIDE[:29]), output, nominal=0.9)
    for wrong in ({}, {"a": [1.0, 2.0]}):
        with raises(ex.ArgumentTypeError, "y_true"):
            from_skforecast(wrong, output, nominal=0.9)


# -- sktime, skpro -----------------------------------------------------------------------------------

OUTPUT = multi([0.5, 0.9], SIDES, values=TABLE[:, [1, 3, 0, 4]])
BOTH = pd.DataFrame({"sales": Y, "returns": Y + 1})
TWO = multi(LEVELS, values=np.hstack([TABLE, TABLE + 1]), variables=("sales", "returns"))


def test_variances_are_not_taken_for_deviations():
    """A plain frame does not tell what it holds: the error says where its root goes."""
    with raises(ex.ArgumentTypeError, "output") as caught:
        from_sktime(Y, frame(sales=MIDDLE), y_pred=Y)
    assert "Intervals.from_std" in caught.value.hint


def test_a_frame_of_one_column_is_a_column():
    """Both libraries hand out observations and predictions as frames."""
    for observed in (Y.to_frame(), MIDDLE[:, None]):
        for output in (OUTPUT, Normal()):
            rows = from_skpro(observed, output, y_pred=Y.to_frame() + 0.5)
            assert np.array_equal(rows.y_pred, MIDDLE + 0.5)
            assert rows.y_true.shape == (4,)


def test_several_variables_are_outputs():
    """Their columns must come in the same order, since they are matched by position."""
    rows = from_sktime(BOTH, TWO)
    assert rows.n_outputs == 2
    assert np.array_equal(rows.lower, np.stack([MIDDLE - 2, MIDDLE - 1], axis=1))
    with raises(ex.ArgumentError, "y_true"):
        from_sktime(BOTH[["returns", "sales"]], TWO)
    with raises(ex.ArgumentError, "output"):
        from_sktime(BOTH, TWO.iloc[:, :-1])


def test_more_observations_than_rows_are_refused():
    """The message says what to do."""
    with raises(ex.ShapeError, "y_true") as caught:
        from_sktime(pd.concat([Y, Y]), OUTPUT)
    assert "output.index" in caught.value.hint


def test_columns_of_another_meaning_are_refused():
    with raises(ex.ArgumentError, "output"):
        from_sktime(Y, OUTPUT.rename(columns={"lower": "low"}, level=2))
    with raises(ex.ArgumentError, "coverage"):
        from_sktime(Y, OUTPUT.rename(columns={0.9: 90.0}, level=1))
    with raises(ex.ArgumentTypeError, "output"):
        from_sktime(Y, OUTPUT.droplevel([0, 1], axis=1))
