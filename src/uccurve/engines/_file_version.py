"""Which content a file had: a scan notes it before it reads, and looks again afterwards."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_TICK = 0.02
"""Seconds within which two changes may carry the same time: systems count in ticks of up to 10 ms."""


class FileVersion(NamedTuple):
    """A file, with what differs once its content does."""

    path: str
    """Absolute, and without links."""
    size: int
    modified: int
    """Time of the last change of the content, which programs can set, in nanoseconds."""
    changed: int
    """Time of the last change of content, name or mode, in nanoseconds; on Windows, of the creation."""

    @classmethod
    def of(cls, path: Path) -> FileVersion:
        """Look at a file."""
        about = path.stat()
        return cls(str(path.resolve()), about.st_size, about.st_mtime_ns, about.st_ctime_ns)

    @classmethod
    def settled(cls, path: Path) -> FileVersion:
        """Look at a file whose next change will carry another time: wait a tick if it is quite new."""
        version = cls.of(path)
        age = time.time() - max(version.modified, version.changed) / 1e9
        if abs(age) < _TICK:
            time.sleep(_TICK)
            version = cls.of(path)
        return version
