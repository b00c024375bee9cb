"""The data of an exact curve: what is sorted, when, and how it is evaluated."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from uccurve._base.arrays import block_rows, frozen, namespace
from uccurve.curve import _breakpoints as breakpoints
from uccurve.curve._curve_data import at_points, coverage, known_bandwidth, line
from uccurve.curve._level_widths import nominal_at, with_ladder
from uccurve.curve._results import OperatingPoint
from uccurve.formulas import areas, hinges, points, rows, sorting
from uccurve.formulas import runs as merging
from uccurve.formulas.areas import DeficitSums, MissRateSums
from uccurve.formulas.points import Points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uccurve._base.type_aliases import Array, Namespace
    from uccurve.curve.families._family import Family
    from uccurve.formulas.hinges import Lines
    from uccurve.intervals import Intervals, Summary


class ExactData:
    """Operating points and costs of intervals under one family, each computed when first needed.

    The closed forms and single points take one pass over the rows; the miss rate and a proportional
    bandwidth take a sort; excess, deficit and other bandwidths take a sort of all breakpoints. That sort
    serves the miss rate as well, if it comes first; the numbers are the same either way.
    """

    def __init__(self, intervals: Intervals, family: Family) -> None:
        self.intervals = intervals
        self.family = family
        self._points: Points | None = None
        self._lines: Lines | None = None
        self._knot_of_point: Array | None = None
        """Where the operating points are among the knots of the lines, if that is known."""

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.intervals.y_true)

    @cached_property
    def summary(self) -> Summary:
        """Numbers about all rows."""
        return with_ladder(self.intervals) if self.family.nested else self.intervals.rows.summary

    @property
    def start(self) -> float:
        """The parameter at which every band is zero."""
        return self.family.start(self.summary.widest)

    @property
    def points(self) -> Points:
        """The distinct operating points."""
        if self._points is None:
            self._points = self._sorted_points()
        return self._points

    @property
    def lines(self) -> Lines:
        """The costs at all breakpoints."""
        if self._lines is None:
            self._points, self._lines = self._sorted_costs()
        return self._lines

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
        return frozen(coverage(self))

    @cached_property
    def bandwidth(self) -> Array:
        """Bandwidth at each operating point."""
        return frozen(self._at_points("bandwidth"))

    @cached_property
    def excess(self) -> Array:
        """Excess at each operating point."""
        return frozen(self._at_points("excess"))

    @cached_property
    def deficit(self) -> Array:
        """Deficit at each operating point."""
        return frozen(self._at_points("deficit"))

    def _at_points(self, cost: str) -> Array:
        """Return a cost at each operating point; no search where their knots are known."""
        known = known_bandwidth(self, self.parameter) if cost == "bandwidth" else None
        if known is not None:
            return known
        if self.lines.knots.shape == self.parameter.shape or self._knot_of_point is None:
            return at_points(self, cost)
        return rows.taken(self.xp, line(self, cost), self._knot_of_point)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much: (Σw)² / Σw²."""
        if self.summary.equal_weights:
            return float(self.intervals.n)
        weight = self.intervals.sample_weight
        return float(self.xp.sum(weight)) ** 2 / float(self.xp.sum(weight * weight))

    def steps(self, x: str) -> tuple[Array, Array]:
        """Return where on x the miss rate changes, and to what."""
        return getattr(self, x), self.miss_rate

    def at(self, parameter: float) -> OperatingPoint:
        """Evaluate the costs at one parameter from their definitions, in one pass without a sort."""
        xp, family, start = self.xp, self.family, self.start

        def sums(block: rows.Rows) -> tuple[float, ...]:
            captured = family.critical(xp, block, start) <= max(parameter, start)
            return points.sums_at(xp, block, captured, *family.row_bands(xp, block, parameter))

        misses, width, excess, deficit = rows.totals(sums, self._blocks())
        total = self.summary.weight
        return OperatingPoint(
            parameter=parameter,
            miss_rate=misses / total,
            coverage=(total - misses) / total,
            bandwidth=self.summary.width * parameter if family.proportional else width / total,
            excess=excess / total,
            deficit=deficit / total,
            nominal=nominal_at(self.intervals, parameter) if family.nested else None,
        )

    @cached_property
    def miss_rate_sums(self) -> MissRateSums:
        """Sums behind the closed forms on bandwidth and miss rate."""
        known, width = self.summary.areas, self.summary.width
        if known is not None:
            return MissRateSums(known.critical, known.saved(width), self.summary.error * self.summary.weight)
        sums = self._sums_of_outputs(lambda block, k, width: areas.miss_rate_sums(self.xp, block, k, width))
        outputs = [output.rows.summary for output in self._outputs]
        widths = self.summary.widths
        return MissRateSums(
            critical=sum(critical for critical, _ in sums),
            saved=areas.sum_by_width([saved for _, saved in sums], widths),
            constant=areas.sum_by_width([output.error * output.weight for output in outputs], widths),
        )

    @cached_property
    def deficit_sums(self) -> DeficitSums:
        """Sums behind the closed forms on bandwidth and deficit."""
        known = self.summary.areas
        if known is not None:
            return DeficitSums(known.moment, known.deficit_saved(self.summary.width), known.square)
        sums = self._sums_of_outputs(lambda block, k, width: areas.deficit_sums(self.xp, block, k, width))
        widths = self.summary.widths
        return DeficitSums(
            moment=sum(moment for moment, _, _ in sums),
            saved=areas.sum_by_width([saved for _, saved, _ in sums], widths),
            square=areas.sum_by_width([square for _, _, square in sums], widths),
        )

    def _sums_of_outputs(
        self, sums: Callable[[rows.Rows, Array, float], tuple[float, ...]]
    ) -> list[tuple[float, ...]]:
        """Add up formulas over each output, from its rows, critical values and constant band."""

        def added(output: Intervals, width: float) -> tuple[float, ...]:
            return rows.totals(
                lambda block: sums(block, self.family.critical(self.xp, block, 0.0), width),
                output.rows.blocks(),
            )

        return list(map(added, self._outputs, self.summary.widths))

    @cached_property
    def _outputs(self) -> tuple[Intervals, ...]:
        """Each output on its own: summarized once for all closed forms."""
        return self.intervals.outputs()

    def _blocks(self, *, whole: bool = False) -> Iterator[rows.Rows]:
        """Yield the rows as the family needs them."""
        return self.intervals.rows.blocks(whole=whole, nested=self.family.nested)

    def critical(self) -> Array:
        """Return the critical values of rows with weight, in their order, outputs laid end to end."""
        return rows.collect(self.xp, self._critical_values(), self._elements)

    @property
    def _elements(self) -> int:
        return int(self.intervals.n * self.intervals.n_outputs)

    def _critical_values(self) -> Iterator[Array]:
        """Yield the critical values block by block."""
        xp, family, start = self.xp, self.family, self.start
        return (family.critical(xp, block, start) for block in self._blocks())

    def _start_and_critical(self) -> Array:
        """Return the start of the curve, and then the critical values in the order of the rows."""
        xp, like = self.xp, self.intervals.y_true
        start = xp.full((1,), self.start, dtype=xp.float64, device=like.device)
        return rows.collect(xp, chain((start,), self._critical_values()), self._elements + 1)

    def _sorted_points(self) -> Points:
        """Find the operating points by a sort of the critical values alone."""
        xp = self.xp
        if self.intervals.rows.weighted().weight is None:
            return self._distinct(sorting.sorted_own(xp, self._start_and_critical()), None)
        _, weight = self.intervals.rows.bands_and_weights()
        parameter, order = sorting.sorted_and_order(xp, self.critical(), self.start)
        return self._distinct(parameter, rows.taken(xp, weight, order))

    def _sorted_costs(self) -> tuple[Points, Lines]:
        """Find operating points and piecewise linear costs by one sort of all breakpoints."""
        xp, block, total = self.xp, block_rows(self.intervals.y_true), self.summary.weight
        runs, all_in_first = breakpoints.in_runs(self)
        if runs is not None:
            merged = merging.merge(xp, runs, self.start)
            lines = merging.integrate(xp, runs, merged, total, block)
            if all_in_first:
                return self._points_among(lines.knots, merged.kinds == 0, counted=True), lines
            return self._points or self._sorted_points(), lines
        bends, weight, floor, critical, all_critical, counted = breakpoints.sortable(self)
        knots, order = sorting.sorted_and_order(xp, bends.knots, self.start)
        bends = hinges.gather(xp, bends, order, knots)
        weight = rows.taken(xp, weight, order) if all_critical and weight is not None else None
        is_critical = order < critical if critical and not all_critical else None
        del knots, order
        lines = hinges.integrate(xp, bends, floor, total, block)
        del bends
        if is_critical is not None:
            return self._points_among(lines.knots, is_critical, counted=counted), lines
        found = self._points
        if found is None:
            found = self._distinct(lines.knots, weight) if all_critical else self._sorted_points()
        if found.parameter.shape == lines.knots.shape:
            lines = lines._replace(knots=found.parameter)  # equal: hold one copy
        elif all_critical:
            (self._knot_of_point,) = xp.nonzero(points.last_of_ties(xp, lines.knots))
        return found, lines

    def _points_among(self, knots: Array, is_critical: Array, *, counted: bool) -> Points:
        """Return the operating points, given which knots but the first are critical values.

        ``counted`` says that these are those of all rows, and that all rows have the same weight.
        """
        xp, found = self.xp, self._points
        (places,) = xp.nonzero(xp.concat([xp.ones_like(is_critical[:1]), is_critical]))
        parameter = rows.taken(xp, knots, places)
        if found is None:
            found = self._distinct(parameter, None) if counted else self._sorted_points()
        if found.parameter.shape != places.shape:
            places = places[points.last_of_ties(xp, parameter)]
        self._knot_of_point = places
        return found

    def _distinct(self, parameter: Array, weight: Array | None) -> Points:
        found = points.distinct(self.xp, parameter, weight)
        return Points(frozen(found.parameter), frozen(found.miss_rate))
