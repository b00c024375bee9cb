"""Data for examples and tests, whose true mean and noise are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uccurve._base import arguments
from uccurve.intervals import Intervals

__all__ = ["Crossing", "Heteroscedastic", "make_crossing", "make_heteroscedastic"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Heteroscedastic:
    """Observations whose noise changes from row to row, with the truth about it.

    See Also
    --------
    make_heteroscedastic : Returns it.

    Examples
    --------
    >>> from uccurve.datasets import make_heteroscedastic
    >>> make_heteroscedastic(4, rng=0).std.round(2)
    array([0.73, 1.24, 2.19, 1.77])
    """

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

    Returns
    -------
    Heteroscedastic
        Observations, predictions and the true scale.

    Raises
    ------
    ArgumentError
        If ``n`` is not a whole number from 1 on, or ``spread`` is negative.

    See Also
    --------
    make_crossing : Two models.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(500, rng=0)
    >>> uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    Intervals(n=500, bandwidth=1.124, symmetric)
    """
    n = arguments.whole("n", n, 1)
    spread = arguments.number("spread", spread, 0)
    rng = np.random.default_rng(rng)
    x = rng.uniform(size=n)
    y_pred = np.sin(2 * np.pi * x) * 3
    std = np.exp(spread * rng.normal(size=n))
    return Heteroscedastic(x=x, y_pred=y_pred, std=std, y_true=y_pred + std * rng.normal(size=n))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Crossing:
    """Two models on the same rows, each better than the other at some miss rates.

    See Also
    --------
    make_crossing : Returns it.

    Examples
    --------
    >>> from uccurve.datasets import make_crossing
    >>> list(make_crossing(n=500, rng=0).models)
    ['sharp', 'damped']
    """

    models: dict[str, Intervals]
    """``sharp`` knows the noise scale up to an error; ``damped`` shrinks it toward constant width."""
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

    Returns
    -------
    Crossing
        The observations, and the intervals of two models.

    Raises
    ------
    ArgumentError
        If ``n`` is not a whole number from 1 on.

    See Also
    --------
    make_heteroscedastic : One model that knows the scale.

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
    estimated_std = data.std * rng.lognormal(sigma=0.2, size=n)
    bands = {"sharp": estimated_std, "damped": estimated_std**0.25}
    labels = np.array(["low", "middle", "high"])
    return Crossing(
        models={name: Intervals.from_bands(data.y_true, data.y_pred, band) for name, band in bands.items()},
        x=data.x,
        noise=data.std,
        segment=labels[np.digitize(data.x, [1 / 3, 2 / 3])],
    )
