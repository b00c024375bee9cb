"""Labels of rows: what can be grouped; and an index that disagrees with the position of rows, which is refused."""

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
    "arrays": ([np.arange(2)] * 3, None),
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


@pytest.mark.parametrize("name", ["^.*$", ""])
def test_labels_of_a_column_with_any_name(name):
    """Polars takes some names for patterns; a column of labels is meant as it is."""
    rows = uc.Intervals.from_std([1, 2, 4, 5], [0, 0, 1, 1], 1.0)
    labels = pl.Series(name, ["a", "b", "a", "b"])
    assert list(rows.by(labels)) == ["a", "b"]
    with raises(uc.exceptions.ArgumentError, "labels", count=1, first=1):
        rows.by(pl.Series(name, ["a", None, "a", "b"]))


# -- the index of pandas ---------------------------------------------------------------------------

Y = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])
OTHER_ORDER = ["a", "c", "b"]


def test_the_same_labels_in_another_order_are_an_error_that_says_what_to_do():
    """Matched by position, they would give wrong numbers without a word."""
    with raises(ex.IndexMismatchError, "lower", count=2, first=1):
        I.from_bounds(Y, (Y - 1).loc[OTHER_ORDER], Y + 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: I.from_bands(Y, Y, 1.0, sample_weight=Y.loc[OTHER_ORDER]),
        lambda: I.from_quantiles(Y, quantiles(OTHER_ORDER), [0.1, 0.9]),
        lambda: I.from_samples(Y, np.ones((5, 3)), sample_weight=Y.loc[OTHER_ORDER]),
        lambda: I.from_samples(Y, quantiles(OTHER_ORDER), axis=1),
        lambda: I.from_distribution(Y, LabeledDistribution()),
        lambda: uc.coverage(Y, Y - 1, (Y + 1).loc[OTHER_ORDER]),
        lambda: uc.crps(Y, np.ones((5, 3)), sample_weight=Y.loc[OTHER_ORDER]),
    ],
)
def test_every_way_in_looks_at_the_index(call):
    """Constructors and metrics, all arguments that have rows."""
    with pytest.raises(ex.IndexMismatchError):
        call()


def quantiles(order=("a", "b", "c")):
    return pd.DataFrame({"low": Y - 1, "high": Y + 1}).loc[list(order)]


class LabeledDistribution:
    """Quantiles with an index, as skpro gives them."""

    def ppf(self, level):
        return Y.loc[OTHER_ORDER] + level


def test_an_index_that_only_counts_fits_any_labels():
    """Predictions often come as a new frame: nothing is said about its rows."""
    plain = Y.reset_index(drop=True)
    dates = Y.set_axis(pd.date_range("2026-01-01", periods=3))
    for one, other in ((plain, Y), (Y, plain), (plain, dates), (Y, Y.to_numpy()), (Y, pl.Series(plain))):
        assert I.from_bounds(one, other - 1, other + 1).n == 3


def test_counts_in_another_order_are_labels():
    """A shuffled test set keeps its numbers, and so does the frame that it was taken from; panels have two levels."""
    panel = pd.MultiIndex.from_tuples([("b", 1), ("a", 1), ("a", 2)])
    for index in ([2, 0, 1], panel):
        shuffled = pd.Series([3.0, 1.0, 2.0], index=index)
        with raises(ex.IndexMismatchError, "lower", count=3, first=0):
            I.from_bounds(shuffled, shuffled.sort_index() - 1, shuffled + 1)
