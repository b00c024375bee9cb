"""The function is now in `arguments`."""

from uccurve._base.arguments import warn_caller

__all__ = ["warn_caller"]
