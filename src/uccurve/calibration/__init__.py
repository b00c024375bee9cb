"""Calibration: the scale or shift with which new rows are captured at a given rate."""

from uccurve.calibration._conformal_rank import as_written, conformal_rank
from uccurve.calibration._fitted_parameters import Unseen
from uccurve.calibration._moved_bounds import fits_of_rows
from uccurve.calibration._scaler import ConformalScaler

__all__ = [
    "ConformalScaler",
    "Unseen",
    "as_written",
    "conformal_rank",
    "fits_of_rows",
]
