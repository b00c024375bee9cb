"""Frames as Prophet returns them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from errors import raises
from uccurve.adapters import from_prophet
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
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
    with raises(ArgumentError, "nominal"):
        from_prophet(TRUTH, forecast())


def test_cross_validation_has_observations_beside_the_forecasts():
    cv = forecast(y=TRUTH["y"][20:].to_numpy(), cutoff=DAYS[19])
    assert from_prophet(cv["y"], cv, nominal=0.8).n == 10
    assert from_prophet(cv, cv, nominal=0.8).n == 10
    with raises(IndexMismatchError, "output", count=10, first=0):
        from_prophet(cv["y"][::-1], cv, nominal=0.8)


def test_times_without_an_observation_are_refused():
    with raises(IndexMismatchError, "y_true", count=1, first=9):
        from_prophet(TRUTH[:29], forecast(), nominal=0.8)
    with raises(ArgumentError, "y_true", count=30, first=0):
        from_prophet(pd.concat([TRUTH, TRUTH]), forecast(), nominal=0.8)
    with raises(ShapeError, "y_true"):
        from_prophet(TRUTH["y"], forecast(), nominal=0.8)
    with raises(MissingColumnError, "y_true"):
        from_prophet(TRUTH[["ds"]], forecast(), nominal=0.8)


def test_the_midpoint_can_be_the_prediction():
    rows = from_prophet(TRUTH, forecast(yhat=99.0), nominal=0.8, y_pred=None)
    np.testing.assert_allclose(rows.y_pred, POINT + 0.5)
    with raises(ArgumentError, "y_pred"):
        from_prophet(TRUTH, forecast(), nominal=0.8, y_pred="trend")


def test_other_frames_are_refused():
    with raises(MissingColumnError, "output"):
        from_prophet(TRUTH, forecast().drop(columns="yhat_upper"), nominal=0.8)
    with raises(ArgumentTypeError, "output"):
        from_prophet(TRUTH, POINT, nominal=0.8)
