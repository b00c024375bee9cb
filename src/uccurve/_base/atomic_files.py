"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def checked(path: str | os.PathLike[str]) -> Path:
    """Return where a file is to go; refuse early what could not be written in the end."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new file beside the target to write to; it takes the target's place at the end.

    Whatever goes wrong before that leaves the target as it was, and nothing beside it. A link stays one,
    and what is no file, such as a pipe, is written to as it is.
    """
    target = checked(path)
    if target.exists() and not target.is_file():
        yield target
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    unfinished = target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")
    # the system applies the mask of new files: to read it is to set it, for other threads too
    unfinished.touch(0o666 if mode is None else 0o600, exist_ok=False)
    try:
        yield unfinished
        if mode is not None:
            unfinished.chmod(mode)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
