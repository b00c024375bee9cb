"""Files as lazy frames of Polars: names are no patterns, and folders are no columns."""

from __future__ import annotations

import glob
import json
from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import needed
from uccurve.engines import _nonfinite_json
from uccurve.engines._source_table import SourceTable, refuse_repeated
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def opened(path: Path, kind: str) -> SourceTable:
    """Return a file as a lazy frame."""
    pl = polars()
    absolute = path.resolve()  # never read as a URL
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
