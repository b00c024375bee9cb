"""Rows that are sorted once, for many weights: everything about them that does not depend on weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import namespace
from uccurve.curve import SortedRows
from uccurve.formulas import lines, resampling, steps
from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference._common_levels import half_widths, nested_of
from uccurve.inference._plain_rows import with_bands

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.formulas.bands import Scale as Family
    from uccurve.formulas.lines import Bends
    from uccurve.formulas.resampling import Halves, Lanes
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals, Summary


@dataclass(frozen=True, eq=False)
class Presorted:
    """Plain intervals under one family, with critical values and bends in order."""

    intervals: Intervals
    family: Family
    outputs: int = 1
    """How many consecutive elements belong to one row."""

    @cached_property
    def rows(self) -> Rows:
        """The rows as the formulas see them."""
        (whole,) = self.intervals.rows.blocks(whole=True, nested=self.family.nested)
        return whole

    @cached_property
    def knots(self) -> np.ndarray:
        """The parameters of nested pairs, rising to 1."""
        return np.array(nested_of(self.intervals).knots)

    @cached_property
    def half_widths(self) -> np.ndarray:
        """Half the width of all nested pairs of each row: (rows, pairs)."""
        return half_widths(self.intervals)

    def summary(self, weight: np.ndarray) -> Summary:
        """Return numbers about all rows, under weights."""
        total = float(weight.sum())
        ladder: tuple[tuple[float, float], ...] = ()
        if self.family.nested and self.knots.size > 1:
            inner = (weight @ self.half_widths[:, :-1] / total).tolist()
            ladder = tuple(zip(self.knots.tolist(), [*inner, self.width(weight)], strict=True))
        return self.intervals.rows.summary._replace(
            weight=total,
            width=self.width(weight),
            error=float(weight @ self.rows.abs_error) / total,
            equal_weights=False,
            ladder=ladder,
        )

    @cached_property
    def half_width(self) -> np.ndarray:
        """Half the width of each interval."""
        if self.family.nested:
            return self.half_widths[:, -1]
        passive = self.rows.active if self.rows.passive is None else self.rows.passive
        return np.asarray(self.rows.active / 2 + passive / 2)

    @cached_property
    def critical(self) -> np.ndarray:
        """The critical value of each row."""
        return np.asarray(SortedRows(self.intervals, self.family).critical())

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
        return np.argsort(self.critical)

    @cached_property
    def parameter(self) -> np.ndarray:
        """The start, and the critical values in rising order."""
        return np.concatenate([[self.start], self.critical[self.order]])

    def width(self, weight: np.ndarray) -> float:
        """Return the mean half width of the intervals as given, under weights."""
        return float(weight @ self.half_width) / float(weight.sum())

    def constant(self, weight: np.ndarray) -> Presorted:
        """Return the same rows with a constant band for each output, of the right proportions under weights.

        Of one output the width does not matter: the band is 1, sorted once. The order of several depends
        on the weights.
        """
        if self.outputs == 1:
            return self.unit_band
        by_row = (-1, self.outputs)
        widths = (weight * self.half_width).reshape(by_row).sum(axis=0) / weight[:: self.outputs].sum()
        bands = np.tile(widths, weight.size // self.outputs)
        return Presorted(with_bands(self.intervals, bands), self.family, self.outputs)

    def widened(self, factor: float) -> Presorted:
        """Return the same rows with symmetric bands, all of them wider by a factor."""
        return Presorted(with_bands(self.intervals, factor * self.half_width), self.family, self.outputs)

    @cached_property
    def unit_band(self) -> Presorted:
        """The same rows with a band of 1."""
        bands = np.ones(self.half_width.size)
        return Presorted(with_bands(self.intervals, bands), self.family, self.outputs)

    def bandwidth_at(self, weight: np.ndarray, rate: float) -> float:
        """Return the bandwidth needed to miss at most a rate, under weights; infinite below the floor."""
        return float(self.bandwidths_at(weight, np.array([rate]))[0])

    def bandwidths_at(self, weight: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return the bandwidths needed to miss at most each rate."""
        return self.bandwidths_of(weight, self.parameter_at(weight, rates))

    def bandwidths_of(self, weight: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        """Return the bandwidths at parameters, under weights."""
        if self.family.proportional:
            with np.errstate(invalid="ignore"):  # no bands at all, and no scale: not defined
                return np.asarray(parameters * self.width(weight))
        if self.family.nested:
            xp = namespace(weight)
            return np.asarray(self.family.bandwidth(xp, parameters, self.summary(weight)))
        total = float(weight.sum())
        return np.array([float(weight @ self.half_width_at(parameter)) / total for parameter in parameters])

    def half_width_at(self, parameter: float) -> np.ndarray:
        """Return half the width of each interval at a parameter."""
        active, passive = self.family.row_bands(np, self.rows, parameter)
        return np.asarray(active if passive is active else (active + passive) / 2)

    def parameter_at(self, weight: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return the smallest parameter that misses at most each rate, under weights."""
        missed = steps.weigh_missed(namespace(weight), weight[self.order])
        place = steps.first_at_most(np, missed, (rates + ROUNDING) * missed[0])
        return np.asarray(self.parameter[place])

    @cached_property
    def bends_by_row(self) -> Bends:
        """The bends of rows of weight 1, in the order of the rows."""
        xp, index = namespace(self.critical), np.arange(self.critical.size)
        return self.family.bends(xp, self.rows, self.critical, index)

    @cached_property
    def bends_by_knot(self) -> Bends:
        """The bends in the order of their knots."""
        ordered, _ = lines.sort_bends(namespace(self.critical), self.bends_by_row, self.start)
        return ordered

    @cached_property
    def points(self) -> np.ndarray:
        """The places of the operating points among the knots, the last one of equal ones."""
        points = np.unique(self.parameter[np.isfinite(self.parameter)])
        return np.searchsorted(self.bends_by_knot.knots, points, side="right") - 1

    def lanes(self, x: X) -> Lanes:
        """Return the knots laid out for adding up areas over x, which has no closed form."""
        bends = self.bends_by_row
        excess = bends.changes["excess"]
        if "pulse" in bends.changes:
            excess = excess + bends.changes["pulse"]
        change = excess if x == "excess" else bends.changes["bandwidth"]
        follows = excess if "pulse" not in bends.changes else np.maximum(excess, 0.0)
        deficit = bends.changes.get("deficit", follows)
        if bends.captured == bends.knots.shape[0]:
            return resampling.lanes(bends.knots, bends.row, change, deficit, None)
        captured = np.zeros(bends.knots.shape[0])
        captured[: bends.captured] = 1.0
        # Behind the last critical value nothing is missed: what is left of sums there is rounding.
        near = bends.knots <= np.max(self.critical, initial=self.start, where=np.isfinite(self.critical))
        columns: tuple[Any, ...] = (bends.knots, bends.row, change, deficit, captured)
        return resampling.lanes(*(column[near] for column in columns))

    def halves(self, lanes: Lanes, y: Y, weight: np.ndarray) -> Halves:
        """Return the factors of the area of rows with weights."""
        if y == "deficit":
            return resampling.deficit_halves(lanes, weight)
        return resampling.miss_halves(lanes, weight, float(weight.sum()))
