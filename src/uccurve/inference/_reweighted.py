"""The curve of presorted rows under new weights: prefix sums, no sort."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import block_rows, namespace
from uccurve.curve import OperatingPoint, at_points, line
from uccurve.formulas import hinges, points

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Namespace
    from uccurve.curve import Family
    from uccurve.formulas.hinges import Lines
    from uccurve.formulas.points import Points
    from uccurve.inference._presorted import Presorted
    from uccurve.intervals import Summary


@dataclass(frozen=True, eq=False)
class ReweightedData:
    """Operating points and costs of presorted rows under weights."""

    presorted: Presorted
    weight: np.ndarray

    @property
    def xp(self) -> Namespace:
        """The array namespace: that of NumPy."""
        return namespace(self.weight)

    @property
    def family(self) -> Family:
        """What moves the operating point."""
        return self.presorted.family

    @property
    def start(self) -> float:
        """The parameter at which every band of the presorted rows is zero."""
        return self.presorted.start

    @cached_property
    def summary(self) -> Summary:
        """Numbers about all rows, with the new weights."""
        return self.presorted.summary(self.weight)

    @cached_property
    def points(self) -> Points:
        """The operating points, counted with the new weights."""
        return points.distinct(self.xp, self.presorted.parameter, self.weight[self.presorted.order])

    @property
    def parameter(self) -> np.ndarray:
        """The distinct operating points."""
        return np.asarray(self.points.parameter)

    @property
    def miss_rate(self) -> np.ndarray:
        """Share of the weight missed at each operating point."""
        return np.asarray(self.points.miss_rate)

    @property
    def coverage(self) -> np.ndarray:
        """Share of the weight captured at each operating point."""
        return 1 - self.miss_rate

    @cached_property
    def bandwidth(self) -> np.ndarray:
        """Bandwidth at each operating point."""
        return np.asarray(at_points(self, "bandwidth"))

    @cached_property
    def excess(self) -> np.ndarray:
        """Excess at each operating point."""
        return np.asarray(at_points(self, "excess"))

    @cached_property
    def deficit(self) -> np.ndarray:
        """Deficit at each operating point."""
        return np.asarray(at_points(self, "deficit"))

    @cached_property
    def lines(self) -> Lines:
        """The costs at all breakpoints, added up with the new weights."""
        bends, weight = self.presorted.hinges_by_knot, self.weight
        at_knots = weight[bends.row]
        excess = bends.excess * at_knots
        reweighted = bends._replace(
            bandwidth=None if bends.bandwidth is None else bends.bandwidth * at_knots,
            excess=excess,
            deficit=excess if bends.deficit is bends.excess else bends.deficit * at_knots,
            pulse=None if bends.pulse is None else bends.pulse * at_knots,
        )
        lost = self.presorted.never_captured
        floor = float(weight[lost] @ self.presorted.rows.abs_error[lost])
        return hinges.integrate(self.xp, reweighted, floor, self.summary.weight, block_rows(weight))

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much."""
        return float(self.weight.sum()) ** 2 / float(self.weight @ self.weight)

    def steps(self, x: str) -> tuple[np.ndarray, np.ndarray]:
        """Return where on x the miss rate changes, and to what."""
        return getattr(self, x), self.miss_rate

    def at(self, parameter: float) -> OperatingPoint:
        """Interpolate the costs between breakpoints, where they are linear."""
        lines = self.lines
        place = int(np.searchsorted(self.parameter, max(parameter, self.start), side="right")) - 1
        beyond = max(parameter - float(lines.knots[-1]), 0.0)

        def interpolated(cost: str, end_slope: float = 0.0) -> float:
            return float(np.interp(parameter, lines.knots, line(self, cost))) + beyond * end_slope

        known = self.family.bandwidth(self.xp, np.array([parameter]), self.summary)
        rate = float(self.miss_rate[place])
        return OperatingPoint(
            parameter=parameter,
            miss_rate=rate,
            coverage=1 - rate,
            bandwidth=interpolated("bandwidth", lines.bandwidth_slope) if known is None else float(known[0]),
            excess=interpolated("excess", lines.excess_slope),
            deficit=interpolated("deficit"),
        )
