"""Intervals own their rows: nobody can change them afterwards, neither from outside nor from inside."""

from __future__ import annotations

import tracemalloc

import array_api_strict as strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc

N = 1 << 18


def changed(values):
    """Multiply in place, as a buffer for batches is used again."""
    values *= 10


def numbers(rows):
    """Some answers, from cached sums and from the rows themselves."""
    columns = [column.tolist() for column in (rows.y_true, rows.lower, rows.upper)]
    return *columns, rows.ucc().original, rows.ucc().gain(), repr(rows)


CONSTRUCTORS = {
    "bounds": lambda y, p, z, w: uc.Intervals.from_bounds(y, p - z, p + z, y_pred=p, sample_weight=w),
    "bands": lambda y, p, z, w: uc.Intervals.from_bands(y, p, z, z, sample_weight=w),
    "samples": lambda y, p, z, w: uc.Intervals.from_samples(y, [p - z, p + z], y_pred=p, sample_weight=w),
}


@pytest.mark.parametrize("make", CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_arrays_that_change_afterwards_change_nothing(make):
    """Old sums beside new rows are wrong numbers."""
    columns = [np.array(column) for column in ([1.0, 2, 3], [0.0, 0, 1], [1.0, 1, 3], [1.0, 2, 1])]
    rows, expected = make(*columns), numbers(make(*[column.copy() for column in columns]))
    for column in columns:
        changed(column)
    assert numbers(rows) == expected


@pytest.mark.parametrize(
    "view",
    [
        lambda table: memoryview(table[0]),
        lambda table: strict.asarray(table[0], copy=False),
        lambda table: read_only(table[:, 0]),
        lambda table: pd.DataFrame(table, copy=False)[0],
        lambda table: pa.array(table[0]),
        lambda table: pl.Series(table[0]),
    ],
)
def test_views_of_an_array_that_changes_change_nothing(view):
    """Also where only the array behind them can be written."""
    table = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    given = view(table)
    expected = np.asarray(given).tolist()
    rows = uc.Intervals.from_bands(given, given, given)
    changed(table)
    for column in (rows.y_true, rows.y_pred, rows.lower_band):
        assert np.asarray(column).tolist() == expected


def read_only(values):
    values.flags.writeable = False
    return values


def test_a_frame_that_changes_in_place_changes_nothing():
    """As with `frame["y"] *= 10`, or a cell that is set."""
    frame = pd.DataFrame({"y": [1.0, 2], "p": [0.0, 0], "s": [1.0, 1], "w": [1.0, 3]})
    rows = uc.Intervals.from_frame(frame, y_true="y", y_pred="p", std="s", sample_weight="w")
    columns = uc.Intervals.from_std(frame["y"], frame["p"], frame["s"], sample_weight=frame["w"])
    frame.loc[1, :] = 99.0
    frame *= 10
    expected = numbers(uc.Intervals.from_std([1, 2], [0, 0], [1, 1], sample_weight=[1, 3]))
    assert numbers(rows) == numbers(columns) == expected


@pytest.mark.slow
def test_tensors_that_change_change_nothing():
    """Also where they share their memory with NumPy, in either direction."""
    import torch

    tensor, beside = torch.tensor([1.0, 2.0], dtype=torch.float64), np.array([0.5, 0.5])
    rows = uc.Intervals.from_bands(tensor, beside, read_only(np.array([1.0, 3.0])))
    tensor.mul_(10)
    changed(beside)
    assert rows.y_true.tolist() == [1, 2]
    assert rows.y_pred.tolist() == [0.5, 0.5]
    assert rows.ucc().original.bandwidth == 2


def test_rows_cannot_be_written_to():
    """An assignment says so; it would leave old sums behind."""
    y = np.array([1.0, 2, 3])
    rows = uc.Intervals.from_bounds(y, y - 1, y + 2, y_pred=y, sample_weight=[1, 2, 3])
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        kept = uc.Intervals.from_std([1, np.nan, 2], [1, 2, 3], 1.0, invalid="drop")
    for some in (rows, kept, rows[:2], rows[[0, 1]], rows.scaled(2), *rows.by(["a", "b", "b"]).values()):
        for name in ("y_true", "y_pred", "lower_band", "upper_band"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(some, name)[0] = 99
    for values in (rows.lower, rows.upper, rows.sample_weight, kept.kept):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 99
    assert y.flags.writeable


def test_read_only_arrays_and_made_ones_are_not_copied():
    """`y.flags.writeable = False` saves the copy of large arrays, such as files mapped to memory."""
    y, p, z = (read_only(np.ones(N)) for _ in range(3))
    rows = uc.Intervals.from_bands(y, p, z)
    for mine, given in ((rows.y_true, y), (rows.y_pred[5:], p[5:]), (rows.lower_band, z)):
        assert np.shares_memory(mine, given)
    for other in (uc.Intervals.from_bands(rows.y_true, p, z), rows.scaled(2), rows[5:]):
        assert np.shares_memory(rows.y_true, other.y_true)


def peak_arrays(function):
    """The most memory that a call takes, in arrays of N numbers."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1] / (8 * N)
    finally:
        tracemalloc.stop()


def test_metrics_copy_nothing():
    """They answer at once, and forget the rows; bounds become bands, which are two arrays."""
    y, p, z = np.random.default_rng(0).uniform(1, 2, size=(3, N))
    lower, upper = p - z, p + z
    uc.auucc(y, lower, upper, y_pred=p)  # so that imports and caches are not counted
    assert peak_arrays(lambda: uc.auucc(y, y_pred=p, std=z)) < 4
    assert peak_arrays(lambda: uc.auucc(y, lower, upper, y_pred=p)) < 6
    assert all(column.flags.writeable for column in (y, p, z, lower, upper))
