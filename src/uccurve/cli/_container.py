"""Sketch files: the sketches of all models and segments in one file.

The format, version 1, all numbers little-endian: the eight bytes ``UCCFILE1``; the version and the length of
the header as uint32; the header, an object in JSON; the sketches, one behind the other, each as
`UCCSketch.to_bytes` writes it; and a CRC-32 of everything before it as uint32. The header has ``by``, the
column of segments or null; ``columns``, for each model its columns by what they are; and ``sketches``, a
list of objects with ``model``, ``segment`` (null where there are none; dates are objects with ``kind`` and
``text``) and ``size`` in bytes. A file with the bytes of a single sketch is read as well.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from uccurve.cli import _output_files
from uccurve.cli._errors import DataError, FileError, listed
from uccurve.engines._checkpoint import label_in, label_out
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import UCCSketch, _bytes, _state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUFFIX = ".ucc"
"""What the names of sketch files end with."""
MAGIC = b"UCCFILE1"
VERSION = 1
_LENGTHS = struct.Struct("<II")
_CHECK = struct.Struct("<I")
_ALONE = "model"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Sketches:
    """The sketches of models, and of their segments."""

    found: dict[tuple[str, Any], UCCSketch]
    """By model and segment, which is None where rows were not told apart."""
    by: str | None = None
    """The column of segments."""
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    """The columns of each model, by what they are."""
    notes: tuple[str, ...] = ()
    """What a reader of the results should know."""

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(dict.fromkeys(model for model, _ in self.found))

    @property
    def segments(self) -> list[Any]:
        """The labels of the segments: numbers by size, then others as text."""
        labels = {label for _, label in self.found if self.by is not None}
        return sorted(labels, key=_order)

    def whole(self) -> dict[str, UCCSketch]:
        """Return the sketch of all rows of each model."""
        return {
            name: added(sketch for (model, _), sketch in self.found.items() if model == name)
            for name in self.models
        }


def added(sketches: Iterable[UCCSketch]) -> UCCSketch:
    """Add sketches at once, which is quicker than one by one."""
    return UCCSketch(_state.merged([sketch._state for sketch in sketches]))


def write(sketches: Sketches, output: str) -> None:
    """Write a sketch file, all of it or none of it."""
    content = encoded(sketches)
    with _output_files.replacing(output) as path:
        path.write_bytes(content)


def read(name: str) -> Sketches:
    """Read a sketch file; whatever is not as written is refused, by the name of the file."""
    try:
        with Path(name).open("rb") as file:
            start = file.read(len(MAGIC))
            if start not in (MAGIC, _bytes.MAGIC):  # before a large file of another kind is read
                _refuse(name, start)
            content = start + file.read()
    except FileNotFoundError as error:
        raise FileError(f"{name}: there is no such file.") from error
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror}.") from error
    try:
        return decoded(content)
    except SketchFormatError as error:
        raise FileError(f"{name}: is damaged or of another version: {error}") from error


def encoded(sketches: Sketches) -> bytes:
    """Write sketches as bytes."""
    blobs = [sketch.to_bytes() for sketch in sketches.found.values()]
    header = {
        "by": sketches.by,
        "columns": sketches.columns,
        "sketches": [
            {"model": model, "segment": label_out(label), "size": len(blob)}
            for (model, label), blob in zip(sketches.found, blobs, strict=True)
        ],
    }
    head = json.dumps(header).encode()
    body = b"".join([MAGIC, _LENGTHS.pack(VERSION, len(head)), head, *blobs])
    return body + _CHECK.pack(zlib.crc32(body))


def decoded(content: bytes) -> Sketches:
    """Read sketches from bytes.

    Raises
    ------
    SketchFormatError
        If the bytes are cut short, damaged, or of a version that is not known.
    """
    if content.startswith(_bytes.MAGIC):
        return Sketches(found={(_ALONE, None): UCCSketch.from_bytes(content)})
    start = len(MAGIC) + _LENGTHS.size
    if len(content) < start + _CHECK.size:
        raise SketchFormatError(f"it ends after {len(content)} bytes.")
    version, length = _LENGTHS.unpack_from(content, len(MAGIC))
    if version != VERSION:
        raise SketchFormatError(f"the format version is {version}; this uccurve reads {VERSION}.")
    body, check = content[: -_CHECK.size], content[-_CHECK.size :]
    if _CHECK.unpack(check)[0] != zlib.crc32(body):
        raise SketchFormatError("its check sum does not fit.")
    found, place = {}, start + length
    try:
        header = json.loads(body[start:place])
        for entry in header["sketches"]:
            end = place + entry["size"]
            found[entry["model"], label_in(entry["segment"])] = UCCSketch.from_bytes(body[place:end])
            place = end
        return Sketches(found=found, by=header["by"], columns=header["columns"])
    except (KeyError, TypeError, AttributeError) as error:
        raise SketchFormatError("its header is not as it must be.") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise SketchFormatError("its header is no JSON.") from error


def merged(files: dict[str, Sketches]) -> Sketches:
    """Add files, model by model and segment by segment.

    Parameters
    ----------
    files : dict of str to Sketches
        The contents by the names of the files.
    """
    (first, start), *others = files.items()
    for name, other in others:
        if other.by != start.by:
            raise DataError(
                f"{name}: has {_segments(other)}, but {first} has {_segments(start)}: such files do not add."
            )
    if not others:
        return start
    parts: dict[tuple[str, Any], list[UCCSketch]] = {}
    columns: dict[str, dict[str, str]] = {}
    for content in files.values():
        columns = {**content.columns, **columns}
        for key, sketch in content.found.items():
            parts.setdefault(key, []).append(sketch)
    places = {model: place for place, model in enumerate(dict.fromkeys(model for model, _ in parts))}
    keys = sorted(parts, key=lambda key: (places[key[0]], _order(key[1])))
    whole = Sketches(found={key: added(parts[key]) for key in keys}, by=start.by, columns=columns)
    return replace(whole, notes=tuple(_differences(files, whole)))


def _differences(files: dict[str, Sketches], whole: Sketches) -> Iterable[str]:
    """Say what is not in all files, and which models have other columns."""
    for model in whole.models:
        having = [name for name, content in files.items() if model in content.models]
        if len(having) < len(files):
            without = [name for name in files if name not in having]
            yield f"{model}: is not in {_names(without)}; taken from {_names(having)}."
        partly = [
            str(label)
            for label in whole.segments
            if (model, label) in whole.found
            and any((model, label) not in files[name].found for name in having)
        ]
        if partly:
            yield (
                f"{model}: the {'segments' if len(partly) > 1 else 'segment'} {listed(partly, 5)} "
                f"{'are' if len(partly) > 1 else 'is'} not in every file; taken from those that have it."
            )
        for name in having:
            mine = files[name].columns.get(model, {})
            if mine and mine != whole.columns[model]:
                yield (
                    f"{model}: was made of {listed(list(mine.values()))} in {name}, and of "
                    f"{listed(list(whole.columns[model].values()))} before."
                )


def _names(names: Sequence[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _segments(sketches: Sketches) -> str:
    return "no segments" if sketches.by is None else f"segments of {sketches.by!r}"


def _order(label: Any) -> tuple[bool, Any]:
    number = isinstance(label, (int, float))
    return not number, label if number else str(label)


def _refuse(name: str, start: bytes) -> NoReturn:
    told = "it is empty" if not start else "it does not begin as one"
    if start and (MAGIC.startswith(start) or _bytes.MAGIC.startswith(start)):
        told = f"it ends after {len(start)} bytes"
    raise FileError(f"{name}: is not a sketch file: {told}.")
