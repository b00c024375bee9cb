"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

import ast
import re
import shlex
from types import MappingProxyType

OK = 0
DATA = 1
USAGE = 2
FILE = 3
EXTRA = 4
INTERNAL = 70
INTERRUPTED = 130
PIPE = 141
SIGNALED = 128
"""Added to the number of the signal that ended a command: 129 hung up, 143 terminated."""

_QUOTED = r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"'
_ARGUMENT = re.compile(rf"(?<!\w)(?:{_QUOTED})|`([a-z_]+)(?:=({_QUOTED}|[^`'\"]*))?`", re.DOTALL)
"""Names in quotes, which are left alone, and arguments in backticks, with a value or without."""
_OPTIONS = MappingProxyType({"models": "model", "rng": "seed"})
"""Options of the command line whose names are not those of the library's arguments."""


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


def as_options(message: str) -> str:
    """Name options of the command line where the library names arguments: --y-true y for `y_true='y'`."""

    def option(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name is None:
            return match[0]
        words = [f"--{_OPTIONS.get(name, name).replace('_', '-')}"]
        if value is not None:
            words.append(shlex.quote(ast.literal_eval(value)) if value[:1] in "'\"" else value)
        return " ".join(words)

    return _ARGUMENT.sub(option, message)
