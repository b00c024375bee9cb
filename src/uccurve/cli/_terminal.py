"""What people and machines read: tables and notes on a terminal or in a pipe, and JSON."""

from __future__ import annotations

import json
import math
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from uccurve._base.text import printable
from uccurve.cli._short_names import fitted_names
from uccurve.cli._standard_streams import discard, encodable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve.cli._options import MessageOptions

_GAP = 2
_NARROWEST = 20
"""Columns of a terminal; in fewer, help would never be laid out."""
_NUMERIC = frozenset("0123456789-–−∞<>≤")
"""What numbers begin with, absent, tiny and bounded ones too."""
_WORD = re.compile(r"[^\W\d_]{2}")
"""What no number has: two letters beside each other."""


class _Console(Console):
    """A console that obeys nothing in the text it shows, and leaves a closed pipe to the program."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def console(*, stderr: bool = False, width: int | None = None) -> _Console:
    """Return a console that shows text as it is."""
    made = _Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)
    made.width = max(made.width, _NARROWEST)
    return made


def line(text: str, style: str = "") -> None:
    """Print a line of text, wrapped on a terminal and whole in a pipe."""
    console().print(Text(_shown(text), style=style), soft_wrap=not sys.stdout.isatty())


def paragraph(text: str, style: str = "") -> None:
    """Print sentences, wrapped on a terminal and in one line in a pipe; a number keeps its per cent sign."""
    shown = _shown(text)
    lines = _wrapped(shown, console().width) if sys.stdout.isatty() else [shown]
    for part in lines:
        console().print(Text(part, style=style), soft_wrap=True)


def notes(lines: Iterable[str], messages: MessageOptions) -> None:
    """Print notes on standard error, dimmed, below what was printed before."""
    if not messages.chatty:
        return
    sys.stdout.flush()
    stream = console(stderr=True)
    try:
        for text in lines:
            stream.print(
                Text(f"uccurve: {encodable(printable(text), sys.stderr)}", style="dim"), soft_wrap=True
            )
    except OSError:  # notes that nobody can read are no reason to fail
        discard(sys.stderr)


def table(title: str, columns: Mapping[str, Sequence[str]], keys: int = 1) -> None:
    """Print a table; where a terminal is too narrow, columns continue below, and nothing is cut.

    Parameters
    ----------
    title : str
        What it shows.
    columns : mapping of str to sequence of str
        Cells by column.
    keys : int
        How many columns in front are repeated in each part.
    """
    paragraph(title, style="bold")
    _print_parts(_all_shown(columns), keys)


def fitted_table(columns: Mapping[str, Sequence[str]], keys: int = 1, title: str = "") -> None:
    """Print a table whose names, in its first columns, are shortened where a terminal is too narrow.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Cells by column; headings may have two lines.
    keys : int
        How many columns in front hold names, and are repeated where the others continue below.
    title : str
        What it shows, if that needs a line.
    """
    if title:
        paragraph(title, style="bold")
    shown = _all_shown(columns)
    if sys.stdout.isatty():
        front = list(shown)[:keys]
        taken = sum(_width(name, cells) + _GAP for name, cells in shown.items() if name not in front)
        room = console().width - taken - _GAP * (keys - 1)
        names = fitted_names([shown[name] for name in front], room, encodable("…", sys.stdout))
        shown |= dict(zip(front, names, strict=True))
    _print_parts(shown, keys)


def _all_shown(columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {
        "\n".join(map(_shown, name.split("\n"))): [_shown(text) for text in cells]
        for name, cells in columns.items()
    }


def _print_parts(columns: Mapping[str, Sequence[str]], keys: int) -> None:
    """Print as many columns beside each other as fit, and the others below."""
    stream = console()
    width = stream.width if sys.stdout.isatty() else sys.maxsize
    for part in _parts(columns, keys, width):
        needed = sum(_width(name, columns[name]) + _GAP for name in part)
        wide = console(width=max(stream.width, needed))  # a console cuts what exceeds its width
        with wide.capture() as captured:
            wide.print(_laid_out({name: columns[name] for name in part}), crop=False)
        sys.stdout.write("".join(f"{text.rstrip()}\n" for text in captured.get().splitlines()))


def document(content: dict[str, Any]) -> None:
    """Print one JSON document; numbers that do not exist or are infinite are null."""
    sys.stdout.write(json.dumps(_plain(content), allow_nan=False, indent=2, default=str) + "\n")


def written(output: str, messages: MessageOptions, about: dict[str, Any]) -> None:
    """Show notes and name the file that was written, or print all that as one document."""
    notes(about.get("notes", ()), messages)
    if messages.json:
        document({**about, "output": output})
    elif not messages.quiet:
        line(f"Wrote {output}")


def records(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Turn a table of columns into one object per row."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _shown(text: str) -> str:
    """Return a text that moves no cursor, in letters that standard output has."""
    return encodable(printable(text), sys.stdout)


def _parts(columns: Mapping[str, Sequence[str]], keys: int, width: int) -> list[list[str]]:
    names = list(columns)
    front = names[:keys]
    used = sum(_width(name, columns[name]) + _GAP for name in front)
    parts: list[list[str]] = []
    room = 0
    for name in names[keys:]:
        size = _width(name, columns[name]) + _GAP
        if not parts or size > room:
            parts.append(list(front))
            room = width - used + _GAP  # no gap behind the last column
        parts[-1].append(name)
        room -= size
    return parts or [front]


def _width(name: str, cells: Sequence[str]) -> int:
    return max(map(cell_len, [*name.split("\n"), *cells]))


def _wrapped(text: str, width: int) -> list[str]:
    """Break a text between words; one that is wider than a line has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _laid_out(columns: Mapping[str, Sequence[str]]) -> Table:
    laid = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="cyan")
    for name, cells in columns.items():
        numbers = all(text[:1] in _NUMERIC and not _WORD.search(text) for text in cells)
        laid.add_column(Text(name), justify="right" if numbers else "left", no_wrap=True, vertical="bottom")
    for row in zip(*columns.values(), strict=True):
        laid.add_row(*map(Text, row))
    return laid


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    item = getattr(value, "item", None)
    return _plain(item()) if item is not None else value
