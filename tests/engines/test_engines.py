"""Frames of every engine: each finds the sketch that the rows themselves give."""

from __future__ import annotations

import warnings

import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import FRAMES, MODELS, agree, data, exact
from uccurve.exceptions import DroppedRowsWarning, NonFiniteError

ENGINES = (
    *FRAMES,
    "ibis",
    pytest.param("dask", marks=pytest.mark.slow),
    pytest.param("pyspark", marks=pytest.mark.slow),
)


@pytest.fixture(scope="module")
def spark():
    """A local session of two workers."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.codegen.wholeStage", "false")  # compiling takes longer than running
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")  # the same
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def one_process():
    """Dask without other processes: sending a query to them takes longer than all else, and they have their own test."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


def as_frame(frame, engine, request):
    """The same rows in a frame of an engine."""
    if engine in FRAMES:
        return FRAMES[engine](pl.from_pandas(frame))
    if engine == "ibis":
        import ibis

        path = request.getfixturevalue("tmp_path") / "rows.parquet"
        frame.to_parquet(path)
        return ibis.duckdb.connect().read_parquet(path)
    if engine == "dask":
        import dask.dataframe as dd

        request.getfixturevalue("one_process")
        return dd.from_pandas(frame, npartitions=2)
    path = request.getfixturevalue("tmp_path") / "rows.parquet"
    frame.to_parquet(path)
    return request.getfixturevalue("spark").read.parquet(str(path))


def chosen(engine, names):
    """Models by name; Spark, which thinks about a query for seconds, has the first of them."""
    names = list(names)[:1] if engine == "pyspark" else names
    return {name: MODELS[name] for name in names}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_same_bins_to_the_bit(engine, request):
    """Several models in one pass, with scales right at the edges of bins."""
    frame = data()
    models = chosen(engine, MODELS)
    found = uc.scan(as_frame(frame, engine, request), models)
    assert list(found) == list(models)
    for name, sketch in found.items():
        agree(sketch, exact(frame, name))


UNITS = {"plain": 1.0, "tiny": 1e-60, "huge": 1e60}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ENGINES)
def test_segments_are_sketched_on_their_own(engine, request):
    """By text and by numbers, in units far apart; broken rows are counted and dropped."""
    frame = pd.concat(
        [data(unit, broken=True).assign(unit=name) for name, unit in UNITS.items()], ignore_index=True
    )
    models = chosen(engine, ("std", "bounds"))
    found = uc.scan(as_frame(frame, engine, request), models, by=["unit", "week"], invalid="drop")
    labels = [(unit, week) for unit in sorted(UNITS) for week in (0, 1)]
    assert list(found) == [(name, *label) for name in models for label in labels]
    for (name, unit, week), sketch in found.items():
        rows = (frame["unit"] == unit) & (frame["week"] == week)
        agree(sketch, exact(frame, name, rows), UNITS[unit])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ENGINES)
def test_broken_rows_are_counted_by_rule_and_shown(engine, request):
    """In the same pass; then one of them is looked up."""
    frame = data(broken=True)
    source = as_frame(frame, engine, request)
    with raises(NonFiniteError, "y_true", count=2, where="mine"):
        uc.scan(source, {"mine": MODELS["bounds"]})
    with pytest.warns(DroppedRowsWarning) as warned:
        uc.scan(source, {"mine": MODELS["bounds"]}, invalid="drop")
    told = next(str(w.message) for w in warned if issubclass(w.category, DroppedRowsWarning))
    assert told == (
        "dropped rows: mine: column 'y' must be finite (2); mine: column 'p' must be finite (1); "
        "mine: column 'lo' must not exceed column 'hi' (1); mine: column 'w' must be >= 0 (1)."
    )
