"""Scans: every engine finds the sketch that the rows themselves give."""

from __future__ import annotations

import math
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from uccurve.engines import _checkpoint
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    DroppedRowsWarning,
    EmptyInputError,
    MissingColumnError,
    NegativeWeightError,
    NonFiniteError,
    NotNumericError,
    UnreadableFilesError,
)
from uccurve.sketch import SketchFile, _state

MODELS = {
    "bounds": uc.Columns(y_true="y", y_pred="p", lower="lo", upper="hi", sample_weight="w"),
    "std": uc.Columns(y_true="y", y_pred="p", std="s"),
    "middle": uc.Columns(y_true="y", lower="lo", upper="hi"),
}
ENGINES = ("pandas", "pyarrow", "polars", "polars eager", "duckdb", "ibis", "dask", "pyspark")


def edges():
    """Scales within three roundings of the edges of bins, and beyond the bins at both ends."""
    found = []
    for octave in (-40, -13, -1, 0, 1, 2, 17, 39, 40):
        for step in (0, 1, 77, 255):
            value = math.ldexp(1 + step / 256, octave)
            up = down = value
            found.append(value)
            for _ in range(3):
                up, down = math.nextafter(up, math.inf), math.nextafter(down, 0.0)
                found += [up, down]
    return np.array([*found, 0.0, 1e-30, 1e30])


def data(unit=1.0, *, broken=False):
    """Rows with scales at the edges of bins, ties, zero bands and weights, some of them 0."""
    rng = np.random.default_rng(0)
    scale = edges()
    n = 400
    band = np.concatenate([np.ones(scale.size), np.exp(rng.normal(size=n))])
    size = np.concatenate([scale, rng.integers(0, 9, n) / 4.0])
    sign = rng.choice([-1.0, 1.0], size=size.size)
    ratio = np.concatenate([np.ones(scale.size), rng.choice([0.5, 1.0, 3.0], n)])
    band[-9:] = 0.0
    frame = {
        "y": sign * size * unit,
        "p": np.zeros(size.size),
        "lo": -np.where(sign < 0, band, band * ratio) * unit,
        "hi": np.where(sign < 0, band * ratio, band) * unit,
        "s": band * unit,
        "w": rng.integers(0, 4, size.size) + 0.0,
        "place": np.array(["north", "south", "east"])[np.arange(size.size) % 3],
        "week": np.arange(size.size) % 2,
    }
    frame["y"][-5:] = 0.0
    if broken:
        frame["y"][[3, 8]] = np.nan
        frame["p"][11] = np.inf
        frame["lo"][20], frame["hi"][20] = 5.0 * unit, -5.0 * unit
        frame["w"][30] = -1.0
        frame["s"][40] = -1.0
    return pd.DataFrame(frame)


def exact(frame, name, rows=None):
    """The sketch of rows that are in memory."""
    part = frame if rows is None else frame[rows]
    roles = MODELS[name].roles()
    return uc.Intervals.from_frame(part, **roles, invalid="drop").sketch()


def agree(found, wanted, unit=1.0):
    """Bins and largest scales to the bit; sums to 1e-12."""
    for table in _state.TABLES:
        mine, theirs = getattr(found._state, table), getattr(wanted._state, table)
        assert np.array_equal(mine.bins, theirs.bins), table
        assert np.array_equal(mine.largest, theirs.largest), table
        np.testing.assert_allclose(mine.sums, theirs.sums, rtol=1e-12, atol=1e-290)
    for name in _state.NAMES:
        mine, theirs = getattr(found._state.totals, name), getattr(wanted._state.totals, name)
        assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12 * unit * unit), name


@pytest.fixture(scope="module")
def spark():
    """A local session of two workers."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.codegen.wholeStage", "false")  # compiling takes longer than running
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of Dask."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def as_frame(frame, engine, request):  # noqa: PLR0911
    """The same rows in a frame of an engine."""
    if engine == "pandas":
        return frame
    if engine == "pyarrow":
        return pa.Table.from_pandas(frame, preserve_index=False)
    if engine == "polars":
        return pl.from_pandas(frame).lazy()
    if engine == "polars eager":
        return pl.from_pandas(frame)
    if engine == "duckdb":
        import duckdb

        return duckdb.connect(":memory:").from_df(frame)
    if engine == "ibis":
        import ibis

        path = request.getfixturevalue("tmp_path") / "rows.parquet"
        frame.to_parquet(path)
        return ibis.duckdb.connect().read_parquet(path)
    if engine == "dask":
        import dask.dataframe as dd

        request.getfixturevalue("cluster")
        return dd.from_pandas(frame, npartitions=3)
    path = request.getfixturevalue("tmp_path") / "rows.parquet"
    frame.to_parquet(path)
    return request.getfixturevalue("spark").read.parquet(str(path))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_same_bins_to_the_bit(engine, request):
    """Several models in one pass, with scales right at the edges of bins."""
    frame = data()
    found = uc.scan(as_frame(frame, engine, request), MODELS)
    assert list(found) == list(MODELS)
    for name, sketch in found.items():
        agree(sketch, exact(frame, name))


UNITS = {"plain": 1.0, "tiny": 1e-100, "huge": 1e100}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ENGINES)
def test_segments_are_sketched_on_their_own(engine, request):
    """By text and by numbers, in units far apart; broken rows are counted and dropped."""
    frame = pd.concat(
        [data(unit, broken=True).assign(unit=name) for name, unit in UNITS.items()], ignore_index=True
    )
    models = {name: MODELS[name] for name in ("bounds", "std")}
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
    with pytest.raises(NonFiniteError) as caught:
        uc.scan(source, {"mine": MODELS["bounds"]})
    total = len(frame)
    shown = r"nan|missing"
    assert re.fullmatch(
        rf"mine: column 'y' must be finite, but 2 of {total} rows are not; for example y=({shown})\. "
        r"3 more rules are broken\.",
        str(caught.value),
    )
    assert (caught.value.argument, caught.value.count) == ("y", 2)
    with pytest.warns(DroppedRowsWarning) as warned:
        uc.scan(source, {"mine": MODELS["bounds"]}, invalid="drop")
    told = next(str(w.message) for w in warned if issubclass(w.category, DroppedRowsWarning))
    assert told == (
        "dropped rows: mine: column 'y' must be finite (2); mine: column 'p' must be finite (1); "
        "mine: column 'lo' must not exceed column 'hi' (1); mine: column 'w' must be >= 0 (1)."
    )


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"lo": 2.0, "hi": 1.0},
            CrossedBoundsError,
            "column 'lo' must not exceed column 'hi', but 1 of 3 rows does; for example lo=2, hi=1.",
        ),
        (
            {"p": 9.0},
            None,
            "column 'p' must lie inside [column 'lo', column 'hi'], but 1 of 3 rows does not; for example lo=-1, p=9, hi=1.",
        ),
        (
            {"w": -2.0},
            NegativeWeightError,
            "column 'w' must be >= 0, but 1 of 3 rows is not; for example w=-2.",
        ),
        (
            {"y": 1.7e308, "p": -1.0, "lo": -1.7e308},
            None,
            "column 'hi' - column 'lo' must stay within float64",
        ),
        (
            {"y": None},
            NonFiniteError,
            "column 'y' must be finite, but 1 of 3 rows is not; for example y=nan.",
        ),
    ],
)
def test_each_rule_has_its_error(change, error, message):
    """With the values of a row that breaks it."""
    row = {"y": 0.0, "p": 0.0, "lo": -1.0, "hi": 1.0, "w": 1.0}
    bad = {**row, **change} if "y" not in change or change["y"] is None else {**row, **change, "hi": 1.7e308}
    frame = pl.DataFrame([row, bad, row], schema=dict.fromkeys(row, pl.Float64))
    with pytest.raises(error or uc.exceptions.InvalidRowsError) as caught:
        uc.scan(frame, {"mine": MODELS["bounds"]})
    assert f"mine: {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("models", "by", "error", "message"),
    [
        ({}, None, ArgumentError, "`models` must be a mapping of names to Columns, with at least one model."),
        ({"a": "y"}, None, ArgumentError, "`models['a']` must be Columns, got str."),
        (
            {"a": uc.Columns(y_true="Y", y_pred="p", std="s")},
            None,
            MissingColumnError,
            "`y_true` names the column 'Y'; the frame has 'y', 'p'",
        ),
        (
            {"a": uc.Columns(y_true="place", y_pred="p", std="s")},
            None,
            NotNumericError,
            "the column 'place' must be numeric, got String.",
        ),
        (MODELS, "region", MissingColumnError, "`by` names the column 'region'"),
    ],
)
def test_wrong_columns_are_named(models, by, error, message):
    """Before anything is read."""
    with pytest.raises(error) as caught:
        uc.scan(pl.from_pandas(data()).lazy(), models, by)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "given", [{}, {"lower": "a"}, {"std": "s"}, {"y_pred": "p", "std": "s", "lower": "l"}]
)
def test_columns_must_be_a_model(given):
    """Bounds, or a prediction with its standard deviation."""
    with pytest.raises(ArgumentError, match=r"`lower` and `upper` must both be given|`std` needs"):
        uc.Columns(y_true="y", **given)


def test_chunks_of_any_kind_add_up():
    """Record batches, frames, one after the other, and an empty one among them."""
    frame = data()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    wanted = exact(frame, "bounds")
    model = {"mine": MODELS["bounds"]}
    for chunks in (
        iter(pa.Table.from_batches([batch]) for batch in table.to_batches(max_chunksize=100)),
        [frame[:50], frame[:0], frame[50:]],
    ):
        agree(uc.scan(chunks, model)["mine"], wanted)
    with pytest.raises(EmptyInputError, match="`source` must have at least one row"):
        uc.scan(frame[:0], model)
    with pytest.raises(ArgumentError, match="`source` must be files, a frame or chunks of one, got int"):
        uc.scan(3, model)


# -- files ---------------------------------------------------------------------------------------


def parts(frame, folder, suffix="parquet", count=3):
    """Write the rows as several files."""
    for place, rows in enumerate(np.array_split(np.arange(len(frame)), count)):
        part = pl.from_pandas(frame.iloc[rows])
        path = folder / f"part-{place}.{suffix}"
        {
            "parquet": part.write_parquet,
            "csv": part.write_csv,
            "arrow": part.write_ipc,
            "jsonl": part.write_ndjson,
        }[suffix](path)
    return folder


@pytest.mark.parametrize("engine", ["auto", "polars", "duckdb"])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow", "jsonl"])
def test_files_of_every_format_are_read(tmp_path, engine, suffix):
    """As a folder, as a pattern, as a list, and one by one."""
    frame = data()
    parts(frame, tmp_path, suffix)
    model = {"mine": MODELS["bounds"]}
    if (engine, suffix) == ("duckdb", "arrow"):
        with pytest.raises(ArgumentError, match="DuckDB does not read Arrow files; use Polars"):
            uc.scan(tmp_path, model, engine=engine)
        return
    wanted = exact(frame, "bounds")
    names = sorted(tmp_path.iterdir())
    for source in (tmp_path, str(tmp_path / f"part-*.{suffix}"), names, [str(name) for name in names]):
        assert uc.scan(source, model, engine=engine)["mine"] == wanted


def test_a_name_is_taken_as_it_is(tmp_path):
    """Brackets and stars in a name that exists are no pattern."""
    frame = data()
    path = tmp_path / "a[1]*.parquet"
    pl.from_pandas(frame).write_parquet(path)
    pl.from_pandas(frame[:3]).write_parquet(tmp_path / "a1.parquet")
    for engine in ("polars", "duckdb"):
        assert uc.scan(path, {"m": MODELS["std"]}, engine=engine)["m"] == exact(frame, "std")
    for missing in ("absent.parquet", "*.csv"):
        with pytest.raises((FileNotFoundError, UnreadableFilesError)):
            uc.scan(tmp_path / missing, {"m": MODELS["std"]})
    with pytest.raises(ArgumentError, match="`engine` must be one of auto, polars, duckdb, got 'spark'"):
        uc.scan(path, {"m": MODELS["std"]}, engine="spark")


def test_columns_whose_names_are_patterns_are_refused():
    """Polars would take them for several columns."""
    frame = pl.DataFrame({"^y.*$": [1.0], "p": [0.0], "s": [1.0]})
    with pytest.raises(ArgumentError, match="must be renamed: Polars takes its name for a pattern"):
        uc.scan(frame.lazy(), {"m": uc.Columns(y_true="^y.*$", y_pred="p", std="s")})


def test_a_corrupt_file_is_named_and_the_rest_is_kept(tmp_path):
    """With a checkpoint, only that file is read again once it is mended."""
    frame = data()
    (tmp_path / "in").mkdir()
    parts(frame, tmp_path / "in", count=5)
    bad = tmp_path / "in" / "part-2.parquet"
    whole = bad.read_bytes()
    bad.write_bytes(b"PAR1 but not for long PAR1")
    options = {"checkpoint": tmp_path / "kept"}
    with pytest.raises(UnreadableFilesError) as caught:
        uc.scan(tmp_path / "in", {"m": MODELS["std"]}, **options)
    assert list(caught.value.files) == [str(bad)]
    assert str(bad) in str(caught.value)
    rows = np.concatenate([r for i, r in enumerate(np.array_split(np.arange(len(frame)), 5)) if i != 2])
    assert caught.value.sketches["m"] == exact(frame.iloc[rows], "std")
    assert pickle.loads(pickle.dumps(caught.value)).files == caught.value.files  # noqa: S301
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert len(before) == 4
    bad.write_bytes(whole)
    assert uc.scan(tmp_path / "in", {"m": MODELS["std"]}, **options)["m"] == exact(frame, "std")
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert before.items() <= after.items()
    assert len(after) == 5


def test_a_checkpoint_knows_what_it_was_made_for(tmp_path):
    """Other columns, a changed file, or a damaged state are read again."""
    frame = data()
    (tmp_path / "in").mkdir()
    parts(frame, tmp_path / "in", count=2)
    kept = tmp_path / "kept"
    one = uc.scan(tmp_path / "in", {"m": MODELS["std"]}, by="place", checkpoint=kept)
    assert uc.scan(tmp_path / "in", {"m": MODELS["bounds"]}, checkpoint=kept)["m"] == exact(frame, "bounds")
    for state in kept.iterdir():
        state.write_bytes(state.read_bytes()[:-7])
    again = uc.scan(tmp_path / "in", {"m": MODELS["std"]}, by="place", checkpoint=kept)
    assert again == one
    changed = frame.assign(s=frame["s"] * 2)
    parts(changed, tmp_path / "in", count=2)
    assert uc.scan(tmp_path / "in", {"m": MODELS["std"]}, checkpoint=kept)["m"] == exact(changed, "std")


def test_a_checkpoint_keeps_labels_counts_and_examples(tmp_path):
    """Labels of every kind, of no column, one and several; the state is a sketch file."""
    import datetime as dt

    labels = ("text", 3, 2.5, dt.date(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), None)
    scanned = tmp_path / "scanned.csv"
    scanned.write_text("y,p,s\n1,1,1\n")
    for count in (0, 1, len(labels)):
        part = _checkpoint.Part(
            {(0, *labels[:count]): exact(data(), "std")._state}, {(0, 1): 7}, {(0, 1): "y=nan"}
        )
        kept = tmp_path / str(count)
        checkpoint = _checkpoint.Checkpoint(kept, [MODELS["std"]], [f"c{i}" for i in range(count)])
        assert checkpoint.read(scanned) is None
        checkpoint.write(scanned, part)
        found = checkpoint.read(scanned)
        assert list(found.states) == list(part.states)
        assert (found.broken, found.examples) == (part.broken, part.examples)
        (state,) = kept.glob("*.state")
        assert SketchFile.read(state).columns == {"0": MODELS["std"].roles()}


def test_segments_are_ordered_as_everywhere():
    """Numbers by size, then text; sketch files and the command line do the same."""
    chunks = [
        pl.DataFrame({"y": [1.0] * 3, "p": [0.0] * 3, "s": [1.0] * 3, "place": places})
        for places in (["b", "a", "9"], [10, 9, -1])
    ]
    found = uc.scan(chunks, {"m": MODELS["std"]}, by="place")
    assert [label for _, label in found] == [-1, 9, 10, "9", "a", "b"]
    assert SketchFile.of(found, by="place").segments == [label for _, label in found]


SCAN = """
import sys, uccurve as uc
models = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
print("ready", flush=True)
sketch = uc.scan(sys.argv[1], models, checkpoint=sys.argv[2])["m"]
sys.stdout.buffer.write(sketch.to_bytes())
"""


@pytest.mark.slow
def test_a_scan_that_is_killed_goes_on_where_it_was(tmp_path):
    """At random moments, again and again: in the end it is the sketch of an undisturbed run."""
    rng, draw = np.random.default_rng(0), random.Random(0)  # noqa: S311
    (tmp_path / "in").mkdir()
    for place in range(30):
        n = 20_000
        frame = pl.DataFrame({"y": rng.normal(size=n), "p": np.zeros(n), "s": rng.exponential(size=n) + 0.1})
        frame.write_parquet(tmp_path / "in" / f"{place:02}.parquet")
    wanted = uc.scan(tmp_path / "in", {"m": MODELS["std"]})["m"]
    command = [sys.executable, "-c", SCAN, str(tmp_path / "in"), str(tmp_path / "kept")]
    killed = 0
    while killed < 12:
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(draw.uniform(0.0, 0.12))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if process.returncode == 0:  # it was done already: begin anew
            for state in (tmp_path / "kept").iterdir():
                state.unlink()
    (tmp_path / "kept" / ".0.state.0.part").write_bytes(b"half")
    for leftover in (tmp_path / "kept").glob(".*"):
        os.utime(leftover, (0, 0))  # of a scan killed long ago
    done = subprocess.run(command, capture_output=True, check=True)
    assert uc.UCCSketch.from_bytes(done.stdout.removeprefix(b"ready\n")) == wanted
    assert len(list((tmp_path / "kept").iterdir())) == 30
    assert not list((tmp_path / "kept").glob(".*"))


# -- engines under strain -------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(cluster):
    """Dask computes again what was lost with it."""
    import dask.dataframe as dd

    frame = pd.concat([data()] * 20, ignore_index=True)

    def slowly(part):
        time.sleep(0.3)
        return part

    source = dd.from_pandas(frame, npartitions=8).map_partitions(slowly, meta=frame[:0])
    victim = next(iter(cluster.run(os.getpid).values()))
    import threading

    threading.Timer(0.6, os.kill, (victim, signal.SIGKILL)).start()
    found = uc.scan(source, {"m": MODELS["std"]})["m"]
    assert found == exact(frame, "std")
    assert victim not in cluster.run(os.getpid).values()


def test_duckdb_spills_where_memory_is_short(tmp_path):
    """Many segments and little memory: the same sketches, through the disk."""
    import duckdb

    rng = np.random.default_rng(0)
    n = 400_000
    frame = pd.DataFrame(
        {
            "y": rng.normal(size=n),
            "p": np.zeros(n),
            "s": rng.exponential(size=n) + 0.1,
            "k": rng.integers(0, 300, n),
        }
    )
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    connection = duckdb.connect(":memory:")
    connection.execute("SET memory_limit = '90MB'")
    connection.execute("SET threads = 2")
    connection.execute("SET temp_directory = ''")
    with pytest.raises(duckdb.OutOfMemoryException):
        uc.scan(connection.read_parquet(str(path)), {"m": MODELS["std"]}, by="k")
    connection.execute(f"SET temp_directory = '{tmp_path / 'spill'}'")
    found = uc.scan(connection.read_parquet(str(path)), {"m": MODELS["std"]}, by="k")
    assert len(found) == 300
    assert found["m", 7] == exact(frame[frame["k"] == 7], "std")
    assert sum(found.values()) == exact(frame, "std")


def test_progress_is_shown_on_a_terminal_only(tmp_path, capsys):
    """Nothing is written to a pipe."""
    parts(data(), tmp_path, count=2)
    uc.scan(tmp_path, {"m": MODELS["std"]}, progress=True)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_numbers_in_a_csv_may_begin_whole(tmp_path, engine):
    """Three hundred whole numbers, and then a fraction."""
    path = tmp_path / "rows.csv"
    path.write_text("y,p,s\n" + "1,0,2\n" * 300 + "0.5,0,2\n")
    sketch = uc.scan(path, {"m": MODELS["std"]}, engine=engine)["m"]
    assert sketch.rows == 301
    assert sketch.curve().parameter.tolist() == [0.0, 0.25, 0.5]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_parts_of_different_types_are_read_one_by_one(tmp_path, engine):
    """Whole numbers in one file, fractions in another, and columns in another order."""
    frame = data()
    whole = pl.DataFrame({"s": [2, 2], "p": [0, 0], "y": [1, 3]})
    whole.write_parquet(tmp_path / "a.parquet")
    pl.from_pandas(frame[["y", "p", "s"]]).write_parquet(tmp_path / "b.parquet")
    both = pd.concat([whole.to_pandas(), frame[["y", "p", "s"]]], ignore_index=True)
    assert uc.scan(tmp_path, {"m": MODELS["std"]}, engine=engine)["m"] == exact(both, "std")


def test_labels_keep_their_kind():
    """Times to the nanosecond become times, categories text; a missing one is refused on every engine."""
    import datetime as dt

    base = {"y": [1.0, 2, 3, 4], "p": [0.0] * 4, "s": [1.0, 1, 2, 4]}
    times = pd.Series(pd.to_datetime(["2026-01-01", "2026-01-02"] * 2)).astype("datetime64[ns]")
    found = uc.scan(pd.DataFrame({**base, "g": times}), {"m": MODELS["std"]}, by="g")
    assert list(found) == [("m", dt.datetime(2026, 1, day)) for day in (1, 2)]  # noqa: DTZ001 - as given
    for labels in (["a", "b", None, "b"], ["a", "b", "b", "b"]):
        table = pa.table({**base, "g": pa.array(labels).dictionary_encode()})
        frame = pd.DataFrame({**base, "g": pd.array(labels, dtype="string")})
        for source in (table, frame):
            if None in labels:
                with pytest.raises(ArgumentError, match="the column 'g' must not be missing"):
                    uc.scan(source, {"m": MODELS["std"]}, by="g")
            else:
                rows = {
                    key: sketch.rows for key, sketch in uc.scan(source, {"m": MODELS["std"]}, by="g").items()
                }
                assert rows == {("m", "a"): 1, ("m", "b"): 3}


def test_a_row_beyond_float64_is_broken_without_a_prediction_too():
    """It is not taken for one without weight."""
    frame = pd.DataFrame({"y": [1e308, 0.0], "lo": [-1e308, -1.0], "hi": [-0.9e308, 1.0]})
    with pytest.raises(
        uc.exceptions.UnitOverflowError, match="column 'y' - column 'lo' must stay within float64"
    ):
        uc.scan(frame, {"m": MODELS["middle"]})


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_text_files_may_begin_with_anything(tmp_path, engine):
    """Only a header, missing values first, or whole numbers in JSON lines."""
    (tmp_path / "a.csv").write_text("y,p,s\n" + "1,0,2\n")
    (tmp_path / "b.csv").write_text("y,p,s\n")
    assert uc.scan(tmp_path, {"m": MODELS["std"]}, engine=engine)["m"].rows == 1
    (tmp_path / "a.csv").write_text("y,p,s\n" + ",0,2\n" * 200 + "1,0,2\n")
    with pytest.warns(DroppedRowsWarning, match=r"column 'y' must be finite \(200\)"):
        assert uc.scan(tmp_path, {"m": MODELS["std"]}, engine=engine, invalid="drop")["m"].rows == 1
    line = '{"y": %s, "p": 0, "s": 2}\n'
    (tmp_path / "c.jsonl").write_text(line % "1" * 300 + line % "1.5")
    assert uc.scan(tmp_path / "c.jsonl", {"m": MODELS["std"]}, engine=engine)["m"].rows == 301


def test_record_batches_are_chunks():
    """As readers of PyArrow hand them out."""
    frame = data()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for chunks in (table.to_batches(max_chunksize=100), table.to_reader(max_chunksize=100)):
        agree(uc.scan(chunks, {"m": MODELS["std"]})["m"], exact(frame, "std"))


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ({"y": [1.0]}, {}, "`source` must be files, a frame or chunks of one, got dict."),
        (data(), {"by": 3}, "`by` must be the name of a column, or a list of names, got 3."),
        (
            data(),
            {"models": {1: MODELS["std"], "1": MODELS["std"]}},
            "`models` must have names that differ as text.",
        ),
    ],
)
def test_other_wrong_arguments_are_named(source, options, message):
    """In the words of the library."""
    with pytest.raises(ArgumentError) as caught:
        uc.scan(source, **{"models": {"m": MODELS["std"]}, **options})
    assert str(caught.value) == message
