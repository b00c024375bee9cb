"""Files as lazy frames of an embedded engine."""

from __future__ import annotations

import glob
import importlib.util
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

from uccurve._base.arguments import warn_caller
from uccurve.columns import list_names
from uccurve.engines import _csv_rows, _duckdb_files, _polars_files
from uccurve.engines._remote_addresses import refuse_address
from uccurve.engines._source_table import SourceTable
from uccurve.exceptions import ArgumentError, FileFormatError, MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_NO_LABEL = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others write in place of a missing label."""
ENGINES = ("auto", "polars", "duckdb")


def paths(source: Any) -> list[Path] | None:
    """Return the files that a path, a pattern or a list of them names; None for any other source."""
    if isinstance(source, (str, os.PathLike)):
        return _expanded(os.fspath(source))
    listed = isinstance(source, (list, tuple)) and len(source) > 0
    if listed and all(isinstance(item, (str, os.PathLike)) for item in source):
        return _distinct(path for item in source for path in _expanded(os.fspath(item)))
    return None


def _distinct(paths: Iterable[Path]) -> list[Path]:
    """Return each file once, under the first of its names: relative, absolute, or through a link."""
    files: dict[str, Path] = {}
    for path in paths:
        files.setdefault(os.path.realpath(path), path)  # of a link to itself, too
    return list(files.values())


def _expanded(name: str) -> list[Path]:
    """Return the file of that name, the files in the folder, or the files that match the pattern."""
    refuse_address(name)
    path = Path(name)
    if path.is_dir():
        return _distinct(_files_of_folder(path))
    if os.path.lexists(path) or not glob.has_magic(name):  # a link to nowhere is no pattern either
        return [path]
    matching = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - from any root
    named = next(place for place, part in enumerate(path.parts) if glob.has_magic(part))
    matching = [match for match in matching if not any(map(_is_hidden, match.parts[named:]))]
    files = [match for match in matching if not match.is_dir()]
    folders = [match for match in matching if match.is_dir() and kind_of(match)]
    files += [file for folder in folders for file in _files_of_folder(folder)]
    if not files:
        raise FileNotFoundError(f"no file fits {name}")
    return _distinct(files)


def _files_of_folder(folder: Path) -> list[Path]:
    """Return the files of known formats in a folder and below it, through links as well.

    What begins with a point or an underscore is not data, as for Spark and Hive. A warning names other files.
    """
    found: list[Path] = []
    others: list[str] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, onerror=_raise, followlinks=True):
        is_above = os.path.realpath(place) in seen  # by a link
        seen.add(os.path.realpath(place))
        folders[:] = [] if is_above else sorted(name for name in folders if not _is_hidden(name))
        for name in () if is_above else sorted(names):
            path = Path(place, name)
            if kind_of(path) and not _is_hidden(name):
                found.append(path)
            elif not _is_hidden(name):
                others.append(str(path))
    if not found:
        raise FileNotFoundError(f"{folder} holds no file that ends with {', '.join(FORMATS)}")
    if others:
        many = "1 file is" if len(others) == 1 else f"{len(others)} files are"
        warn_caller(f"{folder}: {many} of no known format and left out: {list_names(others, 3)}.")
    return sorted(found)


def _raise(error: OSError) -> NoReturn:
    raise error


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def kind_of(path: Path) -> str | None:
    """Return the format that a name tells, None if it is unknown; only CSV files may be compressed."""
    is_packed = path.suffix.lower() == ".gz"
    kind = FORMATS.get((path.with_suffix("") if is_packed else path).suffix.lower())
    return kind if kind == "csv" or not is_packed else None


def chosen(engine: str) -> str:
    """Return the engine to use: Polars if it is installed, else DuckDB."""
    if engine not in ENGINES:
        raise ArgumentError(argument="engine", rule=f"be one of {', '.join(ENGINES)}", got=repr(engine))
    if engine != "auto":
        return engine
    for name in ("polars", "duckdb"):
        if importlib.util.find_spec(name):
            return name
    raise MissingDependencyError(library="polars", extra="polars")


def opened(
    path: Path,
    engine: str,
    numbers: Collection[str] = (),
    labels: Collection[str] = (),
    *,
    hive: bool = False,
) -> Iterator[SourceTable]:
    """Yield a file as a lazy frame; a CSV file piece by piece, by the one reader for all engines.

    Its name is no pattern, and its folders are columns only if ``hive``. ``numbers`` and ``labels`` name the
    columns that are used; without them, all may be.
    """
    kind = kind_of(path)
    if kind is None:
        raise ArgumentError(
            argument="source", rule=f"be files whose names end with {', '.join(FORMATS)}", got=repr(str(path))
        )
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    if _is_unspeakable(str(path.resolve())):
        raise FileFormatError("its name is not in UTF-8", hint="Rename it.")
    in_folders = _folder_labels(path) if hive else {}
    if kind == "csv":
        for names, frame in _csv_rows.read_pieces(path):
            yield SourceTable(frame=frame, names=names, is_text=True, folder_labels=in_folders)
    elif engine == "polars":
        yield replace(_polars_files.opened(path, kind), folder_labels=in_folders)
    else:
        yield replace(_duckdb_files.opened(path, kind, numbers, labels), folder_labels=in_folders)


def _is_unspeakable(name: str) -> bool:
    """Whether a name has bytes that are no UTF-8; engines take names as text."""
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def _folder_labels(path: Path) -> dict[str, str | None]:
    """Return the labels in names of folders: region=north/ says that rows are of the region north."""
    pairs = (part.partition("=") for part in path.absolute().parent.parts)
    labels = {unquote(name): unquote(value) for name, equals, value in pairs if name and equals}
    return {name: None if value == _NO_LABEL else value for name, value in labels.items()}
