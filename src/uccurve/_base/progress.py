"""A progress bar on the terminal."""

from __future__ import annotations

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
        filled = _WIDTH * done // total
        drawn = "█" * filled + "░" * (_WIDTH - filled)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{printable(what)} {drawn} {done:,} of {total:,}{end}")
        sys.stderr.flush()
