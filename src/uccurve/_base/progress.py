"""A progress bar on the terminal."""

from __future__ import annotations

import shutil
import sys

from uccurve._base.text import printable

_WIDTH = 30


class StepBar:
    """A bar on standard error, if it is a terminal, which leaves nothing behind when all steps are done.

    Parameters
    ----------
    what : str
        What is done.
    total : int
        The number of steps.
    show : bool
        Whether to draw.
    """

    def __init__(self, what: str, total: int, *, show: bool) -> None:
        self._what, self._total, self._done = printable(what), total, 0
        self._show = show and total > 0 and sys.stderr.isatty()
        self.step(0)

    def step(self, steps: int = 1) -> None:
        """Count one step or more, and remove the bar after the last one."""
        self._done += steps
        if not self._show:
            return
        columns = shutil.get_terminal_size().columns - 1
        width = max(0, min(_WIDTH, columns - len(f"{self._what}  {self._total:,} of {self._total:,}")))
        drawn = ("█" * (width * self._done // self._total)).ljust(width, "░")
        text = f"{self._what} {drawn} {self._done:,} of {self._total:,}"[:columns]
        end = f"\r{' ' * len(text)}\r" if self._done >= self._total else ""
        sys.stderr.write(f"\r{text}{end}")
        sys.stderr.flush()

    def finish(self) -> None:
        """Count what is left, and remove the bar."""
        self.step(self._total - self._done)
