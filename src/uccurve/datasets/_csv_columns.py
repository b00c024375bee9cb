"""Columns of a CSV file, every cell checked; nothing is repaired."""

from __future__ import annotations

import csv
import io
import math
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve.exceptions import CellError, EmptyInputError, FileFormatError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SHOWN = 40  # characters of a cell in an error


class Kind(NamedTuple):
    """What the cells of a column hold."""

    rule: str
    pattern: str
    parse: Callable[[str], Any]
    dtype: str


_DATE_AND_TIME = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d"
TEXT = Kind("be text", r"(?s).*", str, "U")
NUMBER = Kind("be a finite number", r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", float, "f8")
WHOLE = Kind("be a whole number", r"[+-]?\d{1,15}(\.0*)?", float, "i8")
TIME = Kind("be a time like 2012-10-02 09:00:00", _DATE_AND_TIME, datetime.fromisoformat, "M8[s]")


def read_columns(data: bytes, kinds: Mapping[str, Kind], file: str) -> dict[str, np.ndarray]:
    """Read the named columns of a CSV file in UTF-8, in whatever order; ignore other columns."""
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileFormatError(f"it must be a CSV file in UTF-8: {error}", where=file) from error
    if len(lines) <= 1:
        raise EmptyInputError("it must have a header and at least one row", where=file)
    (_, header), *rows = lines
    absent = " and ".join(f"one column {name!r}" for name in kinds if header.count(name) != 1)
    if absent:
        present = ", ".join(repr(name[:_SHOWN]) for name in header[:20])
        raise MissingColumnError(f"it must have {absent}; it has {present}", where=file)
    for line, cells in rows:
        if len(cells) != len(header):
            raise FileFormatError(f"line {line} must have {len(header)} cells", got=len(cells), where=file)
    columns = {}
    for name, kind in kinds.items():
        position = header.index(name)
        column = [cells[position] for _, cells in rows]
        values = {cell: _parsed(cell, kind) for cell in set(column)}  # most cells repeat: parse each once
        broken = [row for row, cell in enumerate(column) if values[cell] is None]
        if broken:
            first = broken[0]
            raise CellError(
                argument=name,
                rule=kind.rule,
                count=len(broken),
                total=len(rows),
                first=first,
                values={"line": rows[first][0], name: column[first][:_SHOWN]},
                where=file,
            )
        columns[name] = np.array([values[cell] for cell in column], dtype=kind.dtype)
    return columns


def _parsed(cell: str, kind: Kind) -> Any:
    """Return the value of a cell, or None if it breaks the rule; Python alone reads 2_88 as a number."""
    try:
        value = kind.parse(cell) if re.fullmatch(kind.pattern, cell, re.ASCII) else None
    except ValueError:  # such as February 30
        return None
    return None if value in (math.inf, -math.inf) else value
