"""One model on the exact core."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve.compat.uq360._coordinates import CURVE_AXES, Point
from uccurve.compat.uq360._curve_knots import knots_of
from uccurve.compat.uq360._curve_path import area_below, part_of, path_of
from uccurve.compat.uq360._fitted_model import Cheapest
from uccurve.curve import UCC

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary, Y
    from uccurve.compat.uq360._coordinates import View
    from uccurve.compat.uq360._curve_knots import Knots
    from uccurve.compat.uq360._fitted_model import PartRange
    from uccurve.curve import OperatingPoint
    from uccurve.intervals import Intervals


_KEPT = 4
"""How many sorted curves a model keeps: those of two pairs of axes, under scale and bias."""


@dataclass(frozen=True, eq=False)
class ExactModel:
    """Intervals, and exact answers about their two curves."""

    intervals: Intervals
    _knots: dict[tuple[frozenset[str], str], Knots] = field(default_factory=dict, repr=False)
    """Knots that were asked for, by axes and family."""

    @cached_property
    def residual(self) -> np.ndarray:
        """Observation minus prediction."""
        return np.asarray(self.intervals.residual)

    @property
    def lower(self) -> np.ndarray:
        """Lower bands."""
        return np.asarray(self.intervals.lower_band)

    @property
    def upper(self) -> np.ndarray:
        """Upper bands."""
        return np.asarray(self.intervals.upper_band)

    def points(self, vary: Vary) -> list[Point]:
        """Return the distinct operating points, bands of zero first."""
        curve = self._curve(vary)
        columns = [np.asarray(getattr(curve, cost)) for cost in ("parameter", *CURVE_AXES.values())]
        return [Point(*row) for row in np.stack(columns, axis=1).tolist()]

    def path(self, view: View, vary: Vary) -> tuple[np.ndarray, np.ndarray]:
        """Return the curve itself: steps where the miss rate is on one of the axes."""
        return path_of(self._knots_on(view, vary), view)

    def area(self, view: View, vary: Vary, _rule: str, part: PartRange | None) -> float:
        """Integrate the curve exactly, cut right at the ends of a part; no rule of quadrature is needed."""
        if part is None and vary == "scale" and view.x == "bandwidth" and view.y in ("missrate", "deficit"):
            y = cast("Y", CURVE_AXES[view.y])  # a closed form, without a sort
            return self._curve(vary).area(y=y) / (view.x_unit * view.y_unit)
        x, y_path = self.path(view, vary)
        if part is not None:
            x, y_path = part_of(x, y_path, part.low, part.high, on_x=part.on_x)
        return area_below(x, y_path)

    def at(self, axis: str, value: float, vary: Vary) -> Point:
        """Return the point with the value itself; of a miss rate, the narrowest with at most that."""
        asked: dict[str, Any] = {CURVE_AXES.get(axis, axis): value}
        return _point(self._curve(vary).at(**asked))

    def moved(self, scale: float, bias: float) -> Point:
        """Return the costs of other bands."""
        if (scale, bias) == (1, 0):
            return _point(self._curve("scale").original)
        if scale == 1:
            return _point(self._curve("shift").at(parameter=bias))
        bands = self.intervals.shifted(bias) if bias else self.intervals
        return _point(UCC(bands).at(parameter=scale))

    def cheapest(self, view: View, x_cost: float, y_cost: float, vary: Vary) -> Cheapest:
        """Return the least cost over the whole curve, bands of zero included."""
        knots = self._knots_on(view, vary)
        x, y = knots.costs[view.x], knots.costs[view.y]
        costs = x_cost * x + y_cost * y
        place = int(np.argmin(costs))
        return Cheapest(*(float(column[place]) for column in (costs, knots.parameter, x, y)))

    def _knots_on(self, view: View, vary: Vary) -> Knots:
        """Return the knots of two axes, which are sorted once."""
        key = (frozenset((view.x, view.y)), vary)
        if key not in self._knots:
            if len(self._knots) == _KEPT:
                self._knots.pop(next(iter(self._knots)))
            self._knots[key] = knots_of(self._curve(vary), key[0])
        return self._knots[key]

    def _curve(self, vary: Vary) -> UCC:
        return self._scale_curve if vary == "scale" else self._shift_curve

    @cached_property
    def _scale_curve(self) -> UCC:
        return UCC(self.intervals)

    @cached_property
    def _shift_curve(self) -> UCC:
        return UCC(self.intervals, vary="shift")


def _point(at: OperatingPoint) -> Point:
    return Point(at.parameter, at.miss_rate, at.bandwidth, at.excess, at.deficit)
