"""JSON lines with NaN, Infinity or numbers beyond float64: Python and DuckDB read them, Polars does not."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from uccurve.engines._source_table import refuse_repeated
from uccurve.exceptions import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_NONFINITE = re.compile(rb"NaN|Infinity|[eE]\+?\d{3}|\d{309}")


def records(path: Path) -> list[dict[str, Any]] | None:
    """Return the objects in a file; None if it has no such number, or is no JSON for another reason."""
    raw = path.read_bytes()
    if not _NONFINITE.search(raw):
        return None
    try:
        found = [json.loads(line, object_pairs_hook=_distinct) for line in raw.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None
    if not all(isinstance(record, dict) for record in found):
        raise FileFormatError("its lines are not JSON objects")
    return found


def frame(pl: Any, records: Sequence[dict[str, Any]]) -> Any:
    """Return objects as a frame of Polars, with the kinds of columns that DuckDB gives them."""
    keys = {key: None for record in records for key in record}
    return pl.DataFrame([_column(pl, key, [record.get(key) for record in records]) for key in keys])


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    refuse_repeated(key for key, _ in pairs)
    return dict(pairs)


def _column(pl: Any, name: str, values: list[Any]) -> Any:
    """Return a column of whole numbers, numbers, flags or text; of lists, where values are neither."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        whole = kinds == {int} and all(value is None or abs(value) < 2**63 for value in values)
        numbers = values if whole else [None if value is None else float(value) for value in values]
        return pl.Series(name, numbers, dtype=pl.Int64 if whole else pl.Float64)
    if kinds == {bool}:
        return pl.Series(name, values, dtype=pl.Boolean)
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    if kinds & {dict, list}:
        return pl.Series(name, [[text] for text in texts], dtype=pl.List(pl.String))
    return pl.Series(name, texts, dtype=pl.String)
