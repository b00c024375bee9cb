"""Summaries of intervals that add, their curves, and files of them."""

from uccurve.sketch._drift import Drift
from uccurve.sketch._row_sums import RowSums
from uccurve.sketch._sketch import UCCSketch
from uccurve.sketch._sketch_file import SketchFile, label_order
from uccurve.sketch._sketched_curve import SketchedUCC
from uccurve.sketch._state import ERROR_OCTAVES, SCALE_OCTAVES, TABLES, State, Totals, merged

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
    "label_order",
    "merged",
]
