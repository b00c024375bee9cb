"""What people and machines read: tables, sentences and notes on a terminal or in a pipe, and JSON."""

from __future__ import annotations

import json
import math
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from uccurve._base.text import format_table, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve.cli.options import MessageOptions

# The words of the command that is running, for pages that say how they were made.
GIVEN: ContextVar[tuple[str, ...]] = ContextVar("GIVEN", default=())


class _Console(Console):
    """A console that obeys nothing in the text it shows, and leaves a closed pipe to the program."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def make_console(*, stderr: bool = False) -> _Console:
    """Return a console that shows text as it is."""
    return _Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def print_text(text: str, style: str = "") -> None:
    """Print sentences, wrapped on a terminal and in one line in a pipe."""
    make_console().print(Text(printable(text), style=style), soft_wrap=not sys.stdout.isatty())


def print_table(columns: Mapping[str, Sequence[str]], *, names: int = 1, title: str = "") -> None:
    """Print a table that fits the terminal; in a pipe its lines are of any length.

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
    line = make_console().width if sys.stdout.isatty() else sys.maxsize
    shown = {heading: list(map(printable, cells)) for heading, cells in columns.items()}
    sys.stdout.write(f"{format_table('', shown, names, line)}\n")


def print_notes(notes: Iterable[str], messages: MessageOptions, kind: str = "note") -> None:
    """Print notes or warnings on standard error, below what was printed before, wrapped on a terminal.

    The note about columns takes one line, unless all is asked for.
    """
    if messages.quiet or messages.json:
        return
    sys.stdout.flush()
    stream, is_terminal = make_console(stderr=True), sys.stderr.isatty()
    for text in notes:
        line = f"{kind}: {printable(name_option(text))}"
        more = " … (--verbose)"
        if line.startswith("note: columns: ") and is_terminal and not messages.verbose:
            line = line if cell_len(line) <= stream.width else line[: stream.width - len(more)] + more
        stream.print(Text(line, style="yellow" if kind == "warning" else "dim"), soft_wrap=not is_terminal)


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
    elif not messages.quiet and output != "-":
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
