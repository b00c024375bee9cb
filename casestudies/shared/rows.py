"""Numbers of a curve for which the library gives no interval, and a bootstrap for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import uccurve as uc


HIGHEST = 0.95
"""The highest miss rate at which two bands are compared."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """What the bandwidth and the miss rate of every operating point follow from; unweighted rows."""

    abs_error: np.ndarray
    """Absolute residual, shape (n,)."""
    critical: np.ndarray
    """Critical value: the smallest scale that captures the row, shape (n,)."""
    half_width: np.ndarray
    """Half the width of the interval as given, shape (n,)."""

    @classmethod
    def of(cls, intervals: uc.Intervals) -> Rows:
        """Take the rows of intervals with bands above zero."""
        return cls(
            abs_error=np.abs(intervals.residual),
            critical=np.asarray(intervals.critical()),
            half_width=(np.asarray(intervals.lower_band) + np.asarray(intervals.upper_band)) / 2,
        )

    @cached_property
    def bandwidths(self) -> np.ndarray:
        """The bandwidths at which one more row is captured, ascending, shape (n,)."""
        return np.sort(self.critical) * float(np.mean(self.half_width))

    @cached_property
    def constant_bandwidths(self) -> np.ndarray:
        """The same for the constant band, shape (n,)."""
        return np.sort(self.abs_error)

    def take(self, index: np.ndarray) -> Rows:
        """Return the rows of an index, which may repeat some."""
        return Rows(
            abs_error=self.abs_error[index], critical=self.critical[index], half_width=self.half_width[index]
        )


def crossover(rows: Rows) -> float:
    """Return the miss rate up to which a model saves the most bandwidth against its constant band.

    Two empirical curves touch and swap many times where they are close. The cross-over is the swap
    that counts: it ends the range, starting at miss rate 0, over which the summed saving is largest. It is
    0 where that sum is never positive, be it because of a few rows at the lowest miss rates. `sides` tells
    whether there is a single swap, with the model better below and worse above it.
    """
    saving = np.concatenate([[0.0], np.cumsum((rows.constant_bandwidths - rows.bandwidths)[::-1])])
    return float(np.argmax(saving)) / rows.abs_error.size


def ratios(rows: Rows, rates: np.ndarray) -> np.ndarray:
    """Return a model's bandwidth divided by its constant band's, at each miss rate."""
    n = rows.abs_error.size
    rank = n - np.floor(rates * n * (1 + 1e-12)).astype(int) - 1
    return np.asarray(rows.bandwidths[rank] / rows.constant_bandwidths[rank])


def ratio(rows: Rows, miss_rate: float) -> float:
    """Return the ratio of bandwidths at one miss rate."""
    return float(ratios(rows, np.array([miss_rate]))[0])


def sides(rows: Rows, miss_rate: float) -> tuple[float, float]:
    """Return how often a model is narrower than its constant band below a miss rate, and wider above it.

    Both are shares of the whole percents up to `HIGHEST`; beyond, bands are so narrow that their order is
    noise.
    """
    rates = np.arange(1, round(100 * HIGHEST) + 1) / 100
    ratio_at, below = ratios(rows, rates), rates < miss_rate
    narrower, wider = ratio_at[below] < 1, ratio_at[~below] > 1
    return (
        float(np.mean(narrower)) if narrower.size else 0.0,
        float(np.mean(wider)) if wider.size else 0.0,
    )


def ceiling(rows: Rows) -> float:
    """Return the largest gain that any symmetric band could have in hindsight."""
    return float(1 - np.mean(np.sqrt(rows.abs_error)) ** 2 / np.mean(rows.abs_error))


def deficit_ceiling(rows: Rows) -> float:
    """Return the same for the gain on the deficit."""
    return float(1 - np.mean(rows.abs_error) ** 2 / np.mean(rows.abs_error**2))


def with_intervals(
    numbers: Mapping[str, Callable[[Rows], float]],
    rows: Rows,
    *,
    blocks: np.ndarray | None = None,
    n_resamples: int = 999,
    level: float = 0.95,
    rng: int = 0,
) -> dict[str, dict[str, float]]:
    """Return numbers of the rows with bootstrap intervals; rows with the same block are drawn together."""
    labels = np.arange(rows.abs_error.size) if blocks is None else blocks
    samples = []
    for index in resampled(labels, n_resamples, rng):
        sample = rows.take(index)
        samples.append([number(sample) for number in numbers.values()])
    lows, highs = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return {
        name: {"value": number(rows), "low": float(low), "high": float(high)}
        for (name, number), low, high in zip(numbers.items(), lows, highs, strict=True)
    }


def resampled(labels: np.ndarray, n_resamples: int, rng: int) -> Iterator[np.ndarray]:
    """Yield indices of rows: as many labels as there are, drawn with replacement, with all their rows."""
    generator = np.random.default_rng(rng)
    counts = np.unique(labels, return_counts=True)[1]
    blocks = np.split(np.argsort(labels, kind="stable"), np.cumsum(counts)[:-1])
    for _ in range(n_resamples):
        drawn = generator.integers(0, len(blocks), size=len(blocks))
        yield np.concatenate([blocks[number] for number in drawn])
