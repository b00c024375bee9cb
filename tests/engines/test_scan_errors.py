"""Wrong rows, columns and arguments of a scan: errors in the words of the library."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import uccurve as uc
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
    ("change", "error", "message"),
    [
        (
            {"lo": 2.0, "hi": 1.0},
            CrossedBoundsError,
            "column 'lo' must not exceed column 'hi', but 1 of 3 rows does; for example lo=2, hi=1.",
        ),
        (
            {"p": 9.0},
            None,
            "column 'p' must lie inside [column 'lo', column 'hi'], but 1 of 3 rows does not; for example lo=-1, p=9, hi=1.",
        ),
        (
            {"w": -2.0},
            NegativeWeightError,
            "column 'w' must be >= 0, but 1 of 3 rows is not; for example w=-2.",
        ),
        (
            {"y": 2e100},
            None,
            "column 'y' must be 0 or between 1e-100 and 1e+100 in size, but 1 of 3 rows is not; for example y=2e+100.",
        ),
        (
            {"y": None},
            NonFiniteError,
            "column 'y' must be finite, but 1 of 3 rows is not; for example y=nan.",
        ),
    ],
)
def test_each_rule_has_its_error(change, error, message):
    """With the values of a row that breaks it."""
    row = {"y": 0.0, "p": 0.0, "lo": -1.0, "hi": 1.0, "w": 1.0}
    frame = pl.DataFrame([row, row | change, row], schema=dict.fromkeys(row, pl.Float64))
    with pytest.raises(error or uc.exceptions.InvalidRowsError) as caught:
        uc.scan(frame, {"mine": MODELS["bounds"]})
    assert f"mine: {message}" in str(caught.value)


def test_a_row_that_is_too_large_is_broken_without_a_prediction_too():
    """It is not taken for one without weight."""
    frame = pd.DataFrame({"y": [1e120, 0.0], "lo": [-1.0, -1.0], "hi": [1.0, 1.0]})
    message = r"column 'y' must be 0 or between 1e-100 and 1e\+100 in size, but 1 of 2 rows is not"
    with pytest.raises(uc.exceptions.MagnitudeError, match=message):
        uc.scan(frame, {"m": MODELS["middle"]})


@pytest.mark.parametrize(
    ("models", "by", "error", "message"),
    [
        ({}, None, ArgumentError, "`models` must be a mapping of names to Columns, with at least one model."),
        ({"a": "y"}, None, ArgumentError, "`models['a']` must be Columns, got str."),
        (
            {"a": uc.Columns(y_true="Y", y_pred="p", std="s")},
            None,
            MissingColumnError,
            "`y_true` names the column 'Y'; the frame has 'y', 'p'",
        ),
        (
            {"a": uc.Columns(y_true="place", y_pred="p", std="s")},
            None,
            NotNumericError,
            "the column 'place' must be numeric, got String.",
        ),
        (MODELS, "region", MissingColumnError, "`by` names the column 'region'"),
    ],
)
def test_wrong_columns_are_named(models, by, error, message):
    """Before anything is read."""
    with pytest.raises(error) as caught:
        uc.scan(pl.from_pandas(data()).lazy(), models, by)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "given", [{}, {"lower": "a"}, {"std": "s"}, {"y_pred": "p", "std": "s", "lower": "l"}]
)
def test_columns_must_be_a_model(given):
    """Bounds, or a prediction with its standard deviation."""
    with pytest.raises(
        ArgumentError,
        match=r"`lower` or `upper` must be given, or `std`|`upper` must be given, or `y_pred`|`std` needs",
    ):
        uc.Columns(y_true="y", **given)


def test_a_claim_of_columns_is_checked_where_it_is_given():
    """Not after hours of scanning."""
    with pytest.raises(
        ArgumentError, match=r"^`nominal` must satisfy 0 < nominal < 1, got 90: write 0.9 for 90%\.$"
    ):
        uc.Columns(y_true="y", lower="lo", upper="hi", nominal=90)
    with pytest.raises(
        ArgumentError, match=r"^`nominal` must not be given beside `std`, which claims 0.6827"
    ):
        uc.Columns(y_true="y", y_pred="p", std="s", nominal=0.9)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ({"y": [1.0]}, {}, "`source` must be files, a frame or chunks of one, got dict."),
        (data(), {"by": 3}, "`by` must be the name of a column, or a list of names, got 3."),
        (
            data(),
            {"models": {1: MODELS["std"], "1": MODELS["std"]}},
            "`models` must have names that differ as text.",
        ),
    ],
)
def test_other_wrong_arguments_are_named(source, options, message):
    """In the words of the library."""
    with pytest.raises(ArgumentError) as caught:
        uc.scan(source, **{"models": {"m": MODELS["std"]}, **options})
    assert str(caught.value) == message


def test_a_scan_without_valid_rows_is_empty():
    """All rows were dropped: there is nothing to sketch."""
    frame = pl.DataFrame({"y": [float("nan")], "p": [0.0], "s": [1.0]})
    with pytest.warns(uc.exceptions.DroppedRowsWarning, match=r"column 'y' must be finite \(1\)") as warned:  # noqa: SIM117
        with pytest.raises(uc.exceptions.EmptyInputError) as caught:
            uc.scan(frame, {"m": MODELS["std"]}, invalid="drop")
    assert str(caught.value) == "`source` must have at least one valid row, but all rows break rules."
    assert warned[0].filename == __file__
