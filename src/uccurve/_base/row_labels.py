"""The function is now in `frames`."""

from uccurve._base.frames import refuse_other_labels

__all__ = ["refuse_other_labels"]
