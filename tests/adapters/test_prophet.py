"""Frames as Prophet returns them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from messages import check_message
from uccurve.adapters import from_prophet
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    IndexMismatchError,
    MissingColumnError,
    ShapeError,
)

DAYS = pd.date_range("2024-01-01", periods=30)
RNG = np.random.default_rng(0)
TRUTH = pd.DataFrame({"ds": DAYS, "y": RNG.normal(10, 2, size=30)})
POINT = RNG.normal(10, 1, size=10)


def forecast(**changed):
    """What ``predict`` returns for the last ten days: rows are counted from 0."""
    columns = {"ds": DAYS[20:], "trend": 1.0, "yhat_lower": POINT - 2, "yhat_upper": POINT + 3, "yhat": POINT}
    return pd.DataFrame({**columns, **changed})


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_observations_are_joined_by_their_time(kind):
    """Whatever their order, and with all of the history."""
    rows = from_prophet(kind(TRUTH.sample(frac=1, random_state=0)), forecast(), nominal=0.8)
    np.testing.assert_array_equal(rows.y_true, TRUTH["y"][20:])
    np.testing.assert_array_equal(rows.y_pred, POINT)
    assert rows.nominal == 0.8


def test_the_claim_is_asked_for():
    """It is an option of the model, and not in the frame."""
    message = "`nominal` must be given: the frame does not say it; it is the `interval_width` of the model, 0.8 by default."
    check_message(lambda: from_prophet(TRUTH, forecast()), ArgumentError, message)
    message = "`nominal` must satisfy 0 < nominal < 1, got 80: write 0.8 for 80%."
    check_message(lambda: from_prophet(TRUTH, forecast(), nominal=80), ArgumentError, message)


def test_cross_validation_has_observations_beside_the_forecasts():
    cv = forecast(y=TRUTH["y"][20:].to_numpy(), cutoff=DAYS[19])
    assert from_prophet(cv["y"], cv, nominal=0.8).n == 10
    assert from_prophet(cv, cv, nominal=0.8).n == 10
    with pytest.raises(IndexMismatchError, match="has the same labels in another order"):
        from_prophet(cv["y"][::-1], cv, nominal=0.8)


def test_times_without_an_observation_are_refused():
    message = (
        "`y_true` must have the ds of each forecast in `output`, but 1 of 10 rows has none there; first at row 9: "
        "2024-01-30 00:00:00."
    )
    check_message(lambda: from_prophet(TRUTH[:29], forecast(), nominal=0.8), IndexMismatchError, message)
    with pytest.raises(
        ArgumentError, match="`y_true` must have one row for each ds, but 30 of 60 rows repeat"
    ):
        from_prophet(pd.concat([TRUTH, TRUTH]), forecast(), nominal=0.8)
    message = "`y_true` must have the 10 rows of `output`, got 30: give `y_true.loc[output.index]`."
    check_message(lambda: from_prophet(TRUTH["y"], forecast(), nominal=0.8), ShapeError, message)
    message = "`y_true` must have the column 'y', got 'ds'."
    check_message(lambda: from_prophet(TRUTH[["ds"]], forecast(), nominal=0.8), MissingColumnError, message)


def test_bounds_are_called_by_their_columns():
    wrong = forecast(yhat_lower=POINT + 9)
    with pytest.raises(
        CrossedBoundsError,
        match=r"10 of 10 rows have crossed ones; first at row 0: yhat_lower=.*, yhat_upper=",
    ):
        from_prophet(TRUTH, wrong, nominal=0.8, y_pred=None)


def test_the_midpoint_can_be_the_prediction():
    rows = from_prophet(TRUTH, forecast(yhat=99.0), nominal=0.8, y_pred=None)
    np.testing.assert_allclose(rows.y_pred, POINT + 0.5)
    message = "`y_pred` must be 'yhat' or None, got 'trend'."
    check_message(
        lambda: from_prophet(TRUTH, forecast(), nominal=0.8, y_pred="trend"), ArgumentError, message
    )


def test_other_frames_are_refused():
    message = "`output` must have the column 'yhat_upper', got 'ds', 'trend', 'yhat_lower', 'yhat'."
    check_message(
        lambda: from_prophet(TRUTH, forecast().drop(columns="yhat_upper"), nominal=0.8),
        MissingColumnError,
        message,
    )
    message = "`output` must be a frame of pandas, got ndarray."
    check_message(lambda: from_prophet(TRUTH, POINT, nominal=0.8), ArgumentTypeError, message)
