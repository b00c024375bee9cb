"""The curve of presorted rows under new weights: prefix sums, no sort."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import block_rows, namespace
from uccurve.curve import CurveData, OperatingPoint
from uccurve.formulas import lines, steps

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Namespace
    from uccurve.formulas.lines import Lines
    from uccurve.formulas.steps import Steps
    from uccurve.inference._presorted import Presorted


class ReweightedData(CurveData):
    """Operating points and costs of presorted rows under weights."""

    def __init__(self, presorted: Presorted, weight: np.ndarray) -> None:
        self.presorted = presorted
        self.weight = weight
        self.family = presorted.family
        self.summary = presorted.summary(weight)

    @property
    def xp(self) -> Namespace:
        """The array namespace: that of NumPy."""
        return namespace(self.weight)

    @cached_property
    def steps(self) -> Steps:
        """The operating points, counted with the new weights."""
        rows, finite = self.presorted, self.presorted.critical.size - self.presorted.never_captured.size
        lost = float(self.weight[rows.never_captured].sum())
        order = rows.order[:finite]
        return steps.count_steps(self.xp, rows.parameter[: finite + 1], self.weight[order], lost)

    @cached_property
    def lines(self) -> Lines:
        """The costs at all knots, added up with the new weights."""
        lost, bends = self.presorted.never_captured, self.presorted.bends_by_knot
        floor = float(self.weight[lost] @ self.presorted.rows.abs_error[lost])
        bends = lines.reweight_bends(self.xp, bends, self.weight)._replace(floor=floor)
        made = lines.add_up(self.xp, bends, self.summary.weight, block_rows(self.weight))
        return made._replace(points=self.presorted.points)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much."""
        return float(self.weight.sum()) ** 2 / float(self.weight @ self.weight)

    def at(self, parameter: float) -> OperatingPoint:
        """Interpolate the costs between breakpoints, where they are linear."""
        found = self.lines
        place = int(np.searchsorted(self.steps.parameter, max(parameter, self.start), side="right")) - 1
        beyond = max(parameter - float(found.knots[-1]), 0.0)

        def interpolated(cost: str, end_slope: float = 0.0) -> float:
            return float(np.interp(parameter, found.knots, self.at_knots(cost))) + beyond * end_slope

        known = self.family.bandwidth(self.xp, np.array([parameter]), self.summary)
        rate = float(self.steps.miss_rate[place])
        return OperatingPoint(
            parameter=parameter,
            miss_rate=rate,
            coverage=1 - rate,
            bandwidth=interpolated("bandwidth", found.bandwidth_slope) if known is None else float(known[0]),
            excess=interpolated("excess", found.excess_slope),
            deficit=interpolated("deficit"),
        )
