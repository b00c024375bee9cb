"""Files as lazy frames of an embedded engine."""

from __future__ import annotations

import glob
import importlib.util
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from uccurve.engines import _duckdb_files, _polars_files
from uccurve.engines._remote_addresses import refuse_address
from uccurve.exceptions import ArgumentError, FileFormatError, MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from uccurve.engines._source_table import SourceTable

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
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
        files = (p for p in path.rglob("*") if p.suffix.lower() in FORMATS)
        visible = sorted(p for p in files if not p.name.startswith("."))
        if not visible:
            raise FileNotFoundError(f"{name} holds no file that ends with {', '.join(FORMATS)}")
        return _distinct(visible)
    if os.path.lexists(path) or not glob.has_magic(name):  # a link to nowhere is no pattern either
        return [path]
    matching = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - from any root
    if not matching:
        raise FileNotFoundError(f"no file fits {name}")
    return _distinct(matching)


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
) -> SourceTable:
    """Return a file as a lazy frame; its name is no pattern, and its folders are columns only if ``hive``.

    ``numbers`` and ``labels`` name the columns that are used; without them, all may be.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise ArgumentError(
            argument="source", rule=f"be files whose names end with {', '.join(FORMATS)}", got=repr(str(path))
        )
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    if _is_unspeakable(str(path.resolve())):
        raise FileFormatError("its name is not in UTF-8", hint="Rename it.")
    if engine == "polars":
        table = _polars_files.opened(path, kind)
    else:
        table = _duckdb_files.opened(path, kind, numbers, labels)
    return replace(table, folder_labels=_folder_labels(path)) if hive else table


def _is_unspeakable(name: str) -> bool:
    """Whether a name has bytes that are no UTF-8; engines take names as text."""
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def is_text(path: Path) -> bool:
    """Whether a file does not tell numbers from text, as CSV files do not."""
    return FORMATS.get(path.suffix.lower()) == "csv"


def all_opened(paths: Sequence[Path], engine: str, used: Collection[str] = ()) -> SourceTable | None:
    """Return Parquet files with the same columns as one lazy frame; None if DuckDB would mix columns up."""
    return _polars_files.all_opened(paths) if engine == "polars" else _duckdb_files.all_opened(paths, used)


def _folder_labels(path: Path) -> dict[str, str | None]:
    """Return the labels in names of folders: region=north/ says that rows are of the region north."""
    pairs = (part.partition("=") for part in path.absolute().parent.parts)
    labels = {unquote(name): unquote(value) for name, equals, value in pairs if name and equals}
    return {name: None if value == _NO_LABEL else value for name, value in labels.items()}
