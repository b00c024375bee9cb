"""Scans of files and chunks, and checkpoints: the sketch is that of the rows themselves."""

from __future__ import annotations

import pickle
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, agree, data, exact, parts
from uccurve.exceptions import ArgumentError, DroppedRowsWarning, EmptyInputError, UnreadableFilesError
from uccurve.sketch import SketchFile


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
    with raises(EmptyInputError, "source"):
        uc.scan(frame[:0], model)
    with raises(ArgumentError, "source"):
        uc.scan(3, model)


@pytest.mark.parametrize("engine", ["auto", "polars", "duckdb"])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow", "jsonl"])
def test_files_of_every_format_are_read(tmp_path, engine, suffix):
    """As a folder, as a pattern, as a list, and one by one."""
    frame = data()
    parts(frame, tmp_path, suffix)
    model = {"mine": MODELS["bounds"]}
    wanted = exact(frame, "bounds")
    names = sorted(tmp_path.iterdir())
    for source in (tmp_path, str(tmp_path / f"part-*.{suffix}"), names, [str(name) for name in names]):
        assert uc.scan(source, model, engine=engine)["mine"] == wanted


def test_files_that_are_not_there_and_unknown_engines_are_refused(tmp_path):
    """By name."""
    for missing in ("absent.parquet", "*.csv"):
        with pytest.raises((FileNotFoundError, UnreadableFilesError)):
            uc.scan(tmp_path / missing, {"m": MODELS["std"]})
    parts(data(), tmp_path, count=1)
    with pytest.raises(ArgumentError, match="`engine` must be one of auto, polars, duckdb, got 'spark'"):
        uc.scan(tmp_path, {"m": MODELS["std"]}, engine="spark")


def test_claims_of_columns_come_with_the_sketches(tmp_path):
    """Those of bounds and of standard deviations, by segment too, and from a checkpoint as well."""
    frame = pl.DataFrame({"y": [1.0, 2, 3], "p": [0.0] * 3, "s": [1.0] * 3, "hi": [9.0] * 3, "g": [1, 1, 2]})
    frame.write_parquet(tmp_path / "f.parquet")
    bounds = {"y_true": "y", "lower": "p", "upper": "hi"}
    models = {
        "std": uc.Columns(y_true="y", y_pred="p", std="s"),
        "ninety": uc.Columns(**bounds, nominal=0.9),
        "none": uc.Columns(**bounds),
    }
    claims = {"std": 0.6827, "ninety": 0.9, "none": None}
    for _ in range(2):
        found = uc.scan(tmp_path / "f.parquet", models, checkpoint=tmp_path / "kept")
        assert {name: sketch.nominal for name, sketch in found.items()} == claims
    found = uc.scan(frame, models, "g")
    assert {key: sketch.nominal for key, sketch in found.items()} == {
        (name, label): claims[name] for name in models for label in (1, 2)
    }
    models["ninety"] = uc.Columns(**bounds, nominal=0.8)  # what was scanned is the same
    states = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert uc.scan(tmp_path / "f.parquet", models, checkpoint=tmp_path / "kept")["ninety"].nominal == 0.8
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == states


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
        while (
            not (tmp_path / "kept").exists() and process.poll() is None
        ):  # it has begun, however busy the machine
            time.sleep(0.002)
        time.sleep(draw.uniform(0.0, 0.12))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if process.returncode == 0:  # it was done already: begin anew
            for state in (tmp_path / "kept").iterdir():
                state.unlink()
    done = subprocess.run(command, capture_output=True, check=True)
    assert uc.UCCSketch.from_bytes(done.stdout.removeprefix(b"ready\n")) == wanted
    assert len(list((tmp_path / "kept").glob("*.state"))) == 30


def test_progress_is_shown_on_a_terminal_only(tmp_path, capsys):
    """Nothing is written to a pipe."""
    parts(data(), tmp_path, count=2)
    uc.scan(tmp_path, {"m": MODELS["std"]}, progress=True)
    assert capsys.readouterr().err == ""


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
                with raises(ArgumentError, "g"):
                    uc.scan(source, {"m": MODELS["std"]}, by="g")
            else:
                rows = {
                    key: sketch.rows for key, sketch in uc.scan(source, {"m": MODELS["std"]}, by="g").items()
                }
                assert rows == {("m", "a"): 1, ("m", "b"): 3}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_text_files_may_begin_with_anything(tmp_path, engine):
    """Only a header, missing values first, or whole numbers in JSON lines."""
    (tmp_path / "a.csv").write_text("y,p,s\n" + "1,0,2\n")
    (tmp_path / "b.csv").write_text("y,p,s\n")
    assert uc.scan(tmp_path, {"m": MODELS["std"]}, engine=engine)["m"].rows == 1
    (tmp_path / "a.csv").write_text("y,p,s\n" + ",0,2\n" * 200 + "1,0,2\n")
    with pytest.warns(DroppedRowsWarning):
        assert uc.scan(tmp_path, {"m": MODELS["std"]}, engine=engine, invalid="drop")["m"].rows == 1
    line = '{"y": %s, "p": 0, "s": 2}\n'
    (tmp_path / "c.jsonl").write_text(line % "1" * 300 + line % "1.5")
    assert uc.scan(tmp_path / "c.jsonl", {"m": MODELS["std"]}, engine=engine)["m"].rows == 301


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_residual_of_1_without_a_band_is_no_touching_bound(tmp_path, engine):
    """A row that is never captured once counted as a hit in scans, where its residual was exactly 1."""
    frame = pl.DataFrame({"y": [0.0] * 6, "p": [0.0] * 5 + [1.0], "s": [0.0] * 6})
    frame.write_parquet(tmp_path / "rows.parquet")
    models = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
    scanned = uc.scan(tmp_path / "rows.parquet", models, engine=engine)["m"]
    rows = uc.Intervals.from_std(frame["y"], frame["p"], frame["s"])
    assert scanned.curve().original.miss_rate == rows.ucc().original.miss_rate == 1 / 6
    assert scanned == rows.sketch()
