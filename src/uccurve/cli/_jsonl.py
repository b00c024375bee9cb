"""JSON lines: one object a line, with the numbers that Python and others write there."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl

from uccurve.cli._errors import FileError


def parse(name: str, raw: bytes) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the columns, and the line of each row.

    Polars reads what is regular. What it refuses (NaN, a field with values of several kinds) is read
    again slowly, which also finds the line that is no object.
    """
    lines = raw.removeprefix(b"\xef\xbb\xbf").splitlines()
    filled = np.array([number for number, line in enumerate(lines, 1) if line.strip()])
    try:
        frame = pl.read_ndjson(b"\n".join(lines), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        frame = _slowly(name, lines)
    if frame.height != filled.size:
        frame = _slowly(name, lines)
    return frame, filled


def _slowly(name: str, lines: list[bytes]) -> pl.DataFrame:
    records = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FileError(f"{name}: line {number} is not JSON.") from error
        if not isinstance(record, dict):
            raise FileError(f"{name}: line {number} is not a JSON object.")
        records.append(record)
    columns = {key: None for record in records for key in record}
    return pl.DataFrame({key: _column([record.get(key) for record in records]) for key in columns})


def _column(values: list[Any]) -> pl.Series:
    if all(
        value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in values
    ):
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return pl.Series(texts, dtype=pl.String)
