"""CSV files and JSON lines, whole or piece by piece: every row is read once, or the file is refused.

Libraries lose rows where quotation marks are open, and shift cells where a line has more of them than the
header. So each piece of a CSV file is checked before and after Polars has split it into cells of text.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arguments import needed
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, FileFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import polars as pl

# Bytes that are read at once; a piece ends where a row does.
PIECE = 1 << 26
_SEPARATORS = (b",", b";", b"\t")
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
# Half of a character beyond 16 bits: the other half may be missing.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_INT64 = 1 << 63


class Rows(NamedTuple):
    """Some rows of a text file.

    Attributes
    ----------
    frame : polars.DataFrame
        The rows: of a CSV file all cells as text, without rows that have no value in any column.
    lines : array of int, shape (n,)
        The line of the file that each row begins at, from 1.
    separator : str
        What separates the cells of a CSV file.
    blank : int
        How many rows were left out.
    """

    frame: pl.DataFrame
    lines: np.ndarray
    separator: str = ","
    blank: int = 0

    def is_known(self, name: str) -> bool:
        """Whether a column has a value, which tells its kind."""
        column = self.frame.get_column(name)
        return column.null_count() < len(column)


def check_distinct(names: Iterable[str], where: str = "") -> None:
    """Refuse columns of the same name: which one is meant is not guessed."""
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        problem = f"each column must have its own name, but {where or 'several are'} {list_names(repeated)}"
        raise ArgumentError(problem)


def read_csv(stream: IO[bytes], piece: int | None = None) -> Iterator[Rows]:
    """Yield the rows of a CSV file in UTF-8, at least once; `FileFormatError` says why it is none.

    Parameters
    ----------
    stream : file of bytes
        The file.
    piece : int, optional
        Bytes that are read at once; by default all of them.
    """
    text, is_end, line = b"", False, 1
    header: _Header | None = None
    while not is_end:
        block = stream.read(-1 if piece is None else piece)
        is_end = piece is None or not block
        text += block
        if header is None:
            header, text, line = _read_header(text, is_end=is_end)
        elif header.line_end == b"\r":
            text = text.replace(b"\r", b"\n")
        if header is None:
            continue
        end = len(text) if is_end else _end_of_rows(text)
        if end or is_end:
            yield header.split(text[:end], line)
        line, text = line + text.count(b"\n", 0, end), text[end:]


def _read_header(text: bytes, *, is_end: bool) -> tuple[_Header | None, bytes, int]:
    """Return the first row that is not blank, the text behind it, and the line that this begins at.

    Of a text that ends too early to tell there is no header.
    """
    text = text.removeprefix(codecs.BOM_UTF8)
    line_end = b"\n" if b"\n" in text else b"\r"
    plain = text.replace(b"\r", b"\n") if line_end == b"\r" and is_end else text
    blank = len(plain) - len(plain.lstrip())
    begin = plain.rfind(b"\n", 0, blank) + 1
    end = begin
    while end < len(plain):
        end = plain.find(b"\n", end) + 1 or len(plain)
        if plain.count(b'"', begin, end) % 2 == 0:
            break
    if end == len(plain) and not is_end:
        return None, text, 1
    row = plain[begin:end].rstrip(b"\r\n")
    if not row:
        raise FileFormatError("it is empty: it has no header")
    if plain.count(b'"', begin, end) % 2:
        raise FileFormatError("a quotation mark in its header is open")
    names = _decode(row, 1 + plain.count(b"\n", 0, begin))
    if "\r" in names or "\0" in names:
        raise FileFormatError("its lines must end with LF, CRLF or CR, all alike, and hold no binary data")
    unquoted = b"".join(row.split(b'"')[::2])
    separator = max(_SEPARATORS, key=unquoted.count)
    (cells,) = csv.reader(io.StringIO(names, newline=""), delimiter=separator.decode())
    header = _Header([name.strip() for name in cells], separator, line_end)
    check_distinct(header.names)
    return header, plain[end:], plain.count(b"\n", 0, end) + 1


def _end_of_rows(text: bytes) -> int:
    """Return where the last whole row ends: at a line end outside of quotation marks; 0 without one."""
    end = text.rfind(b"\n") + 1
    is_open = text.count(b'"', 0, end) % 2
    while end and is_open:
        before = text.rfind(b"\n", 0, end - 1) + 1
        is_open ^= text.count(b'"', before, end) % 2
        end = before
    return end


def _decode(text: bytes, line: int) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        where = line + text.count(b"\n", 0, error.start)
        hint = 'Name its encoding, such as `encoding="cp1252"`.'
        raise FileFormatError(f"line {where} is not text in UTF-8", hint=hint) from error


@dataclass
class _Header:
    """The first row of a CSV file that is not blank, and what it tells about the others.

    Attributes
    ----------
    names : list of str
        The columns, without blanks around their names.
    separator : bytes
        A comma, a semicolon or a tab: whatever occurs most.
    line_end : bytes
        LF, of CRLF too, or CR alone, as Excel on a Mac may save it.
    is_quoted : bool or None
        Whether quotation marks enclose cells, or are part of the text in them; None before there is one.
    """

    names: list[str]
    separator: bytes
    line_end: bytes
    is_quoted: bool | None = None

    def split(self, text: bytes, line: int) -> Rows:
        """Split rows that begin at a line of the file into cells of text."""
        with needed("polars", extra="polars"):
            import polars as pl  # noqa: PLC0415

        schema = {f"cell{place}": pl.String for place in range(len(self.names))}
        start = len(text) - len(text.lstrip(b"\r\n"))
        line += text.count(b"\n", 0, start)
        text = text.strip(b"\r\n") + b"\n"  # Polars leaves such lines out at both ends
        if text == b"\n":
            cells = pl.DataFrame(schema=schema)
            return Rows(cells.rename(dict(zip(schema, self.names, strict=True))), np.zeros(0, dtype=np.int64))
        if b"\0" in text:
            raise FileFormatError("it holds binary data")
        is_quoted = b'"' in text and self._has_quoted_cells(text, line)
        if b'"' in text:
            if self.is_quoted not in (None, is_quoted):
                problem = "its quotation marks enclose cells in one part and stand inside cells in another"
                raise FileFormatError(problem)
            self.is_quoted = is_quoted
        # Polars takes the first row for as wide as all others.
        first = self.separator * (len(self.names) - 1) + b"\n" if len(self.names) > 1 else b""
        try:
            cells = pl.read_csv(
                codecs.BOM_UTF8 + first + text,  # a mark of UTF-8: some text looks like compressed data
                has_header=False,
                schema=schema,
                separator=self.separator.decode(),
                quote_char='"' if is_quoted else None,
                glob=False,
            )
        except pl.exceptions.PolarsError as error:
            raise self._explain(text, line) from error
        cells = cells.slice(1 if first else 0)
        lines = line + np.arange(cells.height)
        breaks = 0
        if is_quoted:
            inside = cells.select(pl.all().str.count_matches("\n", literal=True).fill_null(0))
            ends = np.cumsum(inside.sum_horizontal().to_numpy(), dtype=np.int64)
            lines[1:], breaks = lines[1:] + ends[:-1], int(ends[-1])
        if cells.height + breaks != text.count(b"\n"):
            raise self._explain(text, line)
        filled = ~cells.select(pl.all_horizontal(pl.all().is_null())).to_series().to_numpy()
        blank = int(np.count_nonzero(~filled))
        cells = cells.filter(pl.Series(filled)) if blank else cells
        frame = cells.rename(dict(zip(schema, self.names, strict=True)))
        return Rows(frame, lines[filled], self.separator.decode(), blank)

    def _has_quoted_cells(self, text: bytes, line: int) -> bool:
        """Whether quotation marks enclose cells, all of them properly; else they are part of the text."""
        letters = np.frombuffer(text, dtype=np.uint8)
        quotes = np.flatnonzero(letters == _QUOTE)
        ends = (self.separator[0], _NEWLINE)
        before = np.where(quotes > 0, letters[quotes - 1], _NEWLINE)
        if not np.isin(before, ends).any():
            return False
        after = letters[quotes + 1]
        opened = np.isin(before[::2], (*ends, _QUOTE))
        closed = np.isin(after[1::2], (*ends, _RETURN, _QUOTE))
        if quotes.size % 2 or not (opened.all() and closed.all()):
            stray = [*quotes[::2][~opened], *quotes[1::2][~closed], quotes[-1]]
            where = line + text.count(b"\n", 0, int(min(stray)))
            raise FileFormatError(f"a quotation mark in line {where} neither begins nor ends a cell")
        return True

    def _explain(self, text: bytes, line: int) -> FileFormatError:
        """Find the line that has more cells than the header, or is not text."""
        rows = csv.reader(io.StringIO(_decode(text, line), newline=""), delimiter=self.separator.decode())
        before = 0
        for cells in rows:
            if len(cells) > len(self.names):
                fields = f"{len(cells)} fields, but the header has {len(self.names)}"
                return FileFormatError(f"line {line + before} has {fields}")
            before = rows.line_num
        return FileFormatError("its rows cannot be told apart: a quotation mark may be missing")


def read_json_lines(stream: IO[bytes], piece: int | None = None) -> Iterator[Rows]:
    """Yield the rows of a file with one JSON object a line, at least once.

    Polars reads what is regular. What it refuses (NaN, values of several kinds) or might read wrongly is read
    again by Python, which also finds the line that is no object.
    """
    begin, rest, is_end = 1, b"", False
    seen: dict[str, Any] = {}
    while not is_end:
        block = stream.read(-1 if piece is None else piece)
        is_end = piece is None or not block
        text = rest + block
        end = len(text) if is_end else text.rfind(b"\n") + 1
        rest = text[end:]
        if end or is_end:
            rows = _parse_objects(text[:end].removeprefix(codecs.BOM_UTF8), begin)
            frame = _agree_with(rows.frame, seen, begin)
            seen = {name: frame.schema[name] for name in rows.frame.columns if rows.is_known(name)} | seen
            yield rows._replace(frame=frame)
        begin += text.count(b"\n", 0, end)


def _agree_with(frame: pl.DataFrame, seen: Mapping[str, Any], line: int) -> pl.DataFrame:
    """Add the keys of earlier pieces, which no object of this one has; refuse values of another kind."""
    import polars as pl  # noqa: PLC0415

    for name, kind in frame.schema.items():
        other = seen.get(name, kind)
        if kind != other and not (kind == pl.Null or (kind.is_numeric() and other.is_numeric())):
            kinds = f"{other} before line {line} and {kind} behind it"
            raise FileFormatError(f"the key {name!r} holds {kinds}", hint="Write all values in one way.")
    empty = [name for name in seen if name not in frame.columns or frame.schema[name] == pl.Null]
    nothing = [pl.Series(name, [None] * frame.height, seen[name]) for name in empty]
    frame = frame.with_columns(nothing) if frame.height else frame
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))


def _parse_objects(text: bytes, begin: int) -> Rows:
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415

    lines = text.splitlines()
    filled = np.array([begin + place for place, line in enumerate(lines) if line.strip()], dtype=np.int64)
    if not filled.size:
        return Rows(pl.DataFrame(), filled)
    first = int(filled[0]) - begin
    _ = _parse_slowly(
        lines[first : first + 1], begin + first
    )  # keys that are doubled there are so everywhere
    frame = None
    if not _HALF.search(text) and not _has_doubled_keys(text, lines[first], filled.size):
        try:
            frame = pl.read_ndjson(text, infer_schema_length=None)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            frame = None
    if frame is None or frame.height != filled.size:
        frame = _parse_slowly(lines, begin)
    return Rows(frame, filled)


def _has_doubled_keys(text: bytes, line: bytes, rows: int) -> bool:
    """Whether an object may have a key twice, of which Polars would take the first value."""
    try:
        keys = json.loads(line)
        return any(text.count(json.dumps(key).encode()) > rows for key in keys)
    except (ValueError, RecursionError):
        return True


def _parse_slowly(lines: Iterable[bytes], begin: int) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415

    records = []
    for number, line in enumerate(lines, begin):
        if not line.strip():
            continue
        try:
            pairs = json.loads(line, parse_int=_read_integer, object_pairs_hook=_Pairs)
            json.dumps(pairs, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):x}"
            raise FileFormatError(
                f"line {number} is not text: it holds half of a character, {half}"
            ) from error
        except (ValueError, RecursionError) as error:
            raise FileFormatError(f"line {number} is not JSON") from error
        if not isinstance(pairs, _Pairs):
            raise FileFormatError(f"line {number} is not a JSON object")
        check_distinct((key for key, _ in pairs), where=f"line {number} has several")
        records.append(dict(pairs))
    columns = {key: None for record in records for key in record}
    return pl.DataFrame({key: _as_series([record.get(key) for record in records]) for key in columns})


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, as they are written."""


def _read_integer(text: str) -> int | float:
    """Return a whole number, as a float where 64 bits do not hold it: Python refuses very long ones."""
    value = float(text)
    return int(text) if abs(value) < _INT64 else value


def _as_series(values: list[Any]) -> pl.Series:
    import polars as pl  # noqa: PLC0415

    kinds = {type(value) for value in values} - {type(None)}
    if kinds in ({int}, {bool}):
        return pl.Series(values)
    if kinds <= {int, float}:
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    if kinds & {_Pairs, list}:  # a list, which is refused where a number or a label is due
        return pl.Series([[text] for text in texts], dtype=pl.List(pl.String))
    return pl.Series(texts, dtype=pl.String)
