"""The function is now in `arguments`."""

from uccurve._base.arguments import needed

__all__ = ["needed"]
