"""Tasks whose true error scale is known: three kinds of noise, three scales."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RANGE = (-3.0, 3.0)
NOISES = ("Gaussian", "Laplace", "t3")
SHAPES = {"waves": "0.2 + 0.8 |sin x|", "step": "0.25 below x = 0 and 1 above", "exponential": "exp(x/2 − 1)"}
"""The scales σ(x), in words."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """Rows of one task: the predictions are 0, so that the observations are the residuals."""

    x: np.ndarray
    """The input, shape (n,)."""
    sigma: np.ndarray
    """The true standard deviation of the residual, shape (n,)."""
    error: np.ndarray
    """The residual, shape (n,)."""


def center(x: np.ndarray) -> np.ndarray:
    """Return the true mean at each input, for networks that learn it together with the bands."""
    return np.asarray(np.sin(2 * x))


def scale(shape: str, x: np.ndarray) -> np.ndarray:
    """Return the true scale at each input."""
    if shape == "waves":
        return np.asarray(0.2 + 0.8 * np.abs(np.sin(x)))
    if shape == "step":
        return np.where(x < 0, 0.25, 1.0)
    return np.asarray(np.exp(x / 2 - 1))


def made(noise: str, shape: str, n: int, rng: np.random.Generator) -> Rows:
    """Draw rows; every noise has the standard deviation 1."""
    x = rng.uniform(*RANGE, size=n)
    if noise == "Gaussian":
        unit = rng.normal(size=n)
    elif noise == "Laplace":
        unit = rng.laplace(scale=np.sqrt(0.5), size=n)
    else:
        unit = rng.standard_t(3, size=n) / np.sqrt(3)
    sigma = scale(shape, x)
    return Rows(x=x, sigma=sigma, error=sigma * unit)
