"""Targets: written whole or not at all, and refused early."""

from __future__ import annotations

import pytest
from command_runs import FINE, FULL_DISK, HEAD, HUMBLY, good, refused

CASES = [("calibrate", "folder.csv"), ("calibrate", "nowhere/out.csv"), ("plot", "in.csv/ucc.png")]


@pytest.mark.parametrize(("command", "target"), CASES)
def test_a_target_that_cannot_be_written_is_refused(tmp_path, command, target):
    """Before any work is done, and without a trace."""
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    line = refused(command, "in.csv", "-o", target, cwd=tmp_path, code=3)
    assert line.startswith(f"{target}: cannot be written: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "in.csv"]


def test_a_read_only_file_is_not_replaced(tmp_path):
    """Though its folder would allow that."""
    target = tmp_path / "out.csv"
    target.write_text("before")
    target.chmod(0o400)
    (tmp_path / "in.csv").write_text(HEAD + FINE)
    line = refused("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path, code=3, before=HUMBLY)
    assert "no permission" in line
    assert target.read_text() == "before"


@pytest.mark.parametrize("name", ["f.csv", "f.parquet", "page.html", "ucc.png", "all.ucc"])
def test_a_write_that_fails_half_way_leaves_nothing(folder, tmp_path, name):
    """A full disk, played by a limit on the size of files."""
    target = tmp_path / name
    target.write_text("before")
    command = {".html": "report", ".png": "plot", ".ucc": "sketch"}.get(target.suffix, "calibrate")
    options = ("--n-resamples", 9) if command == "report" else ()
    words = (command, folder / "f.csv", "-o", target, *options)
    line = refused(*words, cwd=tmp_path, code=3, before=FULL_DISK)
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
