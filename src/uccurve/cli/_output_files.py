"""Files out: all of a file or none of it."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from uccurve._base import files
from uccurve.cli._addresses import refuse_address_to_write
from uccurve.cli._errors import FileError, UsageError
from uccurve.cli._input_files import FORMATS
from uccurve.cli._typed_columns import typed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from uccurve.cli._input_files import FileTable

PIPES = frozenset({"-"})
"""Names that stand for standard output."""


def checked_suffix(output: str, known: Collection[str]) -> str:
    """Return the suffix of an output file, which must be a known one; refuse early what cannot be written."""
    ending = Path(output).suffix.lower()
    if ending not in known:
        raise UsageError(f"--output {output}: the name must end with {', '.join(sorted(known))}.")
    check_target(output)
    return ending


def check_target(output: str) -> None:
    """Refuse early what could not be written in the end."""
    if output in PIPES:
        return
    refuse_address_to_write(output)
    path = Path(os.path.realpath(output))
    if path.is_dir():
        raise FileError(f"{output}: cannot be written: it is a directory.")
    if path.exists() and not path.is_file():
        raise FileError(f"{output}: cannot be written: it is not a regular file.")
    if not path.parent.is_dir():
        raise FileError(f"{output}: cannot be written: there is no directory {path.parent}.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"{output}: cannot be written: no permission.")


@contextmanager
def writing(output: str) -> Iterator[None]:
    """Name the output in one line where it cannot be written."""
    check_target(output)
    try:
        yield
    except OSError as error:
        raise FileError(f"{output}: cannot be written: {error.strerror or error}.") from error
    except pl.exceptions.PolarsError as error:
        raise FileError(f"{output}: cannot be written in this format: {error}.") from error


@contextmanager
def replacing(output: str) -> Iterator[Path]:
    """Yield a path to write to; it takes the place of the output at the end, and vanishes on any error."""
    with writing(output), files.replacing(output) as path:
        yield path


def write_table(table: FileTable, output: str, measured: Collection[str]) -> None:
    """Write a table in the format that the name says; standard output gets that of the input.

    Parameters
    ----------
    table : FileTable
        What to write.
    output : str
        The file, or ``-``.
    measured : collection of str
        The columns that were read as numbers; others keep their text.
    """
    if output in PIPES:
        whole = io.BytesIO()  # Python tells a closed pipe from a full disk, Polars does not
        _write(table, table.format, whole, measured)
        rest = whole.getbuffer()
        while rest:  # a write to a pipe may be a partial one
            rest = rest[sys.stdout.buffer.write(rest) :]
        return
    kind = FORMATS[checked_suffix(output, FORMATS)]
    with replacing(output) as path, path.open("wb") as file:
        _write(table, kind, file, measured, tabs=output.lower().endswith(".tsv"))


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise FileError(f"the output cannot be written: {letter!r} does not exist in {encoding}.") from error


def _write(
    table: FileTable, kind: str, file: IO[bytes], measured: Collection[str], *, tabs: bool = False
) -> None:
    frame: Any = table.frame
    if kind == "csv":
        if table.decimal == ",":
            commas = pl.selectors.float().cast(pl.String).str.replace(".", ",", literal=True)
            frame = frame.with_columns(commas)
        separator = "\t" if tabs else table.separator
        if table.encoding == "utf-8":
            frame.write_csv(file, separator=separator)
        else:
            file.write(_encoded(frame.write_csv(separator=separator), table.encoding))
        return
    if table.format == "csv":
        frame = typed(table, measured)
    if kind == "parquet":
        frame.write_parquet(file)
    elif kind == "arrow":
        frame.write_ipc(file)
    else:
        frame.write_ndjson(file)
