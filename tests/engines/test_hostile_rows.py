"""Hostile rows and labels: the GROUP BY of every engine finds the same."""

from __future__ import annotations

import datetime as dt

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import FRAMES, agree
from uccurve.exceptions import ArgumentError

MODEL = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}


def rows(**columns):
    """Rows of a model with standard deviations, and further columns."""
    n = len(next(iter(columns.values())))
    return pl.DataFrame({"y": np.ones(n), "p": np.zeros(n), "s": np.ones(n), **columns})


LABELS = {
    "text": ["", "a", "b", "ä b"],
    "whole numbers": [-1, 0, 3, 2**40],
    "numbers": [-1.0, 0.5, 2.0, 1e300],
    "truth": [False, True],
    "times": [dt.datetime(2026, 1, 1, hour, 0, 0, 7) for hour in (1, 2, 3, 4)],  # noqa: DTZ001
}


@pytest.mark.parametrize("kind", LABELS)
def test_every_engine_gives_segments_the_same_names(kind):
    labels = LABELS[kind]
    frame = rows(label=labels * 10)
    for make in FRAMES.values():
        found = [label for _, label in uc.scan(make(frame), MODEL, by="label")]
        assert found == labels
        assert {*map(type, found)} == {type(labels[0])}


@pytest.mark.parametrize(
    "kind", [pl.Datetime("ms", "Asia/Tokyo"), pl.Datetime("ns"), pl.Duration("ms"), pl.Duration("ns")]
)
def test_segments_of_times_are_those_of_rows_in_memory(kind):
    """Times with a zone are in UTC. In DuckDB there are intervals of months and days, and no durations."""
    frame = rows(label=pl.Series([1_700_000_000_000, 1_800_000_000_000] * 4).cast(kind))
    intervals = uc.Intervals.from_std(*(frame[name] for name in "yps"))
    wanted = list(intervals.by(frame["label"]))
    for name, make in FRAMES.items():
        if name == "duckdb" and kind == pl.Duration:
            with raises(ArgumentError, "label"):
                uc.scan(make(frame), MODEL, by="label")
            continue
        found = [label for _, label in uc.scan(make(frame), MODEL, by="label")]
        assert found == wanted
        assert {*map(type, found)} == {type(wanted[0])}


@pytest.mark.parametrize("engine", FRAMES)
def test_a_band_of_negative_zero_is_a_zero_band(engine):
    frame = rows(s=[-0.0, 1.0, -0.0, 2.0], y=[1.0, 2.0, 0.0, 3.0])
    wanted = uc.Intervals.from_std(frame["y"], frame["p"], [0.0, 1.0, 0.0, 2.0]).sketch()
    agree(uc.scan(FRAMES[engine](frame), MODEL)["m"], wanted)


@pytest.mark.parametrize("engine", FRAMES)
def test_the_label_zero_has_no_sign(engine):
    found = uc.scan(FRAMES[engine](rows(label=[-0.0, 0.0, 2.0] * 8)), MODEL, by="label")
    assert [*map(str, found)] == ["('m', 0.0)", "('m', 2.0)"]
    assert [sketch.rows for sketch in found.values()] == [16, 8]


@pytest.mark.parametrize("engine", FRAMES)
def test_times_that_differ_by_nanoseconds_are_one_segment_with_each_bin_once(engine):
    frame = rows(label=pl.Series([1, 2] * 10).cast(pl.Datetime("ns")))
    (found,) = uc.scan(FRAMES[engine](frame), MODEL, by="label").values()
    agree(found, uc.Intervals.from_std(*(frame[name] for name in "yps")).sketch())


def test_an_index_may_have_any_name():
    frame = rows(label=["a", "b"] * 4).to_pandas()
    frame.index = pd.Index([7] * 8, name="group0")
    assert [*uc.scan(frame, MODEL, by="label")] == [("m", "a"), ("m", "b")]


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
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
