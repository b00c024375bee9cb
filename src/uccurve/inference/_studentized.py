r"""The studentized bootstrap of numbers that are smooth functions of sums over the units.

Each resample has its own standard error, from the influence of its units. A unit moves the number by
:math:`x_b \cdot g`, with :math:`x_b` its sums of the columns and g the slopes, so that the squared standard
error is :math:`g^T (\sum_b n_b x_b x_b^T) g`: resampled sums of products of the columns give it without a
look at the units. Gains are studentized as :math:`\log(1 - G)` and areas as their logarithm, whose
distribution is nearer to symmetric; differences of two models as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.progress import progressing
from uccurve._kernels import resampling

if TYPE_CHECKING:
    from uccurve.inference._blocks import Blocks
    from uccurve.inference._estimators import MeanEstimator, SumEstimator

_BATCH = 16


@dataclass(frozen=True, eq=False)
class Studentized:
    """A number, or a difference of two, as a function of sums of columns over units."""

    numbers: list[SumEstimator | MeanEstimator]
    columns: np.ndarray
    """What each unit adds to the sums; (units, columns)."""
    sign: float
    """The number is transformed to log(1 - number) by -1, to its logarithm by 1, and left alone by 0."""

    @classmethod
    def of(
        cls, numbers: list[SumEstimator | MeanEstimator], weight: np.ndarray, blocks: Blocks, sign: float
    ) -> Studentized:
        """Add up the columns of each unit."""
        tables = [number.block_sums(weight, blocks) for number in numbers]
        return cls(numbers, np.concatenate(tables, axis=1), sign if len(numbers) == 1 else 0.0)

    def interval(
        self, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> tuple[float, float, float]:
        """Return both ends of the interval, and the standard error of the number."""
        units, width = self.columns.shape
        estimate, error = self._studentizable(self.columns.sum(axis=0), self._second_moments)
        ends = [(1 + level) / 2, (1 - level) / 2]
        table = np.ascontiguousarray(np.concatenate([self.columns, self._products], axis=1))
        sizes = [min(_BATCH, n_resamples - begin) for begin in range(0, n_resamples, _BATCH)]
        chunks = (resampling.drawn_sums(table, size, rng) for size in sizes)
        ratios = []
        for sums in progressing(chunks, n_resamples, "resampling", show=progress):
            for drawn in sums:
                moments = _symmetric(drawn[width:], width)
                value, spread = self._studentizable(drawn[:width], moments * units / (units - 1))
                ratios.append((value - estimate) / spread if spread > 0 else math.nan)
        known = np.array([ratio for ratio in ratios if math.isfinite(ratio)])
        if error == 0 or known.size < n_resamples / 2:
            return math.nan, math.nan, math.nan
        low, high = sorted(self._back(estimate - float(q) * error) for q in np.quantile(known, ends))
        return low, high, error / abs(self._slope(self._value(self.columns.sum(axis=0))))

    @cached_property
    def _products(self) -> np.ndarray:
        """Products of every two columns of a unit."""
        first, second = np.triu_indices(self.columns.shape[1])
        return np.asarray(self.columns[:, first] * self.columns[:, second])

    @property
    def _second_moments(self) -> np.ndarray:
        units, width = self.columns.shape
        return np.asarray(_symmetric(self._products.sum(axis=0), width) * units / (units - 1))

    def _studentizable(self, sums: np.ndarray, moments: np.ndarray) -> tuple[float, float]:
        """Return the transformed number and its standard error."""
        value = self._value(sums)
        gradient = self._gradient(sums)
        variance = float(gradient @ moments @ gradient)
        if not (variance > 0 and math.isfinite(value)):
            return math.nan, 0.0
        transformed = self._forth(value)
        return transformed, math.sqrt(variance) * abs(self._slope(value))

    def _value(self, sums: np.ndarray) -> float:
        values = [
            float(number.of_sums(part)) for number, part in zip(self.numbers, self._parts(sums), strict=True)
        ]
        return values[0] if len(values) == 1 else values[0] - values[1]

    def _gradient(self, sums: np.ndarray) -> np.ndarray:
        slopes = [number.slopes(part) for number, part in zip(self.numbers, self._parts(sums), strict=True)]
        return slopes[0] if len(slopes) == 1 else np.concatenate([slopes[0], -slopes[1]])

    def _parts(self, sums: np.ndarray) -> list[np.ndarray]:
        return np.split(sums, len(self.numbers))

    def _forth(self, value: float) -> float:
        if self.sign == 0:
            return value
        size = 1 - value if self.sign < 0 else value
        return math.log(size) if size > 0 else math.nan

    def _slope(self, value: float) -> float:
        """Return how the transformed number changes with the number."""
        if self.sign == 0:
            return 1.0
        size = 1 - value if self.sign < 0 else value
        return self.sign / size if size != 0 else math.inf

    def _back(self, transformed: float) -> float:
        if self.sign == 0:
            return transformed
        return 1 - math.exp(transformed) if self.sign < 0 else math.exp(transformed)


def _symmetric(upper: np.ndarray, width: int) -> np.ndarray:
    """Return a symmetric matrix from its upper triangle."""
    matrix = np.zeros((width, width))
    matrix[np.triu_indices(width)] = upper
    return np.asarray(matrix + np.triu(matrix, 1).T)


def effective_units(influence: np.ndarray) -> float:
    r"""Return how many units carry the standard error: :math:`(\sum I^2)^2 / \sum I^4`."""
    largest = float(np.abs(influence).max(initial=0.0))
    if largest == 0:
        return float(influence.size)
    squares = (influence / largest) ** 2
    return float(squares.sum()) ** 2 / float(squares @ squares)
