"""Summaries of intervals that add, their curves, and files of them."""

from uccurve.sketch import state
from uccurve.sketch.curve import SketchedUCC
from uccurve.sketch.file import SketchFile, label_order
from uccurve.sketch.sketch import Drift, UCCSketch

__all__ = ["Drift", "SketchFile", "SketchedUCC", "UCCSketch", "label_order", "state"]
