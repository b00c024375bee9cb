"""What a curve is computed from, and the data of an exact one: rows sorted once.

Any curve has two stages: *steps*, the distinct operating points with their miss rates, and *lines*, the
costs at all knots, between which they are linear.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import block_rows, frozen, namespace
from uccurve.curve.results import OperatingPoint
from uccurve.formulas import areas, costs, lines, rows, steps
from uccurve.formulas.areas import ClosedSums
from uccurve.formulas.bands import OutputErrors
from uccurve.formulas.tolerances import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve._base.type_aliases import Array, Namespace, Y
    from uccurve.formulas.bands import Scale
    from uccurve.formulas.lines import Lines
    from uccurve.formulas.steps import Steps
    from uccurve.intervals import Intervals, RowArrays, Summary


_COSTS = ("bandwidth", "excess", "deficit")


class CurveData:
    """Operating points and costs under one family; arrays rise with the parameter, shape (m,).

    Attributes
    ----------
    family : Scale
        What moves the operating point.
    summary : Summary
        Numbers about all rows.
    levels : tuple of float
        The nominal coverages of nested quantiles, where they move the operating point; else none.
    """

    family: Scale
    summary: Summary
    levels: tuple[float, ...] = ()

    @cached_property
    def start(self) -> float:
        """The parameter at which every band is zero."""
        return self.family.start(self.summary.widest)

    @cached_property
    def steps(self) -> Steps:
        """The distinct operating points, and the share of the weight missed at each."""
        raise NotImplementedError

    @cached_property
    def lines(self) -> Lines:
        """The costs at all knots, between which they are linear."""
        raise NotImplementedError

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.steps.parameter)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much."""
        raise NotImplementedError

    def at(self, parameter: float) -> OperatingPoint:
        """Return the costs at one parameter, from those at knots."""
        place = int(np.searchsorted(self.steps.parameter, max(parameter, self.start), side="right")) - 1
        return OperatingPoint(
            parameter=parameter,
            miss_rate=float(self.steps.miss_rate[place]),
            coverage=float(self.coverages()[place]),
            **{cost: float(self.cost_of(cost, np.array([parameter]))[0]) for cost in _COSTS},
        )

    def cost_of(self, cost: str, parameters: np.ndarray) -> np.ndarray:
        """Return bandwidth, excess or deficit at each parameter: linear between knots, and behind them."""
        if cost == "bandwidth":
            with np.errstate(invalid="ignore"):  # no bands at all, and no scale: not defined
                known = self.family.bandwidth(np, parameters, self.summary)
            if known is not None:
                return np.asarray(known)
        knots, values = self.lines.knots, self.at_knots(cost)
        slopes = {"bandwidth": self.lines.bandwidth_slope, "excess": self.lines.excess_slope}
        behind = slopes.get(cost, 0.0) * np.maximum(parameters - knots[-1], 0.0)
        return np.asarray(np.interp(parameters, knots, values) + behind)

    def closed_sums(self, y: Y) -> ClosedSums:
        """Return the sums behind full areas and gains on bandwidth and y, for a proportional family."""
        raise NotImplementedError

    def output_errors(self) -> list[OutputErrors]:
        """Return the means that ceilings need, of each output."""
        raise NotImplementedError

    def jumps(self, x: str) -> tuple[Array, Array]:
        """Return where on x the miss rate changes, and to what."""
        return self.at_points(x), self.steps.miss_rate

    @property
    def slack(self) -> float:
        """The difference between miss rates that may be rounding: none where they are counts of rows."""
        return 0.0 if self.summary.equal_weights else ROUNDING

    @property
    def floor(self) -> float:
        """The miss rate that no parameter gets below."""
        return float(self.steps.miss_rate[-1])

    def coverages(self) -> Array:
        """Return the share of the weight captured at each operating point."""
        missed, n = self.steps.miss_rate, self.summary.weight
        if self.steps.coverage is not None:
            return self.steps.coverage
        if not self.summary.equal_weights:
            return 1 - missed
        return (n - self.xp.round(missed * n)) / n  # counts: nine rows of ten are 0.9, not a little less

    def at_knots(self, cost: str) -> Array:
        """Return bandwidth, excess or deficit at all knots."""
        found = getattr(self.lines, cost)
        return self.family.bandwidth(self.xp, self.lines.knots, self.summary) if found is None else found

    def at_points(self, cost: str) -> Array:
        """Return bandwidth, excess or deficit at each operating point."""
        known = None
        if cost == "bandwidth":
            known = self.family.bandwidth(self.xp, self.steps.parameter, self.summary)
        if known is not None:
            return known
        values, places = self.at_knots(cost), self.lines.points
        return values if places is None else rows.gather(self.xp, values, places)


class SortedRows(CurveData):
    """Operating points and costs of intervals under one family.

    Closed forms and single points take one pass over the rows; steps take a sort of the critical values;
    lines take a sort of all knots, which finds the steps as well, if it comes first.
    """

    def __init__(self, intervals: Intervals, family: Scale) -> None:
        self.intervals = intervals
        self.family = family
        self.summary = _with_pairs(intervals) if family.nested else intervals.rows.summary
        nested = intervals.rows.columns.nested
        self.levels = nested.levels if family.nested and nested is not None else ()
        self._closed_sums: dict[Y, ClosedSums] = {}

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.intervals.y_true)

    @cached_property
    def steps(self) -> Steps:
        """The distinct operating points."""
        return self._sort_critical_values()

    @cached_property
    def lines(self) -> Lines:
        """The costs at all knots."""
        self.steps, found = self._sort_knots(vars(self).get("steps"))
        return found

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much: (Σw)² / Σw²."""
        if self.summary.equal_weights:
            return float(self.intervals.n)
        weight = self.intervals.sample_weight
        return float(self.xp.sum(weight)) ** 2 / float(self.xp.sum(weight * weight))

    def at(self, parameter: float) -> OperatingPoint:
        """Evaluate the costs at one parameter from their definitions, in one pass without a sort."""
        xp, family, start = self.xp, self.family, self.start

        def sums(block: rows.Rows) -> tuple[float, ...]:
            captured = family.critical(xp, block, start) <= max(parameter, start)
            found = costs.of_rows(xp, block.abs_error, family.row_bands(xp, block, parameter), captured)
            return tuple(rows.total(xp, cost, block.weight) for cost in found)

        misses, width, excess, deficit = rows.totals(sums, self._blocks())
        total = self.summary.weight
        return OperatingPoint(
            parameter=parameter,
            miss_rate=misses / total,
            coverage=(total - misses) / total,
            bandwidth=self.summary.width * parameter if family.proportional else width / total,
            excess=excess / total,
            deficit=deficit / total,
            nominal=max(parameter, 0.0) * self.levels[-1] if self.levels and parameter <= 1 else None,
        )

    def closed_sums(self, y: Y) -> ClosedSums:
        """Return the sums behind the closed forms on bandwidth and y: of each output, in its own unit."""
        if y in self._closed_sums:
            return self._closed_sums[y]
        summary, y_true, deficit = self.summary, self.intervals.rows.columns.y_true, y == "deficit"
        if summary.areas is not None:  # a GPU has added up already, with a constant band nearby
            known: ClosedSums = getattr(summary.areas, y)
            return known._replace(saved=known.saved + (summary.areas.width - summary.width) * known.own)
        xp, critical = namespace(y_true), self.family.critical

        def add_up(output: Intervals, width: float) -> ClosedSums:
            def sums(block: rows.Rows) -> tuple[float, ...]:
                return areas.closed_sums(xp, block, critical(xp, block), width, deficit=deficit)

            return ClosedSums(*rows.totals(sums, output.rows.blocks()))

        outputs = (self.intervals,) if y_true.ndim == 1 else self.intervals.outputs()
        found = list(map(add_up, outputs, summary.widths))
        made = found[0]
        if len(found) > 1:
            own, saved, constant = zip(*found, strict=True)
            by_width = (areas.sum_by_width(sums, summary.widths) for sums in (saved, constant))
            made = ClosedSums(math.fsum(own), *by_width)
        self._closed_sums[y] = made
        return made

    def output_errors(self) -> list[OutputErrors]:
        """Return the means that ceilings need, of each output."""
        xp = self.xp

        def means(output: Intervals, width: float) -> OutputErrors:
            sums = rows.totals(lambda block: areas.ceiling_sums(xp, block), output.rows.blocks())
            summary = output.rows.summary
            return OutputErrors(width, summary.error, *(number / summary.weight for number in sums))

        return list(map(means, self.intervals.outputs(), self.summary.widths))

    def critical(self) -> Array:
        """Return the critical values of rows with weight, in their order, outputs laid end to end."""
        return rows.collect(self.xp, self._critical_values(), self._elements)

    @property
    def _elements(self) -> int:
        return int(self.intervals.n * self.intervals.n_outputs)

    def _blocks(self) -> Iterator[rows.Rows]:
        """Yield the rows as the family needs them."""
        return self.intervals.rows.blocks(nested=self.family.nested)

    def _critical_values(self) -> Iterator[Array]:
        return (self.family.critical(self.xp, block, self.start) for block in self._blocks())

    def _sort_critical_values(self) -> Steps:
        """Find the operating points by a sort of the critical values alone."""
        xp, weight = self.xp, None
        if self.summary.equal_weights:
            start = xp.full((1,), self.start, dtype=xp.float64, device=self.intervals.y_true.device)
            parts = chain((start,), self._critical_values())
            parameter = steps.sort_own(xp, rows.collect(xp, parts, self._elements + 1))
        else:
            parameter, order = steps.sort_with_order(xp, self.critical(), self.start)
            weight = rows.collect(xp, (block.weight for block in self._blocks()), self._elements)
            weight = rows.gather(xp, weight, order)
        lost = 0.0
        if not bool(xp.isfinite(parameter[-1])):
            finite = xp.isfinite(parameter)
            lost = float(xp.count_nonzero(~finite))
            if weight is not None:
                lost, weight = float(xp.sum(weight[~finite[1:]])), weight[finite[1:]]
            parameter = parameter[finite]
        return _frozen(steps.count_steps(xp, parameter, weight, lost))

    def _sort_knots(self, found: Steps | None) -> tuple[Steps, Lines]:
        """Find costs, and operating points where these are not known yet, by one sort of all knots."""
        xp, family, parts, weights = self.xp, self.family, [], []
        for block in self._blocks():
            critical = family.critical(xp, block, self.start)
            parts.append(family.bends(xp, block, critical))
            if block.weight is not None:
                weights.append(block.weight[xp.isfinite(critical)])
        bends = lines.join_bends(xp, parts)
        del parts
        bends, order = lines.sort_bends(xp, bends, self.start)
        is_captured, places = order < bends.captured, None
        if bends.captured < order.shape[0]:
            (places,) = xp.nonzero(xp.concat([xp.ones_like(is_captured[:1]), is_captured]))
        if found is None:
            parameter = bends.knots if places is None else rows.gather(xp, bends.knots, places)
            weight = rows.gather(xp, xp.concat(weights), order[is_captured]) if weights else None
            found = _frozen(steps.count_steps(xp, parameter, weight, bends.lost))
        del order, is_captured
        if found.places is not None:
            places = found.places if places is None else xp.take(places, found.places)
        made = lines.add_up(xp, bends, self.summary.weight, block_rows(self.intervals.y_true))
        if places is None:
            made = made._replace(knots=found.parameter)  # equal: hold one copy
        return found, made._replace(points=places)


def _frozen(found: Steps) -> Steps:
    return found._replace(parameter=frozen(found.parameter), miss_rate=frozen(found.miss_rate))


def _with_pairs(intervals: Intervals) -> Summary:
    """Return the summary with the bandwidth of each nested pair: one pass over the quantiles."""
    summary, nested = intervals.rows.summary, intervals.rows.columns.nested
    if nested is None or len(nested.levels) == 1:
        return summary
    xp = namespace(intervals.y_true)

    def sums(block: RowArrays) -> tuple[float, ...]:
        assert block.nested is not None  # noqa: S101 - seen above
        inner = zip(block.nested.lower[:-1], block.nested.upper[:-1], strict=True)
        return tuple(rows.total(xp, high / 2 - low / 2, block.weight) for low, high in inner)

    columns = intervals.rows.columns
    columns = columns._replace(weight=None) if summary.equal_weights else columns
    found = rows.totals(sums, columns.blocks())
    means = (min(width / summary.weight, summary.width) for width in found)
    widths = accumulate(means, max)  # rounding does not turn equal pairs around
    return summary._replace(ladder=tuple(zip(nested.knots, [*widths, summary.width], strict=True)))
