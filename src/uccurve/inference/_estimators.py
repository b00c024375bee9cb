"""Numbers that a sample estimates, as functions of the rows' weights, with their influence functions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from uccurve._base import arguments
from uccurve.curve import areas, family_of, ranges
from uccurve.exceptions import ArgumentError
from uccurve.inference._area_spec import AreaSpec
from uccurve.inference._closed_forms import closed_form
from uccurve.inference._plain_rows import in_unit
from uccurve.inference._point_numbers import POINTS, PointEstimator, PointSpec
from uccurve.inference._presorted import Presorted
from uccurve.inference._range_means import RangeMeans
from uccurve.inference._reweighted import ReweightedData
from uccurve.inference._row_scores import SCORES, ScoreSpec, cost_of_rows
from uccurve.inference._sorted_areas import SortedArea

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.inference._area_spec import What
    from uccurve.inference._blocks import Blocks
    from uccurve.inference._closed_forms import ClosedForm
    from uccurve.intervals import Intervals

_FEWEST_ROWS = 20
"""Rows that a range must hold for its influence to tell anything."""
MEANS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
STATISTICS = ("area", "gain", *POINTS, *MEANS, *SCORES, "parameter", "cost")


class Estimator(Protocol):
    """A number that depends on weights of the rows, and on nothing else that is random."""

    def value(self, weight: np.ndarray) -> float:
        """Return the number for rows with the given weights."""

    def influence(self, weight: np.ndarray) -> np.ndarray | None:
        """Return how much each row moves the number, adding up to 0; None where it is not known."""


@dataclass(frozen=True, eq=False)
class SumEstimator:
    """An area or gain that is a smooth function of weighted sums of columns."""

    form: ClosedForm
    spec: AreaSpec
    outputs: int = 1

    @property
    def columns(self) -> np.ndarray:
        """One line for each row."""
        return self.form.columns

    def of_sums(self, sums: np.ndarray) -> np.ndarray:
        """Return the numbers for sums of the columns, along the last axis."""
        return self.form.value(self.spec, sums)

    def slopes(self, sums: np.ndarray) -> np.ndarray:
        """Return how the number changes with each sum."""
        return self.form.gradient(self.spec, sums)

    def block_sums(self, weight: np.ndarray, blocks: Blocks) -> np.ndarray:
        """Add the weighted columns up within each block."""
        return blocks.of_rows(self.outputs).sums(self.columns * weight[:: self.outputs, None])

    def value(self, weight: np.ndarray) -> float:
        return float(self.of_sums(weight[:: self.outputs] @ self.columns))

    def influence(self, weight: np.ndarray) -> np.ndarray:
        by_row = weight[:: self.outputs]
        slopes = self.slopes(by_row @ self.columns)
        moved = np.zeros(weight.size)
        moved[:: self.outputs] = by_row * (self.columns @ slopes)  # a row counts once, at its first element
        return moved


@dataclass(frozen=True, eq=False)
class MeanEstimator:
    """The mean of a column."""

    column: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        return np.stack([self.column, np.ones(self.column.size)], axis=1)

    def of_sums(self, sums: np.ndarray) -> np.ndarray:
        return np.asarray(sums[..., 0] / sums[..., 1])

    def block_sums(self, weight: np.ndarray, blocks: Blocks) -> np.ndarray:
        return blocks.sums(self.columns * weight[:, None])

    def value(self, weight: np.ndarray) -> float:
        return float(weight @ self.column / weight.sum())

    def influence(self, weight: np.ndarray) -> np.ndarray:
        return np.asarray(weight * (self.column - self.value(weight)) / weight.sum())


@dataclass(frozen=True, eq=False)
class OrderEstimator:
    """An area or gain that depends on the order of the rows."""

    spec: AreaSpec
    presorted: Presorted

    @cached_property
    def _area(self) -> SortedArea:
        return SortedArea(self.spec, self.presorted)

    def value(self, weight: np.ndarray) -> float:
        return self._area.value(weight)

    def influence(self, weight: np.ndarray) -> np.ndarray | None:
        """Return the influence on a mean over miss rates of bandwidth under scaling, else None."""
        rates = self.rates
        if rates is None or (rates[1] - rates[0]) * weight.size < _FEWEST_ROWS:
            return None
        own = RangeMeans.of(self.presorted, weight, np.array(rates))
        moved = own.influence()[:, 0]
        if self.spec.what == "area":
            return moved
        if self.presorted.outputs > 1:
            return None  # the constant bands of the outputs move as well
        constant = RangeMeans.of(self.presorted.unit_band, weight, np.array(rates))
        area, reference = float(own.means[0]), float(constant.means[0])
        return -moved / reference + constant.influence()[:, 0] * area / reference**2

    @property
    def rates(self) -> tuple[float, float] | None:
        """The miss rates over which a mean bandwidth is taken; None for any other area."""
        spec = self.spec
        smooth = spec.partial == "mean" and (spec.x, spec.y) == ("bandwidth", "miss_rate")
        if not (smooth and spec.family.proportional and spec.axis in ("miss_rate", "coverage")):
            return None
        low, high = spec.range_[spec.axis]
        return (low, high) if spec.axis == "miss_rate" else (1 - high, 1 - low)


@dataclass(frozen=True, eq=False)
class ParameterEstimator:
    """The scale or shift at a given miss rate or coverage."""

    presorted: Presorted
    axis: str
    at: float

    @property
    def miss_rate(self) -> float:
        """The miss rate there."""
        return self.at if self.axis == "miss_rate" else 1 - self.at

    def value(self, weight: np.ndarray) -> float:
        return ranges.solve(ReweightedData(self.presorted, weight), self.axis, self.at)

    def influence(self, _weight: np.ndarray) -> None:
        return None


@dataclass(frozen=True, eq=False)
class CostEstimator:
    """The least cost c x + (1 - c) y."""

    presorted: Presorted
    c: float
    x: X
    y: Y

    def value(self, weight: np.ndarray) -> float:
        _, xs, ys = areas.cost_candidates(ReweightedData(self.presorted, weight), self.x, self.y)
        return float(np.min(self.c * xs + (1 - self.c) * ys))

    def influence(self, _weight: np.ndarray) -> None:
        return None


def estimator(
    rows: Intervals, what: str, options: dict[str, Any], factor: float = 1.0, outputs: int = 1
) -> tuple[Estimator, int]:
    """Return what is to be estimated from plain rows, as a function of weights, and its power of the unit."""
    arguments.option("statistic", what, STATISTICS)
    if what in MEANS or what in SCORES:
        return _mean_of_rows(rows, what, options)
    vary = options.pop("vary", "scale")
    family = family_of(vary)
    presorted = Presorted(rows, family, outputs)
    if what in POINTS:
        point = PointSpec.of(what, options, vary)
        return PointEstimator(point, presorted), point.power
    if what == "parameter":
        if len(options) != 1 or next(iter(options)) not in ("miss_rate", "coverage"):
            raise ArgumentError(argument="coverage", rule="be passed for a 'parameter', or `miss_rate`")
        ((axis, at),) = options.items()
        return ParameterEstimator(presorted, axis, at), int(family.in_units_of_y)
    if what == "cost":
        return _least_cost(presorted, options, factor), 0
    axes = {name: options.pop(name) for name in ("x", "y", "partial") if name in options}
    spec = AreaSpec(what=cast("What", what), vary=vary, **axes, range_=in_unit(options, factor, family))
    if spec.closed:
        return SumEstimator(closed_form(presorted, spec.y), spec, outputs), spec.power
    return OrderEstimator(spec, presorted), spec.power


def _mean_of_rows(rows: Intervals, what: str, options: dict[str, Any]) -> tuple[MeanEstimator, int]:
    if what in SCORES:
        score = ScoreSpec.of(what, options, [rows])
        return MeanEstimator(score.of_rows(rows)), score.power
    if options:
        raise ArgumentError(f"{what!r} takes no options, got {', '.join(options)}")
    return MeanEstimator(cost_of_rows(rows, what)), 0 if what in ("miss_rate", "coverage") else 1


def _least_cost(presorted: Presorted, options: dict[str, Any], factor: float) -> CostEstimator:
    filled = {"x": "bandwidth", "y": "miss_rate", **options}
    if set(filled) != {"c", "x", "y"}:
        raise ArgumentError(f"a 'cost' takes c, x and y, got {', '.join(options)}")
    if factor != 1:
        raise arguments.overflow()
    c = arguments.number("c", filled["c"], 0, 1)
    axes = AreaSpec(what="area", x=filled["x"], y=filled["y"])
    return CostEstimator(presorted, c, axes.x, axes.y)
