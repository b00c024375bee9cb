"""CSV files, piece by piece and as text: every row is read once, or the file is refused.

Engines lose rows where quotation marks are open, and shift cells where a line has more of them than the
header. So all scans read CSV files here, whatever their engine, and check each piece before and after Polars
has split it into cells.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arguments import needed
from uccurve.exceptions import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

PIECE = 1 << 26
"""Bytes that are read at once; a piece ends where a row does."""
_SEPARATORS = (b",", b";", b"\t")
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
_GZIP = b"\x1f\x8b"
_OTHER_KINDS = {
    b"PK\x03\x04": "is a spreadsheet or a zip archive: save it as CSV",
    b"\x28\xb5\x2f\xfd": "is compressed with zstd: unpack it first",
    b"PAR1": "is a Parquet file: its name must end with .parquet",
    b"ARROW1": "is an Arrow file: its name must end with .arrow",
    b"\xff\xfe": "is not in UTF-8 but looks like UTF-16",
    b"\xfe\xff": "is not in UTF-8 but looks like UTF-16",
}


class CsvRows(NamedTuple):
    """Some rows of a file as text, without those that have no value in any column."""

    names: list[str]
    """The columns of the file; those of the frame are cell0, cell1, …."""
    frame: pl.DataFrame


def read_pieces(path: Path) -> Iterator[CsvRows]:
    """Yield the rows of a file, at least once; `FileFormatError` says why it is no CSV file."""
    with path.open("rb") as raw:
        start = raw.read(8)
        raw.seek(0)
        for magic, reason in _OTHER_KINDS.items():
            if start.startswith(magic):
                raise FileFormatError(f"it {reason}")
        try:
            yield from _pieces(gzip.GzipFile(fileobj=raw) if start.startswith(_GZIP) else raw)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise FileFormatError("it is damaged: it cannot be unpacked to its end") from error


def _pieces(stream: IO[bytes] | gzip.GzipFile) -> Iterator[CsvRows]:
    text, is_end, line = b"", False, 1
    header: _Header | None = None
    while not is_end:
        block = stream.read(PIECE)
        is_end = not block
        text += block
        if header is None:
            header, text, line = _read_header(text, is_end=is_end)
        elif header.line_end == b"\r":
            text = text.replace(b"\r", b"\n")
        if header is None:
            continue
        end = len(text) if is_end else _end_of_rows(text)
        if end or is_end:
            yield CsvRows(header.names, header.split(text[:end], line))
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
        raise FileFormatError("it has no header")
    if plain.count(b'"', begin, end) % 2:
        raise FileFormatError("a quotation mark in its header is open")
    try:
        names = row.decode()
    except UnicodeDecodeError as error:
        raise FileFormatError("its header is not in UTF-8") from error
    if "\r" in names or "\0" in names:
        raise FileFormatError("its lines must end with LF, CRLF or CR, all alike, and hold no binary data")
    unquoted = b"".join(row.split(b'"')[::2])
    separator = max(_SEPARATORS, key=unquoted.count)
    (cells,) = csv.reader(io.StringIO(names, newline=""), delimiter=separator.decode())
    header = _Header([name.strip() for name in cells], separator, line_end)
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


class _Header(NamedTuple):
    """The first row of a file that is not blank."""

    names: list[str]
    """The columns, without blanks around their names."""
    separator: bytes
    """A comma, a semicolon or a tab: whatever occurs most."""
    line_end: bytes
    """LF, of CRLF too, or CR alone, as Excel on a Mac may save it."""

    def split(self, text: bytes, line: int) -> pl.DataFrame:
        """Split rows that begin at a line of the file into cells of text."""
        with needed("polars", extra="polars"):
            import polars as pl  # noqa: PLC0415

        schema = {f"cell{place}": pl.String for place in range(len(self.names))}
        blank = len(text) - len(text.lstrip(b"\r\n"))
        line += text.count(b"\n", 0, blank)
        text = text.strip(b"\r\n") + b"\n"  # Polars leaves such lines out at both ends
        if text == b"\n":
            return pl.DataFrame(schema=schema)
        if b"\0" in text:
            raise FileFormatError("it holds binary data")
        is_quoted = self._has_quoted_cells(text, line)
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
            raise self._unreadable(text, line) from error
        cells, inside = cells.slice(1 if first else 0), 0
        if is_quoted:
            inside = cells.select(pl.all().str.count_matches("\n", literal=True).sum()).sum_horizontal()[0]
        if cells.height + inside != text.count(b"\n"):
            raise self._unreadable(text, line)
        return cells.filter(~pl.all_horizontal(pl.all().is_null()))

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

    def _unreadable(self, text: bytes, line: int) -> FileFormatError:
        """Find the line that has more cells than the header, or is not text."""
        try:
            decoded = text.decode()
        except UnicodeDecodeError as error:
            where = line + text.count(b"\n", 0, error.start)
            return FileFormatError(f"line {where} is not text in UTF-8")
        rows = csv.reader(io.StringIO(decoded, newline=""), delimiter=self.separator.decode())
        before = 0
        for cells in rows:
            if len(cells) > len(self.names):
                return FileFormatError(
                    f"line {line + before} has {len(cells)} fields, but the header has {len(self.names)}"
                )
            before = rows.line_num
        return FileFormatError("its rows cannot be told apart: a quotation mark may be missing")
