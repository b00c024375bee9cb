"""Checkpoints: a state is used for the very file and columns that it was made from, or not at all."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from dataclasses import replace

import polars as pl
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, data, exact, parts
from uccurve.engines import _checkpoint, _data_files
from uccurve.engines._file_version import FileVersion
from uccurve.exceptions import ArgumentError, UnreadableFilesError
from uccurve.sketch import SketchFile

STD = {"m": MODELS["std"]}
OLD, NEW = ({"y": [1.0], "p": [0.0], "s": [s]} for s in (1.0, 4.0))


def replaced_after(path, reads, monkeypatch):
    """Put other rows in the place of a file right after each of the first ``reads`` times it is read."""
    opened, count = _data_files.opened, []

    def then_replaced(*arguments, **options):
        count.append(path)
        if len(count) > reads:
            return opened(*arguments, **options)
        scanned = pl.read_csv(path).lazy()
        fresh = path.with_suffix(".new")
        pl.DataFrame({**NEW, "s": [4.0 + len(count)]}).write_csv(fresh)
        fresh.replace(path)
        return scanned

    monkeypatch.setattr(_data_files, "opened", then_replaced)
    return count


@pytest.fixture
def coarse_ticks(monkeypatch):
    """Round the times of files down, as systems do that count in ticks of 10 ms."""
    seen = FileVersion.of

    def rounded(path):
        version = seen(path)
        times = {name: getattr(version, name) // 10**7 * 10**7 for name in ("modified", "changed")}
        return version._replace(**times)

    monkeypatch.setattr(FileVersion, "of", rounded)


@pytest.mark.usefixtures("coarse_ticks")
@pytest.mark.parametrize("kept", [True, False])
def test_a_file_that_is_replaced_during_the_scan_is_read_again(tmp_path, monkeypatch, kept):
    """The state is that of the file that is there now, not that of the one before."""
    path, folder = tmp_path / "rows.csv", tmp_path / "kept" if kept else None
    pl.DataFrame(OLD).write_csv(path)
    replaced_after(path, 1, monkeypatch)
    for _ in range(2):
        found = uc.scan(path, STD, checkpoint=folder)["m"]
        assert found.curve().original.bandwidth == 5.0


def test_a_file_that_never_rests_is_named(tmp_path, monkeypatch):
    """It is read three times, and nothing of it is kept."""
    path = tmp_path / "rows.csv"
    pl.DataFrame(OLD).write_csv(path)
    count = replaced_after(path, 99, monkeypatch)
    with pytest.raises(UnreadableFilesError, match="it changed while it was read, 3 times") as caught:
        uc.scan(path, STD, checkpoint=tmp_path / "kept")
    assert list(caught.value.files) == [str(path)]
    assert len(count) == 3
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.usefixtures("coarse_ticks")
def test_many_files_at_once_notice_a_replaced_one(tmp_path, monkeypatch):
    """The one query over all of them is then thrown away."""
    for name in "ab":
        pl.DataFrame(OLD).write_parquet(tmp_path / f"{name}.parquet")
    at_once = _data_files.all_opened

    def then_replaced(*arguments, **options):
        frame = at_once(*arguments, **options)
        scanned = pl.DataFrame({name: [*values, *values] for name, values in OLD.items()}).lazy()
        pl.DataFrame(NEW).write_parquet(tmp_path / "b.parquet")
        assert frame is not None
        return scanned

    monkeypatch.setattr(_data_files, "all_opened", then_replaced)
    assert uc.scan(tmp_path, STD, engine="polars")["m"].curve().original.bandwidth == 2.5


def test_a_file_with_the_old_size_and_time_is_read_again(tmp_path):
    """Programs that copy files set the time of change; the system notes the copy all the same."""
    path, kept = tmp_path / "rows.csv", tmp_path / "kept"
    path.write_text("y,p,s\n1,0,1\n")
    about = path.stat()
    assert uc.scan(path, STD, checkpoint=kept)["m"].curve().original.bandwidth == 1.0
    path.write_text("y,p,s\n1,0,4\n")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert uc.scan(path, STD, checkpoint=kept)["m"].curve().original.bandwidth == 4.0


def test_a_state_under_another_name_is_not_used(tmp_path):
    """States that were swapped, or copied over each other, are read as what they are."""
    frame, kept = data(), tmp_path / "kept"
    (tmp_path / "in").mkdir()
    parts(frame, tmp_path / "in", count=2)
    wanted = uc.scan(tmp_path / "in", STD, checkpoint=kept)["m"]
    one, other = kept.iterdir()
    shutil.copy(one, other)
    assert uc.scan(tmp_path / "in", STD, checkpoint=kept)["m"] == wanted == exact(frame, "std")


def states(path, kept):
    """The state of a file that was scanned, and where it is."""
    uc.scan(path, STD, checkpoint=kept)
    (place,) = kept.glob("*.state")
    return SketchFile.read(place), place


@pytest.mark.parametrize(
    "change",
    [
        {"source": None},
        {"sketches": {}, "source": "0" * 64},
        {"by": "place"},
        {"columns": {"0": MODELS["middle"].roles()}},
        {"sketches": {("mine", None): exact(data(), "std")}},
        {"sketches": {("7", None): exact(data(), "std")}},
        {"broken": {("0", 10_000): 3}, "examples": {("0", 10_000): "y=nan"}},
        {"broken": {("0", 0): 3}},
        {"broken": {("x", 0): 3}, "examples": {("x", 0): "y=nan"}},
    ],
)
def test_a_state_that_does_not_fit_the_scan_is_made_again(tmp_path, change):
    """Whatever a valid sketch file holds: the file itself is asked."""
    path, kept = tmp_path / "rows.csv", tmp_path / "kept"
    pl.DataFrame(OLD).write_csv(path)
    state, place = states(path, kept)
    wrong = replace(state, **change)
    place.write_bytes(wrong.to_bytes())
    assert uc.scan(path, STD, checkpoint=kept)["m"].rows == 1
    assert SketchFile.read(place) == state


def test_a_planted_link_is_neither_followed_nor_read(tmp_path):
    """The state replaces it; what it points to stays as it is."""
    path, kept, victim = tmp_path / "rows.csv", tmp_path / "kept", tmp_path / "victim"
    pl.DataFrame(OLD).write_csv(path)
    state, place = states(path, kept)
    victim.write_bytes(b"precious")
    place.unlink()
    place.symlink_to(victim)
    uc.scan(path, STD, checkpoint=kept)
    assert victim.read_bytes() == b"precious"
    assert not place.is_symlink()
    assert SketchFile.read(place) == state


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes of POSIX")
def test_folders_that_others_can_write_to_are_refused_or_warned_about(tmp_path):
    """Whoever can plant a state there decides on the numbers."""
    path, kept = tmp_path / "rows.csv", tmp_path / "kept"
    pl.DataFrame(OLD).write_csv(path)
    uc.scan(path, STD, checkpoint=kept)
    assert kept.stat().st_mode & 0o077 == 0
    kept.chmod(0o775)
    with pytest.warns(UserWarning, match="its group can write to") as warned:
        uc.scan(path, STD, checkpoint=kept)
    assert warned[0].filename == __file__
    for mode in (0o777, 0o1777):
        kept.chmod(mode)
        with raises(ArgumentError, "checkpoint"):
            uc.scan(path, STD, checkpoint=kept)


def test_a_checkpoint_keeps_labels_counts_and_examples(tmp_path):
    """Labels of every kind, of no column, one and several; the state is a sketch file."""
    labels = ("text", 3, 2.5, dt.date(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), None)
    scanned = tmp_path / "scanned.csv"
    scanned.write_text("y,p,s\n1,1,1\n")
    version = FileVersion.of(scanned)
    for count in (0, 1, len(labels)):
        part = _checkpoint.Part(
            {(0, *labels[:count]): exact(data(), "std")._state}, {(0, 1): 7}, {(0, 1): "y=nan"}
        )
        kept = tmp_path / str(count)
        checkpoint = _checkpoint.Checkpoint(kept, [MODELS["std"]], [f"c{i}" for i in range(count)])
        assert checkpoint.read(version) is None
        checkpoint.write(version, part)
        found = checkpoint.read(version)
        assert list(found.states) == list(part.states)
        assert (found.broken, found.examples) == (part.broken, part.examples)
        (state,) = kept.glob("*.state")
        assert SketchFile.read(state).columns == {"0": MODELS["std"].roles()}
