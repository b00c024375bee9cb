"""Hostile rows and labels: NumPy, which adds up batches, and the GROUP BY of an engine find the same."""

from __future__ import annotations

import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from scanned_rows import MODELS, agree, data, exact
from uccurve.engines import _batch_sums
from uccurve.exceptions import MagnitudeError

MODEL = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
BATCH = 8
FRAMES = {
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
    "polars": pl.DataFrame.lazy,
    "duckdb": lambda frame: duckdb.connect(config={"threads": 2}).from_arrow(frame.to_arrow()),
}


def rows(**columns):
    """Rows of a model with standard deviations, and further columns."""
    n = len(next(iter(columns.values())))
    return pl.DataFrame({"y": np.ones(n), "p": np.zeros(n), "s": np.ones(n), **columns})


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_a_band_of_negative_zero_is_a_zero_band(engine):
    frame = rows(s=[-0.0, 1.0, -0.0, 2.0], y=[1.0, 2.0, 0.0, 3.0])
    wanted = uc.Intervals.from_std(frame["y"], frame["p"], [0.0, 1.0, 0.0, 2.0]).sketch()
    agree(uc.scan(FRAMES[engine](frame), MODEL)["m"], wanted)


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_the_label_zero_has_no_sign(engine):
    found = uc.scan(FRAMES[engine](rows(label=[-0.0, 0.0, 2.0] * 8)), MODEL, by="label")
    assert [*map(str, found)] == ["('m', 0.0)", "('m', 2.0)"]
    assert [sketch.rows for sketch in found.values()] == [16, 8]


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_times_that_differ_by_nanoseconds_are_one_segment_with_each_bin_once(engine):
    frame = rows(label=pl.Series([1, 2] * 10).cast(pl.Datetime("ns")))
    (found,) = uc.scan(FRAMES[engine](frame), MODEL, by="label").values()
    agree(found, uc.Intervals.from_std(*(frame[name] for name in "yps")).sketch())


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_numbers_too_large_are_refused_without_warnings_of_numpy(engine):
    far = pl.DataFrame({"y": [-1e308], "lo": [0.5e308], "hi": [1.7e308]})
    many = rows(y=[1e308] * 20)
    with warnings.catch_warnings(action="error"):
        with pytest.raises(MagnitudeError):
            uc.scan(FRAMES[engine](far), {"m": uc.Columns(y_true="y", lower="lo", upper="hi")})
        with pytest.raises(MagnitudeError):
            uc.scan(FRAMES[engine](many), MODEL)


@pytest.mark.usefixtures("way")
def test_an_index_may_have_any_name():
    frame = rows(label=["a", "b"] * 4).to_pandas()
    frame.index = pd.Index([7] * 8, name="group0")
    assert [*uc.scan(frame, MODEL, by="label")] == [("m", "a"), ("m", "b")]


@pytest.mark.usefixtures("way")
def test_labels_that_arrow_does_not_group_by_are_left_to_duckdb():
    numbers = "SELECT 1.0 AS y, 0.0 AS p, 1.0 AS s, (i % 2)::VARINT AS label FROM range(40) AS numbers(i)"
    found = uc.scan(duckdb.connect(config={"threads": 1}).sql(numbers), MODEL, by="label")
    assert [sketch.rows for sketch in found.values()] == [20, 20]


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
@pytest.mark.usefixtures("way")
def test_a_database_stays_as_it_is(kind, tmp_path):
    """Whatever its tables and views are called, and if it can only be read."""
    path = tmp_path / "own.duckdb"
    with duckdb.connect(path) as own:
        own.execute(f"CREATE {kind} rows AS SELECT 1.0 AS y, 0.0 AS p, 1.0 AS s")
    objects = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    for read_only in (False, True):
        with duckdb.connect(path, read_only=read_only, config={"threads": 1}) as own:
            before = own.sql(objects).fetchall()
            assert uc.scan(own.table("rows"), MODEL)["m"].rows == 1
            assert own.sql(objects).fetchall() == before
            assert own.sql("SELECT * FROM rows").fetchall() == [(1.0, 0.0, 1.0)]


def test_wide_ranges_of_many_segments_take_little_memory(monkeypatch):
    """Bins without rows are dropped, as often as needed, and sketches stay what they are."""
    monkeypatch.setattr(_batch_sums, "_ROOM", 1000)
    monkeypatch.setattr(_batch_sums, "_CHUNK", 16)
    rooms, add = [], _batch_sums.BatchSums._add

    def added(self, *given):
        add(self, *given)
        rooms.append(sum(sums.room for sums in self._sums.values()))

    monkeypatch.setattr(_batch_sums.BatchSums, "_add", added)
    frame = data()
    found = uc.scan(pa.Table.from_pandas(frame), MODELS, by="place")
    assert len(rooms) == 3
    assert max(rooms) <= 1000
    for (name, place), sketch in found.items():
        agree(sketch, exact(frame, name, frame["place"] == place))


@pytest.mark.parametrize("segments", [None, 3, 500])
def test_a_stream_is_read_once(segments):
    """In DuckDB a relation may stand for one, whether its segments are few or many."""
    n = 1000
    columns = {
        "y": np.arange(n) % 7.0,
        "p": np.zeros(n),
        "s": np.ones(n),
        "key": np.arange(n) % (segments or 1),
    }
    stream = pa.table(columns).to_reader(max_chunksize=100)
    relation = duckdb.connect(config={"threads": 2}).from_arrow(stream)
    model = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
    found = uc.scan(relation, model, by=segments and "key")
    assert len(found) == (segments or 1)
    assert sum(sketch.rows for sketch in found.values()) == n
