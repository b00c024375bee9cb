"""Files as lazy frames of an embedded engine."""

from __future__ import annotations

import glob
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base.extras import needed
from uccurve.exceptions import ArgumentError, MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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
ENGINES = ("auto", "polars", "duckdb")


def paths(source: Any) -> list[Path] | None:
    """Return the files that a path, a pattern or a list of them names; None for any other source."""
    if isinstance(source, (str, os.PathLike)):
        return _expanded(os.fspath(source))
    listed = isinstance(source, (list, tuple)) and len(source) > 0
    if listed and all(isinstance(item, (str, os.PathLike)) for item in source):
        return list(dict.fromkeys(path for item in source for path in _expanded(os.fspath(item))))
    return None


def _expanded(name: str) -> list[Path]:
    """Return the file of that name, the files in the folder, or the files that match the pattern."""
    path = Path(name)
    if path.is_dir():
        files = (p for p in path.rglob("*") if p.suffix.lower() in FORMATS)
        visible = sorted(p for p in files if not p.name.startswith("."))
        if not visible:
            raise FileNotFoundError(f"{name} holds no file that ends with {', '.join(FORMATS)}")
        return visible
    if path.exists() or not glob.has_magic(name):
        return [path]
    matching = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - from any root
    if not matching:
        raise FileNotFoundError(f"no file fits {name}")
    return matching


def chosen(engine: str) -> str:
    """Return the engine to use: Polars if it is installed, else DuckDB."""
    if engine not in ENGINES:
        raise ArgumentError(f"`engine` must be one of {', '.join(ENGINES)}, got {engine!r}.")
    if engine != "auto":
        return engine
    for name in ("polars", "duckdb"):
        if importlib.util.find_spec(name):
            return name
    raise MissingDependencyError(library="polars", extra="polars")


def opened(path: Path, engine: str, numbers: Collection[str] = ()) -> Any:
    """Return a file as a lazy frame; its name is no pattern.

    The columns named in ``numbers`` may begin with integers and continue with fractions.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise ArgumentError(f"{path}: the name must end with {', '.join(FORMATS)}.")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    return _in_polars(path, kind, numbers) if engine == "polars" else _in_duckdb(path, kind)


def all_opened(paths: Sequence[Path], engine: str) -> Any:
    """Return Parquet files with the same columns as one lazy frame."""
    if engine == "polars":
        return _polars().scan_parquet([path.resolve() for path in paths], glob=False)
    return _duckdb().read_parquet([glob.escape(str(path.resolve())) for path in paths])


def _in_polars(path: Path, kind: str, numbers: Collection[str]) -> Any:
    pl = _polars()
    absolute = path.resolve()  # never read as a URL
    if kind == "parquet":
        return pl.scan_parquet(absolute, glob=False)
    if kind == "csv":
        schema = pl.scan_csv(absolute, glob=False, infer_schema_length=None).collect_schema()
        as_float = {name: pl.Float64 for name in numbers if name in schema and schema[name].is_integer()}
        return pl.scan_csv(absolute, glob=False, infer_schema_length=None, schema_overrides=as_float)
    return (
        pl.scan_ndjson(absolute, infer_schema_length=None)
        if kind == "jsonl"
        else pl.scan_ipc(absolute, glob=False)
    )


def _in_duckdb(path: Path, kind: str) -> Any:
    name = glob.escape(str(path.resolve()))
    connection = _duckdb()
    if kind == "parquet":
        return connection.read_parquet(name)
    if kind == "csv":
        return connection.read_csv(name)
    if kind == "jsonl":
        return connection.read_json(name, format="newline_delimited")
    raise ArgumentError(f"{path}: DuckDB does not read Arrow files; use Polars.")


def _polars() -> Any:
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415
    return pl


def _duckdb() -> Any:
    """Return a new connection that draws no progress bar on standard output."""
    with needed("duckdb", extra="duckdb"):
        import duckdb  # noqa: PLC0415
    connection = duckdb.connect(":memory:")
    connection.execute("SET enable_progress_bar = false")
    return connection
