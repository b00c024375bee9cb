"""Curves of data that does not fit into memory: one pass over files or over a frame of any engine."""

from uccurve.engines.scan import scan
from uccurve.engines.select import Columns, list_models

__all__ = ["Columns", "list_models", "scan"]
