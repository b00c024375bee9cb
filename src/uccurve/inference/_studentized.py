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
from uccurve.formulas import resampling
from uccurve.inference._at_rates import bounded_exp

if TYPE_CHECKING:
    from uccurve.inference._estimators import SumEstimator

_BATCH = 16
_MOST_UNITS = 20_000
_NOISE = 1e-13
"""A variance this small, beside the terms that it is the sum of, is rounding."""


@dataclass(frozen=True, eq=False)
class Studentized:
    """A number, or a difference of two, as a function of sums of columns over units."""

    numbers: list[SumEstimator]
    columns: np.ndarray
    """What each unit adds to the sums; (units, columns)."""
    sign: float
    """The number is transformed to log(1 - number) by -1, to its logarithm by 1, and left alone by 0."""

    @classmethod
    def of(
        cls, numbers: list[SumEstimator], unit_sums: list[np.ndarray], rng: np.random.Generator
    ) -> Studentized:
        """Lay the sums of each number's units side by side; very many units are put into groups at random."""
        columns = np.concatenate(unit_sums, axis=1)
        if columns.shape[0] > _MOST_UNITS:
            rng.shuffle(columns)
            columns = np.add.reduceat(columns, np.arange(_MOST_UNITS) * columns.shape[0] // _MOST_UNITS)
        sign = -1.0 if numbers[0].spec.what == "gain" else 1.0
        return cls(numbers, columns, sign if len(numbers) == 1 else 0.0)

    def interval(
        self, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> tuple[float, float, float]:
        """Return both ends of the interval and the standard error; NaN without one on most resamples."""
        table = np.ascontiguousarray(np.concatenate([self.columns, self._products()], axis=1))
        (estimate,), (error,) = self._studentizable(table.sum(axis=0, keepdims=True))
        whole = float(self._values(self.columns.sum(axis=0, keepdims=True))[0])
        if not error > 0:
            return whole, whole, 0.0
        sizes = [min(_BATCH, n_resamples - begin) for begin in range(0, n_resamples, _BATCH)]
        chunks = (resampling.drawn_sums(table, size, rng) for size in sizes)
        shown = progressing(chunks, n_resamples, "resampling", show=progress)
        values, errors = zip(*map(self._studentizable, shown), strict=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = (np.concatenate(values) - estimate) / np.concatenate(errors)
        ratios = ratios[np.isfinite(ratios)]
        if ratios.size < n_resamples / 2:
            return math.nan, math.nan, math.nan
        quantiles = np.quantile(ratios, [(1 + level) / 2, (1 - level) / 2])
        low, high = sorted(self._back(float(estimate - quantile * error)) for quantile in quantiles)
        return low, high, float(error / np.abs(self._slope(np.array(whole))))

    @cached_property
    def _units(self) -> np.ndarray:
        """The size of each column, which products are divided by: those of huge numbers leave float64."""
        sizes = self.columns.max(axis=0)
        return np.where(sizes > 0, sizes, 1.0)

    def _products(self) -> np.ndarray:
        """Products of every two columns of a unit."""
        first, second = np.triu_indices(self.columns.shape[1])
        columns = self.columns / self._units
        return np.asarray(columns[:, first] * columns[:, second])

    def _studentizable(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return transformed numbers and their standard errors, from sums of columns and products."""
        units, width = self.columns.shape
        first, second = np.triu_indices(width)
        sums, products = sums[:, :width], sums[:, width:]
        twice = np.where(first == second, 1.0, 2.0) * units / (units - 1)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            values, slopes = self._values(sums), self._gradient(sums) * self._units
            terms = slopes[:, first] * slopes[:, second] * products * twice
            variance = terms.sum(axis=1)
            known = variance > _NOISE * np.abs(terms).sum(axis=1)
            error = np.sqrt(np.where(known, variance, np.nan))
            return self._forth(values), error * np.abs(self._slope(values))

    def _values(self, sums: np.ndarray) -> np.ndarray:
        values = [number.of_sums(part) for number, part in zip(self.numbers, self._parts(sums), strict=True)]
        return values[0] if len(values) == 1 else np.asarray(values[0] - values[1])

    def _gradient(self, sums: np.ndarray) -> np.ndarray:
        slopes = [number.slopes(part) for number, part in zip(self.numbers, self._parts(sums), strict=True)]
        return slopes[0] if len(slopes) == 1 else np.concatenate([slopes[0], -slopes[1]], axis=1)

    def _parts(self, sums: np.ndarray) -> list[np.ndarray]:
        ends = np.cumsum([number.columns.shape[1] for number in self.numbers])
        return np.split(sums, ends[:-1], axis=1)

    def _size(self, value: np.ndarray) -> np.ndarray:
        return np.asarray(1 - value if self.sign < 0 else value)

    def _forth(self, value: np.ndarray) -> np.ndarray:
        return value if self.sign == 0 else np.log(self._size(value))

    def _slope(self, value: np.ndarray) -> np.ndarray:
        """Return how the transformed number changes with the number."""
        return np.ones_like(value) if self.sign == 0 else np.asarray(self.sign / self._size(value))

    def _back(self, transformed: float) -> float:
        if self.sign == 0:
            return transformed
        return 1 - bounded_exp(transformed) if self.sign < 0 else bounded_exp(transformed)


def effective_units(influence: np.ndarray) -> float:
    r"""Return how many units carry the standard error: :math:`(\sum I^2)^2 / \sum I^4`."""
    largest = float(np.abs(influence).max(initial=0.0))
    if largest == 0:
        return float(influence.size)
    squares = (influence / largest) ** 2
    return float(squares.sum()) ** 2 / float(squares @ squares)
