"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

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


def listed(names: list[str], most: int = 20) -> str:
    """List quoted names, not too many."""
    shown = [repr(name) for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
