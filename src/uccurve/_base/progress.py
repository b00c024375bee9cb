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


def bar(what: str, done: int, total: int, *, show: bool, keep: bool = True) -> None:
    """Draw how much is done on standard error, if it is a terminal; a full bar is kept or removed."""
    if not (show and total and sys.stderr.isatty()):
        return
    name, columns = printable(what), shutil.get_terminal_size().columns - 1
    width = max(0, min(_WIDTH, columns - len(f"{name}  {total:,} of {total:,}")))
    filled = width * done // total
    text = f"{name} {'█' * filled}{'░' * (width - filled)} {done:,} of {total:,}"[:columns]
    end = ""
    if done >= total:
        end = "\n" if keep else f"\r{' ' * len(text)}\r"
    sys.stderr.write(f"\r{text}{end}")
    sys.stderr.flush()


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
        self.step(0)

    def step(self, steps: int = 1) -> None:
        """Count one step or more, and remove the bar after the last one."""
        self._done += steps
        bar(self._what, self._done, self._total, show=self._show, keep=False)

    def finish(self) -> None:
        """Count what is left, and remove the bar."""
        if self._done < self._total:
            self.step(self._total - self._done)
