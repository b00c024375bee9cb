"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

OK = 0
DATA = 1
USAGE = 2
FILE = 3
EXTRA = 4
INTERNAL = 70
INTERRUPTED = 130
PIPE = 141
TERMINATED = 143


class CommandError(Exception):
    """Base class of what ends a command with one line and a code."""

    code = INTERNAL


class DataError(CommandError):
    """The data break a rule: a missing column, a bad row, no rows."""

    code = DATA


class UsageError(CommandError):
    """The options contradict each other or make no sense."""

    code = USAGE


class FileError(CommandError):
    """A file cannot be read, is not what its name says, or cannot be written."""

    code = FILE


def absent(file: str, column: str, present: Sequence[str]) -> DataError:
    """Say that a column is not there, and which one may have been meant."""
    close = nearest(column, present)
    meant = f"; did you mean {close!r}?" if close is not None else "."
    return DataError(f"{file}: there is no column {column!r} among {listed(list(present))}{meant}")


def nearest(word: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """Return the name that is most like a word, in whichever case, if any is like it."""
    folded = {name.casefold(): name for name in reversed(known)}
    found = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[found[0]] if found else None


def listed(names: list[str], most: int = 20) -> str:
    """List quoted names, not too many."""
    shown = [repr(name) for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
