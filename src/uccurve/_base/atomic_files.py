"""The module is now `files`."""

from uccurve._base.files import checked, replacing, unfinished_files

__all__ = ["checked", "replacing", "unfinished_files"]
