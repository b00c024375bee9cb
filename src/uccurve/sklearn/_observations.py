"""The target of a fit, and masks, which scikit-learn overlooks."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array, column_or_1d

from uccurve.exceptions import ArgumentError, NonFiniteError
from uccurve.intervals import rules


def observations(y: Any, estimator: Any) -> np.ndarray:
    """Return the observations as a finite column of numbers."""
    if y is None:
        name = type(estimator).__name__
        raise ArgumentError(f"{name} requires y to be passed, but the target y is None", argument="y")
    refuse_masked("y", y)
    values = check_array(y, ensure_2d=False, dtype="numeric", input_name="y", estimator=estimator)
    return np.asarray(column_or_1d(values, warn=True))


def refuse_masked(name: str, values: Any) -> None:
    """Refuse masked values, which are missing: scikit-learn would take what lies under the mask."""
    if np.ma.is_masked(values):
        rows = np.ma.getmaskarray(values).reshape(len(values), -1).any(axis=1)
        raise rules.rows_error(
            NonFiniteError, rows, argument=name, rule="not be masked", hint="Leave such rows out."
        )
