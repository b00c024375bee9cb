"""What people and machines read: tables, sentences and notes on a terminal or in a pipe, and JSON."""

from __future__ import annotations

import json
import math
import re
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from uccurve._base.text import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve.cli.options import MessageOptions

# The words of the command that is running, for pages that say how they were made.
GIVEN: ContextVar[tuple[str, ...]] = ContextVar("GIVEN", default=())
_GAP = 2
# Columns of the terminal that a name has at least, and where the table continues below anyway.
_NARROWEST_NAME, _NAME_OF_PARTS = 12, 20
# What numbers begin with, absent, tiny and bounded ones too, and what no number has.
_NUMERIC, _WORD = frozenset("0123456789-–−∞<>≤±"), re.compile(r"[^\W\d_]{2}")


class _Console(Console):
    """A console that obeys nothing in the text it shows, and leaves a closed pipe to the program."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def make_console(*, stderr: bool = False, width: int | None = None) -> _Console:
    """Return a console that shows text as it is."""
    return _Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)


def print_text(text: str, style: str = "") -> None:
    """Print sentences, wrapped on a terminal and in one line in a pipe."""
    make_console().print(Text(printable(text), style=style), soft_wrap=not sys.stdout.isatty())


def print_table(columns: Mapping[str, Sequence[str]], *, names: int = 1, title: str = "") -> None:
    """Print a table: names to the left, numbers to the right.

    Where a terminal is too narrow, long names lose their middle, and further columns continue below.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Cells by heading; headings may have two lines.
    names : int
        How many columns in front hold names, and are repeated where the others continue below.
    title : str
        What it shows, if that needs a line.
    """
    if title:
        print_text(title, style="bold")
    is_terminal = sys.stdout.isatty()
    width = make_console().width if is_terminal else sys.maxsize
    shown = {
        "\n".join(map(printable, heading.split("\n"))): [printable(text) for text in cells]
        for heading, cells in columns.items()
    }
    widths = {heading: max(map(cell_len, [*heading.split("\n"), *cells])) for heading, cells in shown.items()}
    front = list(shown)[:names]
    if is_terminal:
        others = sum(size + _GAP for heading, size in widths.items() if heading not in front)
        room = (width - others) // max(names, 1) - _GAP
        room = room if room >= _NARROWEST_NAME else _NAME_OF_PARTS
        shown |= {heading: list(shorten(shown[heading], room)) for heading in front}
        widths |= {heading: max(map(cell_len, [heading, *shown[heading]])) for heading in front}
    taken = sum(widths[heading] + _GAP for heading in front)
    for part in _split([heading for heading in shown if heading not in front], widths, width - taken):
        laid = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="cyan")
        for heading in [*front, *part]:
            cells, is_name = shown[heading], heading in front
            is_number = all(text[:1] in _NUMERIC and not _WORD.search(text) for text in cells)
            justify: Literal["left", "right"] = "right" if is_number and not is_name else "left"
            laid.add_column(
                Text(heading), justify=justify, no_wrap=not is_name, vertical="bottom", overflow="fold"
            )
        for row in zip(*(shown[heading] for heading in [*front, *part]), strict=True):
            laid.add_row(*map(Text, row))
        whole = sum(widths[heading] + _GAP for heading in [*front, *part])
        stream = make_console(width=min(width, whole))
        with stream.capture() as captured:
            stream.print(laid, crop=False)
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _split(headings: Sequence[str], widths: Mapping[str, int], room: int) -> list[list[str]]:
    """Return the columns that fit beside each other, part by part."""
    parts: list[list[str]] = [[]]
    left = room + _GAP
    for heading in headings:
        size = widths[heading] + _GAP
        if parts[-1] and size > left:
            parts.append([])
            left = room + _GAP
        parts[-1].append(heading)
        left -= size
    return parts


def print_notes(notes: Iterable[str], messages: MessageOptions, kind: str = "note") -> None:
    """Print notes or warnings on standard error, below what was printed before, wrapped on a terminal.

    The note about columns takes one line, unless all is asked for.
    """
    if not messages.chatty:
        return
    sys.stdout.flush()
    stream, is_terminal = make_console(stderr=True), sys.stderr.isatty()
    for text in notes:
        line = f"{kind}: {printable(name_option(text))}"
        more = " … (--verbose)"
        if line.startswith("note: columns: ") and is_terminal and not messages.verbose:
            line = line if cell_len(line) <= stream.width else line[: stream.width - len(more)] + more
        try:
            stream.print(
                Text(line, style="yellow" if kind == "warning" else "dim"), soft_wrap=not is_terminal
            )
        except OSError:  # notes that nobody can read are no reason to fail
            return


def name_option(note: str) -> str:
    """Return a note with the option in the place of the argument that chooses another level."""
    return note.replace("`nominal`", "--nominal")


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document; numbers that do not exist or are infinite are null."""
    if "notes" in document:
        document = {**document, "notes": list(map(name_option, document["notes"]))}
    sys.stdout.write(json.dumps(_as_plain(document), allow_nan=False, indent=2, default=str) + "\n")


def finish(output: str, messages: MessageOptions, about: Mapping[str, Any]) -> None:
    """Show notes and name the file that was written, or print all that as one document."""
    print_notes(about.get("warnings", ()), messages, "warning")
    print_notes(about.get("notes", ()), messages)
    if messages.json:
        print_json({**about, "output": output})
    elif not messages.quiet:
        print_text(f"Wrote {output}")


def _as_plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _as_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    item = getattr(value, "item", None)
    return _as_plain(item()) if item is not None else value
