"""The data that every library is fitted to: noise that grows with one input."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rows(NamedTuple):
    """Inputs and observations, in three parts: to fit on, to calibrate on, and to judge."""

    X: np.ndarray
    y: np.ndarray
    X_calibration: np.ndarray
    y_calibration: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def made_rows(n: int = 400) -> Rows:
    """Return n rows of each part."""
    rng = np.random.default_rng(0)
    inputs = rng.uniform(0, 3, size=(3 * n, 2))
    y = np.sin(2 * inputs[:, 0]) + inputs[:, 1] + (0.1 + 0.4 * inputs[:, 0]) * rng.normal(size=3 * n)
    parts = [part for k in range(3) for part in (inputs[k * n : (k + 1) * n], y[k * n : (k + 1) * n])]
    return Rows(*parts)
