"""What a command refuses to do, in one line, and the exit code that goes with it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import textwrap
import traceback
from typing import Any

from uccurve._base.text import printable
from uccurve.columns import nearest_name
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
# How alike an option must be to be named, from 0 to 1, and what is too short to be a part of one.
_CLOSE, _SHORT = 0.75, 2
# What the command line calls arguments of the library, where it is not the option of that name.
_OPTIONS = {"models": "--model", "rng": "--seed", "quantiles": "quantiles"}


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
    told = f"a bug in uccurve, please report it: {reason} (--debug shows more).", INTERNAL
    if isinstance(error, UsageError):
        told = str(error), USAGE
    elif isinstance(error, MissingDependencyError):
        told = str(error), EXTRA
    elif isinstance(error, UccurveError):
        is_usage = isinstance(error, ArgumentError) and not error.where
        is_file = isinstance(error, (FileFormatError, SketchFormatError))
        told = error.sentence(naming=as_option), USAGE if is_usage else FILE if is_file else DATA
    elif isinstance(error, OSError):
        told = _explain_files(error), FILE
    elif type(error).__module__.startswith("cyclopts"):
        told = _explain_usage(error), USAGE
    elif isinstance(error, UnicodeEncodeError) and "surrogates" in error.reason:
        told = "an option holds bytes that are no text in UTF-8.", USAGE
    elif isinstance(error, MemoryError):
        told = "not enough memory; uccurve sketch reads files of any size.", INTERNAL
    return told


def complain(error: Exception, *, debug: bool) -> int:
    """Say on standard error what went wrong, and return the code to leave with."""
    if debug:
        traceback.print_exception(error)
    message, code = explain(error)
    line = printable(" ".join(message.split()))
    text = f"error: {line if len(line) <= _LONGEST else f'{line[:_LONGEST]}…'}"
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if is_terminal:
        text = textwrap.fill(text, shutil.get_terminal_size().columns, break_on_hyphens=False)
    if is_terminal and not os.environ.get("NO_COLOR"):
        text = text.replace("error:", "\x1b[31merror:\x1b[0m", 1)
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except (OSError, AttributeError):
        pass  # nobody reads it
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
        return f"{front}there is no such file." if error.filename else f"{str(error).rstrip('.')}."
    reason = "it is a folder" if isinstance(error, IsADirectoryError) else error.strerror or str(error)
    return f"{front}{reason.rstrip('.')}."


def _explain_usage(error: Any) -> str:
    """Say what is wrong with the options, what may have been meant, and where the help is."""
    command = " ".join(["uccurve", *(error.command_chain or ())])
    text = re.sub(r'^Command "[^"]*" parameter ', "", str(error))
    if type(error).__name__ == "UnknownOptionError":  # a name that is far off helps nobody
        given = (error.token.keyword or error.token.value).partition("=")[0]
        known = {
            name.strip("-"): name for one in error.argument_collection if one.parse for name in one.names
        }
        bare = given.strip("-").replace("_", "-")
        longer = [
            name for name in known if len(bare) > _SHORT and bare in (name[: len(bare)], name[-len(bare) :])
        ]
        close = longer[0] if longer else nearest_name(bare, list(known), _CLOSE)
        text = f"Unknown option: {given}." + (f" Did you mean {known[close]}?" if close else "")
    return f"{text}{'' if text.endswith(('.', '?')) else '.'} See {command} --help."
