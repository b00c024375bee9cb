"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from types import MappingProxyType

from uccurve._base.text import printable
from uccurve.exceptions import MissingDependencyError, UccurveError

OK = 0
DATA = 1
USAGE = 2
FILE = 3
EXTRA = 4
INTERNAL = 70
PIPE = 141

_LONGEST = 2000
"""Letters of an error that are shown: names and values may be of any length."""

_OPTIONS = MappingProxyType({"models": "--model", "rng": "--seed", "quantiles": "quantiles"})
"""What the command line calls arguments of the library, where it is not the option of that name."""


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


def as_option(name: str, *value: object) -> str:
    """Name an option where the library names an argument: --y-true y for `y_true='y'`."""
    option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
    return f"{option} {shlex.quote(str(value[0]))}" if value else option


def complain(error: Exception, *, debug: bool) -> int:
    """Say in one line on standard error what went wrong, and return the code to leave with."""
    if debug:
        traceback.print_exception(error)
    message, code = _explained(error)
    line = printable(" ".join(f"uccurve: {message}".split()))
    line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    if sys.stderr is None:
        return code
    try:
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stderr.flush()
    except OSError:
        pass  # nobody reads it
    return code


def _explained(error: Exception) -> tuple[str, int]:
    """Say in one line what went wrong, and with which code to leave."""
    reason = f"{type(error).__name__}: {error}"
    line_and_code = (
        f"a bug in uccurve, please report it: {reason} (--debug shows more).",
        INTERNAL,
    )
    if isinstance(error, CommandError):
        line_and_code = str(error), error.code
    elif isinstance(error, MissingDependencyError):
        line_and_code = str(error), EXTRA
    elif isinstance(error, UccurveError):
        line_and_code = error.sentence(naming=as_option), DATA
    elif isinstance(error, OSError):
        name = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        line_and_code = f"{name}{error.strerror or error}.", FILE
    elif type(error).__module__.startswith("cyclopts"):
        from uccurve.cli._usage import explained  # noqa: PLC0415 - it needs what raised the error

        line_and_code = explained(error), USAGE
    elif isinstance(error, MemoryError):
        line_and_code = "not enough memory.", INTERNAL
    return line_and_code
