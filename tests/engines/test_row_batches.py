"""Rows that NumPy adds up batch by batch, and rows that an engine summarizes: the same sketches."""

from __future__ import annotations

import datetime as dt
import importlib.util
import warnings

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, agree, data, exact
from uccurve.engines import _batch_sums, _expression, _row_batches, _summarized_frame
from uccurve.exceptions import ArgumentError
from uccurve.intervals import _array_rules, _frame_rules
from uccurve.intervals._row_rules import NO_RULE

BATCH = 64
FRAMES = {
    "pandas": lambda frame: frame,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "polars": lambda frame: pl.from_pandas(frame).lazy(),
    "polars eager": pl.from_pandas,
    "duckdb": lambda frame: duckdb.connect(":memory:", config={"threads": 2}).from_df(frame),
}
ONE_SIDED = {
    "upper": uc.Columns(y_true="y", y_pred="p", upper="hi"),
    "lower": uc.Columns(y_true="y", y_pred="p", lower="lo", sample_weight="w"),
}


def seen(monkeypatch):
    """Which frames were summarized by their engine."""
    asked = []
    summarize = _expression.summarize
    monkeypatch.setattr(
        _summarized_frame._expression, "summarize", lambda *given: asked.append(1) or summarize(*given)
    )
    return asked


@pytest.mark.parametrize("engine", FRAMES)
def test_both_ways_find_the_same_sketches(engine, way, monkeypatch):
    """With scales at the edges of bins, ties, zero bands and weights, some of them 0."""
    asked = seen(monkeypatch)
    frame = data()
    found = uc.scan(FRAMES[engine](frame), MODELS | ONE_SIDED)
    for name in MODELS:
        agree(found[name], exact(frame, name))
    assert bool(asked) == (way != "batches")
    for name, columns in ONE_SIDED.items():
        agree(found[name], uc.Intervals.from_frame(frame, **columns.roles()).sketch())


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_both_ways_count_broken_rows_and_keep_segments_apart(engine):
    """One kind of segment after the other, and in units far apart."""
    units = {"plain": 1.0, "tiny": 1e-60, "huge": 1e60}
    frame = pd.concat([data(u, broken=True).assign(unit=n) for n, u in units.items()], ignore_index=True)
    models = {name: MODELS[name] for name in ("bounds", "std")}
    with pytest.warns(uc.exceptions.DroppedRowsWarning) as warned:
        found = uc.scan(FRAMES[engine](frame), models, by=["unit", "week"], invalid="drop")
    assert str(warned[0].message) == (
        "dropped rows: bounds: column 'y' must be finite (6); bounds: column 'p' must be finite (3); "
        "bounds: column 'lo' must not exceed column 'hi' (3); bounds: column 'w' must be >= 0 (3); "
        "std: column 'y' must be finite (6); std: column 'p' must be finite (3); "
        "std: column 's' must be >= 0 (3)."
    )
    assert len(found) == 12
    for (name, unit, week), sketch in found.items():
        rows = (frame["unit"] == unit) & (frame["week"] == week)
        with warnings.catch_warnings(action="ignore"):
            agree(sketch, exact(frame, name, rows), units[unit])


LABELS = {
    "text": ["a", "b", "ä b", ""],
    "whole numbers": [3, -1, 0, 2**40],
    "numbers": [0.5, -1.0, 2.0, 1e300],
    "truth": [True, False, True, False],
    "dates": [dt.date(2026, 1, day) for day in (1, 2, 3, 4)],
    "times": [dt.datetime(2026, 1, 1, hour, 0, 0, 7) for hour in (1, 2, 3, 4)],  # noqa: DTZ001
}


@pytest.mark.parametrize("engine", ["polars", "polars eager", "duckdb", "pyarrow"])
@pytest.mark.parametrize("kind", [*LABELS, "categories"])
def test_both_ways_give_segments_the_same_names(engine, kind, monkeypatch, tmp_path):
    labels = LABELS.get(kind, LABELS["text"])
    frame = pl.DataFrame({"y": np.arange(40.0), "p": 0.0, "s": 1.0, "label": labels * 10})
    if kind == "categories" and engine != "pyarrow":
        frame = frame.with_columns(pl.col("label").cast(pl.Categorical))
    source = {
        "polars": frame.lazy(),
        "polars eager": frame,
        "duckdb": tmp_path / "rows.parquet",
        "pyarrow": frame.to_arrow(),
    }[engine]
    frame.write_parquet(tmp_path / "rows.parquet")
    reader = "duckdb" if engine == "duckdb" else "auto"
    model = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: 1)
    monkeypatch.setattr(_row_batches, "_duckdb_settings", lambda _: (1, True))
    asked = seen(monkeypatch)
    by_numpy = uc.scan(source, model, by="label", engine=reader)
    assert not asked
    monkeypatch.setattr(_row_batches, "batches", lambda _: None)
    by_engine = uc.scan(source, model, by="label", engine=reader)
    assert asked
    assert list(by_numpy) == list(by_engine)
    assert [*map(type, (key[1] for key in by_numpy))] == [*map(type, (key[1] for key in by_engine))]
    for key, sketch in by_numpy.items():
        agree(sketch, by_engine[key])


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.usefixtures("way")
def test_a_missing_label_is_refused_both_ways(engine):
    frame = data().assign(place=[None, *["north"] * (len(data()) - 1)])
    with raises(ArgumentError, "place"):
        uc.scan(FRAMES[engine](frame), {"std": MODELS["std"]}, by="place")


@pytest.mark.parametrize("engine", FRAMES)
def test_many_small_segments_are_left_to_the_engine(engine, monkeypatch):
    """After the first batches at the latest."""
    monkeypatch.setattr(_row_batches, "BATCH", 500)
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: 1)
    looked_at, asked = [], seen(monkeypatch)
    monkeypatch.setattr(
        _batch_sums, "by_segment", lambda *given: looked_at.append(1) or _row_batches.by_segment(*given)
    )
    n = 3000
    frame = pd.DataFrame({"y": np.arange(n) % 7.0, "p": 0.0, "s": 1.0, "key": np.arange(n) // 3})
    found = uc.scan(FRAMES[engine](frame), {"m": uc.Columns(y_true="y", y_pred="p", std="s")}, by="key")
    assert len(found) == n // 3
    assert {sketch.rows for sketch in found.values()} == {3}
    assert len(asked) == 1
    assert len(looked_at) <= 2


def test_engines_with_many_threads_summarize_rows_themselves(monkeypatch):
    lazy = nw.from_native(pl.LazyFrame({"a": [1.0]}))
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: _row_batches.FEW_THREADS + 1)
    assert _row_batches.batches(lazy) is None
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: _row_batches.FEW_THREADS)
    assert [len(batch) for batch in _row_batches.batches(lazy)] == [1]
    for threads, by_engine in ((_row_batches.FEW_THREADS, False), (_row_batches.FEW_THREADS + 1, True)):
        rows = duckdb.connect(config={"threads": threads}).sql("SELECT 1.0 AS a")
        assert (_row_batches.batches(nw.from_native(rows)) is None) == by_engine


def test_rows_are_left_where_they_are_if_they_are_not_here(monkeypatch):
    """DuckDB without PyArrow, an earlier Polars, a service, and engines of clusters."""
    rows = nw.from_native(duckdb.connect(config={"threads": 1}).sql("SELECT 1.0 AS a"))
    assert _row_batches.batches(rows) is not None
    with monkeypatch.context() as patched:
        patched.setattr(_row_batches, "find_spec", lambda _: None)
        assert _row_batches.batches(rows) is None

    class Service:
        def limit(self, _rows):
            return self

        def aggregate(self, _columns):
            return self

        def fetchall(self):
            return [(2, ["duckdb", "motherduck"], 0)]

    assert _row_batches._duckdb_settings(Service()) == (2, False)
    monkeypatch.setattr(_row_batches, "_polars_threads", lambda: 1)
    monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    assert _row_batches.batches(nw.from_native(pl.LazyFrame({"a": [1.0]}))) is None
    assert importlib.util.find_spec("pyarrow") is not None


NUMBERS = st.sampled_from(
    [0.0, -0.0, 1.0, -2.5, 3.0, 1e100, -2e100, 1e-100, -5e-324, np.inf, -np.inf, np.nan]
)


@given(
    st.lists(st.tuples(*[NUMBERS] * 5), min_size=1, max_size=30), st.sampled_from(["std", "bounds", "upper"])
)
def test_arrays_and_frames_break_the_same_rules(rows, kind):
    roles = {
        "std": ("y_true", "y_pred", "std", "sample_weight"),
        "bounds": ("y_true", "y_pred", "lower", "upper", "sample_weight"),
        "upper": ("y_true", "y_pred", "upper"),
    }[kind]
    columns = {role: np.array([row[place] for row in rows]) for place, role in enumerate(roles)}
    frame = nw.from_native(pl.DataFrame(columns))
    wanted = frame.select(rule=_frame_rules.first_broken(nw, roles)).get_column("rule").to_numpy()
    found = _array_rules.first_broken(columns)
    assert np.array_equal(np.full(len(rows), NO_RULE) if found is None else found, wanted)
