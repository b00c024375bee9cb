"""Checkpoints: a state is used for the very file and columns that it was made from, or not at all."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import polars as pl
import pytest

import uccurve as uc
from scanned_rows import MODELS, data, parts
from uccurve.exceptions import DroppedRowsWarning
from uccurve.sketch import SketchFile

STD = {"m": MODELS["std"]}


def test_labels_of_every_kind_come_back_from_a_checkpoint(tmp_path):
    """With the count of broken rows; the state is a sketch file."""
    time = dt.datetime(2026, 1, 2, 3, 4)  # noqa: DTZ001
    labels = {"text": "a", "number": 2.5, "time": time, "span": dt.timedelta(hours=3)}
    labels |= {"clock": dt.time(1, 2, 3, 4), "price": Decimal("1.50"), "code": b"\xff"}
    columns = {"p": 0.0, "s": 1.0} | {name: pl.lit(label) for name, label in labels.items()}
    pl.DataFrame({"y": [1.0, None, 3.0]}).with_columns(**columns).write_parquet(tmp_path / "f.parquet")
    for _ in range(2):
        with pytest.warns(DroppedRowsWarning, match=r"column 'y' must be finite \(1\)"):
            found = uc.scan(
                tmp_path / "f.parquet", STD, by=list(labels), checkpoint=tmp_path / "kept", invalid="drop"
            )
        assert {key: sketch.rows for key, sketch in found.items()} == {("m", *labels.values()): 2}
    (state,) = (tmp_path / "kept").glob("*.state")
    assert SketchFile.read(state).columns == {"0": MODELS["std"].roles()}


def test_a_checkpoint_that_cannot_be_written_is_named(tmp_path):
    """It is not taken for a file that cannot be read."""
    (tmp_path / "in").mkdir()
    parts(data(), tmp_path / "in", count=1)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file") as caught:
        uc.scan(tmp_path / "in", STD, checkpoint=tmp_path / "file")
    assert caught.value.filename == str(tmp_path / "file")
    uc.scan(tmp_path / "in", STD, checkpoint=tmp_path / "kept")
    (state,) = (tmp_path / "kept").iterdir()
    state.unlink()
    state.mkdir()
    with pytest.raises(OSError, match="state") as caught:
        uc.scan(tmp_path / "in", STD, checkpoint=tmp_path / "kept")
    assert caught.value.filename == str(state)


def test_a_checkpoint_knows_what_was_scanned(tmp_path):
    """Other columns, one model, several, or segments of the same file, whatever was kept before."""
    frame = pl.DataFrame({"y": [1.0, 2], "p": [0.0] * 2, "s": [1.0] * 2, "name": ["a", "b"]})
    frame.write_parquet(tmp_path / "f.parquet")
    for options, wanted in (
        ({}, ["m"]),
        ({"model": "name"}, ["a", "b"]),
        ({"by": "name"}, [("m", "a"), ("m", "b")]),
        ({"model": "name", "by": "name"}, [("a", "a"), ("b", "b")]),
    ):
        for models in (STD, {"m": uc.Columns(y_true="y", y_pred="p", std="y")}, STD):
            found = uc.scan(tmp_path / "f.parquet", models, checkpoint=tmp_path / "kept", **options)
            assert list(found) == wanted
            assert found == uc.scan(tmp_path / "f.parquet", models, **options)
