"""JSON lines: one object a line, with the numbers that Python and others write there."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import polars as pl

from uccurve.cli._errors import DataError, FileError
from uccurve.cli._standard_streams import silent_libraries
from uccurve.columns import list_names

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Half of a character beyond 16 bits: the other half may be missing."""
_INT64 = 1 << 63


def parse(name: str, raw: bytes) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the columns, and the line of each row.

    Polars reads what is regular. What it refuses (NaN, a field with values of several kinds) or might
    read wrongly is read again slowly, which also finds the line that is no object.
    """
    lines = raw.removeprefix(b"\xef\xbb\xbf").splitlines()
    filled = np.array([number for number, line in enumerate(lines, 1) if line.strip()])
    first = int(filled[0]) - 1
    _ = _slowly(name, lines[first : first + 1], first)  # keys that are doubled there are so everywhere
    if _SURROGATE.search(raw):
        return _slowly(name, lines), filled
    try:
        with silent_libraries():
            frame = pl.read_ndjson(b"\n".join(lines), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        frame = _slowly(name, lines)
    if frame.height != filled.size:
        frame = _slowly(name, lines)
    return frame, filled


def _slowly(name: str, lines: list[bytes], before: int = 0) -> pl.DataFrame:
    records = []
    for number, line in enumerate(lines, before + 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, parse_int=_integer, object_pairs_hook=_distinct)
            json.dumps(record, ensure_ascii=False).encode()
        except _DoubledError as error:
            doubled = list_names(error.args[0])
            raise DataError(
                f"{name}: each column must have its own name, but line {number} has several {doubled}."
            ) from error
        except UnicodeEncodeError as error:
            raise FileError(
                f"{name}: line {number} is not text: it holds half of a character, "
                f"\\u{ord(error.object[error.start]):x}."
            ) from error
        except (ValueError, RecursionError) as error:
            raise FileError(f"{name}: line {number} is not JSON.") from error
        if not isinstance(record, dict):
            raise FileError(f"{name}: line {number} is not a JSON object.")
        records.append(record)
    columns = {key: None for record in records for key in record}
    return pl.DataFrame({key: _column([record.get(key) for record in records]) for key in columns})


class _DoubledError(Exception):
    """Keys that an object has several times."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _DoubledError(sorted({key for key in keys if keys.count(key) > 1}))
    return found


def _integer(text: str) -> int | float:
    """Return a whole number, as a fraction where 64 bits do not hold it: Python refuses very long ones."""
    value = float(text)
    return int(text) if abs(value) < _INT64 else value


def _column(values: list[Any]) -> pl.Series:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds == {int}:
        return pl.Series(values, dtype=pl.Int64)
    if kinds <= {int, float}:
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return pl.Series(texts, dtype=pl.String)
