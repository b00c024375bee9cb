"""Wrong rows, columns and arguments of a scan: errors in the words of the library."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, data
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    MissingColumnError,
    NegativeWeightError,
    NonFiniteError,
    NotNumericError,
)


@pytest.mark.parametrize(
    ("change", "error", "argument"),
    [
        ({"lo": 2.0, "hi": 1.0}, CrossedBoundsError, "lower"),
        ({"p": 9.0}, uc.exceptions.PredictionOutsideError, "y_pred"),
        ({"w": -2.0}, NegativeWeightError, "sample_weight"),
        ({"y": 2e100}, uc.exceptions.MagnitudeError, "y_true"),
        ({"y": None}, NonFiniteError, "y_true"),
    ],
)
def test_each_rule_has_its_error(change, error, argument):
    """With the model, its columns, and how many rows break the rule."""
    row = {"y": 0.0, "p": 0.0, "lo": -1.0, "hi": 1.0, "w": 1.0}
    frame = pl.DataFrame([row, row | change, row], schema=dict.fromkeys(row, pl.Float64))
    with raises(error, argument, count=1, total=3, where="mine", columns=MODELS["bounds"].roles()):
        uc.scan(frame, {"mine": MODELS["bounds"]})


def test_a_row_that_is_too_large_is_broken_without_a_prediction_too():
    """It is not taken for one without weight."""
    frame = pd.DataFrame({"y": [1e120, 0.0], "lo": [-1.0, -1.0], "hi": [1.0, 1.0]})
    with raises(uc.exceptions.MagnitudeError, "y_true", count=1):
        uc.scan(frame, {"m": MODELS["middle"]})


@pytest.mark.parametrize(
    ("models", "by", "error", "argument"),
    [
        ({}, None, ArgumentError, "models"),
        ({"a": "y"}, None, ArgumentError, "models['a']"),
        ({"a": uc.Columns(y_true="Y", y_pred="p", std="s")}, None, MissingColumnError, "y_true"),
        ({"a": uc.Columns(y_true="place", y_pred="p", std="s")}, None, NotNumericError, "place"),
        (MODELS, "region", MissingColumnError, "by"),
    ],
)
def test_wrong_columns_are_named(models, by, error, argument):
    """Before anything is read."""
    with raises(error, argument):
        uc.scan(pl.from_pandas(data()).lazy(), models, by=by)


@pytest.mark.parametrize(
    "given", [{}, {"lower": "a"}, {"std": "s"}, {"y_pred": "p", "std": "s", "lower": "l"}]
)
def test_columns_must_be_a_model(given):
    """Bounds, or a prediction with its standard deviation."""
    with pytest.raises(ArgumentError):
        uc.Columns(y_true="y", **given)


def test_a_claim_of_columns_is_checked_where_it_is_given():
    """Not after hours of scanning."""
    with raises(ArgumentError, "nominal"):
        uc.Columns(y_true="y", lower="lo", upper="hi", nominal=90)
    with raises(ArgumentError, "nominal"):
        uc.Columns(y_true="y", y_pred="p", std="s", nominal=0.9)


@pytest.mark.parametrize(
    ("source", "options", "argument"),
    [
        ({"y": [1.0]}, {}, "source"),
        (data(), {"by": 3}, "by"),
        (data(), {"checkpoint": "kept"}, "checkpoint"),
        (__file__, {"checkpoint": 5}, "checkpoint"),
        (__file__, {"model": 5}, "model"),
        ("", {}, "source"),
        ("x*\0", {}, "source"),
        (data().assign(w=0.0), {"models": {"m": MODELS["bounds"]}}, "sample_weight"),
        (data(), {"models": {1: MODELS["std"], "1": MODELS["std"]}}, "models"),
    ],
)
def test_other_wrong_arguments_are_named(source, options, argument):
    """In the words of the library."""
    with raises(ArgumentError, argument):
        uc.scan(source, **{"models": {"m": MODELS["std"]}, **options})


def test_a_scan_without_valid_rows_is_empty():
    """All rows were dropped: there is nothing to sketch."""
    frame = pl.DataFrame({"y": [float("nan")], "p": [0.0], "s": [1.0]})
    with pytest.warns(uc.exceptions.DroppedRowsWarning) as warned:  # noqa: SIM117
        with raises(uc.exceptions.EmptyInputError):
            uc.scan(frame, {"m": MODELS["std"]}, invalid="drop")
    assert warned[0].filename == __file__
