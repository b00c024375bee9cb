"""Prediction intervals: rows that were checked once."""

from uccurve.intervals._intervals import Intervals

__all__ = ["Intervals"]
