"""Warnings that point at the caller's own code."""

from __future__ import annotations

import sys
import warnings

_BETWEEN = {__name__.partition(".")[0], "numpy", "functools", "contextlib"}
"""This package, and whose decorators and cached properties stand between it and the caller."""


def warn_caller(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn, and name the line outside of this package that led here."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
