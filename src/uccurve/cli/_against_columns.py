"""Columns that intervals can be ordered by in a report: times and features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from uccurve.cli import _file_rows
from uccurve.cli._errors import DataError
from uccurve.columns import absent_column, suggest_roles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.cli._file_rows import Loaded
    from uccurve.cli._input_files import FileTable

_TIMES = frozenset({"ds", "date", "time", "datetime", "timestamp", "day", "month", "hour", "period"})
_NAMES_OF_ROWS = frozenset({"", "id", "unique_id", "index", "row", "cutoff", "unnamed: 0"})
_MOST_FEATURES = 4


def against_columns(loaded: Loaded, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the named columns; without names, the times and, if they are few, the numeric features."""
    table = loaded.table
    present = table.frame.columns
    for column in names:
        if column not in present:
            raise DataError(f"{table.name}: {absent_column(column, present)}")
    if names:
        return {column: _values(table, column) for column in names}
    left_out = set(loaded.choice.used)
    for column in present:
        if column.endswith("_pred") or suggest_roles(column) & {"lower", "upper", "std"}:
            left_out.add(column)
    times: dict[str, np.ndarray] = {}
    features: dict[str, np.ndarray] = {}
    for column in present:
        if column in left_out or column.lower() in _NAMES_OF_ROWS:
            continue
        try:
            values = _values(table, column)
        except DataError:
            continue
        (times if values.dtype.kind == "M" or column.lower() in _TIMES else features)[column] = values
    return times | (features if len(features) <= _MOST_FEATURES else {})


def _values(table: FileTable, column: str) -> np.ndarray:
    """Return a column as times or numbers, none of them missing."""
    series = table.column(column)
    if series.dtype.is_temporal():
        values = np.asarray(series.cast(pl.Datetime("us"), strict=False).to_numpy())
        _file_rows.refuse_missing(table, column, np.isnat(values))
        return values
    try:
        numbers = _file_rows.numbers(table, column)
    except DataError:
        times = _times(series)
        if times is None:
            raise
        return times
    _file_rows.refuse_missing(table, column, np.isnan(numbers))
    return numbers


def _times(series: pl.Series) -> np.ndarray | None:
    """Read text as times, all of it or none."""
    if series.dtype != pl.String:
        return None
    try:
        times = series.str.strip_chars().str.to_datetime(strict=True, time_unit="us")
    except pl.exceptions.PolarsError:
        return None
    values = np.asarray(times.dt.replace_time_zone(None).to_numpy())
    return None if np.isnat(values).any() else values
