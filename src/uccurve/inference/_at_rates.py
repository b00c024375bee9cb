r"""Bandwidths and interval scores of models at miss rates, and how much each unit of rows moves them.

At a miss rate r a curve has the parameter t, a quantile of the critical values. The number there is the mean
over the rows of :math:`f_i(t)`: the half-width of the row, plus its deficit divided by r for the interval
score. One more row that is missed moves the quantile, and with it the number. To first order a row moves the
number by

.. math:: f_i(t) - F(t) + \frac{F(t_{r-h}) - F(t_{r+h})}{q(r+h) - q(r-h)}\,
    \frac{1[k_i > t] - \rho(t)}{\varphi(q(r))}, \quad F(t) = \overline{f(t)},

divided by the number of rows. The first fraction is the slope of F along normal quantiles q(r), over a step h
that is usual for densities of quantiles (Bofinger 1975); :math:`\varphi` is the normal density. Along r
itself F bends more, and slopes at high coverage come out too steep. For the score of bands whose misses are
no wider than other rows the slope is near 0: the noise of the quantile then hardly matters. Standard errors
follow from sums over units. Bands for many miss rates at once are as many standard errors wide as resamples
of the units deviate at most. Scores are skewed: each resample is divided by a standard error of its own. If
units are few, and for bandwidths, resamples share one, and Student's t allows for its uncertainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from uccurve.inference.conditional_coverage import t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve.inference._blocks import Blocks
    from uccurve.inference._plain_rows import PlainRows
    from uccurve.inference._presorted import Presorted

Criterion = Literal["interval_score", "bandwidth"]
CRITERIA: tuple[Criterion, ...] = ("interval_score", "bandwidth")

MOST_UNITS = 2048
"""Units that are drawn or exchanged; more rows or blocks are put together at random, which costs no power."""
LOWEST, HIGHEST = 0.01, 0.95
"""Miss rates between which numbers are known, if the rows are many."""
FEWEST_MISSED, _FEWEST_CAPTURED = 20, 30
"""Rows that must be missed, and captured; bands covered too seldom beyond that, by simulation."""
FEWEST_UNITS = 20
"""Rows or blocks below which a band over all miss rates says nothing."""
_FEWEST_STUDENTIZED = 100
"""Units below which standard errors of resamples are too uncertain: bands would be far too wide."""
_NEARBY = 0.025
"""How far apart miss rates are at most whose variances are put together."""
_ROUNDING = 1e-6
_LARGEST_POWER = 300.0
_SAME = 1e-11
"""Relative difference that is rounding: two models are the same."""


class Units(NamedTuple):
    """The unit of each element of the rows, and how many units there are."""

    of_row: np.ndarray
    number: int

    @classmethod
    def of(cls, blocks: Blocks, rng: np.random.Generator) -> Units:
        """Take each block for a unit, or put blocks together at random if there are very many."""
        if blocks.n_blocks <= MOST_UNITS:
            return cls(blocks.of_row, blocks.n_blocks)
        unit = np.arange(blocks.n_blocks) % MOST_UNITS
        rng.shuffle(unit)
        return cls(unit[blocks.of_row], MOST_UNITS)

    def sums(self, column: np.ndarray) -> np.ndarray:
        """Add a column up within each unit."""
        return np.bincount(self.of_row, weights=column, minlength=self.number)

    def sums_of_missed(self, column: np.ndarray, critical: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        """Add up, within each unit, the rows that are missed at each of the rising parameters."""
        size = parameters.size + 1
        place = np.searchsorted(parameters, critical)  # a row is missed at the parameters before its place
        table = np.bincount(self.of_row * size + place, weights=column, minlength=self.number * size)
        table = table.reshape(self.number, size)
        return np.asarray(table[:, :0:-1].cumsum(axis=1)[:, ::-1])


class Numbers(NamedTuple):
    """The logarithm of a number at each miss rate, and how much each unit moves it: (units, rates)."""

    log: np.ndarray
    influence: np.ndarray


class LogRatio(NamedTuple):
    """The logarithm of a ratio at each miss rate, its standard error, and half the width of the band.

    The margin is NaN where the rows do not suffice, and everywhere if there are fewer than 20 units.
    """

    value: np.ndarray
    error: np.ndarray
    margin: np.ndarray


def bounded_exp(power: float) -> float:
    """Return the exponential, kept within float64: an interval may be of any width."""
    return math.exp(min(power, _LARGEST_POWER))


def known_rates(rates: np.ndarray, effective_rows: float) -> np.ndarray:
    """Tell at which miss rates the rows suffice."""
    slack = _ROUNDING / max(effective_rows, 1.0)
    lowest = max(LOWEST, FEWEST_MISSED / effective_rows) - slack
    highest = min(HIGHEST, 1 - _FEWEST_CAPTURED / effective_rows) + slack
    return np.asarray((rates >= lowest) & (rates <= highest))


def numbers_at(
    model: Presorted, weight: np.ndarray, units: Units, rates: np.ndarray, criterion: Criterion
) -> Numbers:
    """Return the numbers of a model at miss rates between 0 and 1; NaN where rows are never captured."""
    total = float(weight.sum())
    parameter = model.parameter_at(weight, rates)
    reached = np.isfinite(parameter)
    found = Numbers(np.full(rates.size, np.nan), np.full((units.number, rates.size), np.nan))
    if not reached.any():
        return found
    rates, parameter = rates[reached], parameter[reached]
    prices = 1 / rates if criterion == "interval_score" else np.zeros(rates.size)

    def mean_costs(parameters: np.ndarray) -> np.ndarray:
        deficit = mean_deficits(model, weight, parameters)
        return np.asarray(model.bandwidths_of(weight, parameters) + prices * deficit)

    mean = mean_costs(parameter)
    rising, place = np.unique(parameter, return_inverse=True)
    missed = units.sums_of_missed(weight, model.critical, rising)[:, place]
    miss_rate = missed.sum(axis=0) / total
    by_unit = costs_of_units(model, weight, units, parameter, prices)
    own_weight = units.sums(weight)[:, None]
    moved = by_unit - mean * own_weight
    moved += _slopes(model, weight, rates, mean_costs) * (missed - miss_rate * own_weight)
    with np.errstate(divide="ignore", invalid="ignore"):  # no bands at all: not defined
        found.log[reached] = np.log(mean)
        found.influence[:, reached] = moved / (mean * total)
    return found


def mean_deficits(model: Presorted, weight: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """Return the deficit at each parameter, under weights."""
    total = float(weight.sum())
    rows = model.rows
    if not model.family.proportional:
        return np.array([float(weight @ deficits(model, at)) for at in parameters]) / total
    order = model.order
    error, band = (
        np.append(np.cumsum((weight * column)[order][::-1])[::-1], 0.0)
        for column in (rows.abs_error, rows.active)
    )
    place = np.searchsorted(model.parameter[1:], parameters, side="right")
    return np.asarray((error[place] - parameters * band[place]) / total)


def deficits(model: Presorted, parameter: float) -> np.ndarray:
    """Return the deficit of each row at a parameter."""
    active, _ = model.family.row_bands(np, model.rows, parameter)
    return np.where(model.critical > parameter, np.maximum(model.rows.abs_error - active, 0.0), 0.0)


def costs_of_units(
    model: Presorted, weight: np.ndarray, units: Units, parameters: np.ndarray, prices: np.ndarray | float
) -> np.ndarray:
    """Add up half-widths and priced deficits within each unit, at each parameter."""
    if not model.family.proportional:
        columns = (
            units.sums(weight * (model.half_width_at(at) + price * deficits(model, at)))
            for at, price in np.broadcast(parameters, prices)
        )
        return np.stack(list(columns), axis=1)
    widths = units.sums(weight * model.half_width)[:, None] * parameters
    if not np.any(prices):
        return np.asarray(widths)
    rising, place = np.unique(parameters, return_inverse=True)
    error, band = (
        units.sums_of_missed(weight * column, model.critical, rising)[:, place]
        for column in (model.rows.abs_error, model.rows.active)
    )
    return np.asarray(widths + prices * (error - parameters * band))


def _slopes(
    model: Presorted,
    weight: np.ndarray,
    rates: np.ndarray,
    mean_costs: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Return how fast the number rises as the miss rate falls, prices unchanged."""
    around = rates_around(model, weight, rates)
    low, here, high = (_normal_quantiles(some) for some in (around.low, rates, around.high))
    along_normal = (mean_costs(around.wide) - mean_costs(around.narrow)) / (high - low)
    return np.asarray(along_normal / _normal_density(here))


def _normal_quantiles(rates: np.ndarray) -> np.ndarray:
    return np.array([NormalDist().inv_cdf(rate) for rate in rates])


def _normal_density(quantile: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-(quantile**2) / 2) / np.sqrt(2 * np.pi))


class RatesAround(NamedTuple):
    """Miss rates on both sides of each, and the parameters there: wide at the low rates."""

    low: np.ndarray
    high: np.ndarray
    wide: np.ndarray
    narrow: np.ndarray


def rates_around(model: Presorted, weight: np.ndarray, rates: np.ndarray) -> RatesAround:
    """Return the ends of a step around each miss rate that is usual for densities of quantiles."""
    n = float(weight.sum()) ** 2 / float(weight @ weight) / model.outputs
    quantile = _normal_quantiles(rates)
    step = n**-0.2 * (4.5 * _normal_density(quantile) ** 4 / (2 * quantile**2 + 1) ** 2) ** 0.2
    step = np.maximum(step, 2 / n)
    low, high = np.maximum(rates - step, rates / 10), np.minimum(rates + step, 1 - (1 - rates) / 10)
    wide, narrow = (model.parameter_at(weight, some) for some in (low, high))
    here = model.parameter_at(weight, rates)
    low, wide = (np.where(np.isfinite(wide), ends, own) for ends, own in ((low, rates), (wide, here)))
    return RatesAround(low, high, wide, narrow)


def _pooled_nearby(error: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the root of the mean variance at the miss rates around each.

    Widths of two models differ by the rows that one captures and the other misses. Of models that are alike
    these are a few, at some miss rates none, and the error there seems to be next to nothing.
    """
    reach = np.minimum(_NEARBY, np.minimum(rates, 1 - rates) / 4) + _ROUNDING
    begin, end = np.searchsorted(rates, rates - reach), np.searchsorted(rates, rates + reach)
    return np.array([np.sqrt(np.mean(error[low:high] ** 2)) for low, high in zip(begin, end, strict=True)])


@dataclass(frozen=True, eq=False)
class Ratios:
    """Ratios of models at miss rates, all from the same resamples of units."""

    numbers: Sequence[Numbers]
    counts: np.ndarray
    """How often each unit was drawn: (resamples, units)."""
    level: float
    rates: np.ndarray
    criterion: Criterion

    @classmethod
    def of(
        cls,
        models: Sequence[Presorted],
        rows: PlainRows,
        rates: np.ndarray,
        criterion: Criterion,
        level: float,
        n_resamples: int,
        rng: np.random.Generator,
    ) -> Ratios:
        """Compute the numbers of all models, and draw the resamples."""
        units = Units.of(rows.blocks, rng)
        numbers = [numbers_at(model, rows.weight, units, rates, criterion) for model in models]
        shares = np.full(units.number, 1 / units.number)
        counts = rng.multinomial(units.number, shares, size=n_resamples).astype(float)
        return cls(numbers, counts, level, rates, criterion)

    def ratio(self, a: int, b: int, known: np.ndarray) -> LogRatio:
        """Return model a over model b; the band is for all known miss rates at once."""
        first, second = self.numbers[a], self.numbers[b]
        with np.errstate(invalid="ignore", over="ignore"):  # two numbers of 0 have no ratio
            value, moved = first.log - second.log, first.influence - second.influence
            value[np.abs(value) <= _SAME] = 0.0
            moved[np.abs(moved) <= _SAME * np.abs(first.influence).max(axis=0)] = 0.0
            units = len(moved)
            error = np.sqrt((moved**2).sum(axis=0) * units / (units - 1))
        margin = np.full(value.size, np.nan)
        if units >= FEWEST_UNITS:
            known = known & np.isfinite(value) & np.isfinite(error)
            of_score, some = self.criterion == "interval_score", error[known]
            wide = some if of_score else _pooled_nearby(some, self.rates[known])
            studentized = of_score and units >= _FEWEST_STUDENTIZED
            margin[known] = self._largest(moved[:, known], wide, studentized=studentized) * wide
        return LogRatio(value, error, margin)

    def _largest(self, moved: np.ndarray, error: np.ndarray, *, studentized: bool) -> float:
        """Return how many standard errors the band is wide on each side.

        It is the quantile of the largest deviation of resamples over all miss rates, in standard errors of
        their own or in those of all units. The latter are uncertain if units are few: a normal quantile then
        becomes that of Student's t which is exceeded as often.
        """
        moving = error > 0
        if not moving.any():
            return 0.0
        moved, units = moved[:, moving], len(moved)
        sums = self.counts @ moved
        if studentized:
            variance = self.counts @ moved**2 - sums**2 / units
            with np.errstate(divide="ignore", invalid="ignore"):
                deviations = np.where(variance > 0, np.abs(sums) / np.sqrt(variance), np.inf)
            return float(np.quantile(deviations.max(axis=1), self.level))
        largest = float(np.quantile((np.abs(sums) / error[moving]).max(axis=1), self.level))
        return float(t_quantile(NormalDist().cdf(-largest), units - 1))

    def quantile(self) -> float:
        """Return the standard errors on each side of an interval at a single miss rate."""
        return float(t_quantile((1 - self.level) / 2, self.counts.shape[1] - 1))

    def pvalues_of_the_largest(self, place: int) -> np.ndarray:
        """Compare each two models at one miss rate, and adjust for all pairs: (models, models).

        A p-value is the share of resamples in which the largest studentized difference of any two models is
        as large as that of these two.
        """
        moved = np.stack([numbers.influence[:, place] for numbers in self.numbers], axis=1)
        value = np.array([numbers.log[place] for numbers in self.numbers])
        size = (moved**2).sum(axis=0)
        with np.errstate(invalid="ignore"):
            variance = size[:, None] + size - 2 * moved.T @ moved
            alike = ~(variance > _ROUNDING * (size[:, None] + size))
        error = np.sqrt(np.where(alike, np.inf, variance))
        drawn = np.nan_to_num(self.counts @ moved)
        largest = np.array([np.max(np.abs(one[:, None] - one) / error) for one in drawn])
        observed = np.abs(value[:, None] - value) / error
        more = len(largest) - np.searchsorted(np.sort(largest), observed * (1 - _ROUNDING))
        return np.asarray((1 + more) / (1 + len(largest)))
