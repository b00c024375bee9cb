"""The command line ``uccurve``: what it returns, and how it fails.

Exit codes: 0 success; 1 the data break a rule; 2 wrong usage; 3 a file cannot be read or written; 4 an extra
is not installed; 70 a bug in uccurve; 129 hung up; 130 interrupted; 141 the output pipe was closed;
143 terminated.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from uccurve._base.text import printable
from uccurve.cli import _errors
from uccurve.cli._errors import CommandError, as_options
from uccurve.cli._standard_streams import discard, usable_streams
from uccurve.exceptions import MissingDependencyError, UccurveError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["main"]

_ENDING = [number for name in ("SIGHUP", "SIGTERM") if (number := getattr(signal, name, None))]
"""Signals that end a command; Windows has one of them."""
_LONGEST = 2000
"""Letters of an error that are shown: names and values may be of any length."""
_LIBRARIES = frozenset({"cyclopts", "jinja2", "matplotlib", "polars", "rich"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the name of the program; taken from the process if not given.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with usable_streams(), _ending_cleanly():
            return _told(given)
    except KeyboardInterrupt:
        return _complain("interrupted.", _errors.INTERRUPTED)


def _told(given: list[str]) -> int:
    """Run a command, and say in one line what went wrong."""
    try:
        return _run(given)
    except BrokenPipeError:
        discard(sys.stdout)
        return _errors.PIPE
    except Exception as error:  # noqa: BLE001 - the last resort, told apart below
        if "--debug" in given:
            traceback.print_exc()
        return _complain(*_explained(error))


def _run(given: list[str]) -> int:
    try:
        from uccurve.cli import _app  # noqa: PLC0415 - what it imports is optional
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        if library not in _LIBRARIES:
            raise
        raise MissingDependencyError(library, "cli") from error
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _handle(signal.SIGINT, signal.default_int_handler)  # again: Polars put one before it that waits
    _app.run(given)
    sys.stdout.flush()
    return _errors.OK


def _explained(error: Exception) -> tuple[str, int]:
    """Say in one line what went wrong, and with which code to leave."""
    reason = f"{type(error).__name__}: {error}"
    line_and_code = (
        f"a bug in uccurve, please report it: {reason} (--debug shows more).",
        _errors.INTERNAL,
    )
    if isinstance(error, CommandError):
        line_and_code = str(error), error.code
    elif isinstance(error, MissingDependencyError):
        line_and_code = str(error), _errors.EXTRA
    elif isinstance(error, UccurveError):
        line_and_code = as_options(str(error)), _errors.DATA
    elif isinstance(error, OSError):
        name = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        line_and_code = f"{name}{error.strerror or error}.", _errors.FILE
    elif type(error).__module__.startswith("cyclopts"):
        from uccurve.cli._usage import explained  # noqa: PLC0415 - it needs what raised the error

        line_and_code = explained(error), _errors.USAGE
    elif isinstance(error, MemoryError):
        line_and_code = "not enough memory.", _errors.INTERNAL
    return line_and_code


def _complain(message: str, code: int) -> int:
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


@contextmanager
def _ending_cleanly() -> Iterator[None]:
    """Let signals that end a process raise an exception, so that unfinished files are removed."""
    handled = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]  # not under nohup
    for number in handled:
        _handle(number, _terminate)
    try:
        yield
    finally:
        for number in handled:
            _handle(number, signal.SIG_DFL)


def _terminate(number: int, _: object) -> NoReturn:
    for other in _ENDING:
        _handle(other, signal.SIG_IGN)  # one is enough: files are being removed
    sys.exit(_errors.SIGNALED + number)


def _handle(number: int, handler: Any) -> None:
    """Set a signal's handler; only the main thread may."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(number, handler)
