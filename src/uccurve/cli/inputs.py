"""From files to what commands work on: models in memory, or sketches of files and scans."""

from __future__ import annotations

import csv
import os
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve import io
from uccurve.cli.errors import UsageError
from uccurve.columns import list_names, suggest_roles
from uccurve.engines import list_models, scan
from uccurve.exceptions import ArgumentError, EmptyInputError, InvalidRowsError, UccurveError
from uccurve.io import Models
from uccurve.sketch import SketchFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli.options import ColumnOptions, DataOptions, MessageOptions, ReadingOptions
    from uccurve.columns import ColumnChoice
    from uccurve.io import Table

# Below so many rows every number is rough.
_FEW_ROWS, _FEW_BLOCKS = 30, 20
# Bytes in memory for a byte of a file, about.
_UNPACKED = {"csv": 4, "jsonl": 4, "arrow": 2, "parquet": 10}
# Bytes of text for a byte of a compressed file, about.
_COMPRESSED = 5
_MOST_FILES = 3
# The name of a model whose columns tell none.
_UNNAMED = "model"


def read_table(file: str, reading: ReadingOptions) -> Table:
    """Read a file whole, or standard input."""
    return io.read(file, format=reading.format, decimal=reading.decimal, encoding=reading.encoding)


def load_models(
    file: str,
    data: DataOptions,
    *,
    by: str | None = None,
    vary: Vary = "scale",
    blocks: Sequence[str] = (),
) -> Models:
    """Read a file, and make the intervals of all models in it."""
    table = read_table(file, data.reading)
    choice, model = choose_columns(table, data.columns, by, levels=vary == "level")
    lengths = [text for text in blocks if text.isdigit() and text not in table.columns]
    if lengths and len(blocks) > 1:
        raise UsageError(f"--blocks {lengths[0]} is a number of rows: pass it alone.")
    return Models.from_table(
        table,
        choice,
        model,
        nominal=data.columns.nominal,
        blocks=int(lengths[0]) if lengths else list(blocks) or None,
        crossed=data.reading.crossed,
        invalid=data.reading.invalid,
    )


def find_warnings(rows: int, blocks: np.ndarray | int | None = None) -> list[str]:
    """Warn of few rows, and of few blocks of rows."""
    found = []
    if rows < _FEW_ROWS:
        found.append(f"only {rows} row{'s' if rows > 1 else ''}: every number is rough.")
    if blocks is not None:
        count = -(-rows // blocks) if isinstance(blocks, int) else np.unique(blocks).size
        if count < _FEW_BLOCKS:
            found.append(f"only {count} blocks: p-values and CIs are rough.")
    return found


def choose_columns(
    table: Table, columns: ColumnOptions, by: str | None = None, **needs: Any
) -> tuple[ColumnChoice, str | None]:
    """Return the columns to use, and the one that names each row's model; ``needs`` as in `io.choose`."""
    listed = [text for text in columns.model if "=" in text]
    plain = [text for text in columns.model if "=" not in text]
    if len(plain) > 1 or (plain and listed):
        raise UsageError(f"--model {plain[0]}: write NAME=PRED,LOWER,UPPER or NAME=PRED,STD, or one column.")
    models: dict[str, dict[str, str]] = {}
    for text in listed:
        name, parsed = _parse_model(text)
        if name in models:
            raise UsageError(f"--model {name}=… is given twice: each model needs its own name.")
        models[name] = parsed
    roles = [item.name for item in fields(columns) if item.name not in ("model", "nominal")]
    named = {"by": by, **{role: getattr(columns, role) for role in roles}}
    model = plain[0] if plain else None
    return io.choose(table, named, models, model=model, nominal=columns.nominal, **needs)


def _parse_model(text: str) -> tuple[str, dict[str, str]]:
    """Read NAME=PRED,LOWER,UPPER or NAME=PRED,STD; names with commas are quoted as in CSV."""
    name, _, rest = text.partition("=")
    columns = [column.strip() for column in next(csv.reader([rest], skipinitialspace=True), [])]
    roles = {2: ("y_pred", "std"), 3: ("y_pred", "lower", "upper")}.get(len(columns), ())
    found = {role: column for role, column in zip(roles, columns, strict=False) if column}
    bounds = {"lower", "upper"} & set(found)
    if not name.strip() or not (bounds or "std" in found) or ("y_pred" not in found and len(bounds) < 2):  # noqa: PLR2004
        example = "write NAME=PRED,LOWER,UPPER or NAME=PRED,STD, or NAME=PRED,,UPPER for a limit"
        raise UsageError(f"--model {text}: {example}.")
    if "std" in found and suggest_roles(found["std"]) & {"lower", "upper"}:
        raise UsageError(
            f"--model {text}: two columns mean a prediction and a standard deviation, but {found['std']!r} "
            "looks like a bound: write NAME=PRED,LOWER,UPPER."
        )
    return name.strip(), found


class Sketches(NamedTuple):
    """Sketches to work on, of files or of a scan.

    Attributes
    ----------
    content : SketchFile
        The sketches of all models and segments.
    notes : tuple of str
        What the user should know about them.
    """

    content: SketchFile
    notes: tuple[str, ...] = ()


def load_sketches(
    files: Sequence[str],
    data: DataOptions,
    messages: MessageOptions,
    *,
    by: str | None = None,
    vary: Vary = "scale",
) -> Sketches | None:
    """Return sketches where files are such, or are to be scanned; None for rows in memory."""
    sketch_files = [name for name in files if is_sketch(name)]
    scans = ["--scan"] if data.scan else [] if data.checkpoint is None else ["--checkpoint"]
    if (sketch_files or scans) and vary != "scale":
        kind = "a sketch" if sketch_files else "a scan"
        raise UsageError(f"--vary {vary} needs the rows, but {kind} keeps none: pass one data file.")
    if sketch_files:
        if others := [name for name in files if name not in sketch_files]:
            raise UsageError(f"{others[0]}, {sketch_files[0]}: pass data files or sketch files, not both.")
        if given := [*_list_given(data.columns, data.reading), *scans]:
            raise UsageError(f"{sketch_files[0]} is a sketch file, and {given[0]} is for data files.")
        return read_sketches(files, by)
    if scans:
        if reading := [name for name in _list_given(data.reading) if name != "--invalid"]:
            raise UsageError(f"{reading[0]} and {scans[0]} cannot be combined: scans read files as they are.")
        return scan_files(files, data, messages, by=by)
    if len(files) > 1:
        raise UsageError(f"{len(files)} files need --scan: {list_names(files, _MOST_FILES)}.")
    if vary == "scale" and not _list_given(data.reading) and is_large(files[0]):
        found = scan_files(files, data, messages, by=by)
        large = f"{files[0]} is too large for memory: it was scanned, without tests."
        return Sketches(content=found.content, notes=(large, *found.notes))
    return None


def is_large(file: str) -> bool:
    """Whether the rows of a file would take more than half of the memory that is free."""
    path = Path(file)
    kind = io.format_of(path)
    if kind is None or not path.is_file() or "SC_AVPHYS_PAGES" not in getattr(os, "sysconf_names", ()):
        return False
    unpacked = path.stat().st_size * (1 if path.suffix.lower() in io.FORMATS else _COMPRESSED)
    return unpacked * _UNPACKED[kind] > free_memory() / 2


def free_memory() -> int:
    """Return how many bytes of memory are free."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _list_given(*options: Any) -> list[str]:
    """Name the options that do not have their defaults."""
    return [
        f"--{item.name.replace('_', '-')}"
        for one in options
        for item in fields(one)
        if getattr(one, item.name) != item.default
    ]


def is_sketch(name: str) -> bool:
    """Whether a name is that of a sketch file, or a pattern of such."""
    return name.lower().endswith(SketchFile.SUFFIX)


def scan_files(
    names: Sequence[str], data: DataOptions, messages: MessageOptions, *, by: str | None = None
) -> Sketches:
    """Sketch all models in one pass over files, folders and patterns."""
    if io.STDIN in names:
        raise UsageError("standard input cannot be scanned: pass a file.")
    if sketch := next(filter(is_sketch, names), None):
        raise UsageError(f"{sketch} is already a sketch file: uccurve merge adds sketch files.")
    if data.checkpoint is not None:
        io.check_path("checkpoint", data.checkpoint)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        paths = io.list_files(list(names))
        with _naming(str(paths[0])):
            table = next(io.read_pieces(paths[0]), None)
            if table is None:
                raise EmptyInputError("the file is empty")
            choice, model = choose_columns(table, data.columns, by)
        models = list_models(choice, data.columns.nominal)
        with _naming(name_files(names)):
            sketches = scan(
                list(paths),
                models,
                by=by,
                model=model,
                invalid=data.reading.invalid,
                checkpoint=data.checkpoint,
                progress=messages.chatty,
            )
    warned = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
    roles = {name: columns.roles() for name, columns in models.items()}
    if model is not None:
        found = dict.fromkeys(key[0] if isinstance(key, tuple) else key for key in sketches)
        roles = dict.fromkeys(found, next(iter(roles.values())))
        warned.append(f"column {model!r} names the models: {list_names(list(found))}.")
    content = SketchFile.of(sketches, by, roles)
    return Sketches(content=content, notes=(*choice.notes, *warned, *_uneven(content)))


@contextmanager
def _naming(files: str) -> Iterator[None]:
    """Name files in errors about their rows and columns."""
    try:
        yield
    except InvalidRowsError as error:  # which names the model
        model = None if error.where == _UNNAMED else error.where
        raise error.replaced(where=": ".join(filter(None, (files, model)))) from error
    except UccurveError as error:
        raise error.replaced(where=error.where or files) from error


def read_sketches(names: Sequence[str], by: str | None = None) -> Sketches:
    """Add the sketch files that names and patterns stand for; ``by`` is the column of segments to expect."""
    files = {str(path): SketchFile.read(path) for path in io.list_files(list(names))}
    (first, start), *others = files.items()
    for name, other in others:
        if other.by != start.by:
            segments = f"{_segments(other)}, but {first} has {_segments(start)}: these files cannot be added"
            raise ArgumentError(f"it has {segments}", where=name)
    whole = SketchFile.merge(files.values())
    if by is not None and by != whole.by:
        problem = f"it has no segments of {by!r}"
        raise ArgumentError(problem, where=names[0], hint=f"Run uccurve sketch with --by {by}.")
    return Sketches(content=whole, notes=(*_differences(files, whole), *_uneven(whole)))


def _segments(file: SketchFile) -> str:
    return "no segments" if file.by is None else f"segments of {file.by!r}"


def _differences(files: Mapping[str, SketchFile], whole: SketchFile) -> Iterable[str]:
    """Say which models are not in all files, and which have other columns."""
    for model in whole.models:
        having = [name for name, file in files.items() if model in file.models]
        if len(having) < len(files):
            yield f"{model} is only in {list_names(having, _MOST_FILES)}."
        for name in having:
            columns = files[name].columns.get(model, {})
            if columns and columns != whole.columns[model]:
                here, before = (list_names(list(one.values())) for one in (columns, whole.columns[model]))
                yield f"{model} was made from {here} in {name}, but from {before} before."


def _uneven(content: SketchFile) -> Iterable[str]:
    """Say that models do not have the same rows."""
    rows: Counter[str] = Counter()
    for (model, _), sketch in content.sketches.items():
        rows[model] += sketch.rows
    least, most = min(rows.values()), max(rows.values())
    if least < most:
        yield f"models have {least:,} to {most:,} rows: scores on different rows do not compare."


def name_files(files: Sequence[str]) -> str:
    """Name files in a title, not too many."""
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"


def describe_files(files: Sequence[str]) -> dict[str, Any]:
    """Return the files for a JSON document: one, or a list of several."""
    return {"file": files[0]} if len(files) == 1 else {"files": list(files)}
