"""Axes by UQ360's names, the coordinates that are set and stay set, and the view they give."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from uccurve._base import arguments

AXIS_NUMBERS = {"missrate": 1, "bandwidth": 2, "excess": 3, "deficit": 4}
"""The axes, with their places in a `Point`."""
AXIS_WORDS = {1: "Missrate", 2: "Bandwidth", 3: "Excess", 4: "Deficit"}
CURVE_AXES = {"missrate": "miss_rate", "bandwidth": "bandwidth", "excess": "excess", "deficit": "deficit"}
"""What `UCC` calls the same axes."""


class Point(NamedTuple):
    """An operating point in raw units, in the order of the tuples in UQ360's ``plotdata``."""

    parameter: float
    missrate: float
    bandwidth: float
    excess: float
    deficit: float


class View(NamedTuple):
    """Two axes, and the numbers that values on them are divided by."""

    x: str
    y: str
    x_unit: float
    y_unit: float

    def of(self, point: Point) -> tuple[float, float]:
        """Return the coordinates of a point as they are shown."""
        return getattr(point, self.x) / self.x_unit, getattr(point, self.y) / self.y_unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Coordinates:
    """What the axes show.

    Attributes
    ----------
    x, y : str
        Names of the axes.
    norm_x, norm_y : bool
        Whether values are divided by the unit. The exact drop-in never divides a miss rate, whatever these
        say.
    as_published : bool
        Follow UQ360's code where that differs from its documentation.
    """

    x: str = "excess"
    y: str = "missrate"
    norm_x: bool
    norm_y: bool
    as_published: bool = False

    @property
    def normalized(self) -> tuple[bool, bool]:
        """Whether each axis is divided by the unit, in fact."""
        pairs = ((self.x, self.norm_x), (self.y, self.norm_y))
        first, second = (norm and (self.as_published or axis != "missrate") for axis, norm in pairs)
        return first, second

    def view(self, unit: float) -> View:
        """Return the axes with their units."""
        x_unit, y_unit = (unit if norm else 1.0 for norm in self.normalized)
        return View(self.x, self.y, x_unit, y_unit)


def first_coordinates(normalize: Any, *, as_published: bool) -> Coordinates:
    """Return UQ360's usual axes: excess and miss rate."""
    start = Coordinates(norm_x=False, norm_y=False, as_published=as_published)
    return changed(start, start.x, start.y, bool(normalize), usual=bool(normalize))


def changed(now: Coordinates, x: str | None, y: str | None, normalize: Any, *, usual: bool) -> Coordinates:
    """Return other coordinates; None leaves an axis as it is.

    By its documentation, UQ360 leaves the normalization as it is where ``normalize`` is None. By its code it
    goes back to that of the constructor, ``usual``, for the axes that are named; and ``normalize`` without
    axes also divides a miss rate, which by its documentation never happens.
    """
    for name, axis in (("x_axis_name", x), ("y_axis_name", y)):
        if axis is not None:
            arguments.option(name, axis, tuple(AXIS_NUMBERS))
    if now.as_published:
        return _changed_as_published(now, x, y, usual if normalize is None else bool(normalize))
    both = x is None and y is None
    norm_x, norm_y = (
        bool(normalize) if normalize is not None and (both or axis is not None) else norm
        for axis, norm in ((x, now.norm_x), (y, now.norm_y))
    )
    return replace(now, x=x or now.x, y=y or now.y, norm_x=norm_x, norm_y=norm_y)


def _changed_as_published(now: Coordinates, x: str | None, y: str | None, normalize: bool) -> Coordinates:
    if x is None and y is None:
        return replace(now, norm_x=normalize, norm_y=normalize)
    norm_x, norm_y = (
        norm if axis is None else normalize and axis != "missrate"
        for axis, norm in ((x, now.norm_x), (y, now.norm_y))
    )
    return replace(now, x=x or now.x, y=y or now.y, norm_x=norm_x, norm_y=norm_y)
