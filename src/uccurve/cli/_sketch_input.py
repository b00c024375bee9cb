"""Sketch files in: read, added up, and described where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve.cli import _input_files
from uccurve.cli._addresses import refuse_address
from uccurve.cli._errors import DataError, FileError, UsageError
from uccurve.columns import list_names
from uccurve.engines import _data_files
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import SketchFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_MOST_FILES, _MOST_SEGMENTS = 3, 5


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SketchInput:
    """Sketches to work on, of files or of a scan."""

    content: SketchFile
    """The sketches of all models and segments."""
    notes: tuple[str, ...] = ()
    """What the user should know about them."""

    def document(self) -> dict[str, Any]:
        """Return what a JSON document says about the sketches."""
        rows = {name: sketch.rows for name, sketch in self.content.whole().items()}
        return {
            "models": self.content.models,
            "rows": rows,
            "segments": self.content.segments,
            "notes": self.notes,
        }


def is_sketch(name: str) -> bool:
    """Whether a name is that of a sketch file, or a pattern of such."""
    return name.lower().endswith(SketchFile.SUFFIX)


def expanded(names: Sequence[str]) -> list[str]:
    """Return the files that names, folders and patterns stand for."""
    if _input_files.STDIN in names:
        raise UsageError("standard input cannot be scanned, and is no sketch file: give a file.")
    for name in names:
        refuse_address(name)
    try:
        return [str(path) for path in _data_files.paths(list(names)) or ()]
    except FileNotFoundError as error:
        raise FileError(f"{error}.") from error


def read(names: Sequence[str], by: str | None = None) -> SketchInput:
    """Add the sketch files that names and patterns stand for; ``by`` is the column of segments to expect."""
    added = _merged({path: _read(path) for path in expanded(names)})
    if by is not None and by != added.content.by:
        kept = "no segments" if added.content.by is None else f"the segments of {added.content.by!r}"
        raise DataError(f"{names[0]}: has {kept}, not those of {by!r}: run uccurve sketch with --by {by}.")
    return added


def merge(names: Sequence[str], output: str) -> SketchInput:
    """Add sketch files; a note says if the output is one of them."""
    paths = expanded(names)
    if Path(paths[0]).is_dir():
        raise FileError(f"{paths[0]}: cannot be read: it is a directory.")
    added = _merged({path: _read(path) for path in paths})
    if len(paths) > 1 and Path(output).resolve() in [Path(path).resolve() for path in paths]:
        note = f"{output} was one of the files that were added, and is the sum now."
        return SketchInput(content=added.content, notes=(*added.notes, note))
    return added


def _read(name: str) -> SketchFile:
    try:
        return SketchFile.read(name)
    except SketchFormatError as error:
        raise FileError(str(error)) from error
    except FileNotFoundError as error:
        raise FileError(f"{name}: there is no such file.") from error
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror}.") from error


def _merged(files: Mapping[str, SketchFile]) -> SketchInput:
    """Add files by name; notes say what is not in all of them."""
    (first, start), *others = files.items()
    for name, other in others:
        if other.by != start.by:
            raise DataError(
                f"{name}: has {_segments(other)}, but {first} has {_segments(start)}: "
                "such files cannot be added."
            )
    whole = SketchFile.merge(files.values())
    return SketchInput(content=whole, notes=tuple(_differences(files, whole)))


def _differences(files: Mapping[str, SketchFile], whole: SketchFile) -> Iterable[str]:
    """Say what is not in all files, and which models have other columns."""
    for model in whole.models:
        having = [name for name, file in files.items() if model in file.models]
        if len(having) < len(files):
            without = [name for name in files if name not in having]
            yield f"{model}: is not in {_names(without)}; taken from {_names(having)}."
        partly = [
            str(label)
            for label in whole.segments
            if (model, label) in whole.sketches
            and any((model, label) not in files[name].sketches for name in having)
        ]
        if partly:
            yield (
                f"{model}: the {'segments' if len(partly) > 1 else 'segment'} "
                f"{list_names(partly, _MOST_SEGMENTS)} {'are' if len(partly) > 1 else 'is'} not in every file"
                f"; taken from those that have {'them' if len(partly) > 1 else 'it'}."
            )
        for name in having:
            columns = files[name].columns.get(model, {})
            if columns and columns != whole.columns[model]:
                yield (
                    f"{model}: was made from {list_names(list(columns.values()))} in {name}, but from "
                    f"{list_names(list(whole.columns[model].values()))} before."
                )


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
    return ", ".join(names[:_MOST_FILES]) + more


def _segments(file: SketchFile) -> str:
    return "no segments" if file.by is None else f"segments of {file.by!r}"
