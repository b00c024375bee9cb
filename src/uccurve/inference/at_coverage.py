r"""Half-widths and interval scores at miss rates: how much each unit moves them, and windows for resamples.

At a miss rate r a curve has the parameter t, a quantile of the critical values. The number there is the mean
over the rows of :math:`f_i(t)`: the half-width of the row, plus its deficit divided by r for the interval
score. One more row that is missed moves the quantile, and with it the number. To first order a row moves the
number by

.. math:: f_i(t) - F(t) + \frac{F(t_{r-h}) - F(t_{r+h})}{q(r+h) - q(r-h)}\,
    \frac{1[k_i > t] - \rho(t)}{\varphi(q(r))}, \quad F(t) = \overline{f(t)},

divided by the number of rows. The first fraction is the slope of F along normal quantiles q(r), over a step h
that is usual for densities of quantiles (Bofinger 1975); :math:`\varphi` is the normal density. Along r
itself F bends more, and slopes at high coverage come out too steep. For the score of bands whose misses are
no wider than other rows the slope is near 0: the noise of the quantile then hardly matters.

On resamples, and after exchanges of rows, the quantile stays within a few standard deviations of where it is
on all rows. A *window* tabulates captured weight and costs of each unit at parameters around it, so that the
numbers of many resamples are products with one matrix. If the critical values there are few, the table holds
each of them, and numbers are those of the curve. Otherwise numbers between two parameters are taken as
linear, for all rows and for resamples alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference.closed_forms import Form, special

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.inference.reweighted import Reweighted
    from uccurve.inference.units import Units

Criterion = Literal["interval_score", "bandwidth"]
CRITERIA: tuple[Criterion, ...] = ("interval_score", "bandwidth")

# Rows that must be missed; intervals and bands covered too seldom with fewer, by simulation.
FEWEST_MISSED = 20
# Half the length of a window in standard deviations, and what is added to it in shares of the largest unit.
_DEVIATIONS, _UNITS_MORE = 7.0, 3.0
# About how many parameters windows of all models have together, and how many each has at least.
_PARAMETERS, _FEWEST_PARAMETERS = 384, 64
# A relative change of widths, for slopes.
_SMALL = 1e-6


# -- how much units move a number -------------------------------------------------------------------------


class Numbers(NamedTuple):
    """The logarithm of a number at each miss rate, and how much each unit moves it: (units, rates)."""

    log: np.ndarray
    influence: np.ndarray


def numbers_at(data: Reweighted, units: Units, rates: np.ndarray, criterion: Criterion) -> Numbers:
    """Return the numbers of a model at rising miss rates; NaN where rows are never captured."""
    parameter = data.parameter_at(rates)
    reached = np.isfinite(parameter)
    found = Numbers(np.full(rates.size, np.nan), np.full((units.number, rates.size), np.nan))
    if not reached.any():
        return found
    rates, parameter = rates[reached][::-1], parameter[reached][::-1]  # parameters rise as rates fall
    prices = 1 / rates if criterion == "interval_score" else np.zeros(rates.size)

    def mean_costs(parameters: np.ndarray) -> np.ndarray:
        width = data.cost_of("bandwidth", parameters)
        return width + prices * data.cost_of("deficit", parameters) if prices.any() else width

    mean = mean_costs(parameter)
    low, high, wide, narrow = rates_around(data, rates)
    along_normal = mean_costs(wide) - mean_costs(narrow)
    along_normal /= special().ndtri(high) - special().ndtri(low)
    missed, costs = _unit_costs(data, units, (data.presorted.critical, parameter), parameter, prices)
    unit_weight = units.sums(data.weight)[:, None]
    moved = costs - mean * unit_weight
    slope = along_normal / _normal_density(special().ndtri(rates))
    moved += slope * (missed - missed.sum(axis=0) / data.total * unit_weight)
    with np.errstate(divide="ignore", invalid="ignore"):  # no bands at all: not defined
        found.log[reached] = np.log(mean)[::-1]
        found.influence[:, reached] = (moved / (mean * data.total))[:, ::-1]
    return found


def _unit_costs(
    data: Reweighted,
    units: Units,
    missed_below: tuple[np.ndarray, np.ndarray],
    parameters: np.ndarray,
    prices: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Add up missed weight, and half-widths with priced deficits, within each unit: (units, parameters).

    ``missed_below`` are a number of each row and one of each parameter, rising: rows with a larger number are
    missed there.
    """
    rows, weight = data.presorted, data.weight
    if not data.family.proportional:
        (missed,) = units.sums_of_missed([weight], *missed_below)
        found = map(rows.costs_at, parameters)
        sums = [
            units.sums(weight * (costs.half_width + price * costs.deficit))
            for costs, price in zip(found, prices, strict=True)
        ]
        return missed, np.stack(sums, axis=1)
    widths = units.sums(weight * rows.half_width)[:, None] * parameters
    if not prices.any():
        (missed,) = units.sums_of_missed([weight], *missed_below)
        return missed, widths
    columns = [weight, weight * rows.rows.abs_error, weight * rows.rows.active]
    missed, error, band = units.sums_of_missed(columns, *missed_below)
    return missed, widths + prices * (error - parameters * band)


def _normal_density(quantile: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-(quantile**2) / 2) / np.sqrt(2 * np.pi))


def rates_around(data: Reweighted, rates: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the ends of a step around each miss rate that is usual for densities of quantiles.

    These are the lower and the higher rates, and the parameters there.
    """
    n = data.effective_rows
    quantile = special().ndtri(rates)
    step = n**-0.2 * (4.5 * _normal_density(quantile) ** 4 / (2 * quantile**2 + 1) ** 2) ** 0.2
    step = np.maximum(step, 2 / n)
    low, high = np.maximum(rates - step, rates / 10), np.minimum(rates + step, 1 - (1 - rates) / 10)
    wide, narrow = (data.parameter_at(some) for some in (low, high))
    here = data.parameter_at(rates)
    low, wide = (np.where(np.isfinite(wide), ends, own) for ends, own in ((low, rates), (wide, here)))
    return low, high, wide, narrow


def constant_influence(data: Reweighted, units: Units, rate: float) -> np.ndarray:
    r"""Return how much each unit moves the logarithm of the constant bands' bandwidth at a miss rate.

    The constant band of each of several outputs is the mean :math:`\bar z_j` of the model's, and moves with
    it. Let :math:`h_j(t)` be that band at the parameter, and :math:`s_j` the share of output j among the
    elements that are just captured or missed. Wider bands of one output let the parameter fall:

    .. math:: \frac{\partial \beta}{\partial \bar z_j} = \frac{\partial h_j}{\partial \bar z_j}
        \left(\frac{1}{J} - s_j \frac{\overline{h'}}{h_j'}\right), \quad \beta = \overline{h(t)}.
    """
    constant, rates = data.constant, np.array([rate])
    fixed = numbers_at(constant, units, rates, "bandwidth").influence[:, 0]
    rows, outputs = constant.presorted, constant.presorted.outputs
    if outputs == 1:
        return fixed
    (parameter,) = constant.parameter_at(rates)
    wide, narrow = (float(end[0]) for end in rates_around(constant, rates)[2:])
    at_edge = data.weight * ((rows.critical >= narrow) & (rows.critical <= wide))
    shares = at_edge.reshape(-1, outputs).sum(axis=0) / at_edge.sum()
    widened = rows.with_bands((1 + _SMALL) * rows.half_width)
    here, wider = (model.costs_at(float(parameter)).half_width[:outputs] for model in (rows, widened))
    slopes = (rows.costs_at(wide).half_width - rows.costs_at(narrow).half_width)[:outputs]
    with np.errstate(divide="ignore", invalid="ignore"):
        lowered = np.where(shares > 0, shares * slopes.mean() / slopes, 0.0)
    moves = (wider - here) / _SMALL * (1 / outputs - lowered) / here.mean()  # per relative change
    own, mean = data.presorted.half_width, rows.half_width
    relative = np.divide(own - mean, mean, out=np.zeros(own.size), where=mean > 0)
    relative *= data.weight / data.weight[::outputs].sum()
    return np.asarray(fixed + units.sums(np.tile(moves, own.size // outputs) * relative))


# -- resamples --------------------------------------------------------------------------------------------


def window_forms(models: Sequence[Reweighted], units: Units, rate: float, price: float) -> list[Form]:
    """Return the mean cost of each model at a miss rate as a form of sums over units, by a window.

    A deficit costs ``price``; 0 leaves half-widths alone. Models are laid side by side at equal mean widths,
    on which their curves do not depend; under a shift, at equal parameters. The columns are captured weight
    and cost of each unit at each of the rising widths or parameters, and the weight of the unit.
    """
    family = models[0].family
    by_width = (family.proportional or family.nested) and all(data.width > 0 for data in models)
    # far enough from the quantiles for any resample of units
    shares = units.sums(models[0].weight) / models[0].total
    margin = _DEVIATIONS * math.sqrt(float(shares @ shares) * rate * (1 - rate))
    margin += _UNITS_MORE * float(shares.max())
    ends = np.array([min(rate + margin, 1.0), max(rate - margin, 0.0)])
    around = np.array([_axis(data, data.parameter_at(ends), by_width=by_width) for data in models])
    values = np.concatenate([_axis(data, data.presorted.parameter, by_width=by_width) for data in models])
    values = values[np.isfinite(values)]
    largest = values.max()
    values = np.unique(values[(values >= around[:, 0].min()) & (values <= around[:, 1].max())])
    # what is missed at the largest finite critical value of all is never captured
    has_largest = values[-1] == largest
    size = min(values.size, max(_FEWEST_PARAMETERS, _PARAMETERS // len(models)))
    numbers = values[np.linspace(0, values.size - 1, size).round().astype(int)]

    def tabulate(data: Reweighted) -> np.ndarray:
        rows = data.presorted
        critical = _axis(data, rows.critical, by_width=by_width)
        # what is captured from the start on is so in any mixture, whose widest band may be another
        critical = np.where(rows.critical > rows.start, critical, -np.inf)
        parameters = data.parameters_of(numbers) if by_width else numbers
        missed, cost = _unit_costs(data, units, (critical, numbers), parameters, np.full(size, price))
        weight = units.sums(data.weight)[:, None]
        return np.concatenate([weight - missed, cost, weight], axis=1)

    def of_sums(sums: np.ndarray) -> np.ndarray:
        draws = np.arange(len(sums))
        captured, cost, total = sums[:, :size], sums[:, size:-1], sums[:, -1]
        wanted = (1 - rate - ROUNDING) * total
        place = (captured < wanted[:, None]).sum(axis=1)
        beyond = place == size
        place = np.minimum(place, size - 1)
        here = cost[draws, place]
        if size < values.size:  # between two numbers that are not neighbors
            before = np.maximum(place - 1, 0)
            low, high = captured[draws, before], captured[draws, place]
            with np.errstate(divide="ignore", invalid="ignore"):
                share = np.where(high > low, np.clip((wanted - low) / (high - low), 0.0, 1.0), 1.0)
            here = cost[draws, before] + share * (here - cost[draws, before])
        if has_largest:
            here = np.where(beyond, np.nan, here)
        return np.asarray(here / total)

    return [Form(tabulate(data), of_sums) for data in models]


def _axis(data: Reweighted, parameters: np.ndarray, *, by_width: bool) -> np.ndarray:
    """Return parameters, or the mean widths there; infinite ones stay so."""
    if not by_width:
        return parameters
    return np.where(np.isinf(parameters), np.inf, data.cost_of("bandwidth", parameters))
