"""One model on the exact core."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve.compat.uq360._coordinates import CURVE_AXES, Point
from uccurve.compat.uq360._curve_path import area_below, knots_of, part_of, path_of
from uccurve.curve import UCC

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary, X, Y
    from uccurve.compat.uq360._coordinates import View
    from uccurve.compat.uq360._curve_path import Knots
    from uccurve.compat.uq360._fitted_model import PartRange
    from uccurve.curve import OperatingPoint
    from uccurve.intervals import Intervals

_CURVE_PAIRS = {(x, y) for x in ("bandwidth", "excess") for y in ("missrate", "deficit")}
"""The axes whose areas `UCC` knows itself."""


@dataclass(frozen=True, eq=False)
class ExactModel:
    """Intervals, and exact answers about their two curves."""

    intervals: Intervals

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
        return path_of(self._knots(vary), view)

    def area(self, view: View, vary: Vary, _rule: str, part: PartRange | None) -> float:
        """Integrate the curve exactly, cut right at the ends of a part; no rule of quadrature is needed."""
        if (view.x, view.y) in _CURVE_PAIRS:
            return self._known_area(view, vary, part)
        x, y = self.path(view, vary)
        if part is not None:
            x, y = part_of(x, y, part.low, part.high, on_x=part.on_x)
        return area_below(x, y)

    def at(self, axis: str, value: float, vary: Vary) -> Point:
        """Return the point with the value itself; of a miss rate, the narrowest with at most that."""
        asked: dict[str, Any] = {CURVE_AXES.get(axis, axis): value}
        return _point(self._curve(vary).at(**asked))

    def moved(self, scale: float, bias: float) -> Point:
        """Return the costs of other bands."""
        if scale == 1:
            return _point(self._curve("shift").at(parameter=bias))
        bands = self.intervals.shifted(bias) if bias else self.intervals
        return _point(UCC(bands).at(parameter=scale))

    def cheapest(self, view: View, x_cost: float, y_cost: float, vary: Vary) -> tuple[float, Point]:
        """Return the least cost over the whole curve, bands of zero included."""
        knots = self._knots(vary)
        costs = x_cost * knots.costs[view.x] + y_cost * knots.costs[view.y]
        place = int(np.argmin(costs))
        return float(costs[place]), self.at("parameter", float(knots.parameter[place]), vary)

    def _known_area(self, view: View, vary: Vary, part: PartRange | None) -> float:
        x, y = cast("X", CURVE_AXES[view.x]), cast("Y", CURVE_AXES[view.y])
        curve = self._curve(vary)
        if part is None:
            return curve.area(x=x, y=y) / (view.x_unit * view.y_unit)
        axis, unit = (x, view.x_unit) if part.on_x else (y, view.y_unit)
        high = min(part.high, 1.0) if axis == "miss_rate" else part.high * unit
        asked: dict[str, Any] = {axis: (part.low * unit, high)}
        return curve.area(x=x, y=y, partial="strip", **asked) / (view.x_unit * view.y_unit)

    def _curve(self, vary: Vary) -> UCC:
        return self._scale_curve if vary == "scale" else self._shift_curve

    def _knots(self, vary: Vary) -> Knots:
        return self._scale_knots if vary == "scale" else self._shift_knots

    @cached_property
    def _scale_curve(self) -> UCC:
        return UCC(self.intervals)

    @cached_property
    def _shift_curve(self) -> UCC:
        return UCC(self.intervals, vary="shift")

    @cached_property
    def _scale_knots(self) -> Knots:
        return knots_of(self._scale_curve)

    @cached_property
    def _shift_knots(self) -> Knots:
        return knots_of(self._shift_curve)


def _point(at: OperatingPoint) -> Point:
    return Point(at.parameter, at.miss_rate, at.bandwidth, at.excess, at.deficit)
