"""Summaries of intervals that add, and their curves."""

from uccurve.sketch._sketch import SketchedUCC, UCCSketch

__all__ = ["SketchedUCC", "UCCSketch"]
