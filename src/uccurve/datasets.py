"""Data for examples and tests, whose true mean and noise are known."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError, NonFiniteError
from uccurve.intervals import Intervals, checks, rules

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Crossing", "Gap", "Heteroscedastic", "make_crossing", "make_gap", "make_heteroscedastic"]


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
    n = arguments.whole("n", n, 1)
    spread = arguments.number("spread", spread, 0)
    rng = np.random.default_rng(rng)
    x = rng.uniform(size=n)
    y_pred = np.sin(2 * np.pi * x) * 3
    std = np.exp(spread * rng.normal(size=n))
    return Heteroscedastic(x=x, y_pred=y_pred, std=std, y_true=y_pred + std * rng.normal(size=n))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Crossing:
    """Two models on the same rows, of which each is the better one at some miss rates."""

    models: dict[str, Intervals]
    """``sharp`` knows the noise scale up to an error; ``damped`` shrinks it toward a constant band."""
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
    estimated_std = data.std * rng.lognormal(sigma=0.2, size=n)
    bands = {"sharp": estimated_std, "damped": estimated_std**0.25}
    labels = np.array(["low", "middle", "high"])
    return Crossing(
        models={name: Intervals.from_bands(data.y_true, data.y_pred, band) for name, band in bands.items()},
        x=data.x,
        noise=data.std,
        segment=labels[np.digitize(data.x, [1 / 3, 2 / 3])],
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Gap:
    """A regression on one input that was not observed everywhere, with the truth about it."""

    x_train: np.ndarray
    """The inputs to learn from, shape (n_train,), none of them inside the gap."""
    y_train: np.ndarray
    """The observations to learn from, shape (n_train,)."""
    x: np.ndarray
    """The inputs to predict at, shape (n_test,), ascending, inside the gap and outside of it."""
    y_true: np.ndarray
    """The observations there, shape (n_test,)."""
    y_mean: np.ndarray
    """The true mean there, shape (n_test,)."""
    std: np.ndarray
    """The true standard deviation of the observations there, shape (n_test,)."""


def make_gap(
    n_train: int = 40,
    n_test: int = 1000,
    *,
    noise: float = 0.1,
    function: Callable[[np.ndarray], Any] | None = None,
    gap: tuple[float, float] = (-1.0, 1.0),
    domain: tuple[float, float] = (-3.0, 3.0),
    rng: np.random.Generator | int | None = None,
) -> Gap:
    """Draw a regression whose training inputs leave a gap, where a model has to admit that it knows little.

    Inputs are uniform, on the domain without the gap for training and on all of the domain for testing;
    the observations are ``function(x) + noise * N(0, 1)``.

    Parameters
    ----------
    n_train, n_test : int
        Numbers of rows.
    noise : float
        Standard deviation of the observations about their mean; 0 leaves them exact.
    function : callable, optional
        The mean, for an array of inputs; cos(2x) by default.
    gap : pair of float
        Where there are no training inputs; it lies in the domain and leaves some of it.
    domain : pair of float
        Where the inputs lie.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Examples
    --------
    >>> from uccurve.datasets import make_gap
    >>> data = make_gap(rng=0)
    >>> data.x_train.shape, bool(abs(data.x_train).min() >= 1), bool(abs(data.x).min() < 0.1)
    ((40,), True, True)

    A model that knows the mean and the noise:

    >>> import uccurve as uc
    >>> uc.Intervals.from_std(data.y_true, data.y_mean, data.std)
    Intervals(n=1000, bandwidth=0.1, symmetric)
    """
    n_train, n_test = arguments.whole("n_train", n_train, 1), arguments.whole("n_test", n_test, 1)
    noise = arguments.number("noise", noise, 0)
    if function is not None and not callable(function):
        raise ArgumentError(
            argument="function", rule="be callable with an array", got=type(function).__name__
        )
    function = _wave if function is None else function
    low, high = _ordered("domain", domain)
    start, end = _ordered("gap", gap)
    if not low <= start < end <= high or (low, high) == (start, end):
        raise ArgumentError(
            argument="gap", rule="lie inside `domain` and leave some of it", got=f"{gap} in {domain}"
        )
    rng = np.random.default_rng(rng)
    left = start - low  # of the gap
    distance = rng.uniform(0, left + (high - end), size=n_train)  # from `low`, with the gap cut out
    x_train = np.where(
        distance < left, np.minimum(low + distance, start), np.minimum(end + (distance - left), high)
    )
    x = np.sort(rng.uniform(low, high, size=n_test))
    y_mean = _mean(function, x)
    return Gap(
        x_train=x_train,
        y_train=_mean(function, x_train) + noise * rng.normal(size=len(x_train)),
        x=x,
        y_true=y_mean + noise * rng.normal(size=n_test),
        y_mean=y_mean,
        std=np.full(n_test, noise),
    )


def _ordered(name: str, pair: Any) -> tuple[float, float]:
    """Check two numbers of which the first is the smaller one."""
    try:
        low, high = iter(() if isinstance(pair, (Mapping, AbstractSet)) else pair)  # those have no order
    except (TypeError, ValueError) as error:
        raise ArgumentError(argument=name, rule="be a pair of numbers", got=repr(pair)) from error
    low, high = arguments.number(f"{name}[0]", low), arguments.number(f"{name}[1]", high)
    if not low < high:
        raise ArgumentError(argument=name, rule=f"satisfy {name}[0] < {name}[1]", got=repr(pair))
    return low, high


def _mean(function: Callable[[np.ndarray], Any], x: np.ndarray) -> np.ndarray:
    """Return the values of a function: one finite number per input, or an error."""
    arrays = checks.load({"x": x, "function(x)": function(x.copy())})
    rule = rules.RowRule(
        ("x", "function(x)"),
        "return finite numbers",
        NonFiniteError,
        lambda is_finite, _x, values: ~is_finite(values),
        about="function",
    )
    rules.enforce(arrays, rules=[rule])
    return np.asarray(arrays["function(x)"])


def _wave(x: np.ndarray) -> np.ndarray:
    """Return cos(2x)."""
    return np.asarray(np.cos(2 * x))
