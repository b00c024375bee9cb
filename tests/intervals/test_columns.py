"""Columns of any library: numbers in any wrapping, text in none, names of any kind."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals
HOUR = np.datetime64("2026-01-01T00")


def test_numbers_beyond_float64_are_refused():
    """Python's integers have no bound."""
    with pytest.raises(ex.NotNumericError):
        I.from_bands([10**400], [0], 1)
    with pytest.raises(ex.ArgumentError):
        I.from_bands([1], [0], 1).ucc().at(bandwidth=10**400)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["1", "2"]),
        pd.Categorical(["1", "2"]),
        *(np.array([1, one], dtype=object) for one in (HOUR, HOUR - HOUR, True, np.complex64(1), "1", b"1")),
    ],
)
def test_what_is_no_number_is_never_read_as_one(column):
    """Whatever it is wrapped in; NumPy makes a year of 56 or a real part of it without a word."""
    for values in (column, np.ma.array(column, dtype=object)):
        with raises(ex.NotNumericError, "y_true"):
            I.from_bands(values, [0, 0], 1)


@pytest.mark.parametrize(
    "column",
    [
        [Decimal("1.5"), 2],
        np.array([Fraction(3, 2), np.array(2.0)], dtype=object),
        pl.Series([Decimal("1.5"), Decimal(2)]),
        pd.arrays.SparseArray([1.5, 2]),
        pa.array([1.5, 2]),
        pa.chunked_array([[1.5], [2.0]]),
    ],
)
def test_numbers_are_numbers_in_any_wrapping(column):
    """Decimals, sparse columns, indices, Arrow arrays."""
    assert I.from_bands(column, [0, 0], 1).y_true.tolist() == [1.5, 2]


def test_missing_values_among_objects_are_rows_that_are_not_finite():
    """None, NaN and pandas' NA, which is no number to NumPy."""
    for missing in (None, np.nan, pd.NA):
        with raises(ex.NonFiniteError, "y_true", count=1, first=1):
            I.from_bands(pd.Series([1.5, missing], dtype=object), [0, 0], 1)


def test_frames_with_names_that_are_not_text():
    """What pd.DataFrame(array) makes, quantile levels as names, doubled and compound names."""
    y = np.arange(6.0).reshape(3, 2)
    for names in ([0, 1], [0.1, 0.9], ["a", "a"], pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])):
        frame = pd.DataFrame(y, columns=names)
        assert I.from_std(frame, frame, frame + 1).y_true.tolist() == y.tolist()
        assert I.from_quantiles(y[:, 0], frame, [0.1, 0.9]).upper.tolist() == y[:, 1].tolist()
    numbered = pd.DataFrame(np.array([[1.0, 0.0, 2.0]]))
    assert I.from_frame(numbered, y_true=0, lower=1, upper=2).lower.tolist() == [0]
    with raises(ex.ArgumentError, "y_true"):
        I.from_frame(numbered, y_true=numbered[0], lower=1, upper=2)
    with raises(ex.MissingColumnError, "y_true"):
        I.from_frame(numbered, y_true="0", lower=1, upper=2)
    with raises(ex.ArgumentError, "frame"):
        I.from_frame(numbered.set_axis(["y", "lo", "lo"], axis=1), y_true="y", lower="lo", upper="lo")
