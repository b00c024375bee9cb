"""A progress bar on the terminal, for those who ask for one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

_WIDTH = 30


def progressing(chunks: Iterator[np.ndarray], total: int, what: str, *, show: bool) -> Iterator[np.ndarray]:
    """Pass chunks on, and draw how many of ``total`` rows of them are done, on standard error."""
    done = 0
    for chunk in chunks:
        yield chunk
        done += len(chunk)
        if show and sys.stderr.isatty():
            filled = _WIDTH * done // total
            bar = "█" * filled + "░" * (_WIDTH - filled)
            sys.stderr.write(f"\r{what} {bar} {done:,} of {total:,}" + ("\n" if done >= total else ""))
            sys.stderr.flush()
