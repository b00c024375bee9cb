"""The functions are now in `arrays`."""

from uccurve._base.arrays import owned, read_only

__all__ = ["owned", "read_only"]
