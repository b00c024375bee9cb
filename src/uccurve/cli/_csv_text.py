"""Text of CSV files: its encoding, its separator, and what is wrong where it is no table."""

from __future__ import annotations

import codecs
import csv
import io
import re

from uccurve.cli._errors import FileError, UsageError

_ARROW = (b"ARROW1\0", b"\xff\xff\xff\xff")
_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"\xfd7zXZ\0": "an xz file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WIDE = ("utf-16", "utf-32")
_NO_TEXT = frozenset({"charmap", "idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Codecs of Python that are no encodings of files."""
_LIKE_ZLIB = re.compile(rb"x[\x01\x5e]")
"""What compressed data can begin with, and text as well."""


def binary_format(raw: bytes) -> str | None:
    """Return which format that is no text bytes are in: parquet, arrow or none."""
    if raw.startswith(b"PAR1"):  # a column may have such a name as well
        return "parquet" if raw.endswith(b"PAR1") else None
    return "arrow" if raw.startswith(_ARROW) else None


def known_encoding(encoding: str) -> str:
    """Return the usual name of an encoding of text."""
    try:
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        name = "undefined"
    if name.replace("_", "-") in _NO_TEXT:
        raise UsageError(
            f"--encoding {encoding}: unknown encoding; known ones are utf-8, cp1252, utf-16, and more."
        )
    return name


def prepared(name: str, raw: bytes, encoding: str) -> tuple[bytes, str, int]:
    """Check that bytes are text; return it in UTF-8 from the header on, its separator and header's line."""
    _refuse_other_formats(name, raw, encoding)
    binary = f"{name}: is not CSV: it holds binary data, or text that is not {encoding.upper()} (--encoding)."
    if b"\0" in raw and not encoding.startswith(_WIDE):
        raise FileError(binary)
    try:
        decoded = raw.decode(encoding)
    except UnicodeError as error:
        line = raw.count(b"\n", 0, getattr(error, "start", 0)) + 1
        other = "cp1252" if encoding == "utf-8" else "utf-8"
        raise FileError(
            f"{name}: is not CSV, or not in {encoding.upper()}: line {line} cannot be read as text; "
            f"name the encoding, as in --encoding {other}."
        ) from error
    if "\0" in decoded:
        raise FileError(binary)
    text = (raw if encoding == "utf-8" else decoded.encode()).removeprefix(codecs.BOM_UTF8)
    if b"\n" not in text:  # line ends of old: a carriage return alone
        text = text.replace(b"\r", b"\n")
    blank = re.match(rb"(?:[ \t]*\r?\n)*", text)
    start = blank.end() if blank else 0
    header = re.sub(rb'"[^"]*"', b"", text[start:].partition(b"\n")[0])
    separator = max((b",", b";", b"\t"), key=header.count)
    return text[start:], separator.decode(), text.count(b"\n", 0, start) + 1


def marked_as_text(text: bytes) -> bytes:
    """Return text that Polars does not take for compressed data; a mark of UTF-8 says so."""
    return codecs.BOM_UTF8 + text if _LIKE_ZLIB.match(text) else text


def not_csv(name: str, text: bytes, separator: str, first: int) -> FileError:
    """Find the line that has more fields than the header."""
    lines = csv.reader(io.StringIO(text.decode("utf-8"), newline=""), delimiter=separator)
    try:
        width = len(next(lines))
        last = lines.line_num
        for fields in lines:
            if len(fields) > width:
                return FileError(
                    f"{name}: line {first + last} has {len(fields)} fields, but the header has {width}."
                )
            last = lines.line_num
    except (csv.Error, StopIteration):
        pass
    return FileError(f"{name}: is not a CSV table: a quotation mark may be missing.")


def _refuse_other_formats(name: str, raw: bytes, encoding: str) -> None:
    kind = binary_format(raw)
    if kind is not None:
        raise FileError(f"{name}: is not CSV but looks like {kind}: add --format {kind}.")
    for magic, archive in _ARCHIVES.items():
        if raw.startswith(magic):
            raise FileError(f"{name}: is not CSV but looks like {archive}: unpack it first.")
    if encoding != "utf-16" and raw.startswith(_UTF_16):
        raise FileError(f"{name}: is not in {encoding.upper()} but looks like UTF-16: add --encoding utf-16.")
