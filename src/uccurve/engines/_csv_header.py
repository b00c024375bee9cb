"""The header of a CSV file, read in one way for all engines."""

from __future__ import annotations

import csv
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from uccurve.exceptions import FileFormatError

if TYPE_CHECKING:
    import io
    from pathlib import Path

_SEPARATORS = (",", ";", "\t")
_BOM = b"\xef\xbb\xbf"
_OTHER_KINDS = {
    b"\x1f\x8b": "is compressed with gzip: unpack it first",
    b"PK\x03\x04": "is a zip archive: unpack it first",
    b"\x28\xb5\x2f\xfd": "is compressed with zstd: unpack it first",
    b"PAR1": "is a Parquet file: its name must end with .parquet",
    b"ARROW1": "is an Arrow file: its name must end with .arrow",
    b"\xff\xfe": "is not in UTF-8 but looks like UTF-16",
    b"\xfe\xff": "is not in UTF-8 but looks like UTF-16",
}
_PIECE = 1 << 20


class CsvHeader(NamedTuple):
    """The first line of a CSV file that is not blank."""

    names: list[str]
    """The columns, without blanks around their names."""
    separator: str
    """A comma, a semicolon or a tab: whatever occurs most."""
    skipped: int
    """Number of lines up to the first row: blank ones, and the header itself."""
    line_end: str
    """LF, of CRLF too, or CR alone, as Excel on a Mac may save it."""


def read(path: Path) -> CsvHeader:
    """Read the header; `FileFormatError` says why a file is not CSV."""
    skipped = 0
    with path.open("rb") as file:
        start = file.read(8)
        for magic, reason in _OTHER_KINDS.items():
            if start.startswith(magic):
                raise FileFormatError(f"it {reason}")
        file.seek(len(_BOM) if start.startswith(_BOM) else 0)
        while (line := _line(file)) and not line.strip():
            skipped += 1
    if not line:
        raise FileFormatError("it has no header")
    try:
        text = line.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise FileFormatError("its header is not in UTF-8") from error
    if "\r" in text or "\0" in text:
        raise FileFormatError("its lines must end with LF, CRLF or CR, all alike, and hold no binary data")
    unquoted = re.sub(r'"[^"]*"', "", text)
    if '"' in unquoted:
        raise FileFormatError("the names of its columns must be on one line: a quotation mark is open there")
    separator = max(_SEPARATORS, key=unquoted.count)
    (names,) = csv.reader([text], delimiter=separator)
    line_end = "\r" if line.endswith(b"\r") else "\n"
    return CsvHeader([name.strip() for name in names], separator, skipped + 1, line_end)


def _line(file: io.BufferedReader) -> bytes:
    """Return the next line, however long it is; CR alone ends it if no LF is near."""
    pieces: list[bytes] = []
    while piece := file.readline(_PIECE):
        end = piece.find(b"\r") + 1
        if end and not piece.endswith(b"\n") and end < _PIECE:
            file.seek(end - len(piece), os.SEEK_CUR)
            return b"".join([*pieces, piece[:end]])
        pieces.append(piece)
        if piece.endswith(b"\n"):
            break
    return b"".join(pieces)
