"""Numbers of a curve that the library gives no interval for, and a bootstrap for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from uccurve import Intervals


HIGHEST = 0.95
"""The highest miss rate at which two bands are compared."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """What the bandwidth and the miss rate of every operating point follow from; unweighted rows."""

    error: np.ndarray
    """Absolute residual, shape (n,)."""
    critical: np.ndarray
    """The smallest scale that captures the row, shape (n,)."""
    half_width: np.ndarray
    """Half the width of the interval as given, shape (n,)."""

    @classmethod
    def of(cls, intervals: Intervals) -> Rows:
        """Take the rows of intervals with bands above zero."""
        error = np.abs(intervals.residual)
        lower, upper = np.asarray(intervals.lower_band), np.asarray(intervals.upper_band)
        active = np.where(np.asarray(intervals.residual) >= 0, upper, lower)
        return cls(error=error, critical=error / active, half_width=(lower + upper) / 2)

    @cached_property
    def needed(self) -> np.ndarray:
        """The bandwidths at which one more row is captured, ascending, shape (n,)."""
        return np.sort(self.critical) * float(np.mean(self.half_width))

    @cached_property
    def constant(self) -> np.ndarray:
        """The same of the constant band, shape (n,)."""
        return np.sort(self.error)

    def take(self, places: np.ndarray) -> Rows:
        """Return some rows, any of them several times."""
        return Rows(
            error=self.error[places], critical=self.critical[places], half_width=self.half_width[places]
        )


def crossover(rows: Rows) -> float:
    """Return the miss rate up to which a model saves the most bandwidth against its constant band.

    Two empirical curves touch and swap many times where they are close. The cross-over is the swap
    that counts: the end of the range, from miss rate 0 on, over which the summed saving is largest. It is
    0 where that sum is never above zero, be it for a few rows at the lowest miss rates. Whether there is
    one swap, with the model better before and worse behind it, `sides` tells.
    """
    saved = np.concatenate([[0.0], np.cumsum((rows.constant - rows.needed)[::-1])])
    return float(np.argmax(saved)) / rows.error.size


def ratios(rows: Rows, rates: np.ndarray) -> np.ndarray:
    """Return the bandwidth a model needs for each miss rate, over that of its constant band."""
    n = rows.error.size
    place = n - np.floor(rates * n * (1 + 1e-12)).astype(int) - 1
    return np.asarray(rows.needed[place] / rows.constant[place])


def ratio(rows: Rows, miss_rate: float) -> float:
    """Return the same for one miss rate."""
    return float(ratios(rows, np.array([miss_rate]))[0])


def sides(rows: Rows, miss_rate: float) -> tuple[float, float]:
    """Return how often a model needs less than its constant band below a miss rate, and more above it.

    Shares of the whole per cents, up to `HIGHEST`: beyond, bands are so narrow that their order is noise.
    """
    rates = np.arange(1, round(100 * HIGHEST) + 1) / 100
    found, below = ratios(rows, rates), rates < miss_rate
    less, more = found[below] < 1, found[~below] > 1
    return float(np.mean(less)) if less.size else 0.0, float(np.mean(more)) if more.size else 0.0


def ceiling(rows: Rows) -> float:
    """Return the largest gain that any symmetric band could have in hindsight."""
    return float(1 - np.mean(np.sqrt(rows.error)) ** 2 / np.mean(rows.error))


def deficit_ceiling(rows: Rows) -> float:
    """Return the same for the gain on the deficit."""
    return float(1 - np.mean(rows.error) ** 2 / np.mean(rows.error**2))


def with_intervals(
    numbers: Mapping[str, Callable[[Rows], float]],
    rows: Rows,
    *,
    blocks: np.ndarray | None = None,
    n_resamples: int = 999,
    level: float = 0.95,
    rng: int = 0,
) -> dict[str, dict[str, float]]:
    """Return numbers of the rows with bootstrap intervals; `blocks` are labels of rows drawn together."""
    labels = np.arange(rows.error.size) if blocks is None else blocks
    found = []
    for places in resampled(labels, n_resamples, rng):
        again = rows.take(places)
        found.append([number(again) for number in numbers.values()])
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return {
        name: {"value": number(rows), "low": float(below), "high": float(above)}
        for (name, number), below, above in zip(numbers.items(), low, high, strict=True)
    }


def resampled(labels: np.ndarray, n_resamples: int, rng: int) -> Iterator[np.ndarray]:
    """Yield the places of rows in samples of as many labels, drawn with replacement."""
    generator = np.random.default_rng(rng)
    counts = np.unique(labels, return_counts=True)[1]
    units = np.split(np.argsort(labels, kind="stable"), np.cumsum(counts)[:-1])
    for _ in range(n_resamples):
        drawn = generator.integers(0, len(units), size=len(units))
        yield np.concatenate([units[place] for place in drawn])
