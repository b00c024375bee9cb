"""Checkpoints: a state is used for the very file and columns that it was made from, or not at all."""

from __future__ import annotations

import datetime as dt
import shutil

import uccurve as uc
from scanned_rows import MODELS, data, exact, parts
from uccurve.engines import _checkpoint
from uccurve.sketch import SketchFile

STD = {"m": MODELS["std"]}


def test_a_state_under_another_name_is_not_used(tmp_path):
    """States that were swapped, or copied over each other, are read as what they are."""
    frame, kept = data(), tmp_path / "kept"
    (tmp_path / "in").mkdir()
    parts(frame, tmp_path / "in", count=2)
    wanted = uc.scan(tmp_path / "in", STD, checkpoint=kept)["m"]
    one, other = kept.iterdir()
    shutil.copy(one, other)
    assert uc.scan(tmp_path / "in", STD, checkpoint=kept)["m"] == wanted == exact(frame, "std")


def test_a_checkpoint_keeps_labels_counts_and_examples(tmp_path):
    """Labels of every kind, of no column, one and several; the state is a sketch file."""
    labels = ("text", 3, 2.5, dt.date(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), None)
    scanned = tmp_path / "scanned.csv"
    scanned.write_text("y,p,s\n1,1,1\n")
    for count in (0, 1, len(labels)):
        part = _checkpoint.Part(
            {(0, *labels[:count]): exact(data(), "std")._state}, {(0, 1): 7}, {(0, 1): "y=nan"}
        )
        kept = tmp_path / str(count)
        checkpoint = _checkpoint.Checkpoint(kept, [MODELS["std"]], [f"c{i}" for i in range(count)])
        source = checkpoint.source(scanned)
        assert checkpoint.read(source) is None
        checkpoint.write(source, part)
        found = checkpoint.read(source)
        assert list(found.states) == list(part.states)
        assert (found.broken, found.examples) == (part.broken, part.examples)
        (state,) = kept.glob("*.state")
        assert SketchFile.read(state).columns == {"0": MODELS["std"].roles()}
