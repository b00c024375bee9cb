"""Resampling blocks of rows with replacement, and intervals from what comes out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.progress import progressing
from uccurve.formulas import resampling
from uccurve.inference._estimators import MeanEstimator, SumEstimator
from uccurve.inference._point_bootstrap import PointResamples, near_a_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.inference._blocks import Blocks
    from uccurve.inference._estimators import Estimator

_BATCH = 16
_COUNTS_AT_ONCE = 1 << 21
"""How many counts of blocks a batch of resamples holds."""


def standard_error(influence: np.ndarray, blocks: Blocks) -> float:
    """Return the standard error that the influence of independent blocks adds up to."""
    by_block = blocks.sums(influence[:, None])[:, 0]
    return math.sqrt(float(by_block @ by_block) * blocks.n_blocks / (blocks.n_blocks - 1))


def difference(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values[0] - values[1]


def influence(numbers: list[Estimator], weight: np.ndarray) -> np.ndarray | None:
    moved = [number.influence(weight) for number in numbers]
    return None if any(column is None for column in moved) else np.asarray(difference(moved))


def bootstrap(
    numbers: list[Estimator],
    weight: np.ndarray,
    blocks: Blocks,
    n_resamples: int,
    rng: np.random.Generator | int | None,
    *,
    progress: bool,
) -> np.ndarray:
    """Return the number, or the difference of two, of samples of as many blocks, drawn with replacement."""
    found = resampled_numbers(numbers, weight, blocks, n_resamples, rng, progress=progress)
    return np.asarray(difference(list(found.T)))


def resampled_numbers(
    numbers: list[Estimator],
    weight: np.ndarray,
    blocks: Blocks,
    n_resamples: int,
    rng: np.random.Generator | int | None,
    *,
    progress: bool,
) -> np.ndarray:
    """Return each number on samples of as many blocks, drawn with replacement; (resamples, numbers)."""
    generator = np.random.default_rng(rng)
    summed = [number for number in numbers if isinstance(number, (SumEstimator, MeanEstimator))]
    if len(summed) == len(numbers):
        draw, size = _from_sums(summed, weight, blocks, generator), _BATCH
    else:
        draw = _from_rows(numbers, weight, blocks, generator)
        size = min(_BATCH, max(1, _COUNTS_AT_ONCE // blocks.n_blocks))
    sizes = [min(size, n_resamples - begin) for begin in range(0, n_resamples, size)]
    chunks = progressing(map(draw, sizes), n_resamples, "resampling", show=progress)
    return np.concatenate(list(chunks))


def _from_sums(
    numbers: list[SumEstimator | MeanEstimator], weight: np.ndarray, blocks: Blocks, rng: np.random.Generator
) -> Callable[[int], np.ndarray]:
    """Return a function that draws numbers which sums over the rows suffice for."""
    tables = [number.block_sums(weight, blocks) for number in numbers]
    columns = np.ascontiguousarray(np.concatenate(tables, axis=1))
    ends = np.cumsum([table.shape[1] for table in tables])

    def draw(size: int) -> np.ndarray:
        parts = np.split(resampling.drawn_sums(columns, size, rng), ends[:-1], axis=1)
        values = [number.of_sums(part) for number, part in zip(numbers, parts, strict=True)]
        return np.stack(values, axis=1)

    return draw


def _from_rows(
    numbers: list[Estimator], weight: np.ndarray, blocks: Blocks, rng: np.random.Generator
) -> Callable[[int], np.ndarray]:
    """Return a function that draws numbers which need the rows in order."""
    at_points = near_a_point(numbers)
    near = PointResamples(at_points, weight, blocks) if at_points else None
    alike = blocks.n_blocks == weight.size

    def draw(size: int) -> np.ndarray:
        counts = np.empty((size, blocks.n_blocks))
        for count in counts:
            places = rng.integers(0, blocks.n_blocks, size=blocks.n_blocks)
            count[:] = np.bincount(places, minlength=blocks.n_blocks)
        if near is not None:
            return near.values(counts)
        reweighted = (weight * (count if alike else count[blocks.of_row]) for count in counts)
        return np.array([[number.value(some) for number in numbers] for some in reweighted])

    return draw
