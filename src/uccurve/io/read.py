"""Files in: a path, an address or standard input becomes tables that remember where each row stood.

Text is split by Polars, in blocks of whole rows. What it would guess is refused here: quotation marks that
enclose no cell, lines that are no row of their own, and keys that are there twice.
"""

from __future__ import annotations

import fnmatch
import glob
import gzip
import io
import json
import math
import os
import re
import sys
import zlib
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import compress, takewhile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from uccurve._base.arguments import needed, option, warn_caller
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, EmptyInputError, FileFormatError, UccurveError
from uccurve.io.tables import AS_THEY_ARE, as_table, check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

    import polars as pl

    from uccurve.io.tables import Table

STDIN = "<stdin>"
FORMATS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
}
# The formats of text, which may be packed.
_TEXTS = ("csv", "jsonl")
_PACKED = (".gz", ".zst")
# The first bytes of a file whose name tells no format; others are CSV.
_STARTS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"{": "jsonl"}
# What is no table, by its first bytes, and the way out.
_OTHERS = {
    rb"PK\x03\x04|\xd0\xcf\x11\xe0": (
        "a workbook or an archive",
        "Save a workbook as CSV; unpack an archive.",
    ),
    rb"\s*\[\s*\{": ("one JSON array", "Write one object per line, without brackets and commas around them."),
    rb"UCCSKTCH": ("a sketch file", "`UCCSketch.from_bytes` reads it."),
}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# Seconds that a server may take to answer.
_TIMEOUT = 60
# Bytes of a block of text, and rows of a piece of another file.
BLOCK = 1 << 26
_ROWS = 1 << 21
_SEPARATORS = ",;\t"
# An object as its pairs of keys and values; whole numbers may be of any length.
_PAIRS = json.JSONDecoder(object_pairs_hook=list, parse_int=str)
# Line breaks in cells that are quoted belong to them.
_FIRST_ROW = re.compile(r'(?:[^"\n]++|"[^"]*+")*+')
_STDERR = 2


# -- names --------------------------------------------------------------------------------------------


def format_of(path: str | os.PathLike[str]) -> str | None:
    """Return the format that a name tells, also of packed text: "csv" of f.csv.gz; None if it tells none."""
    name = Path(path)
    is_packed = name.suffix.lower() in _PACKED
    kind = FORMATS.get((name.with_suffix("") if is_packed else name).suffix.lower())
    return kind if kind in _TEXTS or not is_packed else None


def is_address(name: str) -> bool:
    """Whether a name is an address such as https://…, and no file is named so."""
    return _ADDRESS.match(name) is not None and not os.path.lexists(name)


def check_path(argument: str, value: Any) -> str:
    """Return the name of a file or a folder; an empty one would stand for the current folder."""
    name = os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else ""
    if not name or "\0" in name:
        raise ArgumentError(argument=argument, rule="name a file or a folder", got=repr(value))
    return name


def list_files(names: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return the files that paths, folders and patterns stand for, each once, by the first of its names."""
    files: dict[str, Path] = {}
    for name in names:
        for path in _expand(check_path("source", name)):
            files.setdefault(os.path.realpath(path), path)  # of a link to itself, too
    return list(files.values())


def _expand(name: str) -> list[Path]:
    """Return the file of that name, the files in the folder, or those that match the pattern or lie below."""
    if is_address(name):
        hint = f"Pass a lazy frame that reads it, such as pl.scan_parquet({name!r})."
        raise ArgumentError(argument="source", rule="be local files", got=repr(name), hint=hint)
    path = Path(name)
    # A link to nowhere is no pattern either.
    is_pattern = glob.has_magic(name) and not os.path.lexists(path)
    found = _match(path) if is_pattern else [path]
    if is_pattern and name.endswith("/"):
        found = [one for one in found if one.is_dir()]
    files = [file for one in found for file in (_list_folder(one) if one.is_dir() else [one])]
    if not files:
        problem = f"{name} contains no file that ends with {', '.join(FORMATS)}"
        raise FileNotFoundError(f"no file matches {name}" if is_pattern else problem)
    return files


def _match(pattern: Path) -> list[Path]:
    """Return what fits a pattern; `glob` would leave out what is in folders that cannot be read."""
    plain = [*takewhile(lambda part: not glob.has_magic(part), pattern.parts)]
    found = [Path(*plain)]
    for part in pattern.parts[len(plain) :]:
        folders = [path for path in found if path.is_dir()]
        inside = (path for one in folders for path in (_walk(one, set()) if part == "**" else one.iterdir()))
        fitting = (path for path in inside if fnmatch.fnmatch(path.name, part))
        found = [path for path in fitting if part in ("**", path.name) or not _is_hidden(path.name)]
    return sorted({*found})


def _list_folder(folder: Path) -> list[Path]:
    """Return the files of known formats in a folder and below it; a warning names others."""
    files = sorted(path for path in _walk(folder, set()) if not path.is_dir())
    data = [path for path in files if format_of(path) and path.suffix.lower() != ".txt"]  # such are notes
    if others := sorted(str(path) for path in {*files}.difference(data)):
        many = "1 file is" if len(others) == 1 else f"{len(others)} files are"
        warn_caller(f"{folder}: {many} of unknown format and ignored: {list_names(others, 3)}.")
    return data


def _walk(folder: Path, seen: set[str]) -> Iterator[Path]:
    """Yield a folder and what is below it, through links as well, unless they lead back."""
    seen.add(os.path.realpath(folder))
    yield folder
    for path in sorted(folder.iterdir()):
        if not path.is_dir() and not _is_hidden(path.name):
            yield path
        elif not _is_hidden(path.name) and os.path.realpath(path) not in seen:
            yield from _walk(path, seen)


def _is_hidden(name: str) -> bool:
    """Whether a name begins with a point or an underscore: that is not data, as for Spark and Hive."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


# -- tables -------------------------------------------------------------------------------------------


def read(
    source: str | os.PathLike[str], *, format: str | None = None, decimal: str = ".", encoding: str = "utf-8"
) -> Table:
    """Read a file whole.

    Parameters
    ----------
    source : path
        A file, an address (``https://…``), or ``-`` for standard input. Text may be packed: ``.csv.gz``,
        ``.csv.zst``.
    format : {"csv", "parquet", "arrow", "jsonl"}, optional
        By default from the name, else from the first bytes. Tabs and semicolons separate cells, too.
    decimal : {".", ","}
        The decimal mark of numbers in text.
    encoding : str
        The encoding of a CSV file.

    Raises
    ------
    FileFormatError
        If the file is not what its name says.
    ArgumentError
        If ``source`` is no path, or ``format`` or ``decimal`` is none of these.
    OSError
        If it cannot be read.
    """
    option("format", format, (None, *dict.fromkeys(FORMATS.values())))
    option("decimal", decimal, (".", ","))
    name = STDIN if source == "-" else check_path("path", source)
    with _naming(name), _open(name) as file, _unpack(file) as raw:
        guesses = (kind for start, kind in _STARTS.items() if raw.peek(len(start)).startswith(start))
        kind = format or format_of(name) or next(guesses, "csv")
        if kind in _TEXTS:
            table = next(_read_text(raw, kind, encoding), None)
        else:
            with refusing(kind):
                table = as_table(_scan_binary(raw.read(), kind).collect())
        if table is None:
            raise EmptyInputError("the file is empty")
        if not len(table):
            raise EmptyInputError(f"there are no rows below the columns {list_names(table.columns)}")
    rows = np.arange(1, len(table) + 1)
    return replace(table, name=name, format=kind, decimal=decimal, encoding=encoding, rows=rows)


def read_pieces(*paths: Path) -> Iterator[Table]:
    """Yield the rows of a file in tables: of text by some 64 MiB, of other formats by some rows, lazily.

    Several files must be Parquet with the same columns: Polars then reads them as one.
    """
    name, kind = str(paths[0]), format_of(paths[0])
    if kind is None:
        rule = f"be files whose names end with {', '.join(FORMATS)}"
        raise ArgumentError(argument="source", rule=rule, got=repr(name))
    if pipe := next((path for path in paths if path.exists() and not path.is_file()), None):
        hint = "Scans read files more than once: read it into memory, through standard input."
        raise FileFormatError("it is no regular file", where=str(pipe), hint=hint)
    if kind in _TEXTS:
        with _naming(name), paths[0].open("rb") as file, _unpack(file) as raw:
            for table in _read_text(raw, kind, size=BLOCK):
                yield replace(table, name=name, format=kind, is_piece=True)
        return
    with refusing(kind):
        frame = _scan_binary([os.path.realpath(path, strict=True) for path in paths], kind)
        count = frame.select(_polars().len()).collect().item()
    for begin in range(0, max(count, 1), _ROWS):
        yield replace(as_table(frame.slice(begin, _ROWS), lazy=True), name=name, format=kind)


def _open(name: str) -> io.BufferedReader:
    """Open a file, an address or standard input."""
    if name != STDIN and not is_address(name):
        return Path(name).open("rb")
    if name == STDIN:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        content = sys.stdin.buffer.read()
    else:
        from http.client import HTTPException  # noqa: PLC0415
        from urllib.request import urlopen  # noqa: PLC0415

        try:
            with urlopen(name, timeout=_TIMEOUT) as answer:  # noqa: S310 - any that is known
                content = answer.read()
        except (OSError, ValueError, HTTPException) as error:
            getattr(error, "close", str)()  # an error of HTTP is the answer as well
            reason = f"it cannot be fetched: {getattr(error, 'reason', error)}"
            raise OSError(getattr(error, "errno", None), reason, name) from error
    return io.BufferedReader(cast("Any", io.BytesIO(content)))


def _unpack(file: io.BufferedReader) -> io.BufferedReader:
    """Return the text in a packed file, as a file; what is not packed as it is."""
    start = file.peek(len(_ZSTD))
    if start.startswith(_GZIP):
        return cast("io.BufferedReader", gzip.GzipFile(fileobj=file))
    if not start.startswith(_ZSTD):
        return file
    hint = "It must hold text in UTF-8: unpack it, or pack it with gzip."
    with refusing("zstd", hint):  # Polars unpacks it, as a table of one cell
        whole = {"has_header": False, "separator": "\1", "eol_char": "\0", "quote_char": None}
        cells = _polars().read_csv(file.read(), infer_schema=False, raise_if_empty=False, **whole)
    if cells.shape > (1, 1):
        raise FileFormatError("it contains control characters", hint=hint)
    text = cells.item() if cells.height else ""
    return io.BufferedReader(cast("Any", io.BytesIO(text.encode())))


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Name the file in errors about it, and say that a packed one is damaged."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError("it is damaged: it cannot be decompressed to its end", where=name) from error
    except UccurveError as error:
        raise error.replaced(where=name) from error


@contextmanager
def refusing(kind: str, hint: str = "") -> Iterator[None]:
    """Say that a file is not what its name says, where Polars cannot read it, and keep its panics quiet."""
    pl = _polars()
    stderr = None if sys.stderr is None else os.dup(_STDERR)
    try:
        if stderr is not None:
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), _STDERR)
        yield
    except (FileNotFoundError, PermissionError):
        raise
    except pl.exceptions.DuplicateError as error:
        raise ArgumentError(f"each column must have its own name: {error}") from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise FileFormatError(f"it is not a readable {kind.capitalize()} file", hint=hint) from error
    finally:
        if stderr is not None:
            os.dup2(stderr, _STDERR)
            os.close(stderr)


def _polars() -> ModuleType:
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415
    return pl


def _scan_binary(source: bytes | list[str], kind: str) -> Any:
    """Return files, or the bytes of one, as a lazy frame of Polars; names are no patterns."""
    scan = _polars().scan_parquet if kind == "parquet" else _polars().scan_ipc
    return scan(source, glob=False, hive_partitioning=False)


# -- text -------------------------------------------------------------------------------------------


def _read_text(
    file: io.BufferedReader, kind: str, encoding: str = "utf-8", size: int = -1
) -> Iterator[Table]:
    """Yield the rows of a file of text, all at once or by blocks of so many bytes, with their numbers."""
    for start, (what, hint) in _OTHERS.items():
        if re.match(start, file.peek(1)):
            raise FileFormatError(f"it is {what}", hint=hint)
    done = 0
    for table in (_read_csv if kind == "csv" else _read_json_lines)(file, encoding, size):
        yield replace(table, rows=np.arange(done + 1, done + len(table) + 1))
        done += len(table)


def _read_blocks(
    file: IO[bytes], encoding: str, size: int, *, quoted: bool = False
) -> Iterator[tuple[str, int]]:
    """Yield text in blocks of whole lines, each with the number of its first line; all line ends become LF.

    With ``quoted``, a block ends outside of quotation marks.
    """
    line = 1
    while block := file.read(size) + file.readline():
        while quoted and block.count(b'"') % 2 and (more := file.read(size) + file.readline()):
            block += more
        try:
            text = block.decode(encoding)
        except UnicodeError as error:
            where = line + block.count(b"\n", 0, getattr(error, "start", 0))
            hint = 'Pass its encoding, such as `encoding="cp1252"` or `encoding="utf-16"`, or its `format`.'
            hint = hint if size < 0 else AS_THEY_ARE
            raise FileFormatError(f"line {where} is not text in {encoding.upper()}", hint=hint) from error
        except (LookupError, TypeError, ValueError) as error:
            rule = "be an encoding of text, such as utf-8, cp1252 or utf-16"
            raise ArgumentError(argument="encoding", rule=rule, got=repr(encoding)) from error
        text = (text.removeprefix("\ufeff") if line == 1 else text).replace("\r\n", "\n").replace("\r", "\n")
        yield text if text.endswith("\n") else f"{text}\n", line
        line += text.count("\n")


def _read_csv(file: IO[bytes], encoding: str, size: int) -> Iterator[Table]:
    """Yield the rows of a CSV file, all cells as text, without rows that have no value in any column."""
    names: list[str] = []
    separator, width = ",", 0
    for block, begin in _read_blocks(file, encoding, size, quoted=True):
        text = block if names else block.lstrip("\n")
        if not text.strip("\n"):
            continue
        if not names:
            header = re.sub('"[^"]*"', "", next(_FIRST_ROW.finditer(text))[0])
            separator = max(_SEPARATORS, key=header.count)
            width = header.count(separator) + 1
        cells, lines = _split(text, begin + len(block) - len(text), separator, width)
        if not names:
            names = [(name or "").strip() for name in cells.row(0)]
            check_distinct(names)
            cells, lines = cells[1:], lines[1:]
        is_blank = cells.select(_polars().all_horizontal(_polars().all().is_null())).to_series()
        blank = int(is_blank.sum())
        notes = (f"{blank} blank line{'s' if blank > 1 else ''} left out.",) if blank else ()
        table = as_table(cells.filter(~is_blank).rename(dict(zip(cells.columns, names, strict=True))))
        lines = lines[~is_blank.to_numpy()]
        yield replace(table, format="csv", separator=separator, lines=lines, notes=notes)


def _split(text: str, line: int, separator: str, width: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Split text that begins at a line of the file into cells; return the line of each row as well."""
    pl = _polars()
    # Without quoted cells each line is a row; their own line breaks stay, as CR.
    cell = rf'"(?<![^{separator}\n]")[^"]*+(?:""[^"]*+)*+"(?=[{separator}\n])'
    plain = re.sub(cell, lambda found: "\r" * found[0].count("\n"), text) if '"' in text else text
    if '"' in plain:
        where = line + len(re.findall(r"[\r\n]", plain[: plain.index('"')]))
        raise FileFormatError(f"a quotation mark in line {where} neither begins nor ends a cell")
    breaks = "\n" + re.sub(r"[^\r\n]+", "", plain)[:-1]
    lines = line + np.flatnonzero(np.frombuffer(breaks.encode(), np.uint8) == ord("\n"))
    header = separator.join(f"cell{place}" for place in range(width))  # Polars takes x^ for packed data
    with suppress(pl.exceptions.PolarsError):
        content = f"{header}\n{text}".encode()
        cells = pl.read_csv(content, infer_schema=False, separator=separator, glob=False)
        if cells.height == lines.size:
            return cells, lines
    for number, row in zip(lines, plain.split("\n"), strict=False):
        if (count := row.count(separator) + 1) > width:
            raise FileFormatError(f"line {number} has {count} fields, but the header has {width}")
    raise FileFormatError("its rows cannot be told apart")


def _read_json_lines(file: IO[bytes], encoding: str, size: int) -> Iterator[Table]:
    """Yield the rows of a file with one JSON object a line."""
    pl = _polars()
    kinds: dict[str, Any] = {}
    for text, begin in _read_blocks(file, encoding, size):
        lines = {number: line for number, line in enumerate(text.split("\n"), begin) if line.strip()}
        if not lines:
            continue
        frame = None
        with suppress(pl.exceptions.PolarsError, pl.exceptions.PanicException):
            frame = pl.read_ndjson(text.encode(), infer_schema_length=None)
        if frame is None or frame.height != len(lines):
            raise _explain_json(lines)
        _check_keys(frame, lines)
        # Keys without a value in this block are as in earlier ones.
        kinds |= {name: kind for name, kind in frame.schema.items() if kind != pl.Null}
        known = dict.fromkeys(frame.columns, pl.Float64) | kinds
        absent = [name for name in known if frame.schema.get(name, pl.Null) == pl.Null]
        frame = frame.with_columns(pl.lit(None, known[name]).alias(name) for name in absent)
        yield replace(as_table(frame), lines=np.array([*lines]))


def _check_keys(frame: pl.DataFrame, lines: Mapping[int, str]) -> None:
    """Refuse an object that has a key twice: Polars takes the first value.

    Only lines with more colons behind quotation marks than values are read again, key by key.
    """
    pl = _polars()
    colons = pl.Series(lines.values(), dtype=pl.String).str.count_matches(r'"\s*:')
    filled = frame.select(pl.sum_horizontal(pl.all().is_not_null())).to_series()
    for number, line in compress(lines.items(), colons > filled):
        keys = [key for key, _ in _PAIRS.decode(line)]
        if len({*keys}) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise FileFormatError(f"line {number} has the key {repeated!r} more than once")


def _explain_json(lines: Mapping[int, str]) -> FileFormatError:
    """Find the line that is no JSON object, or has a number that no float holds."""
    for number, line in lines.items():
        row = None
        with suppress(ValueError, RecursionError):  # of NaN as well, which is no whole number
            row = json.loads(line, parse_constant=int)
        if not isinstance(row, dict):
            hint = "Write one object per line, with null for NaN and for infinity."
            return FileFormatError(f"line {number} is not a JSON object", hint=hint)
        for key, value in row.items():
            if value in (math.inf, -math.inf):
                return FileFormatError(f"the number of the key {key!r} in line {number} is too large")
    return FileFormatError("values of one key are of several kinds")
