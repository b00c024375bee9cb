"""Rows are matched by position, so an index that says otherwise is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import IndexMismatchError

Y = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])
OTHER_ORDER = ["a", "c", "b"]


def test_the_same_labels_in_another_order_are_an_error_that_says_what_to_do():
    """Matched by position, they would give wrong numbers without a word."""
    with raises(IndexMismatchError, "lower", count=2, first=1):
        uc.Intervals.from_bounds(Y, (Y - 1).loc[OTHER_ORDER], Y + 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: uc.Intervals.from_bands(Y, Y, 1.0, sample_weight=Y.loc[OTHER_ORDER]),
        lambda: uc.Intervals.from_quantiles(Y, quantiles(OTHER_ORDER), [0.1, 0.9]),
        lambda: uc.Intervals.from_samples(Y, np.ones((5, 3)), sample_weight=Y.loc[OTHER_ORDER]),
        lambda: uc.Intervals.from_distribution(Y, LabeledDistribution()),
        lambda: uc.coverage(Y, Y - 1, (Y + 1).loc[OTHER_ORDER]),
        lambda: uc.crps(Y, np.ones((5, 3)), sample_weight=Y.loc[OTHER_ORDER]),
    ],
)
def test_every_way_in_looks_at_the_index(call):
    """Constructors and metrics, all arguments that have rows."""
    with pytest.raises(IndexMismatchError):
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
        assert uc.Intervals.from_bounds(one, other - 1, other + 1).n == 3


def test_counts_in_another_order_are_labels():
    """A shuffled test set keeps its numbers; so does the frame that it was taken from."""
    shuffled = pd.Series([3.0, 1.0, 2.0], index=[2, 0, 1])
    with raises(IndexMismatchError, "lower", count=3, first=0):
        uc.Intervals.from_bounds(shuffled, shuffled.sort_index() - 1, shuffled + 1)


def test_rows_of_several_keys_are_compared_as_well():
    """Panels: one index of two levels."""
    keys = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    y = Y.set_axis(keys)
    assert uc.Intervals.from_bounds(y, y - 1, y + 1).n == 3
    with raises(IndexMismatchError, "lower", count=2, first=0):
        uc.Intervals.from_bounds(y, y.iloc[::-1] - 1, y + 1)
    with raises(IndexMismatchError, "lower", count=3, first=0):
        uc.Intervals.from_bounds(y, Y - 1, y + 1)


def test_repeated_labels_may_be_there():
    """Rows of one series share a label."""
    y = Y.set_axis(["a", "a", "b"])
    assert uc.Intervals.from_bounds(y, y - 1, y + 1).n == 3
