"""The command line ``uccurve``: what it returns, and how it fails.

Exit codes: 0 success; 1 the data break a rule; 2 wrong usage; 3 a file cannot be read or written; 4 an extra
is not installed; 70 a bug in uccurve; 129 hung up; 130 interrupted; 141 the output pipe was closed;
143 terminated.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Everything else is imported when a command runs: signals during those imports are handled, too.

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the name of the program. If not given, this is the program: they are taken from the
        process, which ends at a signal.
    """
    is_program = arguments is None
    words = list(sys.argv[1:] if arguments is None else arguments)
    if is_program:
        _end_at_signals()
        for stream in (sys.stdout, sys.stderr):  # letters that a stream lacks are no reason to fail
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
    from uccurve.cli import errors  # noqa: PLC0415

    try:
        from uccurve.io import STDIN  # noqa: PLC0415

        files = [STDIN if word == "-" else word for word in words]  # which is no option
        from uccurve.cli.app import app  # noqa: PLC0415 - what it imports is optional
        from uccurve.cli.console import GIVEN  # noqa: PLC0415

        if is_program:
            _end_at_signals()  # again: Polars put a handler before ours that waits
        GIVEN.set(tuple(words))
        app(files)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at the end
        return errors.PIPE
    except Exception as error:  # noqa: BLE001 - the last resort, told apart there
        return errors.complain(error, debug="--debug" in words)
    return errors.OK


def _end_at_signals() -> None:
    """Let signals end the process at once, unless it ignores them, as under nohup.

    An exception would not do: libraries swallow those that are raised while they are imported.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Windows has two of them
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _: object) -> None:
    """Remove unfinished files, and leave with the code of the signal."""
    files = getattr(sys.modules.get("uccurve._base.files"), "unfinished_files", ())
    for path in tuple(files):
        with suppress(OSError):
            path.unlink()
    if number == signal.SIGINT:
        with suppress(OSError):  # nobody reads it
            os.write(2, b"error: interrupted.\n")
    os._exit(128 + number)
