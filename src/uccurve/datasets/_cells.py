"""Columns of a CSV file, each cell checked; nothing is repaired."""

from __future__ import annotations

import csv
import io
import math
import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import CellError, EmptyInputError, FileFormatError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SHOWN_TEXT = 40
_NUMBERS = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TIMES = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", re.ASCII)


class Kind(NamedTuple):
    """What the cells of a column hold: a rule in words, how one is read, and the array they make."""

    rule: str
    read: Callable[[str], object]
    dtype: str


def _number(cell: str) -> float:
    if not _NUMBERS.fullmatch(cell):  # Python reads more: 2_88, digits of other scripts, spaces around
        raise ValueError
    value = float(cell)
    if not math.isfinite(value):
        raise ValueError
    return value


def _whole(cell: str) -> int:
    value = _number(cell)
    if value != int(value) or abs(value) >= arguments.EXACT:
        raise ValueError
    return int(value)


def _time(cell: str) -> datetime:
    if not _TIMES.fullmatch(cell):  # ISO 8601 has more forms, with zones among them
        raise ValueError
    return datetime.fromisoformat(cell)


TEXT = Kind("be text", str, "U")
NUMBER = Kind("be a finite number", _number, "f8")
WHOLE = Kind("be a whole number", _whole, "i8")
TIME = Kind("be a time like 2012-10-02 09:00:00", _time, "M8[s]")


class _Table(NamedTuple):
    """The cells of a file, and the lines its rows end on, counted from 1."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]


def read(data: bytes, kinds: Mapping[str, Kind], what: str) -> dict[str, np.ndarray]:
    """Read the named columns of a CSV file in UTF-8; they may stand in any order, others are left out."""
    table = _split(data, what)
    places = _places(table.header, list(kinds), what)
    width = len(table.header)
    ragged = [row for row, cells in enumerate(table.rows) if len(cells) != width]
    if ragged:
        rule, shown = f"each row must have {width} cells", f"{len(table.rows[ragged[0]])} cells"
        raise _error(table, what, rule, ("does not", "do not"), ragged, shown)
    return {
        name: _column(table, what, name, kind, [cells[place] for cells in table.rows])
        for (name, kind), place in zip(kinds.items(), places, strict=True)
    }


def _split(data: bytes, what: str) -> _Table:
    """Cut a file into cells; an empty line is no row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{what} must be text in UTF-8, but line {line} is not.") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        found = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise FileFormatError(f"{what} is no CSV file: line {reader.line_num}, {error}.") from error
    if len(found) <= 1:
        raise EmptyInputError(f"{what} must have a header and at least one row.")
    return _Table(found[0][1], [cells for _, cells in found[1:]], [line for line, _ in found[1:]])


def _places(header: list[str], names: list[str], what: str) -> list[int]:
    missing = [name for name in names if name not in header]
    if missing:
        wanted = f"column{'s' * (len(missing) > 1)} {', '.join(map(repr, missing))}"
        present = ", ".join(repr(_short(name)) for name in header[:20])
        raise MissingColumnError(f"{what} must have the {wanted}; it has {present}.")
    for name in names:
        if header.count(name) > 1:
            raise FileFormatError(f"{what} must have the column {name!r} once, got {header.count(name)}.")
    return [header.index(name) for name in names]


def _column(table: _Table, what: str, name: str, kind: Kind, cells: list[str]) -> np.ndarray:
    values = {cell: _value(kind, cell) for cell in set(cells)}  # most cells are repeated: read each once
    if None not in values.values():
        return np.array([values[cell] for cell in cells], dtype=kind.dtype)
    broken = [row for row, cell in enumerate(cells) if values[cell] is None]
    rule, shown = f"`{name}` must {kind.rule}", f"{name}={_short(cells[broken[0]])!r}"
    raise _error(table, what, rule, ("is not", "are not"), broken, shown, argument=name)


def _value(kind: Kind, cell: str) -> object:
    """Read a cell; None when it cannot be."""
    try:
        return kind.read(cell)
    except ValueError:
        return None


def _error(
    table: _Table,
    what: str,
    rule: str,
    verbs: tuple[str, str],
    broken: list[int],
    shown: str,
    argument: str = "path",
) -> CellError:
    first, rows = broken[0], arguments.rows_that(len(broken), len(table.rows), *verbs)
    message = f"{what}: {rule}, but {rows}; first at row {first} (line {table.lines[first]}): {shown}."
    return CellError(
        message, argument=argument, rows=tuple(broken[: arguments.SHOWN_ROWS]), count=len(broken)
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_TEXT else text[:_SHOWN_TEXT] + "…"
