"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Files that are being written now: a program that a signal ends removes them.
unfinished_files: set[Path] = set()


def checked(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a file to write; refuse early what cannot be written later."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new file beside the target to write to; it replaces the target at the end.

    An error before that leaves the target unchanged, and no file beside it; it names the target. A link stays
    a link; a pipe, or another target that is not a file, is written to directly.
    """
    target = checked(path)
    if target.exists() and not target.is_file():
        yield target
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    unfinished = target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")
    unfinished_files.add(unfinished)
    try:
        unfinished.touch(exist_ok=False)
        yield unfinished
        if mode is not None:
            unfinished.chmod(mode)
        unfinished.replace(target)
    except OSError as error:
        if error.filename is None or os.fspath(error.filename) != str(unfinished):
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)
        unfinished_files.discard(unfinished)
