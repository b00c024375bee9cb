"""Finished files of a scan, kept on disk: a scan that was killed goes on where it was."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import struct
import time
import zlib
from typing import TYPE_CHECKING, Any

from uccurve._base.atomic_files import replacing
from uccurve.engines._assemble import Part
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import _bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from uccurve.engines._model_columns import Columns

_MAGIC = b"UCCPART1"
_ABANDONED = 60.0
"""Seconds after which nobody writes to an unfinished state any more."""
_LENGTHS = struct.Struct("<II")


class Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the file's path, size and time of change, and by the columns asked for: whatever of
    these is different is read again.
    """

    def __init__(self, folder: Path, models: Sequence[Columns], by: Sequence[str]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._asked = repr((tuple(columns.roles().items() for columns in models), tuple(by)))

    def read(self, path: Path) -> Part | None:
        """Return what was found in a file, or None if it is to be read."""
        try:
            blob = self._place(path).read_bytes()
        except FileNotFoundError:
            return None
        try:
            return decoded(blob)
        except (SketchFormatError, ValueError, KeyError, struct.error):
            return None  # not whole: read the file again

    def write(self, path: Path, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        with replacing(self._place(path)) as unfinished:
            unfinished.write_bytes(encoded(part))

    def tidy(self) -> None:
        """Remove what killed scans left half-written."""
        for leftover in self.folder.glob(".*.state.*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - leftover.stat().st_mtime > _ABANDONED:  # no other scan is writing it
                    leftover.unlink()

    def _place(self, path: Path) -> Path:
        about = path.stat()
        known = f"{path.resolve()}\0{about.st_size}\0{about.st_mtime_ns}\0{self._asked}"
        return self.folder / f"{hashlib.sha256(known.encode()).hexdigest()[:32]}.state"


def encoded(part: Part) -> bytes:
    """Write a part as bytes: a header in JSON, and the sketches."""
    blobs = [_bytes.write(state) for state in part.states.values()]
    header = {
        "keys": [[key[0], *map(label_out, key[1:])] for key in part.states],
        "sizes": [len(blob) for blob in blobs],
        "broken": [[*which, count] for which, count in part.broken.items()],
        "examples": [[*which, text] for which, text in part.examples.items()],
    }
    head = json.dumps(header).encode()
    return _MAGIC + _LENGTHS.pack(len(head), zlib.crc32(head)) + head + b"".join(blobs)


def decoded(blob: bytes) -> Part:
    """Read a part; whatever is not as written raises a ValueError."""
    start = len(_MAGIC) + _LENGTHS.size
    if not blob.startswith(_MAGIC) or len(blob) < start:
        raise SketchFormatError("these bytes are not a part of a scan.")
    length, check = _LENGTHS.unpack_from(blob, len(_MAGIC))
    head = blob[start : start + length]
    if zlib.crc32(head) != check:
        raise SketchFormatError("the part of a scan is damaged.")
    header = json.loads(head)
    part, place = Part(), start + length
    for (model, *labels), size in zip(header["keys"], header["sizes"], strict=True):
        part.states[model, *map(label_in, labels)] = _bytes.read(blob[place : place + size])
        place += size
    part.broken.update({(model, rule): count for model, rule, count in header["broken"]})
    part.examples.update({(model, rule): text for model, rule, text in header["examples"]})
    return part


def label_out(label: Any) -> Any:
    """Return a label as JSON knows it; dates and times say what they are."""
    if label is None or isinstance(label, (str, int, float)):
        return label
    text = label.isoformat() if hasattr(label, "isoformat") else str(label)
    return {"kind": type(label).__name__, "text": text}


def label_in(label: Any) -> Any:
    """Return a label that was written by `label_out`."""
    if not isinstance(label, dict):
        return label
    parse = {"date": dt.date.fromisoformat, "datetime": dt.datetime.fromisoformat}.get(label["kind"], str)
    return parse(label["text"])
