"""Files that appear whole or not at all, and the folders that they are kept in."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEW_FILE = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Open a file that was not there before, and never through a link; Windows has only some of these."""

unfinished_files: set[Path] = set()
"""Files that are being written now: a program that a signal ends removes them."""


def checked(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a file to write; refuse early what cannot be written later."""
    try:
        target = Path(path).resolve()
    except RuntimeError as error:  # Python before 3.13
        raise OSError(errno.ELOOP, "it is a link to itself", str(path)) from error
    if target.is_symlink():
        raise OSError(errno.ELOOP, "it is a link to itself", str(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new file beside the target to write to; it replaces the target at the end.

    An error before that leaves the target unchanged, and no file beside it. A link stays a link; a
    pipe, or another target that is not a file, is written to directly.
    """
    target = checked(path)
    if target.exists() and not target.is_file():
        yield target
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    unfinished = _beside(target)
    # the system applies the umask, which cannot be read without setting it for all threads
    with _being_written(path, unfinished):
        os.close(os.open(unfinished, _NEW_FILE, 0o666 if mode is None else 0o600))
        try:
            yield unfinished
            if mode is not None:
                unfinished.chmod(mode)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def keep(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file of the package's own to a folder, whole or not at all.

    Nobody named this very file. A link in its place was planted: it is replaced, and its target stays as
    it is. The bytes go to the file that was opened, whatever happens to its name meanwhile.
    """
    target = Path(path)
    unfinished = _beside(target)
    with _being_written(path, unfinished):
        descriptor = os.open(unfinished, _NEW_FILE, 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                _fill(file, content)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def open_to_others(folder: Path) -> str | None:
    """Say who else can write to a folder; None if only its user can, or if the system does not tell."""
    if not hasattr(os, "geteuid"):
        return None
    about, user = folder.stat(), os.geteuid()
    if about.st_mode & stat.S_IWOTH:
        return "every user"
    if about.st_mode & stat.S_IWGRP:
        return "its group"
    if user not in (0, about.st_uid):
        return "another user, who owns it"
    return None


@contextmanager
def _being_written(path: str | os.PathLike[str], unfinished: Path) -> Iterator[None]:
    """List an unfinished file; let errors name the file that was asked for, not the one beside it."""
    unfinished_files.add(unfinished)
    try:
        yield
    except OSError as error:
        if error.filename is None or os.fspath(error.filename) != str(unfinished):
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        unfinished_files.discard(unfinished)


def _fill(file: IO[bytes], content: bytes) -> None:
    file.write(content)


def _beside(target: Path) -> Path:
    """Name a file in the same folder that nobody can guess."""
    return target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")
