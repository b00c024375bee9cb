"""What is estimated, as a function of weights: areas, gains, numbers at a coverage, scores, means."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve.curve import Curve, areas, family_of, ranges
from uccurve.exceptions import ArgumentError
from uccurve.formulas import costs, resampling, scores
from uccurve.inference.at_coverage import Criterion, constant_influence, numbers_at, window_forms
from uccurve.inference.closed_forms import Form, area_form, gradient, mean_form
from uccurve.inference.units import Units, vary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve._base.type_aliases import Partial, Vary, X, Y
    from uccurve.formulas.bands import Scale as Family
    from uccurve.inference.reweighted import Reweighted
    from uccurve.intervals import Intervals

AREAS = ("area", "gain")
POINTS = ("bandwidth_at", "gain_at", "score_at", "parameter")
MEANS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
SCORES = ("interval_score", "weighted_interval_score")
STATISTICS = (*AREAS, *POINTS, *MEANS, *SCORES)
NOT_DEFINED = "the curve does not reach this range or point"

_RATES = ("coverage", "miss_rate")
_USUAL = {"x": "bandwidth", "y": "miss_rate", "partial": "mean"}
_OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(AREAS, ("vary", "x", "y", "partial", *ranges.AXES)),
    **dict.fromkeys(POINTS, ("vary", *_RATES)),
    **dict.fromkeys(MEANS, ()),
    "interval_score": _RATES,
    "weighted_interval_score": (),
}
# An influence so small, beside the terms that it is the sum of, is rounding.
_NOISE = 1e-13
# Rows that a range of miss rates must hold for its influence to tell anything.
_FEWEST_ROWS = 20


# -- what is asked for ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A number of a model's curve or rows, as requested.

    Attributes
    ----------
    what : str
        One of `STATISTICS`.
    vary : Vary
        What moves the operating point.
    x, y : str
        The axes of areas and gains.
    partial : Partial
        What a partial area means.
    part : mapping
        The part of the curve by its axis; empty for all of it.
    miss_rate : float
        Of numbers at a coverage, and of the interval score.
    """

    what: str
    vary: Vary = "scale"
    x: X = "bandwidth"
    y: Y = "miss_rate"
    partial: Partial = "mean"
    part: Mapping[str, Any] = field(default_factory=dict)
    miss_rate: float = math.nan

    @classmethod
    def of(cls, what: str, models: Iterable[Intervals | Curve], **options: Any) -> Statistic:
        """Check the options of a statistic; those that are None or usual are as if they were not given.

        The family is by default that of curves; an interval score is for what all models claim.
        """
        arguments.option("statistic", what, STATISTICS)
        takes, models = _OPTIONS[what], list(models)
        options = {name: given for name, given in options.items() if not _is_usual(name, given)}
        if what in POINTS and not any(name in options for name in _RATES):
            raise ArgumentError(argument="coverage", rule=f"be passed for a {what!r}, or `miss_rate`")
        others = [name for name in options if name not in takes]
        if others:
            raise ArgumentError(f"{what!r} takes {', '.join(takes) or 'no options'}, got {', '.join(others)}")
        if what == "weighted_interval_score":
            return cls(what=what, vary="level")  # whose rows keep all quantiles
        vary = vary_of(options.pop("vary", None), *models) if "vary" in takes else cls.vary
        if what in (*POINTS, "interval_score"):
            claim = _claimed_miss_rate(models) if what == "interval_score" and not options else None
            is_score = what in ("score_at", "interval_score")
            rates = {name: options.get(name) for name in _RATES}
            miss_rate = arguments.miss_rate_of(**rates, default=claim, open_=is_score)
            return cls(what=what, vary=vary, miss_rate=miss_rate)
        axes = {name: options.pop(name, usual) for name, usual in _USUAL.items()}
        ranges.check_axes(**axes)
        axis = ranges.one_of("a range", options, required=False)
        if axis is not None:
            ranges.check_range(axis, options[axis], family_of(vary).lowest)
        return cls(what=what, vary=vary, **axes, part=options)

    @property
    def family(self) -> Family:
        """What moves the operating point."""
        return family_of(self.vary)

    @property
    def axis(self) -> str | None:
        """The axis of the part; None for the whole curve."""
        return next(iter(self.part), None)

    @property
    def is_closed(self) -> bool:
        """Whether it is an area for which sums over rows suffice: not under a shift, and not of a part."""
        known = self.family.proportional or self.family.nested
        return self.what in AREAS and self.x == "bandwidth" and known and self.axis is None

    @property
    def rates(self) -> tuple[float, float] | None:
        """The miss rates between which a curve counts, if as a mean of its bandwidth; else None."""
        if self.what in POINTS:
            return self.miss_rate, self.miss_rate
        if self.is_closed:
            return 0.0, 1.0
        smooth = self.partial == "mean" and (self.x, self.y) == ("bandwidth", "miss_rate")
        if not (smooth and self.family.proportional and self.axis in _RATES):
            return None
        low, high = self.part[self.axis]
        return (low, high) if self.axis == "miss_rate" else (1 - high, 1 - low)

    def number(self, data: Reweighted) -> Number:
        """Return the number of a model."""
        if self.is_closed:
            return SumNumber(self, data, area_form(data, self.y, is_gain=self.what == "gain"))
        if self.what in (*MEANS, *SCORES):
            return SumNumber(self, data, mean_form(self.of_rows(data), data.presorted.outputs))
        if self.what in POINTS:
            return PointNumber(self, data)
        return AreaNumber(self, data)

    def of_rows(self, data: Reweighted) -> np.ndarray:
        """Return what a mean or score is the mean of: numbers of the rows as supplied."""
        presorted, given = data.presorted, data.family.as_given
        if self.what == "weighted_interval_score":
            return _weighted_interval_scores(presorted.intervals)
        found, side = presorted.costs_at(given), presorted.intervals.side
        columns = {
            "miss_rate": found.missed,
            "coverage": 1.0 - found.missed,
            "bandwidth": found.half_width,
            "excess": found.excess,
            "deficit": found.deficit,
            "interval_score": costs.interval_score(found.half_width, found.deficit, self.miss_rate, side),
        }
        return np.asarray(columns[self.what])


def _is_usual(name: str, given: Any) -> bool:
    return given is None or (isinstance(given, str) and given == _USUAL.get(name))


def _claimed_miss_rate(models: Sequence[Intervals | Curve]) -> float:
    """Return the miss rate that intervals claim, if it is the same for all models."""
    claims = list(dict.fromkeys(getattr(model, "nominal", None) for model in models))
    if len(claims) == 1 and claims[0] is not None:
        return arguments.complement(claims[0])
    claimed = " and ".join("none" if claim is None else repr(claim) for claim in claims)
    rule = f"be passed for an 'interval_score', or `miss_rate`: the intervals claim {claimed}"
    raise ArgumentError(argument="coverage", rule=rule)


def _weighted_interval_scores(rows: Intervals) -> np.ndarray:
    """Return the weighted interval score of each row, from all pairs that it holds."""
    nested = rows.rows.columns.nested
    assert nested is not None  # noqa: S101 - otherwise the rows are refused
    table = np.stack([*nested.lower, *nested.upper, nested.center], axis=1)
    count = len(nested.levels)
    tails = np.array([arguments.complement(level) / 2 for level in nested.levels])
    median = 2 * count if nested.with_median else None
    pairs = scores.Pairs(np.arange(count), np.arange(count, 2 * count), tails, median)
    return np.asarray(sum(scores.wis_terms(np, rows.y_true, table, pairs)))


# -- numbers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Number:
    """A statistic of one model.

    Attributes
    ----------
    statistic : Statistic
        What it is.
    data : Reweighted
        The model under the weights of the sample.
    """

    statistic: Statistic
    data: Reweighted

    @cached_property
    def estimate(self) -> float:
        """The number of all rows."""
        return self.value(self.data)

    def value(self, data: Reweighted) -> float:
        """Return the number under any weights; NaN where it is not defined."""
        raise NotImplementedError

    def influence(self, units: Units) -> np.ndarray | None:  # noqa: ARG002 - where it is known
        """Return how much each unit moves the number, adding up to 0; None where it is not known."""
        return None


@dataclass(frozen=True, eq=False)
class SumNumber(Number):
    """A smooth function of weighted sums of columns: a full area or gain, a mean, a score."""

    form: Form

    def value(self, data: Reweighted) -> float:
        """Return the number."""
        return float(self.form.of_sums(data.weight[:: data.presorted.outputs] @ self.form.columns))

    def by_unit(self, units: Units) -> Form:
        """Add the weighted columns up within each unit."""
        outputs = self.data.presorted.outputs
        rows, weight = Units(units.of_element[::outputs], units.number), self.data.weight[::outputs]
        sums = [rows.sums(weight * column) for column in self.form.columns.T]
        return Form(np.stack(sums, axis=1), self.form.of_sums)

    def influence(self, units: Units) -> np.ndarray:
        """Return how much each unit moves the number, by the gradient at the sums of all."""
        form = self.by_unit(units)
        slopes = gradient(form, form.columns.sum(axis=0))
        moved, size = form.columns @ slopes, np.abs(form.columns) @ np.abs(slopes)
        return np.where(np.abs(moved) > _NOISE * size, moved, 0.0)


class PointNumber(Number):
    """Bandwidth, gain, interval score or parameter at one miss rate."""

    def value(self, data: Reweighted) -> float:
        """Return the number; NaN where it is out of reach."""
        what, rates = self.statistic.what, np.array([self.statistic.miss_rate])
        parameter = data.parameter_at(rates)
        if not math.isfinite(parameter[0]):
            return math.nan
        if what == "parameter":
            return float(parameter[0])
        bandwidth = data.cost_of("bandwidth", parameter)
        if what == "gain_at":
            constant = data.constant.cost_of("bandwidth", data.constant.parameter_at(rates))
            return costs.share_saved(float(bandwidth[0]), float(constant[0]))
        if what == "bandwidth_at":
            return float(bandwidth[0])
        deficit, side = data.presorted.costs_at(float(parameter[0])).deficit, data.presorted.intervals.side
        return float(costs.interval_score(bandwidth, data.mean(deficit), rates, side)[0])

    def influence(self, units: Units) -> np.ndarray | None:
        """Return the influence; None where bands are 0, at an end or out of reach."""
        what, rate = self.statistic.what, self.statistic.miss_rate
        if what == "parameter" or not (0 < rate < 1 and math.isfinite(self.estimate)):
            return None
        criterion: Criterion = "interval_score" if what == "score_at" else "bandwidth"
        own = numbers_at(self.data, units, np.array([rate]), criterion).influence[:, 0]
        moved = self.estimate * own
        if what == "gain_at":
            moved = (self.estimate - 1) * (own - constant_influence(self.data, units, rate))
        return moved if np.isfinite(moved).all() else None


class AreaNumber(Number):
    """An area or gain that depends on the order of the rows."""

    def value(self, data: Reweighted) -> float:
        """Return area or gain; NaN of an empty part."""
        area = self._area(data)
        if self.statistic.what == "area":
            return area
        flat = data.constant_of_same_width if self.statistic.axis == "parameter" else data.constant
        constant = self._area(flat)
        return 1 - area / constant if constant > 0 else math.nan

    def influence(self, units: Units) -> np.ndarray | None:
        """Return the influence on a mean over miss rates of the bandwidth under scaling, else None."""
        rates, data = self.statistic.rates, self.data
        if rates is None or (rates[1] - rates[0]) * data.weight.size < _FEWEST_ROWS:
            return None
        area, moved = _range_mean(data, *rates)
        if self.statistic.what == "gain":
            if data.presorted.outputs > 1:
                return None  # the constant bands of the outputs move as well
            constant, theirs = _range_mean(data.constant, *rates)
            moved = -moved / constant + theirs * area / constant**2
        return units.sums(moved)

    def _area(self, data: Reweighted) -> float:
        asked = self.statistic
        if asked.axis is not None:
            return areas.area_over(data, asked.x, asked.y, asked.partial, asked.part)
        if data.presorted.never_captured.size:
            raise ranges.below_floor(data, 0)
        if asked.y == "deficit":
            area = resampling.deficit_area(data.presorted.lanes, asked.x, data.weight)
        else:
            area = resampling.miss_area(data.presorted.lanes, asked.x, data.weight, data.total)
        return area / data.total**2


def _range_mean(data: Reweighted, low: float, high: float) -> tuple[float, np.ndarray]:
    r"""Return the mean bandwidth over a range of miss rates under scaling, and each element's influence.

    With :math:`q_0` and :math:`q_1` the critical values at the ends of the range, c the mean half-width and
    :math:`k^*` the critical value of a row cut to :math:`[q_1, q_0]`, it is

    .. math:: \frac{c}{r_1 - r_0} \int_{r_0}^{r_1} q(r)\,dr
        = c\,\frac{r_1 q_1 - r_0 q_0 + \overline{k^*} - q_1}{r_1 - r_0}.

    Moving a row changes the integral by its own cut value, less the mean of that: no density is needed.
    """
    share, length = data.weight / data.total, high - low
    widest, narrowest = data.parameter_at(np.array([low, high]))
    cut = np.clip(data.presorted.critical, narrowest, widest)
    mean_cut = float(share @ cut)
    mean = data.width * (high * narrowest - low * widest + mean_cut - narrowest) / length
    wide = (data.presorted.half_width - data.width) * (mean / data.width)
    return float(mean), np.asarray(share * (wide + (cut - mean_cut) * (data.width / length)))


# -- sums -------------------------------------------------------------------------------------------------


def tabulate(numbers: Sequence[Number], units: Units) -> list[Form] | None:
    """Lay one statistic of several models out in sums over units; None where the order of rows is needed.

    Of models at equal widths all forms return the same number from the same sums.
    """
    first = numbers[0]
    if isinstance(first, SumNumber):
        return [number.by_unit(units) for number in numbers if isinstance(number, SumNumber)]
    what, outputs = first.statistic.what, first.data.presorted.outputs
    order_moves = what == "gain_at" and outputs > 1  # of the constant bands
    if not isinstance(first, PointNumber) or what == "parameter" or order_moves:
        return None
    rate, models = first.statistic.miss_rate, [number.data for number in numbers]
    own = window_forms(models, units, rate, 1 / rate if what == "score_at" else 0.0)
    if what != "gain_at":
        side = first.data.presorted.intervals.side
        factor = 2.0 if what == "score_at" and side == "both" else 1.0
        return [Form(form.columns, lambda sums: factor * own[0].of_sums(sums)) for form in own]
    constant = window_forms([data.constant for data in models], units, rate, 0.0)
    size = own[0].columns.shape[1]

    def gains(sums: np.ndarray) -> np.ndarray:
        bandwidth, needed = own[0].of_sums(sums[:, :size]), constant[0].of_sums(sums[:, size:])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(bandwidth == needed, 0.0, 1 - bandwidth / needed)

    tables = [(form.columns, other.columns) for form, other in zip(own, constant, strict=True)]
    return [Form(np.concatenate(both, axis=1), gains) for both in tables]
