"""Calibration: the scale or shift with which new rows are captured at a given rate."""

from uccurve.calibration.fit import Unseen, conformal_rank, to_fraction
from uccurve.calibration.scaler import ConformalScaler

__all__ = ["ConformalScaler", "Unseen", "conformal_rank", "to_fraction"]
