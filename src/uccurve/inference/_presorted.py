"""Curves of the same rows under many weights: sort once, then only add."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import block_rows, namespace
from uccurve._kernels import hinges, points, resampling
from uccurve._kernels.rows import select
from uccurve.curve._exact_data import FAMILIES, ExactData, Sorted
from uccurve.curve._results import OperatingPoint
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary, X, Y
    from uccurve._kernels.hinges import Hinges
    from uccurve._kernels.points import Points
    from uccurve._kernels.resampling import Halves, Lanes
    from uccurve._kernels.rows import Rows
    from uccurve.intervals._checked_rows import Summary


def stacked(a: Intervals, b: Intervals) -> Intervals:
    """Lay the rows of two plain intervals one below the other."""
    names = ["y_true", "y_pred", "lower_band"]
    if not (a._one_band and b._one_band):
        names.append("upper_band")
    return Intervals.from_bands(*(np.concatenate([getattr(a, name), getattr(b, name)]) for name in names))


@dataclass(frozen=True, eq=False)
class Presorted:
    """Plain intervals with everything about them that does not depend on weights."""

    intervals: Intervals
    vary: Vary

    @cached_property
    def rows(self) -> Rows:
        """The rows as the formulas see them."""
        (whole,) = self.intervals._blocks(whole=True)
        return whole

    @cached_property
    def half_width(self) -> np.ndarray:
        """Half the width of each interval."""
        passive = self.rows.active if self.rows.passive is None else self.rows.passive
        return np.asarray((self.rows.active + passive) / 2)

    @cached_property
    def critical(self) -> np.ndarray:
        """The critical value of each row."""
        return np.asarray(ExactData(self.intervals, self.vary).critical())

    @property
    def start(self) -> float:
        """The parameter at which every band is zero."""
        return ExactData(self.intervals, self.vary).start

    @cached_property
    def never(self) -> np.ndarray:
        """The rows that no parameter captures."""
        return np.flatnonzero(np.isinf(self.critical))

    @cached_property
    def order(self) -> np.ndarray:
        """The rows by rising critical value."""
        return np.argsort(self.critical)

    @cached_property
    def parameter(self) -> np.ndarray:
        """The start, and the critical values in rising order."""
        return np.concatenate([[self.start], self.critical[self.order]])

    @cached_property
    def unsorted(self) -> Hinges:
        """The hinges of rows of weight 1."""
        xp = namespace(self.critical)
        index = np.arange(self.critical.size)
        whole, critical = self.rows, self.critical
        if self.never.size:
            keep = np.isfinite(critical)
            whole = select(whole, keep)
            index, critical = index[keep], critical[keep]
        bends: Hinges = FAMILIES[self.vary].hinges(xp, whole, critical, index)
        return bends

    @cached_property
    def hinges(self) -> Hinges:
        """The hinges in the order of their knots."""
        bends = self.unsorted
        order = np.argsort(bends.knots)
        ordered = hinges.gather(namespace(bends.knots), bends, order, self.start, block_rows(bends.knots))
        assert bends.row is not None  # noqa: S101 - asked for above
        return ordered._replace(row=bends.row[order])

    def lanes(self, x: X) -> Lanes:
        """Return the knots laid out for adding up areas over x."""
        bends = self.unsorted
        change = bends.excess if x == "excess" else bends.bandwidth
        if change is None:
            raise NotImplementedError  # bandwidth under scale has a closed form
        if x == "excess" and bends.pulse is not None:
            change = change + bends.pulse
        captured = None
        n = self.critical.size - self.never.size
        if bends.knots.shape[0] != n:
            captured = np.zeros(bends.knots.shape[0])
            finite = self.critical[np.isfinite(self.critical)]
            captured[:n] = finite > self.start if self.vary == "shift" else 1.0
        return resampling.lanes(bends.knots, bends.row, change, bends.deficit, captured)

    @cached_property
    def from_start(self) -> np.ndarray:
        """The rows that are captured at the start and at no knot."""
        return np.flatnonzero(self.rows.abs_error == 0) if self.vary == "shift" else np.empty(0, dtype=int)

    def halves(self, lanes: Lanes, y: Y, weight: np.ndarray) -> Halves:
        """Return the factors of the area of rows with weights."""
        if y == "deficit":
            return resampling.deficit_halves(lanes, weight)
        return resampling.miss_halves(lanes, weight, float(weight.sum() - weight[self.from_start].sum()))


@dataclass(frozen=True, eq=False)
class Reweighted(ExactData):
    """The curve of presorted rows under new weights: prefix sums, no sort."""

    presorted: Presorted
    weight: np.ndarray

    @cached_property
    def summary(self) -> Summary:
        """Numbers about all rows, with the new weights."""
        total = float(self.weight.sum())
        whole = self.presorted.rows
        return self.intervals._summary._replace(
            weight=total,
            width=float(self.weight @ self.presorted.half_width) / total,
            error=float(self.weight @ whole.abs_error) / total,
            equal_weights=False,
        )

    @property
    def start(self) -> float:
        """The parameter at which every band of the presorted rows is zero."""
        return self.presorted.start

    @cached_property
    def points(self) -> Points:
        """The operating points, counted with the new weights."""
        return points.distinct(self.xp, self.presorted.parameter, self.weight[self.presorted.order])

    @cached_property
    def sorted(self) -> Sorted:
        """The costs at all breakpoints, added up with the new weights."""
        bends, weight = self.presorted.hinges, self.weight
        at_knots = weight[bends.row]
        excess = bends.excess * at_knots
        reweighted = bends._replace(
            bandwidth=None if bends.bandwidth is None else bends.bandwidth * at_knots,
            excess=excess,
            deficit=excess if bends.deficit is bends.excess else bends.deficit * at_knots,
            pulse=None if bends.pulse is None else bends.pulse * at_knots,
        )
        never = self.presorted.never
        floor = float(weight[never] @ self.presorted.rows.abs_error[never])
        block = block_rows(weight)
        return Sorted(self.points, hinges.integrate(self.xp, reweighted, floor, self.summary.weight, block))

    def at(self, parameter: float) -> OperatingPoint:
        """Interpolate the costs between breakpoints, where they are linear."""
        lines = self.sorted.lines
        place = int(np.searchsorted(self.parameter, max(parameter, self.start), side="right")) - 1
        values = {cost: np.interp(parameter, lines.knots, self.line(cost)) for cost in ("excess", "deficit")}
        beyond = parameter - float(lines.knots[-1])
        if beyond > 0:
            values["excess"] += beyond * lines.excess_slope
        if self.vary == "scale":
            width = parameter * self.summary.width
        else:
            width = (
                np.interp(parameter, lines.knots, self.line("bandwidth"))
                + max(beyond, 0) * lines.bandwidth_slope
            )
        rate = float(self.miss_rate[place])
        return OperatingPoint(
            parameter=parameter,
            miss_rate=rate,
            coverage=1 - rate,
            bandwidth=float(width),
            excess=float(values["excess"]),
            deficit=float(values["deficit"]),
        )

    @cached_property
    def miss_rate_sums(self) -> tuple[float, ...]:
        """Sums behind the closed form, with the new weights."""
        k, active = self.presorted.critical, self.presorted.rows.active
        if self.presorted.never.size:
            return math.inf, math.nan
        return float(self.weight @ k), float((self.weight * k) @ (active - self.summary.width))

    @cached_property
    def deficit_sums(self) -> tuple[float, ...]:
        """Sums behind the closed form, with the new weights."""
        whole, k = self.presorted.rows, self.presorted.critical
        if self.presorted.never.size:
            return math.inf, math.nan, math.nan
        unit = self.summary.error or 1.0
        error = whole.abs_error / unit
        saved = error * (k * ((whole.active - self.summary.width) / unit))
        return (
            float(self.weight @ (whole.abs_error * k)),
            float(self.weight @ saved),
            float(self.weight @ (error * error)),
        )


def reweighted(presorted: Presorted, weight: Any) -> Reweighted:
    """Return the curve of presorted rows with the given weights."""
    return Reweighted(presorted.intervals, presorted.vary, presorted, weight)
