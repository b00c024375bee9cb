"""Files that appear whole: what is in their place is replaced, and no link is followed unasked."""

from __future__ import annotations

import os

import pytest

from uccurve._base import atomic_files

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="links and modes of POSIX")


def test_a_kept_file_replaces_a_planted_link(tmp_path):
    """What the link points to belongs to somebody, and stays as it is."""
    victim, place = tmp_path / "victim", tmp_path / "kept.state"
    victim.write_bytes(b"precious")
    place.symlink_to(victim)
    atomic_files.keep(place, b"content")
    assert victim.read_bytes() == b"precious"
    assert not place.is_symlink()
    assert place.read_bytes() == b"content"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.state", "victim"]


def test_the_unfinished_file_is_new_and_no_link(tmp_path, monkeypatch):
    """A link under its name, were it guessed, is an error and not a file written elsewhere."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / f".f.{'00' * 8}.part").symlink_to(victim)
    with pytest.raises(FileExistsError):
        atomic_files.keep(tmp_path / "f", b"content")
    with pytest.raises(FileExistsError), atomic_files.replacing(tmp_path / "f"):
        pass
    assert victim.read_bytes() == b"precious"


def test_bytes_go_to_the_file_that_was_opened(tmp_path, monkeypatch):
    """Somebody puts a link in the place of the unfinished file: its target gets none of them."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    opened = os.open

    def swapped(path, *rest):
        descriptor = opened(path, *rest)
        path.unlink()
        path.symlink_to(victim)
        return descriptor

    monkeypatch.setattr(os, "open", swapped)
    atomic_files.keep(tmp_path / "f", b"content")
    assert victim.read_bytes() == b"precious"


def test_a_link_that_is_named_as_output_stays_a_link(tmp_path):
    """The user chose it, so that the file behind it is written."""
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    with atomic_files.replacing(link) as unfinished:
        unfinished.write_bytes(b"content")
    assert link.is_symlink()
    assert real.read_bytes() == b"content"


def test_a_link_to_itself_is_named(tmp_path):
    """As an error of the system, like every file that cannot be written."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="it is a link to itself") as caught:
        atomic_files.checked(loop)
    assert caught.value.filename == str(loop)


def test_a_failed_write_leaves_nothing(tmp_path):
    """Neither the file nor an unfinished one."""
    with pytest.raises(TypeError):
        atomic_files.keep(tmp_path / "f", "text")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "who"),
    [(0o700, None), (0o755, None), (0o775, "its group"), (0o777, "every user"), (0o1777, "every user")],
)
def test_who_else_can_write_to_a_folder_is_said(tmp_path, mode, who):
    """A sticky folder, too: others cannot remove files there, but they can plant them."""
    tmp_path.chmod(mode)
    assert atomic_files.open_to_others(tmp_path) == who


def test_a_folder_of_another_user_is_open_to_that_user(tmp_path, monkeypatch):
    """Root may use it: it owns everything anyway."""
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert atomic_files.open_to_others(tmp_path) == "another user, who owns it"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert atomic_files.open_to_others(tmp_path) is None


def write(way, path):
    """Write a file in one of two ways."""
    if way == "keep":
        atomic_files.keep(path, b"content")
        return
    with atomic_files.replacing(path) as unfinished:
        unfinished.write_bytes(b"content")


@pytest.mark.parametrize("fails", ["open", "replace"])
@pytest.mark.parametrize("way", ["keep", "replacing"])
def test_errors_name_the_file_that_was_asked_for(tmp_path, monkeypatch, fails, way):
    """Nobody knows the hidden file beside it."""

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(*((os, "open") if fails == "open" else (type(tmp_path), "replace")), refuse)
    with pytest.raises(PermissionError) as caught:
        write(way, tmp_path / "page.html")
    assert caught.value.filename == str(tmp_path / "page.html")
    assert ".part" not in str(caught.value)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_other_errors_while_a_file_is_written_stay_as_they_are(tmp_path):
    """They name what they are about."""
    other = tmp_path / "none"
    with pytest.raises(FileNotFoundError) as caught, atomic_files.replacing(tmp_path / "page.html"):
        other.read_bytes()
    assert caught.value.filename == str(other)
