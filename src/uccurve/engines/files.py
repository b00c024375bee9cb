"""Files of a scan: those that names, folders and patterns stand for, and the frames that hold their rows."""

from __future__ import annotations

import errno
import glob
import importlib.util
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

from uccurve._base.arguments import needed, warn_caller
from uccurve.columns import list_names
from uccurve.engines.select import Source, holds_text, wrap_frame
from uccurve.exceptions import (
    ArgumentError,
    FileFormatError,
    MissingDependencyError,
    UccurveError,
)
from uccurve.io import (
    FORMATS,
    check_distinct,
    complete_choice,
    format_of,
    is_address,
    quiet_libraries,
    read_pieces,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from uccurve.columns import ColumnChoice

ENGINES = ("auto", "polars", "duckdb")
# What Hive, Spark and others write in place of a missing label.
_NO_LABEL = "__HIVE_DEFAULT_PARTITION__"


def list_files(names: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return the files that paths, folders and patterns stand for, each once, by the first of its names."""
    files: dict[str, Path] = {}
    for name in names:
        for path in _expand(os.fspath(name)):
            files.setdefault(os.path.realpath(path), path)  # of a link to itself, too
    return list(files.values())


def _expand(name: str) -> list[Path]:
    """Return the file of that name, the files in the folder, or the files that match the pattern."""
    if is_address(name):
        hint = f"Pass a lazy frame that reads it, such as pl.scan_parquet({name!r})."
        raise ArgumentError(argument="source", rule="be local files", got=repr(name), hint=hint)
    path = Path(name)
    if path.is_dir():
        return _list_folder(path)
    if os.path.lexists(path) or not glob.has_magic(name):  # a link to nowhere is no pattern either
        return [path]
    matching = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - from any root
    pattern = next(place for place, part in enumerate(path.parts) if glob.has_magic(part))
    matching = [match for match in matching if not any(map(_is_hidden, match.parts[pattern:]))]
    files = [match for match in matching if not match.is_dir()]
    for folder in matching:  # Spark writes folders that are named like files
        files += _list_folder(folder) if folder.is_dir() and format_of(folder) else []
    if not files:
        raise FileNotFoundError(f"no file fits {name}")
    return files


def _list_folder(folder: Path) -> list[Path]:
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
        for name in () if is_above else names:
            path = Path(place, name)
            if format_of(path) and path.suffix.lower() != ".txt" and not _is_hidden(name):  # such are notes
                found.append(path)
            elif not _is_hidden(name):
                others.append(str(path))
    if not found:
        raise FileNotFoundError(f"{folder} holds no file that ends with {', '.join(FORMATS)}")
    if others:
        many = "1 file is" if len(others) == 1 else f"{len(others)} files are"
        warn_caller(f"{folder}: {many} of no known format and left out: {list_names(sorted(others), 3)}.")
    return sorted(found)


def _raise(error: OSError) -> NoReturn:
    raise error


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def choose_engine(engine: str) -> str:
    """Return the engine to use: Polars if it is installed, else DuckDB."""
    if engine not in ENGINES:
        raise ArgumentError(argument="engine", rule=f"be one of {', '.join(ENGINES)}", got=repr(engine))
    if engine != "auto":
        return engine
    for name in ("polars", "duckdb"):
        if importlib.util.find_spec(name):
            return name
    raise MissingDependencyError(library="polars", extra="polars")


def choose_columns(
    path: Path,
    given: ColumnChoice,
    nominal: float | None = None,
    *,
    model: str | None = None,
    engine: str = "auto",
    hive: bool = False,
) -> tuple[ColumnChoice, str | None]:
    """Complete a choice of columns by those of a file, of which only the beginning or the end is read.

    See `uccurve.io.complete_choice`, whose arguments and results these are.
    """
    try:
        first = next(read_file(path, choose_engine(engine), hive=hive), Source(frame=None))
        present = [] if first.frame is None else list(first.frame.collect_schema())
    except (UccurveError, ImportError, OSError):
        raise
    except Exception as error:  # engines have errors of their own
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FileFormatError(f"cannot be read: {reason}", where=str(path)) from error
    return complete_choice(present, given, nominal, model=model, holds_text=partial(holds_text, first))


def read_file(path: Path, engine: str, *, hive: bool = False) -> Iterator[Source]:
    """Yield a file as a lazy frame; text files piece by piece, by the one reader for all engines.

    The name of a file is no pattern, and its folders are columns only if ``hive``.
    """
    kind = format_of(path)
    if kind is None:
        rule = f"be files whose names end with {', '.join(FORMATS)}"
        raise ArgumentError(argument="source", rule=rule, got=repr(str(path)))
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    if any("\ud800" <= letter <= "\udfff" for letter in str(path.resolve())):  # engines take names as text
        raise FileFormatError("its name is not in UTF-8", hint="Rename it.")
    if kind in ("csv", "jsonl"):
        for table in read_pieces(path):
            if table.columns:  # a piece of JSON lines without objects has none
                yield Source(frame=_add_folders(table.frame, path, hive=hive), table=table)
        return
    if kind == "parquet" and engine == "duckdb" and not _has_durations(path):
        yield Source(frame=_add_folders(_open_by_duckdb(path), path, hive=hive))
        return
    yield Source(frame=_add_folders(_open_by_polars([path], kind), path, hive=hive), is_file=True)


def read_together(paths: Sequence[Path]) -> Source | None:
    """Return Parquet files as one lazy frame of Polars, which is quick for many; None for other files."""
    if len(paths) < 2 or any(format_of(path) != "parquet" for path in paths):  # noqa: PLR2004
        return None
    return Source(frame=wrap_frame(_open_by_polars(paths, "parquet")), is_file=True)


def _open_by_polars(paths: Sequence[Path], kind: str) -> Any:
    """Return files as a lazy frame; names are no patterns, and an absolute one is never an address."""
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415
    read = pl.scan_parquet if kind == "parquet" else pl.scan_ipc
    frame = read([path.resolve() for path in paths], glob=False, hive_partitioning=False)
    if (
        kind == "arrow"
    ):  # of several columns of one name Polars shows the first, and panics when it reads them
        try:
            with quiet_libraries():
                frame.head(1).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            problem = "it is not a readable Arrow file, or several of its columns have one name"
            raise FileFormatError(problem) from error
    return frame


def _has_durations(path: Path) -> bool:
    """Whether Polars, if installed, finds durations in a Parquet file: DuckDB takes them for numbers."""
    if not importlib.util.find_spec("polars"):
        return False
    import polars as pl  # noqa: PLC0415

    return pl.Duration in pl.scan_parquet(path.resolve(), glob=False).collect_schema().dtypes()


def _open_by_duckdb(path: Path) -> Any:
    """Return a Parquet file as a relation of a new connection, which draws no progress bar."""
    with needed("duckdb", extra="duckdb"):
        import duckdb  # noqa: PLC0415
    connection = duckdb.connect(":memory:")
    connection.execute("SET enable_progress_bar = false")
    name = glob.escape(str(path.resolve())).replace("'", "''")
    # DuckDB gives the second of two columns of one name another one, and reads the first.
    leaves = f"SELECT path_in_schema FROM parquet_metadata('{name}') WHERE row_group_id = 0"  # noqa: S608
    check_distinct(leaf for (leaf,) in connection.sql(leaves).fetchall())
    return connection.sql(f"SELECT * FROM read_parquet('{name}', hive_partitioning = false)")  # noqa: S608


def _add_folders(native: Any, path: Path, *, hive: bool) -> Any:
    """Add the labels in names of folders as columns: region=north/ says that rows are of the region north."""
    import narwhals as nw  # noqa: PLC0415

    frame = wrap_frame(native)
    labels = read_folders(path) if hive else {}
    for name in labels.keys() & set(frame.collect_schema().names()):
        problem = f"the column {name!r} is in the file and in the name of its folder"
        raise ArgumentError(problem, hint="Leave `hive` out.")
    for name, label in labels.items():
        text = nw.lit(None if label == _NO_LABEL else label, nw.String)
        frame = frame.with_columns(text.alias(name))
    return frame


def read_folders(path: Path) -> dict[str, str]:
    """Return the labels in names of folders."""
    pairs = (part.partition("=") for part in path.absolute().parent.parts)
    return {unquote(name): unquote(value) for name, equals, value in pairs if name and equals}
