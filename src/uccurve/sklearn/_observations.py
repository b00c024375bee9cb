"""The target of a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array, column_or_1d

from uccurve.exceptions import ArgumentError


def observations(y: Any, estimator: Any) -> np.ndarray:
    """Return the observations as a finite column of numbers."""
    if y is None:
        name = type(estimator).__name__
        raise ArgumentError(f"{name} requires y to be passed, but the target y is None.")
    values = check_array(y, ensure_2d=False, dtype="numeric", input_name="y", estimator=estimator)
    return np.asarray(column_or_1d(values, warn=True))
