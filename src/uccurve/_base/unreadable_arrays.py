"""The function is now in `arrays`."""

from uccurve._base.arrays import refuse_unreadable

__all__ = ["refuse_unreadable"]
