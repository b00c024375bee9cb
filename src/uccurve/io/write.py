"""Files out: a table in the format that the name says, all of it or nothing."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from uccurve._base import files
from uccurve.exceptions import ArgumentError, FileFormatError
from uccurve.io.read import FORMATS, is_address, quiet_libraries
from uccurve.io.tables import WHOLE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import polars as pl

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
        raise ArgumentError(argument="output", rule="be a local file", got=f"the address {output}")
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
        whole = io.BytesIO()  # Python tells a closed pipe from a full disk, Polars does not
        _write(table, table.format, whole, measured)
        rest = whole.getbuffer()
        while rest:  # a write to a pipe may be a partial one
            rest = rest[sys.stdout.buffer.write(rest) :]
        return
    check_output(output)
    kind = FORMATS[Path(output).suffix.lower()]
    with writing(output), files.replacing(output) as path, path.open("wb") as file:
        _write(table, kind, file, measured, tabs=output.lower().endswith(".tsv"))


def _write(
    table: Table, kind: str, file: IO[bytes], measured: Collection[str], *, tabs: bool = False
) -> None:
    import polars as pl  # noqa: PLC0415

    frame = table.frame.to_native()
    try:
        if kind == "csv":
            _write_csv(table, frame, file, separator="\t" if tabs else table.separator)
            return
        if table.is_text:
            frame = pl.DataFrame({name: _typed(table, name, name in measured) for name in frame.columns})
        with quiet_libraries():
            if kind == "parquet":
                frame.write_parquet(file)
            elif kind == "arrow":
                frame.write_ipc(file)
            else:
                file.write(_as_json_lines(frame))
    except pl.exceptions.PanicException as error:
        kinds = ", ".join(sorted({str(kind) for kind in frame.dtypes}))
        raise OSError(errno.EIO, f"{kind} cannot hold columns of all of {kinds}") from error
    except pl.exceptions.PolarsError as error:
        raise OSError(errno.EIO, str(error).partition("\n")[0]) from error


def _write_csv(table: Table, frame: pl.DataFrame, file: IO[bytes], separator: str) -> None:
    import polars as pl  # noqa: PLC0415

    if table.decimal == ",":
        commas = pl.selectors.float().cast(pl.String).str.replace(".", ",", literal=True)
        frame = frame.with_columns(commas)
    if table.encoding == "utf-8":
        frame.write_csv(file, separator=separator)
    else:
        file.write(_encode(frame.write_csv(separator=separator), table.encoding))


def _as_json_lines(frame: pl.DataFrame) -> bytes:
    """Return one object per row, with Infinity as Python and others read it: Polars writes null."""
    lines = frame.write_ndjson().splitlines()
    for series in frame.iter_columns():
        if series.dtype.is_float():
            key = f"{json.dumps(series.name, ensure_ascii=False)}:"
            for row in series.is_infinite().fill_null(value=False).arg_true().to_list():
                word = "Infinity" if series[row] > 0 else "-Infinity"
                lines[row] = lines[row].replace(f"{key}null", f"{key}{word}", 1)
    return "".join(f"{line}\n" for line in lines).encode()


def _encode(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        problem = f"{text[error.start]!r} does not exist in {encoding}"
        raise FileFormatError(problem, hint='Read and write it with `encoding="utf-8"`.') from error


def _typed(table: Table, name: str, measured: bool) -> Any:
    """Return a column of text as numbers, where nothing is lost or it was read as such."""
    import polars as pl  # noqa: PLC0415

    series = table.column(name).to_native()
    if series.dtype != pl.String or series.null_count() == len(series):
        return series
    if series.str.contains(WHOLE).all():
        return series.cast(pl.Int64)
    texts = series.str.replace(",", ".", literal=True) if table.decimal == "," else series
    values = texts.cast(pl.Float64, strict=False)
    written = values.cast(pl.String)
    same = (written == texts) | (written == texts + ".0")
    if values.is_finite().all() and values.null_count() == series.null_count() and same.all():
        return values
    return pl.Series(table.numbers(name), nan_to_null=True) if measured else series
