"""Summaries of intervals that add, their curves, and files of them."""

from uccurve.sketch.curve import SketchedUCC
from uccurve.sketch.file import SketchFile, label_order
from uccurve.sketch.sketch import Drift, UCCSketch
from uccurve.sketch.state import (
    ERROR_OCTAVES,
    SCALE_OCTAVES,
    TABLES,
    State,
    Totals,
    add_states,
    summarize_rows,
)

__all__ = [
    "ERROR_OCTAVES",
    "SCALE_OCTAVES",
    "TABLES",
    "Drift",
    "SketchFile",
    "SketchedUCC",
    "State",
    "Totals",
    "UCCSketch",
    "add_states",
    "label_order",
    "summarize_rows",
]
