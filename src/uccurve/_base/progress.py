"""A progress bar on the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from uccurve._base.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

_WIDTH = 30


def progressing(
    chunks: Iterator[np.ndarray], total: int, what: str, *, show: bool, done: int = 0
) -> Iterator[np.ndarray]:
    """Pass chunks on, and draw on standard error how many of ``total`` resamples are done."""
    for chunk in chunks:
        yield chunk
        done += len(chunk)
        bar(what, done, total, show=show)


def bar(what: str, done: int, total: int, *, show: bool) -> None:
    """Draw how much is done on standard error, if it is a terminal."""
    if show and sys.stderr.isatty():
        _draw(_bar(what, done, total, _WIDTH), end="\n" if done >= total else "")


class StepBar:
    """One bar for several steps, which leaves nothing behind when all are done.

    Parameters
    ----------
    what : str
        What is done.
    total : int
        The number of steps.
    show : bool
        Whether to draw, if standard error is a terminal.
    """

    def __init__(self, what: str, total: int, *, show: bool) -> None:
        self._what, self._total, self._show = what, total, show
        self._done = 0
        self._redraw()

    def step(self, steps: int = 1) -> None:
        """Count one step or more, and remove the bar after the last one."""
        self._done += steps
        self._redraw()

    def finish(self) -> None:
        """Count what is left, and remove the bar."""
        if self._done < self._total:
            self.step(self._total - self._done)

    def _redraw(self) -> None:
        if not (self._show and self._total and sys.stderr.isatty()):
            return
        columns = shutil.get_terminal_size().columns - 1
        room = columns - len(_bar(self._what, self._total, self._total, 0))
        drawn = _bar(self._what, self._done, self._total, max(0, min(_WIDTH, room)))[:columns]
        _draw(drawn, end="\r" + " " * len(drawn) + "\r" if self._done >= self._total else "")


def _bar(what: str, done: int, total: int, width: int) -> str:
    filled = width * done // total
    return f"{printable(what)} {'█' * filled}{'░' * (width - filled)} {done:,} of {total:,}"


def _draw(text: str, end: str) -> None:
    sys.stderr.write(f"\r{text}{end}")
    sys.stderr.flush()
