"""The largest gains in hindsight, and a bootstrap of numbers that the library gives no intervals for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def ceiling(abs_error: np.ndarray) -> float:
    """Return the largest gain that any symmetric band could have in hindsight."""
    return float(1 - np.mean(np.sqrt(abs_error)) ** 2 / np.mean(abs_error))


def deficit_ceiling(abs_error: np.ndarray) -> float:
    """Return the same for the gain on the deficit."""
    return float(1 - np.mean(abs_error) ** 2 / np.mean(abs_error**2))


CEILINGS = {"ceiling": ceiling, "deficit_ceiling": deficit_ceiling}


def with_intervals(
    numbers: Mapping[str, Callable[[np.ndarray], float]],
    values: np.ndarray,
    *,
    blocks: np.ndarray | None = None,
    n_resamples: int = 999,
    rng: int = 0,
) -> dict[str, dict[str, float]]:
    """Return numbers of the values with 95% intervals; rows with the same block are drawn together."""
    labels = np.arange(values.size) if blocks is None else blocks
    samples = [
        [number(values[index]) for number in numbers.values()]
        for index in _resampled(labels, n_resamples, rng)
    ]
    lows, highs = np.quantile(samples, [0.025, 0.975], axis=0)
    return {
        name: {"value": number(values), "low": float(low), "high": float(high)}
        for (name, number), low, high in zip(numbers.items(), lows, highs, strict=True)
    }


def _resampled(labels: np.ndarray, n_resamples: int, rng: int) -> Iterator[np.ndarray]:
    """Yield indices of rows: as many labels as there are, drawn with replacement, with all their rows."""
    generator = np.random.default_rng(rng)
    counts = np.unique(labels, return_counts=True)[1]
    blocks = np.split(np.argsort(labels, kind="stable"), np.cumsum(counts)[:-1])
    for _ in range(n_resamples):
        drawn = generator.integers(0, len(blocks), size=len(blocks))
        yield np.concatenate([blocks[number] for number in drawn])
