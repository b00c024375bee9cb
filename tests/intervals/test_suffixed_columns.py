"""Bounds with the name of their model: gbm_lo and gbm_hi as well as gbm_lower and gbm_upper, where that is clear."""

from __future__ import annotations

import polars as pl
import pytest

import uccurve as uc
from uccurve.exceptions import MissingColumnError
from uccurve.intervals._column_detection import GivenColumns, detect_columns
from uccurve.intervals._suffixed_columns import is_short_part


def detected(*present):
    """Return the columns of each model."""
    choice = detect_columns(present, GivenColumns())
    return {model.name: tuple(model.arguments.values()) for model in choice.models}


@pytest.mark.parametrize(("lower", "upper"), [("lower", "upper"), ("lo", "hi"), ("low", "high")])
@pytest.mark.parametrize("prediction", ["gbm", "gbm_pred"])
def test_bounds_are_found_beside_the_prediction_of_their_model(lower, upper, prediction):
    """Whichever the suffix, and whatever the order of columns."""
    bounds = f"gbm_{lower}", f"gbm_{upper}"
    assert detected("y", *bounds, prediction) == {"gbm": (prediction, *bounds)}


def test_a_frame_is_read_by_short_names():
    """The same columns in Python as on the command line."""
    frame = pl.DataFrame({"y": [1.0, 2.0], "gbm": [1.0, 2.5], "gbm_lo": [0.0, 1.0], "gbm_hi": [2.0, 4.0]})
    rows = uc.Intervals.from_frame(frame)
    assert rows.lower_band.tolist() == [1.0, 1.5]
    assert rows.upper_band.tolist() == [1.0, 1.5]


def test_several_models_keep_the_order_of_their_columns():
    """Short and long suffixes may stand side by side."""
    short = "gbm", "gbm_lo", "gbm_hi"
    assert detected("y", *short, "naive", "naive_lower", "naive_upper", "c_pred", "c_low", "c_high") == {
        "gbm": short,
        "naive": ("naive", "naive_lower", "naive_upper"),
        "c": ("c_pred", "c_low", "c_high"),
    }


@pytest.mark.parametrize("other", [("gbm_lower", "gbm_upper"), ("gbm_low", "gbm_high")])
def test_two_pairs_of_one_model_are_not_chosen_from(other):
    """The error names both lower bounds."""
    with pytest.raises(MissingColumnError):
        detected("y", "gbm", "gbm_lo", "gbm_hi", *other)


@pytest.mark.parametrize(
    "bounds",
    [("yhat", "lower", "upper"), ("yhat", "lo", "hi"), ("yhat", "q05", "q95"), ("A", "A-lo-90", "A-hi-90")],
)
def test_features_with_a_low_and_a_high_do_not_replace_bounds(bounds):
    """Where other columns name intervals, the lowest and highest temperature of a day are none."""
    found = detected("y", *bounds, "temp", "temp_lo", "temp_hi")
    assert list(found.values()) == [bounds]


@pytest.mark.parametrize(
    "present",
    [
        ("y", "y_lo", "y_hi"),
        ("y", "gbm_lo", "gbm_hi"),
        ("y", "gbm", "gbm_lo"),
        ("y", "gbm", "gbm_lo", "gbm_high"),
        ("y", "gbm", "_lo", "_hi"),
    ],
)
def test_half_a_pair_or_a_pair_without_a_prediction_is_no_model(present):
    """Neither are bounds beside the observations, which are no prediction."""
    with pytest.raises(MissingColumnError):
        detected(*present)


def test_parts_of_such_models_are_no_features_of_a_page():
    """But a column that only ends like a bound is one."""
    present = ("y", "gbm", "gbm_lo", "gbm_hi", "wind_hi")
    assert [column for column in present if is_short_part(column, present)] == ["gbm", "gbm_lo", "gbm_hi"]
