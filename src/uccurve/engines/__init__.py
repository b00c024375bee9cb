"""Curves of data that does not fit into memory: one pass over files or over a frame of any engine."""

from uccurve.engines.files import choose_columns, choose_engine, list_files
from uccurve.engines.scan import scan
from uccurve.engines.select import Columns

__all__ = ["Columns", "choose_columns", "choose_engine", "list_files", "scan"]
