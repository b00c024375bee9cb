"""How sure a number is: confidence intervals by the delta method and by the bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import arguments
from uccurve._base.progress import progressing
from uccurve._kernels import resampling
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.inference._estimators import Estimator, Mean, OfSums, estimator
from uccurve.inference._sample import sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.inference._units import Units
    from uccurve.intervals import Intervals

Method = Literal["delta", "bootstrap"]
Kind = Literal["percentile", "bca"]

_BATCH = 16
_GROUPS = 200
"""Most groups of units left out, one at a time, for the acceleration of a BCa interval."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfidenceInterval:
    """A number, and the interval that covers its true value with the given probability.

    Attributes
    ----------
    estimate : float
        The number itself, from all rows.
    low : float
        Lower end.
    high : float
        Upper end.
    standard_error : float
        Estimated standard deviation of the estimate.
    level : float
        Nominal probability of covering the true value.
    method : Method
        How it was found.
    n_units : int
        How many independent rows, blocks or labels there are.
    n_resamples : int
        How many bootstrap samples were drawn; 0 for the delta method.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    level: float
    method: Method
    n_units: int
    n_resamples: int


def confidence_interval(
    intervals: Intervals,
    what: str = "gain",
    *,
    minus: Intervals | None = None,
    method: Method | None = None,
    kind: Kind = "percentile",
    level: float = 0.95,
    n_resamples: int = 1999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
    **options: Any,
) -> ConfidenceInterval:
    """Return a confidence interval for a number of the curve, or for a paired difference of two.

    Parameters
    ----------
    intervals : Intervals
        The rows, a sample of those one would like to know about.
    what : str
        "area" or "gain" (options ``x``, ``y``, ``vary``, ``partial`` and a range, as in `UCC.area`);
        "miss_rate", "coverage", "bandwidth", "excess" or "deficit" of the intervals as given;
        "parameter", the scale or shift at a given ``miss_rate`` or ``coverage``; or "cost", the
        least cost (options ``c``, ``x``, ``y``).
    minus : Intervals, optional
        Another model on the same rows: the interval is then for the difference, first minus second.
    method : {"delta", "bootstrap"}, optional
        "delta" exists for the means, for full areas and gains on the bandwidth axis under scaling, and
        for their means over a range of miss rates; "bootstrap" for everything. By default the
        former where it exists.
    kind : {"percentile", "bca"}
        Which bootstrap interval: quantiles of the resampled numbers as they are, or corrected for
        bias and skewness.
    level : float
        Probability of covering the true value.
    n_resamples : int
        Number of bootstrap samples.
    blocks : int or array of shape (n,), optional
        What is drawn together: a number of consecutive rows, or the rows with the same label;
        each row on its own if not given.
    rng : numpy.random.Generator or int, optional
        Source of randomness of the bootstrap, or its seed.
    progress : bool
        Show a progress bar on the terminal.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(2000, rng=0)
    >>> intervals = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    >>> found = uc.confidence_interval(intervals, "gain", y="deficit")
    >>> found.low < 1 - 2.718281828**-0.36 < found.high
    True
    """
    level = arguments.number("level", level, 0, 1, open_=True)
    arguments.option("kind", kind, ("percentile", "bca"))
    n_resamples = arguments.whole("n_resamples", n_resamples, 2)
    models = {"intervals": intervals} if minus is None else {"intervals": intervals, "minus": minus}
    rows = sample(models, blocks)
    weight, drawn = rows.weight, rows.drawn
    made = [estimator(model, what, dict(options), rows.factor) for model in rows.models]
    numbers, unit = [number for number, _ in made], rows.factor ** -made[0][1]
    moved = _influence(numbers, weight)
    if method is None:
        method = "bootstrap" if moved is None or kind == "bca" else "delta"
    arguments.option("method", method, ("delta", "bootstrap"))
    estimate = float(_difference([number.value(weight) for number in numbers]))
    if math.isnan(estimate):
        raise UnreachableError(f"the {what} is not defined: there is nothing of the curve in this range.")
    if method == "delta":
        if moved is None:
            raise ArgumentError(
                f"`method` must be 'bootstrap' for this {what}: the delta method does not reach it."
            )
        error = standard_error(moved, drawn)
        margin = -NormalDist().inv_cdf((1 - level) / 2) * error
        low, high, n_resamples = estimate - margin, estimate + margin, 0
    else:
        found = bootstrap(numbers, weight, drawn, n_resamples, rng, progress=progress)
        found = found[np.isfinite(found)]  # a resample may leave nothing of the curve in the range
        if found.size < n_resamples / 2:
            raise UnreachableError(f"the {what} is not defined on most resamples of these rows.")
        shares = [(1 - level) / 2, (1 + level) / 2]
        if kind == "bca":
            shares = _corrected(shares, found, estimate, numbers, weight, drawn, moved)
        low, high = map(float, np.quantile(found, shares))
        error = float(np.std(found, ddof=1))
    estimate, low, high, error = (number * unit for number in (estimate, low, high, error))
    if not all(map(math.isfinite, (estimate, low, high, error))):
        raise arguments.overflow()
    return ConfidenceInterval(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        level=level,
        method=method,
        n_units=drawn.size,
        n_resamples=n_resamples,
    )


def standard_error(influence: np.ndarray, drawn: Units) -> float:
    """Return the standard error that the influence of independent units adds up to."""
    by_unit = drawn.sums(influence[:, None])[:, 0]
    return math.sqrt(float(by_unit @ by_unit) * drawn.size / (drawn.size - 1))


def _difference(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values[0] - values[1]


def _influence(numbers: list[Estimator], weight: np.ndarray) -> np.ndarray | None:
    moved = [number.influence(weight) for number in numbers]
    return None if any(column is None for column in moved) else np.asarray(_difference(moved))


def bootstrap(
    numbers: list[Estimator],
    weight: np.ndarray,
    drawn: Units,
    n_resamples: int,
    rng: np.random.Generator | int | None,
    *,
    progress: bool,
) -> np.ndarray:
    """Return the numbers of samples of as many units, drawn with replacement."""
    generator = np.random.default_rng(rng)
    summed = [number for number in numbers if isinstance(number, (OfSums, Mean))]
    if len(summed) == len(numbers):
        draw, size = _from_sums(summed, weight, drawn, generator), _BATCH
    else:
        draw, size = _from_rows(numbers, weight, drawn, generator), 1
    sizes = [min(size, n_resamples - begin) for begin in range(0, n_resamples, size)]
    chunks = progressing(map(draw, sizes), n_resamples, "resampling", show=progress)
    return np.concatenate(list(chunks))


def _from_sums(
    numbers: list[OfSums | Mean], weight: np.ndarray, drawn: Units, rng: np.random.Generator
) -> Callable[[int], np.ndarray]:
    """Return a function that draws numbers which sums over the rows suffice for."""
    tables = [drawn.sums(number.columns * weight[:, None]) for number in numbers]
    columns = np.ascontiguousarray(np.concatenate(tables, axis=1))
    cut = tables[0].shape[1]

    def draw(size: int) -> np.ndarray:
        sums = resampling.drawn_sums(columns, size, rng)
        values = [
            number.of_sums(part)
            for number, part in zip(numbers, (sums[:, :cut], sums[:, cut:]), strict=False)
        ]
        return np.asarray(_difference(values))

    return draw


def _from_rows(
    numbers: list[Estimator], weight: np.ndarray, drawn: Units, rng: np.random.Generator
) -> Callable[[int], np.ndarray]:
    """Return a function that draws numbers which need the rows in order, one at a time."""
    alike = drawn.size == weight.size

    def draw(_size: int) -> np.ndarray:
        count = np.bincount(rng.integers(0, drawn.size, size=drawn.size), minlength=drawn.size).astype(
            np.float64
        )
        reweighted = weight * (count if alike else count[drawn.of_row])
        return np.array([_difference([number.value(reweighted) for number in numbers])])

    return draw


def _corrected(
    shares: list[float],
    found: np.ndarray,
    estimate: float,
    numbers: list[Estimator],
    weight: np.ndarray,
    drawn: Units,
    moved: np.ndarray | None,
) -> list[float]:
    """Shift the two shares for bias and skewness (Efron 1987)."""
    normal = NormalDist()
    below = np.count_nonzero(found < estimate) + np.count_nonzero(found == estimate) / 2
    bias = normal.inv_cdf(min(max(below / found.size, 0.5 / found.size), 1 - 0.5 / found.size))
    if moved is None:
        moved_units = _left_out(numbers, weight, drawn)
    else:
        moved_units = drawn.sums(moved[:, None])[:, 0]
    spread = float(moved_units @ moved_units)
    skew = float(np.sum(moved_units**3)) / (6 * spread**1.5) if spread > 0 else 0.0
    corrected = []
    for share in shares:
        z = bias + normal.inv_cdf(share)
        corrected.append(normal.cdf(bias + z / (1 - skew * z)))
    return corrected


def _left_out(numbers: list[Estimator], weight: np.ndarray, drawn: Units) -> np.ndarray:
    """Return the influence of groups of units, by leaving each of them out."""
    groups = min(drawn.size, _GROUPS)
    group = np.arange(drawn.size) % groups
    values = np.array(
        [_difference([n.value(weight * (group[drawn.of_row] != g)) for n in numbers]) for g in range(groups)]
    )
    return np.asarray(values.mean() - values)
