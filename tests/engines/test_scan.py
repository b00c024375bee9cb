"""Scans of files and chunks, and checkpoints: the sketch is that of the rows themselves."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, agree, data, exact, parts
from uccurve.exceptions import ArgumentError, EmptyInputError, UnreadableFilesError
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
    with raises(EmptyInputError):
        uc.scan(frame[:0], model)
    with raises(ArgumentError, "source"):
        uc.scan(3, model)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_files_are_named_in_several_ways(tmp_path, suffix):
    """As a folder, as a pattern, and as a list."""
    frame = data()
    parts(frame, tmp_path, suffix)
    model = {"mine": MODELS["bounds"]}
    wanted = exact(frame, "bounds")
    names = sorted(tmp_path.iterdir())
    for source in (tmp_path, str(tmp_path / f"part-*.{suffix}"), names, [str(name) for name in names]):
        assert uc.scan(source, model)["mine"] == wanted


def test_files_that_are_not_there_are_refused(tmp_path):
    """By name."""
    (tmp_path / "loop.parquet").symlink_to("loop.parquet")
    for missing in ("absent.parquet", "absent.csv", "loop.parquet", "*.csv"):
        with pytest.raises((FileNotFoundError, UnreadableFilesError)):
            uc.scan(tmp_path / missing, {"m": MODELS["std"]})


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
    found = uc.scan(tmp_path / "f.parquet", models, checkpoint=tmp_path / "kept")
    assert {name: sketch.nominal for name, sketch in found.items()} == claims
    found = uc.scan(frame, models, by="g")
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


def test_segments_are_ordered_as_everywhere():
    """Numbers by size, text as text; sketch files and the command line do the same."""
    for places, wanted in ((["b", "a", "9"], ["9", "a", "b"]), ([10, 9, -1.5], [-1.5, 9, 10])):
        frame = pl.DataFrame({"y": [1.0] * 3, "p": [0.0] * 3, "s": [1.0] * 3, "place": places}, strict=False)
        found = uc.scan([frame[:1], frame[1:]], {"m": MODELS["std"]}, by="place")
        assert [label for _, label in found] == wanted
        assert SketchFile.of(found, by="place").segments == wanted


def test_categories_are_labels():
    """Categories become text, and a missing one is refused."""
    base = {"y": [1.0, 2, 3, 4], "p": [0.0] * 4, "s": [1.0, 1, 2, 4]}
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


def test_a_file_may_have_no_rows_beside_others(tmp_path):
    """Only a header."""
    (tmp_path / "a.csv").write_text("y,p,s\n" + "1,0,2\n")
    (tmp_path / "b.csv").write_text("y,p,s\n")
    assert uc.scan(tmp_path, {"m": MODELS["std"]})["m"].rows == 1


def test_a_residual_of_1_without_a_band_is_no_touching_bound(tmp_path):
    """A row that is never captured once counted as a hit in scans, where its residual was exactly 1."""
    frame = pl.DataFrame({"y": [0.0] * 6, "p": [0.0] * 5 + [1.0], "s": [0.0] * 6})
    frame.write_parquet(tmp_path / "rows.parquet")
    models = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
    scanned = uc.scan(tmp_path / "rows.parquet", models)["m"]
    rows = uc.Intervals.from_std(frame["y"], frame["p"], frame["s"])
    assert scanned.curve().original.miss_rate == rows.ucc().original.miss_rate == 1 / 6
    assert scanned == rows.sketch()
