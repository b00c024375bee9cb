"""Targets: written whole or not at all, and refused early."""

from __future__ import annotations

import pytest
from command_runs import FINE, FULL_DISK, HEAD, HUMBLY, good, refused


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("calibrate", "folder.csv"),
        ("calibrate", "nowhere/out.csv"),
        ("plot", "in.csv/ucc.png"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused(tmp_path, command, target):
    """Before any work is done, and without a trace."""
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    line = refused(command, "in.csv", "-o", target, cwd=tmp_path, code=3)
    assert line.startswith(f"{target}: cannot be written: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "in.csv"]


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_target_is_refused(tmp_path, what):
    """A file that may not be changed is not replaced either."""
    target = tmp_path / "out" / "f.csv"
    target.parent.mkdir()
    target.write_text("before")
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    (target if what == "file" else target.parent).chmod(0o500)
    name = "out/f.csv" if what == "file" else "out/new.csv"
    assert "no permission" in refused("calibrate", "in.csv", "-o", name, cwd=tmp_path, code=3, before=HUMBLY)
    assert target.read_text() == "before"
    target.parent.chmod(0o700)


@pytest.mark.parametrize("name", ["f.csv", "f.parquet", "f.jsonl", "page.html", "ucc.png"])
def test_a_write_that_fails_half_way_leaves_nothing(folder, tmp_path, name):
    """A full disk, played by a limit on the size of files."""
    target = tmp_path / name
    target.write_text("before")
    command = {".html": "report", ".png": "plot"}.get(target.suffix, "calibrate")
    options = ("--n-resamples", 9) if command == "report" else ()
    line = refused(
        command, folder / "f.csv", "-o", target, *options, cwd=tmp_path, code=3,
        before=FULL_DISK,
    )  # fmt: skip
    assert line.startswith(f"{target}: cannot be written")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert target.read_text() == "before"


def test_a_file_can_be_calibrated_in_place_and_through_a_link(tmp_path):
    """The link stays a link, and the mode of the file stays."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "f.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("f.csv")
    good("calibrate", "f.csv", "-o", "link.csv", "--miss-rate", 0.5, cwd=tmp_path)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "f.csv").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "f.csv").read_text().startswith(HEAD + "0,0.5,0.0,1.0\n")
