"""Files of any size: scanned in one pass, or read from the sketches that an earlier pass has left."""

from __future__ import annotations

import warnings
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import uccurve
from uccurve.cli import _columns, _container, _input_files
from uccurve.cli._container import SUFFIX, Sketches
from uccurve.cli._errors import DataError, FileError, UsageError, absent, listed
from uccurve.cli._options import AS_USUAL, NO_COLUMNS
from uccurve.engines import _data_files as _engines
from uccurve.exceptions import (
    DroppedRowsWarning,
    InvalidRowsError,
    MissingColumnError,
    MissingDependencyError,
    NotNumericError,
    UccurveError,
    UnreadableFilesError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.cli._columns import Choice
    from uccurve.cli._options import Columns, Reading, Scanning, Speaking

EXACT = "the numbers are those of a sketch: exact, but for the factor, which is at most 0.4 % too large."
_NOTE = "in the file "


def asked(
    files: Sequence[str],
    columns: Columns,
    reading: Reading,
    scanning: Scanning,
    speaking: Speaking,
    *,
    vary: str,
    by: str | None = None,
    weight: str | None = None,
) -> Sketches | None:
    """Return the sketches of sketch files, or of a scan if one was asked for; None for rows in memory."""
    sketched = [name for name in files if is_sketch(name)]
    scans = scanning.engine is not None or scanning.checkpoint is not None
    if (sketched or scans) and vary != "scale":
        raise UsageError(
            f"--vary {vary} needs the rows, but {'a sketch' if sketched else 'a scan'} keeps what scaling "
            "needs: give one data file, without --engine."
        )
    if sketched:
        if len(sketched) < len(files):
            other = next(name for name in files if name not in sketched)
            raise UsageError(f"{other} is no sketch file, but {sketched[0]} is: give files of one kind.")
        _refuse_options(sketched[0], columns, reading, scanning, weight)
        return _read(files, by)
    if scans:
        for option in ("format", "decimal", "encoding"):
            if getattr(reading, option) != getattr(AS_USUAL, option):
                raise UsageError(f"--{option} and --engine exclude each other: names tell what engines read.")
        return scan(
            files,
            columns,
            by=by,
            weight=weight,
            engine=scanning.engine or "auto",
            checkpoint=scanning.checkpoint,
            invalid=reading.invalid,
            progress=not (speaking.quiet or speaking.json),
        )
    if len(files) > 1:
        raise UsageError(f"{len(files)} files at once need --engine auto: {listed(list(files), 3)}.")
    return None


def refuse_blocks(blocks: str | None, against: Sequence[str] = ()) -> None:
    """Refuse options that need rows where there are none."""
    for option, value in (("blocks", blocks), ("against", against)):
        if value:
            raise UsageError(f"--{option} needs the rows, and a sketch has none: give one data file.")


def untested(sketches: Sketches) -> list[str]:
    """Say what a comparison of sketches lacks."""
    notes = ["the numbers are those of sketches, which have no rows left for tests and intervals."]
    if sketches.by is not None:
        notes.append("segments are added up here: uccurve score shows each.")
    return notes


def is_sketch(name: str) -> bool:
    """Whether a name is that of a sketch file, or a pattern of such."""
    return name.lower().endswith(SUFFIX)


def about(files: Sequence[str]) -> dict[str, Any]:
    """Return the files for a document: one, or a list of several."""
    return {"file": files[0]} if len(files) == 1 else {"files": list(files)}


def shown(files: Sequence[str]) -> str:
    """Name files in a title, not too many."""
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"


def contents(sketches: Sketches) -> dict[str, Any]:
    """Return what a document says about sketches."""
    rows = {name: sketch.rows for name, sketch in sketches.whole().items()}
    return {"models": sketches.models, "rows": rows, "segments": sketches.segments, "notes": sketches.notes}


def merge(files: Sequence[str], output: str) -> Sketches:
    """Add the sketch files that names and patterns name."""
    paths = _paths(files)
    if Path(paths[0]).is_dir():
        raise FileError(f"{paths[0]}: cannot be read: it is a directory.")
    whole = _container.merged({path: _container.read(path) for path in paths})
    if len(paths) > 1 and Path(output).resolve() in [Path(path).resolve() for path in paths]:
        note = f"{output} was one of the files that were added, and is the sum now."
        return replace(whole, notes=(*whole.notes, note))
    return whole


def scan(
    files: Sequence[str],
    columns: Columns,
    *,
    by: str | None,
    weight: str | None,
    engine: str,
    checkpoint: str | None,
    invalid: Any,
    progress: bool,
) -> Sketches:
    """Sketch all models in one pass over files, folders and patterns."""
    paths = _paths(files)
    for path in paths:
        _check(path)
    reader = _engines.chosen(engine)
    present = _present(paths[0], reader)
    if reader == "polars" and len(present) == 1 and any(mark in present[0] for mark in ";\t"):
        raise FileError(f"{paths[0]}: has no commas between its columns: add --engine duckdb.")
    choice = _columns.choose(present, columns, paths[0], by=by, weight=weight)
    models = {model.name: uccurve.Columns(**choice.shared, **model.arguments) for model in choice.models}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DroppedRowsWarning)
        try:
            found = uccurve.scan(
                list(paths),
                models,
                by,
                engine=reader,
                invalid=invalid,
                checkpoint=checkpoint,
                progress=progress,
            )
        except (UccurveError, UnreadableFilesError) as error:
            _explain(error, shown(files), choice, reader, checkpoint)
    dropped = [str(warning.message) for warning in caught if warning.category is DroppedRowsWarning]
    return Sketches(
        found={key if isinstance(key, tuple) else (key, None): sketch for key, sketch in found.items()},
        by=by,
        columns={name: model.roles() for name, model in models.items()},
        notes=(*choice.notes, *dropped),
    )


def _read(files: Sequence[str], by: str | None) -> Sketches:
    whole = _container.merged({path: _container.read(path) for path in _paths(files)})
    if by is not None and by != whole.by:
        kept = "no segments" if whole.by is None else f"the segments of {whole.by!r}"
        raise DataError(f"{files[0]}: keeps {kept}, and none of {by!r}: name them to uccurve sketch --by.")
    return whole


def _refuse_options(
    file: str, columns: Columns, reading: Reading, scanning: Scanning, weight: str | None
) -> None:
    """Refuse options that say how data files are read."""
    given = [
        item.name
        for mine, usual in ((columns, NO_COLUMNS), (reading, AS_USUAL), (scanning, None))
        for item in fields(mine)
        if getattr(mine, item.name) != (None if usual is None else getattr(usual, item.name))
    ]
    given += [] if weight is None else ["weight"]
    if given:
        option = given[0].replace("_", "-")
        raise UsageError(f"{file} is a sketch, and --{option} is for data files.")


def _paths(files: Sequence[str]) -> list[str]:
    """Return the files that names, folders and patterns stand for."""
    if _input_files.STDIN in files:
        raise UsageError("standard input cannot be scanned, and is no sketch file: give a file.")
    try:
        return [str(path) for path in _engines.paths(list(files)) or ()]
    except FileNotFoundError as error:
        raise FileError(f"{error}.") from error


def _check(path: str) -> None:
    """Refuse early what would be found out in the end."""
    if is_sketch(path):
        raise UsageError(f"{path} is a sketch file already: uccurve merge adds such files.")
    if not Path(path).is_file():
        reason = "it is not a regular file" if Path(path).exists() else "there is no such file"
        raise FileError(f"{path}: cannot be read: {reason}.")
    if Path(path).suffix.lower() not in _engines.FORMATS:
        raise FileError(f"{path}: cannot be scanned: its name must end with {', '.join(_engines.FORMATS)}.")
    if not Path(path).stat().st_size:
        raise DataError(f"{path}: the file is empty.")


def _present(path: str, engine: str) -> list[str]:
    """Return the columns of a file, of which only the beginning or the end is read."""
    try:
        return list(_schema(path, engine))
    except (UccurveError, MissingDependencyError):
        raise
    except Exception as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise FileError(f"{path}: cannot be read: {words[0].rstrip('.')}.") from error


def _schema(path: str, engine: str) -> dict[str, str]:
    frame = _engines.opened(Path(path), engine)
    if engine == "duckdb":
        return dict(zip(frame.columns, map(str, frame.types), strict=True))
    return {name: str(kind) for name, kind in frame.collect_schema().items()}


def _explain(error: Exception, source: str, choice: Choice, engine: str, checkpoint: str | None) -> NoReturn:
    """Say in one line what is wrong, with the file and the column."""
    if isinstance(error, UnreadableFilesError):
        (failed, reason), *others = error.files.items()
        more = f"; nor can {listed([name for name, _ in others], 3)}" if others else ""
        kept = f"; what was read is kept in {checkpoint}" if checkpoint is not None else ""
        raise FileError(f"{failed}: cannot be read: {reason.rstrip('.')}{more}{kept}.") from error
    notes: list[str] = getattr(error, "__notes__", [])
    path = next((note.removeprefix(_NOTE) for note in notes if note.startswith(_NOTE)), None)
    if isinstance(error, InvalidRowsError):
        told = str(error).removeprefix(f"{choice.models[0].name}: " if len(choice.models) == 1 else "")
        raise DataError(f"{source}: {told.rstrip('.')} (--invalid drop leaves such rows out).") from error
    if path is not None and isinstance(error, (MissingColumnError, NotNumericError)):
        _explain_columns(error, path, choice, engine)
    raise DataError(f"{path or source}: {error}") from error


def _explain_columns(error: UccurveError, path: str, choice: Choice, engine: str) -> None:
    schema = _schema(path, engine)
    used = list(choice.shared.values())
    used += [column for model in choice.models for column in model.arguments.values()]
    for column in [*used, *([] if choice.by is None else [choice.by])]:
        if column not in schema:
            raise absent(path, column, list(schema)) from error
        if f"the column {column!r} must be numeric" in str(error):
            raise DataError(
                f"{path}: column {column!r} must hold numbers, but holds {schema[column]}."
            ) from error
