"""Files as lazy frames of Polars: names are no patterns, and folders are no columns."""

from __future__ import annotations

import glob
import json
from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import needed
from uccurve.engines import _csv_header, _nonfinite_json
from uccurve.engines._source_table import SourceTable, refuse_repeated
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BOM = b"\xef\xbb\xbf"
_LIKE_ZLIB = (b"x\x01", b"x^")
"""What compressed data can begin with, and text as well."""


def opened(path: Path, kind: str) -> SourceTable:
    """Return a file as a lazy frame."""
    pl = polars()
    absolute = path.resolve()  # never read as a URL
    if kind == "csv":
        return _csv(pl, path)
    if kind == "jsonl":
        frame = _json_lines(pl, path)
    elif kind == "arrow":
        frame = pl.scan_ipc(absolute, glob=False, hive_partitioning=False)
    else:
        frame = pl.scan_parquet(absolute, glob=False, hive_partitioning=False)
    try:
        return SourceTable(frame=frame, names=frame.collect_schema().names())
    except pl.exceptions.DuplicateError as error:
        raise ArgumentError(f"each column must have its own name: {error}") from error


def all_opened(paths: Sequence[Path]) -> SourceTable:
    """Return Parquet files as one lazy frame; files with other columns are an error of Polars."""
    absolute = [path.resolve() for path in paths]
    return SourceTable(frame=polars().scan_parquet(absolute, glob=False, hive_partitioning=False))


def _csv(pl: Any, path: Path) -> SourceTable:
    """Return a CSV file as text; the header is read as a row at first, to tell the number of columns."""
    header = _csv_header.read(path)
    frame = pl.scan_csv(
        _text_source(path),
        glob=False,
        skip_rows=header.skipped - 1,
        separator=header.separator,
        eol_char=header.line_end,
        has_header=False,
        infer_schema=False,
        new_columns=[f"cell{place}" for place in range(len(header.names))],
    )
    rows = frame.slice(1)

    def without_blank_rows() -> Any:
        return rows.filter(~pl.all_horizontal(pl.all().is_null()))

    return SourceTable(frame=rows, names=header.names, is_text=True, without_blank_rows=without_blank_rows)


def _text_source(path: Path) -> Path | bytes:
    """Return the file; its text with a mark of UTF-8 where Polars would take it for compressed data."""
    with path.open("rb") as file:
        like_zlib = file.read(2) in _LIKE_ZLIB
    return _BOM + path.read_bytes() if like_zlib else path.resolve()


def _json_lines(pl: Any, path: Path) -> Any:
    """Return JSON lines as a lazy frame; those with numbers that Polars refuses are read by Python."""
    _check_keys(path)
    # it has no option for names that are no patterns
    frame = pl.scan_ndjson(glob.escape(str(path.resolve())), infer_schema_length=None)
    frame = frame.with_columns(pl.col(pl.Null).cast(pl.Float64))  # a key that never has a value
    try:
        frame.collect_schema()
    except pl.exceptions.ComputeError:
        records = _nonfinite_json.records(path)
        if records is None:
            raise
        return _nonfinite_json.frame(pl, records).lazy()
    return frame


def _check_keys(path: Path) -> None:
    """Refuse a key that the first line has twice: Polars would take the first value, others the last."""
    with path.open("rb") as file:
        line = next(filter(bytes.strip, file), b"{}")
    try:
        pairs: list[tuple[str, Any]] = json.loads(line, object_pairs_hook=list)
        keys = [key for key, _ in pairs]
    except (ValueError, TypeError, RecursionError):
        return  # not an object, as Polars will say
    refuse_repeated(keys)


def polars() -> Any:
    """Import Polars."""
    with needed("polars", extra="polars"):
        import polars as pl  # noqa: PLC0415
    return pl
