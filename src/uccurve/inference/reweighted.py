"""Rows that are sorted once, and their curve under any weights: prefix sums, no sort."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import block_rows
from uccurve.curve import CurveData
from uccurve.formulas import costs, lines, resampling, steps
from uccurve.formulas.tolerances import ROUNDING

if TYPE_CHECKING:
    from uccurve.formulas.bands import Scale as Family
    from uccurve.formulas.lines import Bends, Lines
    from uccurve.formulas.resampling import Lanes
    from uccurve.formulas.rows import Rows
    from uccurve.formulas.steps import Steps
    from uccurve.intervals import Intervals, Summary


@dataclass(frozen=True, eq=False)
class Presorted:
    """Plain rows under one family: everything about them that does not depend on weights.

    Attributes
    ----------
    intervals : Intervals
        The rows in NumPy, outputs laid end to end.
    family : Family
        What moves the operating point.
    outputs : int
        How many consecutive elements belong to one row.
    """

    intervals: Intervals
    family: Family
    outputs: int = 1

    @cached_property
    def rows(self) -> Rows:
        """The rows as the formulas see them."""
        (whole,) = self.intervals.rows.blocks(whole=True, nested=self.family.nested)
        return whole

    @cached_property
    def knots(self) -> np.ndarray:
        """The parameters of nested pairs, rising to 1."""
        nested = self.intervals.rows.columns.nested
        return np.ones(1) if nested is None else np.array(nested.knots)

    @cached_property
    def half_widths(self) -> np.ndarray:
        """Half the width of all nested pairs of each row: (rows, pairs)."""
        nested, active, passive = self.intervals.rows.columns.nested, self.rows.active, self.rows.passive
        if nested is not None:
            bounds = zip(nested.lower, nested.upper, strict=True)
            return np.stack([(upper - lower) / 2 for lower, upper in bounds], axis=1)
        half_width = active if passive is None else active / 2 + passive / 2
        return np.asarray(half_width)[:, None]

    @property
    def half_width(self) -> np.ndarray:
        """Half the width of each interval."""
        return self.half_widths[:, -1]

    @cached_property
    def critical(self) -> np.ndarray:
        """The critical value of each row."""
        return np.asarray(self.family.critical(np, self.rows, self.start))

    @property
    def start(self) -> float:
        """The parameter at which every band is zero."""
        return self.family.start(self.intervals.rows.summary.widest)

    @cached_property
    def never_captured(self) -> np.ndarray:
        """The rows that no parameter captures."""
        return np.flatnonzero(np.isinf(self.critical))

    @cached_property
    def order(self) -> np.ndarray:
        """The rows by rising critical value."""
        return np.asarray(steps.sort_with_order(np, self.critical, self.start)[1])

    @cached_property
    def parameter(self) -> np.ndarray:
        """The start, and the critical values in rising order."""
        return np.append(self.start, self.critical[self.order])

    @cached_property
    def constant(self) -> Presorted:
        """The same rows with a constant band: of 1, or of 0 where an amount is added, to keep all digits."""
        return self.with_bands(np.full(self.half_width.size, 0.0 if self.family.in_units_of_y else 1.0))

    def with_bands(self, bands: np.ndarray) -> Presorted:
        """Return the same rows with symmetric bands."""
        return Presorted(self.intervals.with_bands(bands), self.family, self.outputs)

    def costs_at(self, parameter: float) -> costs.RowCosts:
        """Return the costs of each row at a parameter."""
        bands = self.family.row_bands(np, self.rows, parameter)
        return costs.of_rows(np, self.rows.abs_error, bands, self.critical <= parameter)

    @cached_property
    def bends_by_row(self) -> Bends:
        """The bends of rows of weight 1, in the order of the rows."""
        return self.family.bends(np, self.rows, self.critical, np.arange(self.critical.size))

    @cached_property
    def bends_by_knot(self) -> Bends:
        """The bends in the order of their knots."""
        return lines.sort_bends(np, self.bends_by_row, self.start)[0]

    @cached_property
    def points(self) -> np.ndarray:
        """The places of the operating points among the knots, the last one of equal ones."""
        points = np.unique(self.parameter[np.isfinite(self.parameter)])
        return np.searchsorted(self.bends_by_knot.knots, points, side="right") - 1

    @cached_property
    def lanes(self) -> Lanes:
        """The knots laid out for adding up areas that have no closed form."""
        bends, changes = self.bends_by_row, dict(self.bends_by_row.changes)
        if "pulse" in changes:
            changes["excess"] = changes["excess"] + changes.pop("pulse")
            changes.setdefault("deficit", np.maximum(changes["excess"], 0.0))
        # Behind the last critical value nothing is missed: what is left of sums there is rounding.
        near = bends.knots <= np.max(self.critical, initial=self.start, where=np.isfinite(self.critical))
        changes = {name: column[near] for name, column in changes.items()}
        captured = np.arange(bends.knots.size) < bends.captured
        return resampling.lanes(bends.knots[near], np.asarray(bends.row)[near], changes, captured[near])


class Reweighted(CurveData):
    """Operating points and costs of presorted rows under weights, one for each element."""

    xp = np

    def __init__(self, presorted: Presorted, weight: np.ndarray) -> None:
        self.presorted = presorted
        self.weight = weight
        self.family = presorted.family
        self.total = float(weight.sum())

    @cached_property
    def width(self) -> float:
        """The mean half-width of the intervals as supplied."""
        return self.mean(self.presorted.half_width)

    @cached_property
    def pair_widths(self) -> np.ndarray:
        """The mean half-width of each nested pair; rounding does not turn equal ones around."""
        return np.maximum.accumulate([self.mean(column) for column in self.presorted.half_widths.T])

    @cached_property
    def summary(self) -> Summary:  # type: ignore[override]
        """Numbers about all rows."""
        ladder = tuple(zip(self.presorted.knots.tolist(), self.pair_widths.tolist(), strict=True))
        return self.presorted.intervals.rows.summary._replace(
            weight=self.total, width=self.width, equal_weights=False, ladder=ladder if ladder[1:] else ()
        )

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight would tell as much (Kish 1965)."""
        return self.total**2 / float((self.weight**2).sum()) / self.presorted.outputs

    @cached_property
    def steps(self) -> Steps:
        """The operating points, counted with the new weights."""
        rows, finite = self.presorted, self.presorted.critical.size - self.presorted.never_captured.size
        lost = float(self.weight[rows.never_captured].sum())
        order = rows.order[:finite]
        return steps.count_steps(np, rows.parameter[: finite + 1], self.weight[order], lost)

    @cached_property
    def lines(self) -> Lines:
        """The costs at all knots, added up with the new weights."""
        lost, bends = self.presorted.never_captured, self.presorted.bends_by_knot
        floor = float((self.weight[lost] * self.presorted.rows.abs_error[lost]).sum())
        bends = lines.reweight_bends(np, bends, self.weight)._replace(floor=floor)
        made = lines.add_up(np, bends, self.total, block_rows(self.weight))
        return made._replace(points=self.presorted.points)

    def parameters_of(self, widths: np.ndarray) -> np.ndarray:
        """Return the parameters at which the bandwidth has these values, by scale or level."""
        knots, values = np.append(0.0, self.presorted.knots), np.append(0.0, self.pair_widths)
        return np.array([lines.last_within(np, knots, values, self.width, width) for width in widths])

    def parameter_at(self, rates: np.ndarray) -> np.ndarray:
        """Return the smallest parameter that misses at most each rate; infinite below the floor."""
        place = steps.first_at_most(np, self.steps.miss_rate, rates + ROUNDING)
        return np.append(self.steps.parameter, np.inf)[place]

    def mean(self, column: np.ndarray) -> float:
        """Return the mean of a column of the rows."""
        # a scalar product would start threads, and wait for them on a busy machine
        return float((self.weight * column).sum()) / self.total

    @cached_property
    def constant(self) -> Reweighted:
        """The same rows with a constant band for each output, of the right proportions under the weights.

        Of one output the width does not matter: rows are sorted once. The order of several depends on
        the weights.
        """
        rows = self.presorted
        return Reweighted(rows.constant, self.weight) if rows.outputs == 1 else self.constant_of_same_width

    @property
    def constant_of_same_width(self) -> Reweighted:
        """The same rows with the mean band of each output."""
        rows, outputs = self.presorted, self.presorted.outputs
        by_output = (self.weight * rows.half_width).reshape(-1, outputs).sum(axis=0)
        widths = by_output / self.weight[::outputs].sum()
        return Reweighted(rows.with_bands(np.tile(widths, self.weight.size // outputs)), self.weight)
