"""Standard streams that may be closed, or know few letters."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from uccurve.cli._errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASCII = {"–": "-", "−": "-", "…": "...", "∞": "inf", "\u202f": " ", "\u00a0": " ", "×": "x", "→": "->"}
"""What stands for signs of our own where an encoding lacks them."""


_STDERR = 2
"""The descriptor that all parts of a process share."""


class _ClosedOutput:
    """What stands for a standard output that is closed: whoever prints is told so."""

    encoding = "utf-8"

    @property
    def buffer(self) -> _ClosedOutput:
        """Bytes cannot be written either."""
        return self

    def write(self, _: object) -> NoReturn:
        """Refuse to lose what is printed."""
        raise FileError("standard output is closed: nothing can be printed; --quiet prints no messages.")

    def flush(self) -> None:
        """Do nothing: nothing was written."""

    def isatty(self) -> bool:
        """Return that this is no terminal."""
        return False

    def fileno(self) -> NoReturn:
        """Refuse to name a file."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


@contextmanager
def usable_streams() -> Iterator[None]:
    """Let nothing fail on letters that a stream lacks, or on messages that nobody reads."""
    before = sys.stdout, sys.stderr
    errors = [(stream, getattr(stream, "errors", None)) for stream in before]
    nowhere: Any = None
    if sys.stderr is None:
        sys.stderr = nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - closed below
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream, handler in errors:
            _restore(stream, handler)
        if nowhere is not None:
            nowhere.close()


@contextmanager
def silent_libraries() -> Iterator[None]:
    """Keep libraries from writing to standard error by themselves, as Polars does where a file is damaged."""
    sys.stderr.flush()
    try:
        kept = os.dup(_STDERR)
    except OSError:  # it is closed
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDERR)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def discard(stream: Any) -> None:
    """Point a stream to nowhere, or Python complains when it flushes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _restore(stream: Any, errors: str | None) -> None:
    if not hasattr(stream, "reconfigure"):
        return
    try:
        stream.reconfigure(errors=errors)  # writes what is left
    except OSError:  # which was told already
        discard(stream)


def encodable(text: str, stream: Any) -> str:
    """Return a text in letters that a stream can show, others by their numbers: tables keep their columns."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = "".join(
            _ASCII.get(letter, letter) if not _known(letter, encoding) else letter for letter in text
        )
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def _known(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
