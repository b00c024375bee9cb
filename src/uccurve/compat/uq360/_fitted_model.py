"""What the drop-in asks of one model: answered exactly, or as UQ360 does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import Vary
    from uccurve.compat.uq360._coordinates import Point, View


class PartRange(NamedTuple):
    """A part of the curve: values on one of the two axes, as they are shown."""

    on_x: bool
    low: float
    high: float


class Cheapest(NamedTuple):
    """The operating point with the least cost, in raw units."""

    cost: float
    parameter: float
    x: float
    y: float


class FittedModel(Protocol):
    """One model's predictions and bands, beside the observations."""

    @property
    def residual(self) -> np.ndarray:
        """Observation minus prediction, shape (n,)."""

    @property
    def lower(self) -> np.ndarray:
        """Lower bands, shape (n,)."""

    @property
    def upper(self) -> np.ndarray:
        """Upper bands, shape (n,)."""

    def points(self, vary: Vary) -> list[Point]:
        """Return the operating points of the curve in raw units."""

    def path(self, view: View, vary: Vary) -> tuple[np.ndarray, np.ndarray]:
        """Return the line to draw, as shown on the axes."""

    def area(self, view: View, vary: Vary, rule: str, part: PartRange | None) -> float:
        """Return the area under the curve, as shown on the axes."""

    def at(self, axis: str, value: float, vary: Vary) -> Point:
        """Return the operating point with a value, in raw units, on an axis or of the parameter."""

    def moved(self, scale: float, bias: float) -> Point:
        """Return the costs of the bands, widened by ``bias`` and then multiplied by ``scale``."""

    def cheapest(self, view: View, x_cost: float, y_cost: float, vary: Vary) -> Cheapest:
        """Return the least cost of raw values on the two axes."""
