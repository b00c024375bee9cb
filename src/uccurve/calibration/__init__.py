"""Calibration: the scale or shift with which new rows are captured at a given rate."""

from uccurve.calibration._scaler import ConformalScaler

__all__ = ["ConformalScaler"]
