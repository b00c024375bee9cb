"""One model in UQ360's arithmetic: its points, its quadrature, its nearest points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.compat.uq360._coordinates import Point
from uccurve.compat.uq360._fitted_model import Cheapest
from uccurve.compat.uq360._published_points import PublishedPoints, costs_at
from uccurve.compat.uq360._quadrature import simpson, trapezoids
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Vary
    from uccurve.compat.uq360._coordinates import View
    from uccurve.compat.uq360._fitted_model import PartRange

_LEAST_POINTS = 2
_ROUNDING = 1e-13
"""Values that differ by less, relative to the largest one, are computed once more, in UQ360's order."""
_NEAR = 1e-9
"""Points whose x differ by less, relative to the largest one, may share it but for rounding."""
_MOST_RECOMPUTED = 64


@dataclass(frozen=True, eq=False)
class PublishedModel:
    """Residuals and bands, and UQ360's answers about them."""

    residual: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def points(self, vary: Vary) -> list[Point]:
        """Return the operating points, one for each row."""
        columns = [getattr(self._points(vary), cost) for cost in Point._fields]
        return [Point(*row) for row in np.stack(columns, axis=1).tolist()]

    def path(self, view: View, vary: Vary) -> tuple[np.ndarray, np.ndarray]:
        """Return the points that UQ360 joins by straight lines."""
        points = self._points(vary)
        return getattr(points, view.x) / view.x_unit, getattr(points, view.y) / view.y_unit

    def area(self, view: View, vary: Vary, rule: str, part: PartRange | None) -> float:
        """Add up trapezoids or parabolas from where x begins to change, between the nearest points."""
        x, y = self.path(view, vary)
        if x.size < _LEAST_POINTS:
            raise ArgumentError("UQ360 finds no area of 1 row: give more, or leave out as_published=True")
        begin = self._begin(view.x, vary)
        if begin >= x.size - 2:
            return 0.0
        ends = slice(begin, x.size) if part is None else self._nearest_points(view, vary, begin, part)
        if rule == "trapz":
            return trapezoids(y[ends], x[ends])
        self._settle_near_ties(x, y, view, vary)
        return simpson(y[ends], x[ends])

    def at(self, axis: str, value: float, vary: Vary) -> Point:
        """Return the first of the nearest points."""
        points = self._points(vary)
        distances = np.abs(getattr(points, axis) - value)
        if axis == "parameter":
            return points.at(int(np.argmin(distances)))
        return points.at(self._least(distances, vary, lambda point: abs(getattr(point, axis) - value)))

    def moved(self, scale: float, bias: float) -> Point:
        """Return the costs of other bands."""
        return costs_at(self.residual, self.lower, self.upper, scale, bias)

    def cheapest(self, view: View, x_cost: float, y_cost: float, vary: Vary) -> Cheapest:
        """Return the least cost among the points, none of which has bands of zero."""
        points = self._points(vary)

        def cost(of: Any) -> Any:
            return x_cost * getattr(of, view.x) + y_cost * getattr(of, view.y)

        found = points.at(self._least(cost(points), vary, cost))
        least = float(cost(self._recomputed(found.parameter, vary)))
        return Cheapest(least, found.parameter, getattr(found, view.x), getattr(found, view.y))

    def _points(self, vary: Vary) -> PublishedPoints:
        return self._scale_points if vary == "scale" else self._shift_points

    @cached_property
    def _scale_points(self) -> PublishedPoints:
        return PublishedPoints(self.residual, self.lower, self.upper, "scale")

    @cached_property
    def _shift_points(self) -> PublishedPoints:
        return PublishedPoints(self.residual, self.lower, self.upper, "shift")

    def _recomputed(self, parameter: float, vary: Vary) -> Point:
        """Return the costs at one parameter, added up in UQ360's order: equal costs are equal to the bit."""
        return self.moved(parameter, 0.0) if vary == "scale" else self.moved(1.0, parameter)

    def _least(
        self, values: np.ndarray, vary: Vary, of_point: Callable[[Point], float], begin: int = 0
    ) -> int:
        """Return the place of the first smallest value, counted from the place where the values begin.

        Where several are the smallest up to rounding, UQ360's choice hangs on it, so they are recomputed.
        """
        place = int(np.argmin(values))
        rivals = np.flatnonzero(values <= values[place] + _ROUNDING * np.max(np.abs(values)))
        parameters, first = np.unique(self._points(vary).parameter[begin:][rivals], return_index=True)
        if not 1 < parameters.size <= _MOST_RECOMPUTED:
            return place
        exactly = [of_point(self._recomputed(parameter, vary)) for parameter in parameters.tolist()]
        return int(rivals[first[int(np.argmin(exactly))]])

    def _nearest_points(self, view: View, vary: Vary, begin: int, part: PartRange) -> slice:
        """Return the points from the nearest one at one end of a range to that at the other."""
        axis, unit = (view.x, view.x_unit) if part.on_x else (view.y, view.y_unit)
        values = getattr(self._points(vary), axis)[begin:] / unit

        def nearest(end: float) -> int:
            distances = np.abs(values - end)
            return self._least(distances, vary, lambda point: abs(getattr(point, axis) / unit - end), begin)

        first, last = nearest(part.low), nearest(part.high)
        if not part.on_x:
            first, last = min(first, last), max(first, last)
        if last <= first:
            name = "partial_x" if part.on_x else "partial_y"
            raise ArgumentError(
                f"`{name}` = ({part.low:g}, {part.high:g}) has fewer than two of UQ360's points in it: give "
                "a wider range, or leave out as_published=True, which cuts the curve right at the ends"
            )
        return slice(begin + first, begin + last + 1)

    def _settle_near_ties(self, x: np.ndarray, y: np.ndarray, view: View, vary: Vary) -> None:
        """Recompute points whose x differ in their last digits only, and those beside them.

        Simpson's rule divides by the difference, which is made of UQ360's rounding: every bit of a parabola's
        points counts. Where there are many of them, its number cannot be repeated, and means nothing.
        """
        parameter = self._points(vary).parameter
        close = np.abs(np.diff(x)) <= _NEAR * np.max(np.abs(x))
        near = np.flatnonzero(close & (np.diff(parameter) > 0))
        beside = np.clip(np.add.outer(near, np.arange(-1, 3)), 0, x.size - 1)
        tied = np.unique(parameter[beside])
        for one in tied.tolist() if tied.size <= _MOST_RECOMPUTED else ():
            same = slice(*(int(np.searchsorted(parameter, one, side=side)) for side in ("left", "right")))
            x[same], y[same] = view.of(self._recomputed(one, vary))

    def _begin(self, axis: str, vary: Vary) -> int:
        """Return the last of the first points that share their x.

        UQ360 asks whether two sums are the same number. Where parameters differ, that hangs on their
        rounding, so the sums are taken here as there.
        """
        points = self._points(vary)
        parameter, last = points.parameter, points.parameter.size - 1

        def x_at(place: int) -> float:
            if axis == "missrate":
                return float(points.missrate[place])
            return float(getattr(self._recomputed(float(parameter[place]), vary), axis))

        place, here = 1, x_at(0)
        while place < last and (parameter[place] == parameter[place - 1] or x_at(place) == here):
            place += 1
        return place - 1
