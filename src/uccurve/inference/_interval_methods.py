"""The ways to an interval: the delta method, and two bootstraps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.formulas.tolerances import SAME_SUM
from uccurve.inference._at_rates import FEWEST_MISSED, bounded_exp
from uccurve.inference._bootstrap import bootstrap, difference, influence, standard_error
from uccurve.inference._estimators import OrderEstimator, ParameterEstimator, SumEstimator
from uccurve.inference._point_numbers import PointEstimator
from uccurve.inference._studentized import Studentized, effective_units
from uccurve.inference.conditional_coverage import t_quantile

if TYPE_CHECKING:
    from uccurve.inference._blocks import Blocks
    from uccurve.inference._estimators import Estimator

Method = Literal["delta", "studentized", "percentile"]
METHODS: tuple[Method, ...] = ("delta", "studentized", "percentile")

PLENTY = 100.0
"""Effective units from which on the delta method is as good as the studentized bootstrap."""
RELIABLE_UNITS = 5000
"""Units from which on intervals of areas and gains over all coverages cover as they say, by simulation.

Nothing else that a sample shows tells those that hold from the others: not the effective units, the largest
influence, the skewness of the influences, or the tails of the errors. Samples that lack large errors look
best, and have the shortest intervals.
"""
RELIABLE_MISSES = 10
"""Units that must be missed at a coverage for intervals of numbers there to cover as they say."""
RELIABLE_EFFECTIVE = 5.0
"""Effective units below which intervals of means are doubtful."""
_FEWEST_UNITS = 10
"""Units below which resamples often have no standard error."""
_MOST_STUDENTIZED = 999
_MOST_COLUMNS = 64
"""Sums of which the products still fit memory: two models with a dozen pairs of quantiles each."""


class Ends(NamedTuple):
    """An interval, the standard error, and how many resamples it took."""

    low: float
    high: float
    error: float
    n_resamples: int


@dataclass(frozen=True, eq=False)
class Sample:
    """A number, or a difference of two, of rows with weights in independent blocks."""

    statistic: str
    numbers: list[Estimator]
    weight: np.ndarray
    blocks: Blocks

    @cached_property
    def estimate(self) -> float:
        """The number of all rows."""
        return float(difference([number.value(self.weight) for number in self.numbers]))

    @cached_property
    def influence(self) -> np.ndarray | None:
        """How much each element moves the number; None where it is not known."""
        return influence(self.numbers, self.weight)

    @cached_property
    def effective_units(self) -> float | None:
        """How many units carry the standard error, and the sums that it is computed from; None if unknown."""
        if self.influence is None:
            return None
        carrying = effective_units(self.blocks.sums(self.influence[:, None])[:, 0])
        # one huge error may hold all of a sum, and then seems to move nothing
        for columns in self._unit_sums:
            carrying = min(carrying, *(effective_units(np.sqrt(column)) for column in columns.T))
        return carrying

    @cached_property
    def _unit_sums(self) -> list[np.ndarray]:
        """What each unit adds to the sums of each number."""
        return [number.block_sums(self.weight, self.blocks) for number in self.sums]

    @property
    def reliable(self) -> bool:
        """Whether such intervals covered as often as they say in simulations, whatever the noise."""
        return all(map(self._holds, self.numbers))

    def _holds(self, number: Estimator) -> bool:
        if isinstance(number, PointEstimator) and number.spec.what == "score_at":
            rows = float(self.weight.sum()) ** 2 / float(self.weight @ self.weight) / number.presorted.outputs
            missed = rows * min(number.miss_rate, 1 - number.miss_rate)
            return self.blocks.n_blocks >= 2 * _FEWEST_UNITS and missed >= FEWEST_MISSED - SAME_SUM
        if isinstance(number, (PointEstimator, ParameterEstimator)):
            return self._has_misses(number.miss_rate)
        if not isinstance(number, (SumEstimator, OrderEstimator)):
            enough = self.blocks.n_blocks >= 2 * _FEWEST_UNITS
            carrying = self.effective_units
            return enough and (carrying is None or carrying >= RELIABLE_EFFECTIVE)
        if number.spec.y == "deficit":
            return False  # it rests on fourth moments of the errors: too short at every size
        rates = number.rates if isinstance(number, OrderEstimator) else (0.0, 1.0)
        from_misses = rates is not None and rates[0] > 0 and self._has_misses(rates[0])
        over_all = rates is not None and rates[0] == 0 and self.blocks.n_blocks >= RELIABLE_UNITS
        return from_misses or over_all  # other parts of the curve were not simulated

    def _has_misses(self, rate: float) -> bool:
        """Whether enough units are missed at a miss rate, and enough covered."""
        return self.blocks.n_blocks * min(rate, 1 - rate) >= RELIABLE_MISSES - SAME_SUM

    @cached_property
    def sums(self) -> list[SumEstimator]:
        """The numbers, if all are smooth functions of sums; else none."""
        summed = [number for number in self.numbers if isinstance(number, SumEstimator)]
        return summed if len(summed) == len(self.numbers) else []

    def chosen(self) -> Method:
        """Return the method that suits the sample."""
        if self.effective_units is None:
            return "percentile"
        few = self.effective_units < PLENTY and self.blocks.n_blocks >= _FEWEST_UNITS
        narrow = sum(number.columns.shape[1] for number in self.sums) <= _MOST_COLUMNS
        return "studentized" if self.sums and few and narrow else "delta"

    def best(
        self, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> tuple[Method, Ends]:
        """Return the interval by the method that suits the sample."""
        method = self.chosen()
        try:
            return method, self.ends(method, level, n_resamples, rng, progress=progress)
        except UnreachableError:
            if method != "studentized":
                raise
            return "delta", self._delta(level)  # most resamples have no standard error

    def ends(
        self, method: Method, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> Ends:
        """Return the interval by a method."""
        if method == "delta":
            return self._delta(level)
        if method == "studentized":
            return self._studentized(level, min(n_resamples, _MOST_STUDENTIZED), rng, progress=progress)
        return self._percentile(level, n_resamples, rng, progress=progress)

    def _delta(self, level: float) -> Ends:
        if self.influence is None:
            raise ArgumentError(
                argument="method",
                rule=f"be 'percentile' for this {self.statistic}",
                hint="The delta method does not reach it.",
            )
        error = standard_error(self.influence, self.blocks)
        margin = float(t_quantile((1 - level) / 2, self.blocks.n_blocks - 1)) * error
        if self.statistic == "gain_at" and len(self.numbers) == 1 and self.estimate < 1:
            ratio = 1 - self.estimate  # of two bandwidths: its logarithm is nearer to symmetric
            low, high = (1 - ratio * bounded_exp(sign * margin / ratio) for sign in (1, -1))
            return Ends(low, high, error, 0)
        if self.statistic in ("score_at", "bandwidth_at") and len(self.numbers) == 1 and self.estimate > 0:
            low, high = (self.estimate * bounded_exp(sign * margin / self.estimate) for sign in (-1, 1))
            return Ends(low, high, error, 0)
        return Ends(self.estimate - margin, self.estimate + margin, error, 0)

    def _studentized(
        self, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> Ends:
        if not self.sums:
            raise ArgumentError(
                argument="method",
                rule=f"be 'percentile' for this {self.statistic}",
                hint=(
                    "The studentized bootstrap is for full areas and gains on the bandwidth axis under "
                    "scaling."
                ),
            )
        found = Studentized.of(self.sums, self._unit_sums, rng)
        low, high, error = found.interval(level, n_resamples, rng, progress=progress)
        if np.isnan(low):
            raise self._undefined()
        return Ends(low, high, error, n_resamples)

    def _percentile(
        self, level: float, n_resamples: int, rng: np.random.Generator, *, progress: bool
    ) -> Ends:
        resampled = bootstrap(self.numbers, self.weight, self.blocks, n_resamples, rng, progress=progress)
        found = resampled[np.isfinite(resampled)]  # a resample may leave nothing of the curve in the range
        if found.size < max(n_resamples / 2, 2):
            raise self._undefined()
        low, high = map(float, np.quantile(found, [(1 - level) / 2, (1 + level) / 2]))
        return Ends(low, high, float(np.std(found, ddof=1)), n_resamples)

    def _undefined(self) -> UnreachableError:
        return UnreachableError(f"the {self.statistic} is not defined on most resamples of these rows")
