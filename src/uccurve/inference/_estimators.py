"""Numbers that a sample estimates, as functions of the rows' weights, with their influence functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from uccurve._base import arguments
from uccurve._kernels import costs
from uccurve.curve._curve_areas import cost_candidates
from uccurve.curve._ranges import in_unit, solve
from uccurve.exceptions import ArgumentError
from uccurve.inference._presorted import Presorted, reweighted
from uccurve.inference._statistics import SortedStatistic, Spec, closed_columns, closed_value

if TYPE_CHECKING:
    from uccurve.intervals import Intervals

_FEWEST_ROWS = 20
MEANS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
WHATS = ("area", "gain", *MEANS, "parameter", "cost")


class Estimator(Protocol):
    """A number that depends on weights of the rows, and on nothing else that is random."""

    def value(self, weight: np.ndarray) -> float:
        """Return the number for rows with the given weights."""

    def influence(self, weight: np.ndarray) -> np.ndarray | None:
        """Return how much each row moves the number, adding up to 0; None where it is not known."""


@dataclass(frozen=True, eq=False)
class OfSums:
    """A smooth function of weighted sums of columns."""

    columns: np.ndarray
    spec: Spec

    def of_sums(self, sums: np.ndarray) -> np.ndarray:
        """Return the numbers for sums of the columns, along the last axis."""
        return closed_value(self.spec, sums)

    def value(self, weight: np.ndarray) -> float:
        return float(self.of_sums(weight @ self.columns))

    def influence(self, weight: np.ndarray) -> np.ndarray:
        width, own, constant, total = weight @ self.columns
        if self.spec.what == "gain":
            if constant == 0:
                return np.full(weight.size, np.nan)
            gradient = np.array([-own, -width, width * own / constant, width * own / total])
            gradient /= total * constant
        else:
            gradient = np.array([own, width, 0, -2 * width * own / total]) / total**2
            gradient *= 1.0 if self.spec.y == "miss_rate" else 0.5
        return np.asarray(weight * (self.columns @ gradient))


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of a column."""

    column: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        return np.stack([self.column, np.ones(self.column.size)], axis=1)

    def of_sums(self, sums: np.ndarray) -> np.ndarray:
        return np.asarray(sums[..., 0] / sums[..., 1])

    def value(self, weight: np.ndarray) -> float:
        return float(weight @ self.column / weight.sum())

    def influence(self, weight: np.ndarray) -> np.ndarray:
        return np.asarray(weight * (self.column - self.value(weight)) / weight.sum())


@dataclass(frozen=True, eq=False)
class OfOrder:
    """An area or gain that depends on the order of the rows."""

    spec: Spec
    presorted: Presorted

    @cached_property
    def _statistic(self) -> SortedStatistic:
        return SortedStatistic(self.spec, self.presorted)

    def value(self, weight: np.ndarray) -> float:
        return self._statistic.value(weight)

    def influence(self, weight: np.ndarray) -> np.ndarray | None:
        r"""Return the influence on a mean over miss rates of bandwidth under scaling, else None.

        The mean bandwidth over miss rates in [r0, r1] is :math:`c T` with T the mean critical value
        over the range, :math:`\int q(r)\,dr / (r_1 - r_0)`. Moving a row at k changes the integral
        by k cut to the range's critical values, less the mean of that: no density is needed.
        """
        spec = self.spec
        smooth = spec.partial == "mean" and (spec.x, spec.y, spec.vary) == ("bandwidth", "miss_rate", "scale")
        if not smooth or spec.axis not in ("miss_rate", "coverage"):
            return None
        ends: Any = dict(spec.range_)[spec.axis]
        low, high = ends if spec.axis == "miss_rate" else (1 - ends[1], 1 - ends[0])
        if (high - low) * weight.size < _FEWEST_ROWS:  # too short for the cut to tell anything
            return None
        own = self._influence(self.presorted, weight, low, high)
        if spec.what == "area":
            return own[1]
        constant = self._influence(self._statistic.constant, weight, low, high)
        return -own[1] / constant[0] + constant[1] * own[0] / constant[0] ** 2

    def _influence(
        self, presorted: Presorted, weight: np.ndarray, low: float, high: float
    ) -> tuple[float, np.ndarray]:
        curve = reweighted(presorted, weight)
        ends = [solve(curve, "miss_rate", rate) for rate in (high, low)]
        area = SortedStatistic(replace(self.spec, what="area"), presorted).value(weight)
        width, total = curve.summary.width, curve.summary.weight
        cut = np.clip(presorted.critical, ends[0], ends[1])
        cut -= weight @ cut / total
        moved = (presorted.half_width - width) * (area / width) + cut * (width / (high - low))
        return area, weight * moved / total


@dataclass(frozen=True, eq=False)
class OfPoint:
    """A scale or shift at a given point of the curve, or the least cost."""

    what: str
    presorted: Presorted
    options: dict[str, Any]

    def value(self, weight: np.ndarray) -> float:
        curve = reweighted(self.presorted, weight)
        if self.what == "parameter":
            ((axis, value),) = self.options.items()
            return solve(curve, axis, value)
        c, x, y = (self.options[name] for name in ("c", "x", "y"))
        _, xs, ys = cost_candidates(curve, x, y)
        return float(np.min(c * xs + (1 - c) * ys))

    def influence(self, _weight: np.ndarray) -> None:
        return None


def estimator(
    rows: Intervals, what: str, options: dict[str, Any], factor: float = 1.0
) -> tuple[Estimator, int]:
    """Return what is to be estimated from plain rows, as a function of weights, and its power of the unit."""
    arguments.option("what", what, WHATS)
    if what in MEANS:
        if options:
            raise ArgumentError(f"{what!r} takes no options, got {', '.join(options)}.")
        return Mean(_costs(rows, what)), 0 if what in ("miss_rate", "coverage") else 1
    vary = options.pop("vary", "scale")
    arguments.option("vary", vary, ("scale", "shift"))
    presorted = Presorted(rows, vary)
    if what == "parameter":
        if len(options) != 1 or next(iter(options)) not in ("miss_rate", "coverage"):
            raise ArgumentError("give the point of a 'parameter' by one of miss_rate or coverage.")
        return OfPoint(what, presorted, options), 0 if vary == "scale" else 1
    if what == "cost":
        filled = {"c": 0.5, "x": "bandwidth", "y": "miss_rate", **options}
        if set(filled) != {"c", "x", "y"}:
            raise ArgumentError(f"a 'cost' takes c, x and y, got {', '.join(options)}.")
        if factor != 1:
            raise arguments.overflow()
        arguments.number("c", filled["c"], 0, 1)
        Spec(what="area", x=filled["x"], y=filled["y"])
        return OfPoint(what, presorted, filled), 0
    named = {name: options.pop(name) for name in ("x", "y", "partial") if name in options}
    spec = Spec(what=what, vary=vary, **named, range_=in_unit(options, factor, vary))  # type: ignore[arg-type]
    if spec.closed:
        return OfSums(closed_columns(presorted, spec.y), spec), spec.power
    return OfOrder(spec, presorted), spec.power


def _costs(rows: Intervals, what: str) -> np.ndarray:
    y, lower, upper = rows.y_true, rows.lower, rows.upper
    if what == "bandwidth":
        return np.asarray(costs.half_width(lower, upper))
    if what in ("miss_rate", "coverage"):
        missed = costs.missed(y, lower, upper)
        return np.asarray(missed if what == "miss_rate" else ~missed, dtype=np.float64)
    cost = costs.excess if what == "excess" else costs.deficit
    return np.asarray(cost(np, costs.room(np, y, lower, upper)))
