"""Summaries of intervals that add, and their curves."""

from uccurve.sketch._drift import Drift
from uccurve.sketch._sketch import UCCSketch
from uccurve.sketch._sketched_curve import SketchedUCC

__all__ = ["Drift", "SketchedUCC", "UCCSketch"]
