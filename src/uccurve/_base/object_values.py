"""The function is now in `arrays`."""

from uccurve._base.arrays import first_not_numeric

__all__ = ["first_not_numeric"]
