"""Models that a scan finds by itself: wide tables by the names of columns, long ones by a column of models."""

from __future__ import annotations

import polars as pl
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import agree
from uccurve.exceptions import ArgumentError, EmptyInputError, MissingColumnError, UnreadableFilesError

ROWS = {"y": [1.0, -2.5, 0.0, 4.0], "lower": [0.5, -3.0, -1.0, 2.0], "upper": [1.5, -1.0, 1.0, 3.0]}
BOUNDS = uc.Columns(y_true="y", lower="lower", upper="upper")


def sketch(*rows):
    """The sketch of these rows of the table."""
    return uc.Intervals.from_bounds(*([values[row] for row in rows] for values in ROWS.values())).sketch()


def long(**columns):
    """The table with further columns."""
    return pl.DataFrame({**ROWS, **columns})


@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow", "jsonl"])
def test_columns_are_detected_in_the_first_file(tmp_path, suffix):
    """Both models, with the coverage that names claim, and the order of columns in the second file is free."""
    frame = pl.DataFrame({"y": ROWS["y"], "a-lo-90": ROWS["lower"], "a-hi-90": ROWS["upper"]})
    bounds = {"b-lo-80": pl.lit(-2.0), "b-hi-80": pl.lit(2.0)}
    frame = frame.with_columns(**bounds, region=pl.Series(list("nsns")))
    write = {"parquet": "write_parquet", "csv": "write_csv", "arrow": "write_ipc", "jsonl": "write_ndjson"}
    getattr(frame, write[suffix])(tmp_path / f"1.{suffix}")
    getattr(frame.select(frame.columns[::-1]), write[suffix])(tmp_path / f"2.{suffix}")
    found = uc.scan(tmp_path)
    assert list(found) == ["a", "b"]
    assert [it.nominal for it in found.values()] == [0.9, 0.8]
    agree(found["a"], sketch(0, 1, 2, 3, 0, 1, 2, 3))
    assert list(uc.scan(tmp_path, by="region")) == [(it, at) for it in "ab" for at in "ns"]


def test_columns_are_detected_in_frames_and_chunks():
    """Of chunks, the first tells them; labels are never taken for a model."""
    frame = long(note=["a", "b", "a", "b"])
    agree(uc.scan(frame)["model"], sketch(0, 1, 2, 3))
    agree(uc.scan(frame.lazy())["model"], sketch(0, 1, 2, 3))
    agree(uc.scan(iter([frame[:1], frame[1:]]))["model"], sketch(0, 1, 2, 3))
    labeled = frame.rename({"note": "std"})
    assert list(uc.scan(labeled, by=["std"])) == [("model", "a"), ("model", "b")]
    with pytest.raises(MissingColumnError):
        uc.scan(frame.select("note"))
    with raises(EmptyInputError):
        uc.scan([])


def test_a_first_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "f.parquet").write_bytes(b"PAR1 but not for long PAR1")
    with pytest.raises(UnreadableFilesError) as caught:
        uc.scan(tmp_path / "f.parquet")
    assert list(caught.value.files) == [str(tmp_path / "f.parquet")]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("models", [None, {"mine": BOUNDS}])
def test_models_below_each_other_are_told_apart_by_a_column(tmp_path, suffix, models):
    """Their names are its values as text, in the order of labels; across files, too."""
    for place, names in enumerate(([10, 9, 10, 9], [9, 9, 9, 9])):
        frame = long(name=names, week=["u", "u", "v", "v"])
        write = frame.write_csv if suffix == "csv" else frame.write_parquet
        write(tmp_path / f"{place}.{suffix}")
    found = uc.scan(tmp_path, models, model="name")
    assert list(found) == ["9", "10"]
    agree(found["9"], sketch(1, 3, 0, 1, 2, 3))
    agree(found["10"], sketch(0, 2))
    keys = [("9", "u"), ("9", "v"), ("10", "u"), ("10", "v")]
    assert list(uc.scan(tmp_path, models, by="week", model="name")) == keys


def test_numbers_and_text_that_read_alike_are_one_model():
    """Chunks may hold the names of models as either."""
    chunks = [long(name=[1, 1, 1, 2]), long(name=["1", "1", "2", "2"])]
    found = uc.scan(chunks, {"m": BOUNDS}, model="name")
    assert list(found) == ["1", "2"]
    agree(found["1"], sketch(0, 1, 2, 0, 1))


@pytest.mark.parametrize("name", ["model", " Model "])
def test_a_column_called_model_names_models(name):
    """Unless it holds numbers, is asked for something else, or columns are passed."""
    frame = long(**{name: ["a", "b", "a", "b"]})
    found = uc.scan(frame)
    assert list(found) == ["a", "b"]
    agree(found["a"], sketch(0, 2))
    assert list(uc.scan(long(**{name: ["a"] * 4, "g": [1, 1, 2, 2]}), by="g")) == [("a", 1), ("a", 2)]
    assert list(uc.scan(long(**{name: [1, 2, 1, 2]}))) == ["model"]
    assert list(uc.scan(frame, by=name)) == [("model", "a"), ("model", "b")]
    assert list(uc.scan(frame, {"mine": BOUNDS})) == ["mine"]


@pytest.mark.parametrize("missing", [None, "", "  "])
def test_each_row_must_name_its_model(missing):
    for options, name in (({"models": {"m": BOUNDS}, "model": "name"}, "name"), ({}, "model")):
        with raises(ArgumentError, name):
            uc.scan(long(**{name: ["a", "b", missing, "b"]}), **options)


def test_a_column_of_models_needs_one_model():
    with raises(ArgumentError, "models"):
        uc.scan(long(name=list("abab")), {"m": BOUNDS, "n": BOUNDS}, model="name")
    with pytest.raises(MissingColumnError):
        uc.scan(long(), {"m": BOUNDS}, model="name")
