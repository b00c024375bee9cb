"""The data of an exact curve: what is sorted, when, and how it is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base.arrays import block_rows, frozen, namespace
from uccurve._kernels import areas, hinges, points, rows, scale, shift
from uccurve._kernels.points import Points
from uccurve.curve._results import OperatingPoint

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Namespace, Vary
    from uccurve._kernels.hinges import Hinges, Lines
    from uccurve.intervals import Intervals
    from uccurve.intervals._checked_rows import Summary

FAMILIES: dict[str, Any] = {"scale": scale, "shift": shift}


_SLACK = 1e-12


class Sorted(NamedTuple):
    """What one sort of all breakpoints gives."""

    points: Points
    lines: Lines


@dataclass(frozen=True, eq=False)
class ExactData:
    """Operating points and costs of intervals under one family, each computed when first needed.

    The closed forms and single points take one pass over the rows; the miss rate and the scaled
    bandwidth take a sort; excess, deficit and the shifted bandwidth take an argsort and a gather.
    """

    intervals: Intervals
    vary: Vary

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.intervals.y_true)

    @property
    def summary(self) -> Summary:
        """Numbers about all rows."""
        return self.intervals._summary

    @property
    def start(self) -> float:
        """The parameter at which every band is zero."""
        return 0.0 if self.vary == "scale" else 0.0 - self.summary.widest

    @property
    def parameter(self) -> Array:
        """The distinct operating points."""
        return self.points.parameter

    @property
    def miss_rate(self) -> Array:
        """Share of the weight missed at each operating point."""
        return self.points.miss_rate

    @cached_property
    def coverage(self) -> Array:
        """Share of the weight captured at each operating point."""
        if not self.summary.equal_weights:
            return frozen(1 - self.miss_rate)
        rows = self.summary.weight  # counts, so that nine rows of ten are 0.9 and not a little less
        return frozen((rows - self.xp.round(self.miss_rate * rows)) / rows)

    @cached_property
    def bandwidth(self) -> Array:
        """Bandwidth at each operating point."""
        if self.vary == "scale":
            return frozen(self.parameter * self.summary.width)
        return self._at_points("bandwidth")

    @cached_property
    def excess(self) -> Array:
        """Excess at each operating point."""
        return self._at_points("excess")

    @cached_property
    def deficit(self) -> Array:
        """Deficit at each operating point."""
        return self._at_points("deficit")

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much: (Σw)² / Σw²."""
        if self.summary.equal_weights:
            return float(self.intervals.n)
        weight = self.intervals.sample_weight
        share = weight / float(self.xp.max(weight))
        return float(self.xp.sum(share)) ** 2 / float(self.xp.sum(share * share))

    @property
    def slack(self) -> float:
        """Difference between miss rates that may be rounding: none where they are counts of rows."""
        return 0.0 if self.summary.equal_weights else _SLACK

    @property
    def floor(self) -> float:
        """The miss rate that no parameter gets below."""
        return float(self.miss_rate[-1])

    def line(self, cost: str) -> Array:
        """Values of bandwidth, excess or deficit at all breakpoints."""
        lines = self.sorted.lines
        if cost == "bandwidth" and lines.bandwidth is None:
            return lines.knots * self.summary.width
        return getattr(lines, cost)

    def steps(self, x: str) -> tuple[Array, Array]:
        """Where on x the miss rate changes, and to what."""
        return getattr(self, x), self.miss_rate

    def at(self, parameter: float) -> OperatingPoint:
        """Evaluate the costs at one parameter from their definitions, in one pass without a sort."""
        xp, family, start = self.xp, FAMILIES[self.vary], self.start

        def sums(block: rows.Rows) -> tuple[float, ...]:
            captured = family.critical(xp, block, start) <= max(parameter, start)
            active = family.bands(xp, block.active, parameter)
            passive = active if block.passive is None else family.bands(xp, block.passive, parameter)
            return points.sums_at(xp, block, captured, active, passive)

        misses, width, excess, deficit = rows.totals(sums, self.intervals._blocks())
        total = self.summary.weight
        return OperatingPoint(
            parameter=parameter,
            miss_rate=misses / total,
            coverage=(total - misses) / total,
            bandwidth=self.summary.width * parameter if self.vary == "scale" else width / total,
            excess=excess / total,
            deficit=deficit / total,
        )

    @cached_property
    def miss_rate_sums(self) -> tuple[float, ...]:
        """Sums behind the closed form of the bandwidth-miss rate area and gain, under ``scale``."""
        xp, width = self.xp, self.summary.width

        def sums(block: rows.Rows) -> tuple[float, ...]:
            return areas.miss_rate_sums(xp, block, scale.critical(xp, block, 0.0), width)

        return rows.totals(sums, self.intervals._blocks())

    @cached_property
    def deficit_sums(self) -> tuple[float, ...]:
        """Sums behind the closed form of the bandwidth-deficit area and gain, under ``scale``."""
        xp, width, unit = self.xp, self.summary.width, self.summary.error or 1.0

        def sums(block: rows.Rows) -> tuple[float, ...]:
            return areas.deficit_sums(xp, block, scale.critical(xp, block, 0.0), width, unit)

        return rows.totals(sums, self.intervals._blocks())

    @cached_property
    def points(self) -> Points:
        """The distinct operating points, from a sort of the critical values alone."""
        if "sorted" in self.__dict__:
            return self.sorted.points
        xp = self.xp
        critical, (_, weight) = self.critical(), self.intervals._bands_and_weights()
        if weight is None:
            critical = xp.sort(critical, stable=False)
        else:
            order = xp.argsort(critical, stable=False)
            critical, weight = xp.take(critical, order), xp.take(weight, order)
        return self._distinct(xp.concat([xp.full_like(critical[:1], self.start), critical]), weight)

    @cached_property
    def sorted(self) -> Sorted:
        """Operating points and piecewise linear costs, from one sort of all breakpoints."""
        xp, block = self.xp, block_rows(self.intervals.y_true)
        bends, weight, floor, all_critical = self._hinges()
        order = xp.argsort(bends.knots, stable=False)
        bends = hinges.gather(xp, bends, order, self.start, block)
        weight = xp.take(weight, order) if all_critical and weight is not None else None
        del order
        lines = hinges.integrate(xp, bends, floor, self.summary.weight, block)
        del bends
        found = self.__dict__.get("points")
        if found is None:
            found = self._distinct(lines.knots, weight) if all_critical else self.points
        if found.parameter.shape == lines.knots.shape:
            lines = lines._replace(knots=found.parameter)  # equal: hold one copy
        return Sorted(found, lines)

    def critical(self) -> Array:
        """Return the critical value of each row, outputs laid end to end, in the order of the rows."""
        xp, family, start = self.xp, FAMILIES[self.vary], self.start
        parts = (family.critical(xp, block, start) for block in self.intervals._blocks())
        return rows.collect(xp, parts, self.intervals.n * self.intervals.n_outputs)

    def _hinges(self) -> tuple[Hinges, Array | None, float, bool]:
        """Hinges, weights, the deficit that always remains, and whether all knots are critical values."""
        xp, family = self.xp, FAMILIES[self.vary]
        critical = self.critical()
        finite = xp.isfinite(critical)
        complete = bool(xp.all(finite))
        if complete and self.vary == "scale" and self.intervals._one_band:
            bands, weight = self.intervals._bands_and_weights()
            whole = rows.Rows(critical, bands, None, weight)  # the errors are not looked at
            return family.hinges(xp, whole, critical), weight, 0.0, True
        (whole,) = self.intervals._blocks(whole=True)
        floor = 0.0
        if not complete:
            lost = rows.select(whole, ~finite)
            floor = rows.total(xp, lost.abs_error, lost.weight)
            whole, critical = rows.select(whole, finite), critical[finite]
        return family.hinges(xp, whole, critical), whole.weight, floor, False

    def _distinct(self, parameter: Array, weight: Array | None) -> Points:
        found = points.distinct(self.xp, parameter, weight)
        return Points(frozen(found.parameter), frozen(found.miss_rate))

    def _at_points(self, cost: str) -> Array:
        found, lines = self.sorted
        values = self.line(cost)
        if found.parameter.shape != lines.knots.shape:
            index = self.xp.searchsorted(lines.knots, found.parameter, side="right") - 1
            values = self.xp.take(values, index)
        return frozen(values)
