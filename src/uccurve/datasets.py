"""Data with a known answer, for examples and tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uccurve import _door
from uccurve.intervals import Intervals


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Heteroscedastic:
    """Observations whose noise changes from row to row, with the truth about it."""

    x: np.ndarray
    """The input, shape (n,), between 0 and 1."""
    y_true: np.ndarray
    """The observations, shape (n,)."""
    y_pred: np.ndarray
    """The true conditional mean, shape (n,)."""
    std: np.ndarray
    """The true conditional standard deviation, shape (n,)."""


def make_heteroscedastic(
    n: int = 2000, *, spread: float = 0.6, rng: np.random.Generator | int | None = None
) -> Heteroscedastic:
    """Draw Gaussian observations with a log-normal noise scale.

    Parameters
    ----------
    n : int
        Number of rows.
    spread : float
        Standard deviation of the logarithm of the noise scale; 0 makes the noise constant.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(500, rng=0)
    >>> uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    Intervals(n=500, bandwidth=1.124, symmetric)
    """
    n = int(_door.number("n", n, 1))
    spread = _door.number("spread", spread, 0)
    rng = np.random.default_rng(rng)
    x = rng.uniform(size=n)
    y_pred = np.sin(2 * np.pi * x) * 3
    std = np.exp(spread * rng.normal(size=n))
    return Heteroscedastic(x=x, y_pred=y_pred, std=std, y_true=y_pred + std * rng.normal(size=n))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Crossing:
    """Two models on the same rows, of which each is the better one at some miss rates."""

    models: dict[str, Intervals]
    """``sharp`` knows the noise scale up to an error; ``damped`` shrinks it towards a constant band."""
    x: np.ndarray
    """The input, shape (n,), between 0 and 1."""
    noise: np.ndarray
    """The true standard deviation of the observations, shape (n,)."""
    segment: np.ndarray
    """Where x lies: low, middle or high, shape (n,)."""


def make_crossing(n: int = 5000, *, rng: np.random.Generator | int | None = 1) -> Crossing:
    """Draw two models whose curves cross: neither is better everywhere.

    Parameters
    ----------
    n : int
        Number of rows.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Examples
    --------
    >>> from uccurve.datasets import make_crossing
    >>> crossing = make_crossing()
    >>> sharp, damped = (rows.ucc() for rows in crossing.models.values())
    >>> [curve.at(miss_rate=0.02).bandwidth < other.at(miss_rate=0.02).bandwidth
    ...  for curve, other in ((sharp, damped), (damped, sharp))]
    [True, False]
    >>> sharp.at(miss_rate=0.3).bandwidth < damped.at(miss_rate=0.3).bandwidth
    False
    """
    rng = np.random.default_rng(rng)
    data = make_heteroscedastic(n, spread=0.8, rng=rng)
    known = data.std * rng.lognormal(sigma=0.2, size=n)
    bands = {"sharp": known, "damped": known**0.25}
    names = np.array(["low", "middle", "high"])
    return Crossing(
        models={name: Intervals.from_bands(data.y_true, data.y_pred, band) for name, band in bands.items()},
        x=data.x,
        noise=data.std,
        segment=names[np.digitize(data.x, [1 / 3, 2 / 3])],
    )
