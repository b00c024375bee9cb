"""Files out: a table in the format that the name says, all of it or nothing."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base import files
from uccurve.exceptions import ArgumentError, FileFormatError
from uccurve.io.read import FORMATS, is_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from uccurve.io.tables import Table


@contextmanager
def writing(output: str | os.PathLike[str]) -> Iterator[None]:
    """Name the output in errors about writing it."""
    try:
        yield
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise OSError(error.errno, problem, os.fspath(output)) from error


def check_output(output: str, endings: Collection[str] = tuple(FORMATS)) -> None:
    """Refuse early what could not be written in the end; ``-`` is standard output."""
    if output == "-":
        return
    if Path(output).suffix.lower() not in endings:
        rule = f"be a file whose name ends with {', '.join(sorted(endings))}"
        raise ArgumentError(argument="output", rule=rule, got=output)
    if is_address(output):
        raise ArgumentError(argument="output", rule="be a local file", got=f"the URL {output}")
    with writing(output):
        target = files.checked(output)
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "it is not a regular file")
        if not os.access(target if target.exists() else target.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "no permission")


def write(table: Table, output: str, measured: Collection[str] = ()) -> None:
    """Write a table; standard output gets the format of the input.

    Parameters
    ----------
    table : Table
        What to write, as read from a file.
    output : str
        The file, or ``-``.
    measured : collection of str
        The columns of text that were read as numbers. Formats that tell numbers from text get them as
        numbers, and others only if all their cells are written as those numbers are: 007 stays text.
    """
    if output == "-":
        sys.stdout.buffer.write(_encode(table, table.format, table.separator, measured))
        return
    check_output(output)
    separator = "\t" if output.lower().endswith(".tsv") else table.separator
    with writing(output), files.replacing(output) as path:
        path.write_bytes(_encode(table, FORMATS[Path(output).suffix.lower()], separator, measured))


def _encode(table: Table, kind: str, separator: str, measured: Collection[str]) -> bytes:
    """Return the content of a file of a format."""
    import polars as pl  # noqa: PLC0415

    frame, content = table.frame.to_native(), io.BytesIO()
    if kind == "csv" and table.decimal == ",":
        commas = pl.selectors.float().cast(pl.String).str.replace(".", ",", literal=True)
        frame = frame.with_columns(commas)
    elif kind != "csv" and table.is_text:
        frame = pl.DataFrame({name: _typed(table, name, name in measured) for name in frame.columns})
    try:
        if kind == "csv":
            text = frame.write_csv(separator=separator)
            return bytes(text.encode(table.encoding))
        if kind == "parquet":
            frame.write_parquet(content)
        elif kind == "arrow":
            frame.write_ipc(content)
        elif any(series.dtype.is_float() and series.is_infinite().any() for series in frame):
            raise FileFormatError("JSON lines cannot contain infinite numbers", hint="Write CSV or Parquet.")
        else:
            frame.write_ndjson(content)
    except UnicodeEncodeError as error:
        problem = f"{text[error.start]!r} does not exist in {table.encoding}"
        raise FileFormatError(problem, hint='Read and write it with `encoding="utf-8"`.') from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise OSError(errno.EIO, f"{kind}: {str(error).partition(chr(10))[0]}") from error
    return content.getvalue()


def _typed(table: Table, name: str, measured: bool) -> Any:
    """Return a column of text as numbers, where nothing is lost or it was read as such."""
    import polars as pl  # noqa: PLC0415

    series = table.column(name).to_native()
    if series.dtype != pl.String or series.null_count() == len(series):
        return series
    for kind in (pl.Int64, pl.Float64):
        values = series.cast(kind, strict=False)
        written, text = (one.str.strip_suffix(".0") for one in (values.cast(pl.String), series))
        if written.eq_missing(text).all():
            return values
    return pl.Series(table.numbers(name), nan_to_null=True) if measured else series
