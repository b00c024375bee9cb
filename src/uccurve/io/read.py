"""Files in: a path, an address or standard input becomes a table that remembers where each row stood."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arguments import needed
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, EmptyInputError, FileFormatError
from uccurve.intervals import name_as_text
from uccurve.io import text_files
from uccurve.io.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

STDIN = "<stdin>"
FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_PACKED = (".gz", ".zst")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_STREAM = b"\xff\xff\xff\xff"
# What a file may be instead of a table, by its first bytes, and what helps.
_OTHERS = {
    b"PK\x03\x04": "it is an Excel workbook or a zip archive: save the sheet as CSV, or unpack it first",
    b"\xd0\xcf\x11\xe0": "it is a workbook of an old Excel: save the sheet as CSV",
    b"\xfd7zXZ": "it is an xz file: unpack it first",
    b"UCCSKTCH": "it is a sketch file: uccurve.sketch.SketchFile reads it",
    b"[": 'it is a JSON array: write one object per line, as jq -c ".[]" does, and name it .jsonl',
}
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE | re.ASCII)
_NO_TEXT = ("charmap", "idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
_BLOCK, _STDERR = 1 << 20, 2
# Seconds that a server may take to answer.
_TIMEOUT = 60


def format_of(path: str | os.PathLike[str]) -> str | None:
    """Return the format that a name tells, also of packed text: "csv" of f.csv.gz; None if it tells none."""
    name = Path(path)
    is_packed = name.suffix.lower() in _PACKED
    kind = FORMATS.get((name.with_suffix("") if is_packed else name).suffix.lower())
    return kind if kind in ("csv", "jsonl") or not is_packed else None


def read(
    source: str | os.PathLike[str], *, format: str | None = None, decimal: str = ".", encoding: str = "utf-8"
) -> Table:
    """Read a file whole.

    Parameters
    ----------
    source : path
        A file, an address (``https://…``, or ``s3://…`` where fsspec is installed), or ``-`` for standard
        input. Text may be packed: ``.csv.gz``, ``.csv.zst``.
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
    OSError
        If it cannot be read.
    """
    encoding = _check_encoding(encoding)
    name, raw = _read_bytes(os.fspath(source))
    with _unpacking(name):
        raw = _unpacked(io.BytesIO(raw), raw[:8]).read()
        if not raw or raw.isspace():
            raise EmptyInputError("the file is empty", where=name)
        kind = format or format_of(name) or _guess(raw)
        table = _read_text(raw, kind, encoding) if kind in ("csv", "jsonl") else _read_binary(raw, kind)
    if not len(table):
        problem = f"there are no rows below the columns {list_names(table.columns)}"
        raise EmptyInputError(problem, where=name)
    return Table(
        frame=table.frame,
        name=name,
        format=kind,
        separator=table.separator,
        decimal=decimal,
        encoding=encoding,
        rows=np.arange(1, len(table) + 1),
        lines=table.lines,
        notes=table.notes,
    )


def read_pieces(path: Path) -> Iterator[Table]:
    """Yield the rows of a CSV file or of JSON lines in tables of some 64 MiB, at least one."""
    import narwhals as nw  # noqa: PLC0415

    kind, done = format_of(path), 0
    read_rows = text_files.read_csv if kind == "csv" else text_files.read_json_lines
    with path.open("rb") as file, _unpacking():
        start = file.peek(8)
        _refuse_others(start, str(kind))
        for rows in read_rows(_unpacked(file, start), text_files.PIECE):
            numbers = np.arange(1, rows.frame.height + 1) + done
            frame = nw.from_native(rows.frame, eager_only=True)
            yield Table(frame=frame, name=str(path), format=str(kind), rows=numbers, lines=rows.lines)
            done += rows.frame.height


def is_address(name: str) -> bool:
    """Whether a name is an address such as s3://…, and no file is named so."""
    return _ADDRESS.match(name) is not None and not os.path.lexists(name)


def _read_bytes(name: str) -> tuple[str, bytes]:
    """Return what to call a source, and all of its bytes."""
    if name in ("-", STDIN):
        # piece by piece, so that an interrupt between two pieces is noticed
        return STDIN, b"".join(iter(lambda: sys.stdin.buffer.read(_BLOCK), b""))
    if not is_address(name):
        return name, Path(name).read_bytes()
    scheme = name.partition(":")[0].lower()
    if scheme in ("http", "https", "file"):
        from urllib.error import HTTPError  # noqa: PLC0415
        from urllib.request import urlopen  # noqa: PLC0415

        try:
            with urlopen(name, timeout=_TIMEOUT) as answer:  # noqa: S310 - the schemes are those above
                return name, answer.read()
        except OSError as error:
            if isinstance(error, HTTPError):
                error.close()  # it is the answer as well
            reason = getattr(error, "reason", error)
            raise OSError(error.errno, f"it cannot be fetched: {reason}", name) from error
    try:
        import fsspec  # noqa: PLC0415

        with fsspec.open(name) as answer:
            return name, answer.read()
    except (ImportError, ValueError) as error:
        hint = "Install fsspec and the library of the store, or copy the file."
        raise FileFormatError(f"this address cannot be opened: {error}", where=name, hint=hint) from error


def _unpacked(packed: IO[bytes], start: bytes) -> IO[bytes]:
    """Return the text in a packed file, as a file; text that is not packed as it is."""
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=packed)  # type: ignore[return-value]
    if not start.startswith(_ZSTD):
        return packed
    pl = _polars()
    try:  # Polars unpacks it, as a table of one column whose cells are lines
        with quiet_libraries():
            lines = pl.read_csv(
                packed.read(), has_header=False, separator="\x01", quote_char=None, infer_schema=False
            )
    except pl.exceptions.PolarsError as error:
        raise FileFormatError("it is damaged: it cannot be unpacked") from error
    return io.BytesIO("\n".join(lines.to_series().fill_null("").to_list()).encode())


@contextmanager
def _unpacking(name: str | None = None) -> Iterator[None]:
    """Say that a packed file is damaged, and name files in errors about them."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError("it is damaged: it cannot be unpacked to its end", where=name) from error
    except (FileFormatError, ArgumentError) as error:
        raise error.replaced(where=name or error.where) from error


def _polars() -> ModuleType:
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415
    return pl


def _guess(raw: bytes) -> str:
    """Tell the format by the first bytes."""
    return _binary_format(raw) or ("jsonl" if raw.lstrip().startswith((b"{", b"[")) else "csv")


def _binary_format(raw: bytes) -> str | None:
    """Return which format that is no text bytes begin with; names of columns are printable."""
    is_parquet = raw.startswith(b"PAR1") and raw[4:5] < b" "
    return "parquet" if is_parquet else "arrow" if raw.startswith((b"ARROW1\0", _STREAM)) else None


def _refuse_others(raw: bytes, kind: str) -> None:
    """Refuse what is no text, with what it is and what helps."""
    for start, reason in _OTHERS.items():
        if raw.startswith(start) and (kind, start) != ("csv", b"["):
            raise FileFormatError(reason)
    other = _binary_format(raw)
    if other is not None:
        hint = f'Name it so, or pass `format="{other}"`.'
        raise FileFormatError(f"it is no text but looks like {other.capitalize()}", hint=hint)
    if raw.startswith(_WIDE):
        raise FileFormatError("it is not in UTF-8 but looks like UTF-16", hint='Pass `encoding="utf-16"`.')


def _check_encoding(encoding: str) -> str:
    """Return the usual name of an encoding of text."""
    try:
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        name = "undefined"
    if name.replace("_", "-") in _NO_TEXT:
        rule = "be an encoding of text, such as utf-8, cp1252 or utf-16"
        raise ArgumentError(argument="encoding", rule=rule, got=repr(encoding))
    return name


def _read_text(raw: bytes, kind: str, encoding: str) -> Table:
    import narwhals as nw  # noqa: PLC0415

    if not encoding.startswith(("utf-16", "utf-32")):
        _refuse_others(raw, kind)
    if encoding != "utf-8":
        raw = _transcoded(raw, encoding)
    read_rows = text_files.read_csv if kind == "csv" else text_files.read_json_lines
    with quiet_libraries():
        (found,) = read_rows(io.BytesIO(raw))
    blank = f"{found.blank} blank {'line' if found.blank == 1 else 'lines'} left out."
    return Table(
        frame=nw.from_native(found.frame, eager_only=True),
        separator=found.separator,
        lines=found.lines,
        notes=(blank,) if found.blank else (),
    )


def _transcoded(raw: bytes, encoding: str) -> bytes:
    """Return text of another encoding in UTF-8."""
    try:
        return raw.decode(encoding).encode()
    except UnicodeError as error:
        line = raw.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise FileFormatError(f"line {line} is not text in {encoding.upper()}") from error


def _read_binary(raw: bytes, kind: str) -> Table:
    import narwhals as nw  # noqa: PLC0415

    pl = _polars()
    try:
        with quiet_libraries():
            if kind == "parquet":
                frame = pl.read_parquet(io.BytesIO(raw), glob=False)
            else:
                read_arrow = pl.read_ipc_stream if raw.startswith(_STREAM) else pl.read_ipc
                frame = read_arrow(io.BytesIO(raw))
            return Table(frame=nw.from_native(frame, eager_only=True))
    except pl.exceptions.DuplicateError as error:
        raise ArgumentError(f"each column must have its own name: {error}") from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        or_doubled = ", or several of its columns have one name" if kind == "arrow" else ""
        raise FileFormatError(f"it is not a readable {kind.capitalize()} file{or_doubled}") from error


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keep libraries from writing to standard error by themselves, as Polars does where a file is damaged."""
    try:
        sys.stderr.flush()
        kept = os.dup(_STDERR)
    except (OSError, AttributeError):  # it is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(nowhere)
        os.close(kept)


def as_table(frame: Any) -> Table:
    """Return an eager frame of any library as a table, with text as the names of its columns."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, Table):
        return frame
    if hasattr(frame, "set_axis"):  # pandas, whose labels may be numbers or tuples
        frame = frame.set_axis([name_as_text(label) for label in frame.columns], axis=1)
    try:
        return Table(frame=nw.from_native(frame, eager_only=True))
    except nw.exceptions.DuplicateError as error:
        raise ArgumentError(argument="frame", rule=f"have distinct column names: {error}") from error
    except TypeError as error:
        rule = "be an eager frame (pandas, Polars, PyArrow, …)"
        raise ArgumentError(argument="frame", rule=rule, got=type(frame).__name__) from error
