"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import sys
import textwrap
import traceback
from contextlib import suppress
from typing import Any

from uccurve._base.text import printable
from uccurve.exceptions import (
    ArgumentError,
    FileFormatError,
    MissingDependencyError,
    SketchFormatError,
    UccurveError,
    UnreadableFilesError,
)

OK, DATA, USAGE, FILE, EXTRA, INTERNAL, PIPE = 0, 1, 2, 3, 4, 70, 141
# Letters of an error that are shown: names and values may be of any length.
_LONGEST = 2000
# What the command line needs, beside what commands need.
_LIBRARIES = ("cyclopts", "polars", "rich")
# What the command line calls arguments of the library, where it is not the option of that name.
_OPTIONS = {"models": "--model", "rng": "--seed", "quantiles": "quantiles", "source": "FILE", "path": "FILE"}


class UsageError(Exception):
    """The options contradict each other or make no sense."""


def as_option(name: str, *value: object) -> str:
    """Name an option where the library names an argument: --y-true y for `y_true="y"`."""
    option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
    if not value:
        return option
    text = str(value[0])
    return f"{option} {shlex.quote(text) if text != ',' else repr(text)}"


def explain(error: Exception) -> tuple[str, int]:
    """Say in one line what went wrong, and with which code to leave."""
    reason = f"{type(error).__name__}: {error}"
    answer = f"this is a bug in uccurve, please report it: {reason} (--debug shows more).", INTERNAL
    if isinstance(error, UsageError):
        answer = str(error), USAGE
    elif isinstance(error, MissingDependencyError):
        answer = str(error), EXTRA
    elif isinstance(error, ImportError) and (library := str(error.name).partition(".")[0]) in _LIBRARIES:
        answer = str(MissingDependencyError(library, "cli")), EXTRA
    elif isinstance(error, UccurveError):
        is_usage = isinstance(error, ArgumentError) and not error.where
        is_file = isinstance(error, (FileFormatError, SketchFormatError))
        answer = error.sentence(naming=as_option), USAGE if is_usage else FILE if is_file else DATA
    elif isinstance(error, OSError):
        answer = _explain_files(error), FILE
    elif type(error).__module__.startswith("cyclopts"):
        answer = _explain_usage(error), USAGE
    elif isinstance(error, MemoryError):
        answer = "not enough memory; uccurve sketch reads files of any size.", INTERNAL
    return answer


def complain(error: Exception, *, debug: bool) -> int:
    """Say on standard error what went wrong, and return the code to leave with."""
    if debug:
        traceback.print_exception(error)
    message, code = explain(error)
    line = printable(" ".join(message.split()))
    text = f"error: {line if len(line) <= _LONGEST else f'{line[:_LONGEST]}…'}"
    if sys.stderr.isatty():
        text = textwrap.fill(text, shutil.get_terminal_size().columns, break_on_hyphens=False)
        if not os.environ.get("NO_COLOR"):
            text = text.replace("error:", "\x1b[31merror:\x1b[0m", 1)
        text = f"\r\x1b[K{text}"  # in the place of a progress bar
    with suppress(OSError):  # nobody reads it
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    return code


def _explain_files(error: OSError) -> str:
    """Name the files, and what is wrong with them."""
    if isinstance(error, UnreadableFilesError):
        (name, reason), *others = error.files.items()
        more = f" Nor can {len(others)} other{'s' if len(others) > 1 else ''}." if others else ""
        return f"{name}: cannot be read: {reason.rstrip('.')}.{more}"
    front = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    if "cannot be written" in (error.strerror or ""):
        return f"{front}{error.strerror}."
    if isinstance(error, FileNotFoundError) and not (error.strerror or "").startswith("there"):
        pattern = "; only --scan reads patterns" if glob.has_magic(front) else ""
        return f"{front}there is no such file{pattern}." if error.filename else f"{str(error).rstrip('.')}."
    is_folder = isinstance(error, IsADirectoryError)
    reason = "it is a folder; only --scan reads folders" if is_folder else error.strerror or str(error)
    return f"{front}{reason.rstrip('.')}."


def _explain_usage(error: Any) -> str:
    """Say what is wrong with the options, and where the help is."""
    command = " ".join(["uccurve", *(error.command_chain or ())])
    text = re.sub(r'^Command "[^"]*" parameter ', "", str(error))
    if type(error).__name__ == "MissingArgumentError" and error.keyword is None:
        text = f"{error.argument.name} is missing."
    if type(error).__name__ == "UnusedCliTokensError":
        text = f"Too many arguments: {' '.join(error.unused_tokens)}."
    return f"{text}{'' if text.endswith(('.', '?')) else '.'} See {command} --help."
