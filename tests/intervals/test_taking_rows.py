"""Some of the rows: slices, masks and row numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import check_error
from uccurve import exceptions as ex

I = uc.Intervals
COLUMNS = ("y_true", "y_pred", "lower_band", "upper_band", "lower", "upper", "residual", "sample_weight")


def rows(n=6, *, outputs=None, weighted=True, nominal=0.9):
    """Rows that can be told apart."""
    shape = (n,) if outputs is None else (n, outputs)
    y = np.arange(np.prod(shape), dtype=float).reshape(shape)
    weight = np.arange(n) / 2 if weighted else None
    return I.from_bounds(y, y - 1, y + 2, y_pred=y + 0.5, sample_weight=weight, nominal=nominal)


KEYS = {
    "backwards": slice(None, 1, -2),
    "mask": np.array([False, True, True, False, False, True]),
    "numbers": np.array([4, 0, 4, -6]),
}


@pytest.mark.parametrize("key", KEYS)
def test_rows_are_taken_as_from_arrays(key):
    """Every column and output, weights and the claim with them."""
    whole = rows(outputs=3)
    some = whole[KEYS[key]]
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(some, name), getattr(whole, name)[KEYS[key]])
    assert len(some) == some.n == len(whole.y_true[KEYS[key]])
    assert some.nominal == 0.9


@pytest.mark.parametrize("make", [list, pd.Series, pa.array])
def test_masks_and_numbers_of_any_kind(make):
    """Also as columns of frames."""
    assert rows()[make([True] + [False] * 4 + [True])].y_true.tolist() == rows()[make([0, 5])].y_true.tolist()


def test_slices_are_views_with_a_curve_of_their_own():
    """No copy of what may be most of the memory, but sums that are made anew."""
    whole = rows()
    assert whole.ucc().area() > 0
    assert np.shares_memory(whole[:3].y_true, whole.y_true)
    assert whole[:3].ucc().area() == rows(3).ucc().area()


def test_what_comes_from_a_frame_stays_with_it():
    """The library of tables, and labels for the rows that are left."""
    frame = pl.DataFrame({"y": [1.0, 2.0, np.nan, 4.0], "p": [0.0] * 4, "s": [1.0] * 4})
    with pytest.warns(ex.DroppedRowsWarning):
        whole = I.from_frame(frame, y_true="y", y_pred="p", std="s", invalid="drop")
    assert isinstance(whole[1:].ucc().to_frame(), pl.DataFrame)
    assert isinstance(whole.standardized().ucc().to_frame(), pl.DataFrame)
    assert list(whole[1:].by(["a", "b"])) == ["a", "b"]
    assert list(whole.standardized().by(["a", "b", "c", "d"])) == ["a", "b", "d"]


def test_rows_are_not_gone_through_one_by_one():
    """A loop over millions of rows would be a mistake."""
    with pytest.raises(TypeError, match="not iterable"):
        iter(rows())


CASES = {
    "one row": (lambda: rows()[3], ex.ArgumentError, "rows"),
    "fractions": (lambda: rows()[[0.5]], ex.ArgumentError, "rows"),
    "masked mask": (lambda: rows()[np.ma.array([True] * 6, mask=np.eye(6)[0])], ex.ArgumentError, "rows"),
    "beyond the end": (lambda: rows()[[0, 6]], ex.ArgumentError, "rows"),
    "empty slice": (lambda: rows()[4:2], ex.EmptyInputError, "rows"),
    "no weight": (lambda: rows()[:1], ex.ArgumentError, "sample_weight"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """What cannot be taken, and what to write instead."""
    check_error(*CASES[name])
