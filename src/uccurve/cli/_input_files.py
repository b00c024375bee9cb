"""Files in: CSV, Parquet, Arrow and JSON lines become tables that remember where each row stood."""

from __future__ import annotations

import io
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from uccurve.cli import _csv_text, _jsonl
from uccurve.cli._addresses import refuse_address
from uccurve.cli._errors import DataError, FileError
from uccurve.cli._standard_streams import silent_libraries
from uccurve.columns import list_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from uccurve.cli._options import ReadingOptions

STDIN = "<stdin>"
"""What stands for ``-``."""
_PIECE = 1 << 20
"""Bytes that are read at once from a pipe."""
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
_STREAM = b"\xff\xff\xff\xff"
_UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FileTable:
    """The rows of a file, in its own order."""

    name: str
    """The file, as it is shown."""
    frame: pl.DataFrame
    """The columns; those of a CSV file are text, to be written back as they are."""
    format: str
    """csv, parquet, arrow or jsonl."""
    separator: str = ","
    """What separates the fields of a CSV file."""
    decimal: str = "."
    """The decimal mark of numbers in text."""
    encoding: str = "utf-8"
    """How a CSV file is encoded."""
    crossed: str = "raise"
    """What is done about crossed bounds: raise or sort."""
    rows: np.ndarray
    """Number of each row among the rows of the file, from 1, shape (n,)."""
    lines: np.ndarray | None = None
    """Line of the file that each row begins at, from 1; None for formats without lines."""
    notes: tuple[str, ...] = field(default=())
    """What a reader of the results should know about the file."""

    def position(self, row: int) -> str:
        """Say where a row is, for someone who looks it up: "row 17 (line 18)"."""
        line = "" if self.lines is None else f" (line {self.lines[row]})"
        return f"row {self.rows[row]}{line}"

    def column(self, name: str) -> pl.Series:
        """Return a column under no name: Polars would take some names for patterns."""
        return self.frame.get_column(name).alias("")

    def keep(self, mask: np.ndarray) -> FileTable:
        """Return the rows where the mask is true."""
        lines = None if self.lines is None else self.lines[mask]
        return replace(self, frame=self.frame.filter(pl.Series(mask)), rows=self.rows[mask], lines=lines)


def read(name: str, reading: ReadingOptions) -> FileTable:
    """Read a local file, or standard input; nothing is fetched, and no name is a pattern.

    Parameters
    ----------
    name : str
        The path; ``-`` or `STDIN` for standard input.
    reading : ReadingOptions
        The format (by default from the suffix, else from the first bytes), how text is written, and what
        is done about crossed bounds.
    """
    name = STDIN if name == "-" else name
    raw = _bytes(name)
    if not raw.strip():
        raise DataError(f"{name}: the file is empty.")
    kind = reading.format or FORMATS.get(Path(name).suffix.lower()) or _guess(raw)
    encoding = _csv_text.known_encoding(reading.encoding)
    table = _csv(name, raw, encoding) if kind == "csv" else _READERS[kind](name, raw)
    table = replace(table, decimal=reading.decimal, crossed=reading.crossed)
    columns = table.frame.columns
    if not table.frame.height:
        raise DataError(f"{name}: there are no rows below the columns {list_names(columns)}.")
    return table


def _bytes(name: str) -> bytes:
    refuse_address(name)
    if name == STDIN and sys.stdin is None:
        raise FileError(f"{name}: cannot be read: standard input is closed.")
    try:
        return _read_to_the_end(sys.stdin.buffer) if name == STDIN else Path(name).read_bytes()
    except FileNotFoundError as error:
        raise FileError(f"{name}: there is no such file.") from error
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror}.") from error


def _read_to_the_end(stream: Any) -> bytes:
    """Read piece by piece, so that an interrupt between two pieces is noticed: a single read would go on."""
    return b"".join(iter(lambda: stream.read1(_PIECE), b""))


def _guess(raw: bytes) -> str:
    """Tell the format by the first bytes."""
    return _csv_text.binary_format(raw) or ("jsonl" if raw.lstrip().startswith(b"{") else "csv")


def _csv(name: str, raw: bytes, encoding: str) -> FileTable:
    text, separator, first = _csv_text.prepared(name, raw, encoding)
    try:
        cells = pl.read_csv(
            _csv_text.marked_as_text(text),
            has_header=False,
            infer_schema=False,
            separator=separator,
            glob=False,
            raise_if_empty=True,
        )
    except _UNREADABLE as error:
        raise _csv_text.not_csv(name, text, separator, first) from error
    header = [(value or "").strip() for value in cells.row(0)]
    doubled = repeated(header)
    if doubled:
        raise DataError(f"{name}: each column must have its own name, but several are {list_names(doubled)}.")
    lengths = np.ones(cells.height, dtype=np.int64)
    if b'"' in text:  # a quoted field may run over several lines
        breaks = cells.select(pl.all().str.count_matches("\n", literal=True).fill_null(0))
        lengths += breaks.sum_horizontal().to_numpy().astype(np.int64)
    lines = first + np.concatenate([[0], np.cumsum(lengths)[:-1]])
    frame = cells.slice(1)
    frame.columns = header
    blank = frame.select(pl.all().is_null()).fold(lambda a, b: a & b).to_numpy()
    count = int(np.count_nonzero(blank))
    return FileTable(
        name=name,
        frame=frame.filter(pl.Series(~blank)) if count else frame,
        format="csv",
        separator=separator,
        encoding=encoding,
        rows=np.arange(1, frame.height - count + 1),
        lines=lines[1:][~blank],
        notes=(f"{count} blank {'line' if count == 1 else 'lines'} left out.",) if count else (),
    )


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, sorted, in linear time."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def _json_lines(name: str, raw: bytes) -> FileTable:
    frame, lines = _jsonl.parse(name, raw)
    return FileTable(name=name, frame=frame, format="jsonl", rows=np.arange(1, frame.height + 1), lines=lines)


def _binary(kind: str, reader: Callable[[io.BytesIO], pl.DataFrame]) -> Callable[[str, bytes], FileTable]:
    def read_bytes(name: str, raw: bytes) -> FileTable:
        try:
            with silent_libraries():
                frame = reader(io.BytesIO(raw))
        except _UNREADABLE as error:
            raise FileError(f"{name}: is not a readable {kind.capitalize()} file.") from error
        return FileTable(name=name, frame=frame, format=kind, rows=np.arange(1, frame.height + 1))

    return read_bytes


def _arrow(raw: io.BytesIO) -> pl.DataFrame:
    stream = raw.getvalue().startswith(_STREAM)
    return pl.read_ipc_stream(raw) if stream else pl.read_ipc(raw)


_READERS: dict[str, Callable[[str, bytes], FileTable]] = {
    "jsonl": _json_lines,
    "parquet": _binary("parquet", lambda raw: pl.read_parquet(raw, glob=False)),
    "arrow": _binary("arrow", _arrow),
}
