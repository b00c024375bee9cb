"""One model in UQ360's arithmetic: its points, its quadrature, its nearest points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve.compat.uq360._coordinates import Point
from uccurve.compat.uq360._fitted_model import Cheapest
from uccurve.compat.uq360._published_points import PublishedPoints, costs_at
from uccurve.compat.uq360._quadrature import simpson, trapezoids
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary
    from uccurve.compat.uq360._coordinates import View
    from uccurve.compat.uq360._fitted_model import PartRange

_LEAST_POINTS = 2
_RIVALS = 1e-13
"""Costs that differ by less, relative to the largest one, are computed once more, in UQ360's order."""
_MOST_RIVALS = 64


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
            raise ArgumentError("UQ360 finds no area of 1 row: give more, or leave out as_published=True.")
        begin = self._begin(view.x, vary)
        if begin >= x.size - 2:
            return 0.0
        x, y = x[begin:], y[begin:]
        ends = slice(0, x.size) if part is None else _nearest_points(x if part.on_x else y, part)
        return (simpson if rule == "simps" else trapezoids)(y[ends], x[ends])

    def at(self, axis: str, value: float, vary: Vary) -> Point:
        """Return the first of the nearest points."""
        points = self._points(vary)
        return points.at(int(np.argmin(np.abs(getattr(points, axis) - value))))

    def moved(self, scale: float, bias: float) -> Point:
        """Return the costs of other bands."""
        return costs_at(self.residual, self.lower, self.upper, scale, bias)

    def cheapest(self, view: View, x_cost: float, y_cost: float, vary: Vary) -> Cheapest:
        """Return the least cost among the points, none of which has bands of zero.

        Where several points cost the same, UQ360's choice hangs on its rounding.
        """
        points = self._points(vary)
        costs = x_cost * getattr(points, view.x) + y_cost * getattr(points, view.y)
        place = int(np.argmin(costs))
        best = costs[place]
        rivals = np.flatnonzero(costs <= best + _RIVALS * (abs(best) + np.max(np.abs(costs))))
        parameters = np.unique(points.parameter[rivals])
        if parameters.size > _MOST_RIVALS:
            return _cheapest(float(best), points.at(place), view)

        def cost(parameter: float) -> float:
            point = self._recomputed(parameter, vary)
            return float(x_cost * getattr(point, view.x) + y_cost * getattr(point, view.y))

        exactly = [cost(parameter) for parameter in parameters.tolist()]
        chosen = int(np.argmin(exactly))
        first = int(np.searchsorted(points.parameter, parameters[chosen]))
        return _cheapest(exactly[chosen], points.at(first), view)

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


def _cheapest(cost: float, point: Point, view: View) -> Cheapest:
    return Cheapest(cost, point.parameter, getattr(point, view.x), getattr(point, view.y))


def _nearest_points(values: np.ndarray, part: PartRange) -> slice:
    """Return the points from the nearest one at one end of a range to that at the other."""
    first, last = (int(np.argmin(np.abs(values - end))) for end in (part.low, part.high))
    if not part.on_x:
        first, last = min(first, last), max(first, last)
    if last <= first:
        name = "partial_x" if part.on_x else "partial_y"
        raise ArgumentError(
            f"`{name}` = ({part.low:g}, {part.high:g}) has fewer than two of UQ360's points in it: give a "
            "wider range, or leave out as_published=True, which cuts the curve right at the ends."
        )
    return slice(first, last + 1)
