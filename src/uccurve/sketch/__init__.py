"""Summaries of intervals that add, their curves, and files of them."""

from uccurve.sketch._drift import Drift
from uccurve.sketch._sketch import UCCSketch
from uccurve.sketch._sketch_file import SketchFile
from uccurve.sketch._sketched_curve import SketchedUCC

__all__ = ["Drift", "SketchFile", "SketchedUCC", "UCCSketch"]
