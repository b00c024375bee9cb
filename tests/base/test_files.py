"""Files that appear whole or not at all."""

from __future__ import annotations

import pytest

from uccurve._base import files


def test_a_link_that_is_named_as_output_stays_a_link(tmp_path):
    """The user chose it, so that the file behind it is written."""
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    with files.replacing(link) as unfinished:
        unfinished.write_bytes(b"content")
    assert link.is_symlink()
    assert real.read_bytes() == b"content"


def test_a_failed_write_leaves_nothing(tmp_path):
    """Neither the file nor an unfinished one."""
    with pytest.raises(TypeError), files.replacing(tmp_path / "f") as unfinished:
        unfinished.write_bytes("text")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fails", ["touch", "replace"])
def test_errors_name_the_file_that_was_asked_for(tmp_path, monkeypatch, fails):
    """Nobody knows the hidden file beside it."""

    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(tmp_path), fails, refuse)
    with pytest.raises(PermissionError) as caught, files.replacing(tmp_path / "page.html"):
        pass
    assert caught.value.filename == str(tmp_path / "page.html")
    assert ".part" not in str(caught.value)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_other_errors_while_a_file_is_written_stay_as_they_are(tmp_path):
    """They name what they are about."""
    other = tmp_path / "none"
    with pytest.raises(FileNotFoundError) as caught, files.replacing(tmp_path / "page.html"):
        other.read_bytes()
    assert caught.value.filename == str(other)
