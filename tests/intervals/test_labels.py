"""Labels of rows: what can be grouped, and what is refused."""

from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals
NAN = float("nan")

LABELS = {
    "integers and text": ([1, "a", 2], None),
    "lists": ([[1], [2], [3]], None),
    "nan in text": (["a", NAN, "b"], 1),
    "NaT": ([pd.Timestamp(0), pd.NaT, pd.Timestamp(1)], 1),
    "masked": (np.ma.array([1, 2, 3], mask=[False, True, False]), 1),
    "decimal nan": ([decimal.Decimal(1), decimal.Decimal("sNaN"), decimal.Decimal(2)], 1),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_that_cannot_be_grouped(name):
    """Missing ones are named with their row; those of several kinds are not quietly made one."""
    labels, first = LABELS[name]
    with raises(ex.ArgumentError, "labels", first=first):
        I.from_bands([1, 2, 3], [0, 0, 0], 1).by(labels)


def test_masked_labels_are_missing_where_rows_were_dropped():
    """Labels of all rows are taken then; those of dropped rows may be missing."""
    with pytest.warns(ex.DroppedRowsWarning):
        rows = I.from_bands([1, NAN, 3, 4], [0, 0, 0, 0], 1, invalid="drop")
    with pytest.raises(ex.ArgumentError):
        rows.by(np.ma.array([1, 2, 3, 4], mask=[False, False, False, True]))
    assert list(rows.by(np.ma.array([1, 2, 3, 4], mask=[False, True, False, False]))) == [1, 3, 4]


def test_labels_keep_their_kind():
    """Large integers, tuples, dates of any resolution."""
    three = I.from_bands([1, 2, 3], [0, 0, 0], 1)
    assert list(three.by([2**60 + 1, 2**60 + 3, 2**60 + 1])) == [2**60 + 1, 2**60 + 3]
    assert list(three.by([("b", 1), ("a", 2), ("a", 2)])) == [("a", 2), ("b", 1)]
    day = dt.datetime(2024, 5, 1)  # noqa: DTZ001
    for unit in ("ns", "us", "D"):
        assert list(three.by(np.array([day] * 3, dtype=f"datetime64[{unit}]"))) == [day]
    assert list(three.by(pd.Series([day] * 3, dtype="datetime64[ns]"))) == [day]
    assert list(three.by(pl.Series([True, False, True]))) == [False, True]


def test_labels_of_all_rows_serve_after_dropping_some():
    """Nobody wants to find out by hand which rows were dropped."""
    with pytest.warns(ex.DroppedRowsWarning):
        a = I.from_bands([1, NAN, 3, 4], [0] * 4, 1, invalid="drop")
    assert a.kept.tolist() == [0, 2, 3]
    assert I.from_bands([1, 2], [0, 0], 1).kept is None
    for labels in (["x", "y", "z", "x"], ["x", "z", "x"]):
        groups = a.by(labels)
        assert {label: part.y_true.tolist() for label, part in groups.items()} == {"x": [1, 4], "z": [3]}


@pytest.mark.parametrize("name", ["^.*$", "*", ""])
def test_labels_of_a_column_with_any_name(name):
    """Polars takes some names for patterns; a column of labels is meant as it is."""
    rows = uc.Intervals.from_std([1, 2, 4, 5], [0, 0, 1, 1], 1.0)
    labels = pl.Series(name, ["a", "b", "a", "b"])
    assert list(rows.by(labels)) == ["a", "b"]
    assert list(uc.ConformalScaler(0.5).fit(rows, by=labels).parameters_) == ["a", "b"]
    interval = uc.confidence_interval(rows, "gain", blocks=labels, n_resamples=9, rng=0)
    assert interval == uc.confidence_interval(rows, "gain", blocks=labels.to_list(), n_resamples=9, rng=0)
    with raises(uc.exceptions.ArgumentError, "labels", count=1, first=1):
        rows.by(pl.Series(name, ["a", None, "a", "b"]))
    decimals = pl.Series(name, [1, 2, 4, 5], dtype=pl.Decimal(10, 2))
    assert uc.Intervals.from_std(decimals, decimals, decimals).y_true.tolist() == [1, 2, 4, 5]
