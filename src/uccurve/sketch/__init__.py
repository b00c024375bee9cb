"""Summaries of intervals that add, their curves, and files of them."""

from uccurve.sketch.curve import SketchedUCC
from uccurve.sketch.file import SketchFile, label_order
from uccurve.sketch.sketch import Drift, UCCSketch
from uccurve.sketch.state import ERROR_OCTAVES, SCALE_OCTAVES, TABLES, RowSums, State, Totals, add_states

__all__ = [
    "ERROR_OCTAVES",
    "SCALE_OCTAVES",
    "TABLES",
    "Drift",
    "RowSums",
    "SketchFile",
    "SketchedUCC",
    "State",
    "Totals",
    "UCCSketch",
    "add_states",
    "label_order",
]
