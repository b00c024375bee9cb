r"""The family of bands :math:`k z` with :math:`k \ge 0`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from uccurve.formulas import areas
from uccurve.formulas.hinges import Hinges
from uccurve.formulas.rows import taken

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve.curve.families._family import OutputErrors
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals, Summary

    Array = Any

_SAME = 1e-12
"""Differences between means that may be rounding."""


class Scale:
    """Multiply both bands of every row by one factor."""

    name: Final = "scale"
    as_given: Final = 1.0
    lowest: Final = 0.0
    proportional: Final = True
    nested: Final = False
    in_units_of_y: Final = False
    hinges_follow_from_bands: Final = True
    runs: Final[None] = None
    deficit_bends_at_points: Final = True

    def start(self, _widest: float) -> float:
        """Return 0, where every band is zero."""
        return 0.0

    def critical(self, xp: Any, rows: Rows, _start: float = 0.0) -> Array:
        """Smallest scale that captures a row: |e| / a; 0 where e = 0, infinite where only a = 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            k = rows.abs_error / rows.active
        if bool(xp.any(rows.active == 0)):
            k = xp.where(rows.abs_error == 0, xp.zeros_like(k), xp.abs(k))  # a band may be -0.0
        return k

    def bands(self, _xp: Any, band: Array, parameter: float | Array) -> Array:
        """Move bands to the given scale."""
        return band * parameter

    def row_bands(self, xp: Any, rows: Rows, parameter: float) -> tuple[Array, Array]:
        """Move the bands of both sides."""
        active = self.bands(xp, rows.active, parameter)
        return active, active if rows.passive is None else self.bands(xp, rows.passive, parameter)

    def bandwidth(self, _xp: Any, parameter: Array, summary: Summary) -> Array:
        """Multiply the mean half width."""
        return parameter * summary.width

    def hinges(self, xp: Any, rows: Rows, knots: Array, index: Array | None = None) -> Hinges:
        r"""Excess and deficit as sums of hinges.

        A captured row has the excess :math:`\min(k a - |e|,\ |e| + k p)`: slope a from its critical
        value on; where a > p, slope p with a pulse of a - p up to :math:`k' = 2|e| / (a - p)`. A missed
        row has the deficit :math:`|e| - k a`.
        """
        slope = _weighted(rows.active, rows)
        if rows.passive is None:
            return Hinges(knots, bandwidth=None, excess=slope, deficit=slope, row=index)
        drop = xp.clip(rows.active - rows.passive, min=0.0)
        passive = xp.minimum(rows.active, rows.passive)
        (steeper,) = xp.nonzero(drop)
        switch = 2 * taken(xp, rows.abs_error, steeper) / taken(xp, drop, steeper)
        pulse = _weighted(drop, rows)
        taken_back = -taken(xp, pulse, steeper)
        none = xp.zeros_like(taken_back)
        return Hinges(
            xp.concat([knots, switch]),
            bandwidth=None,
            excess=xp.concat([_weighted(passive, rows), none]),
            deficit=xp.concat([slope, none]),
            pulse=xp.concat([pulse, taken_back]),
            row=None if index is None else xp.concat([index, taken(xp, index, steeper)]),
            deficit_follows=True,
        )

    def captured_at_knot(self, critical: Array, _start: float) -> Array:
        """Return 1 for every row: critical values are knots."""
        return np.ones(critical.shape)

    def moved(self, intervals: Intervals, parameter: float) -> Intervals:
        """Multiply the bands."""
        return intervals.scaled(parameter)

    def same_division(self, widths: Sequence[float], others: Sequence[float]) -> bool:
        """Compare the widths of outputs as shares of the widest one."""
        (widest, other) = (max(widths) or 1.0, max(others) or 1.0)
        pairs = zip(widths, others, strict=True)
        return all(math.isclose(a / widest, b / other, rel_tol=_SAME, abs_tol=_SAME) for a, b in pairs)

    def for_unit_band(self, parameter: float, width: float) -> float:
        """Return k c for a band of c."""
        return parameter * width

    def ceiling(self, outputs: Sequence[OutputErrors], _constant_area: Callable[[], float], y: str) -> float:
        r"""Return :math:`1 - \sum_j (E\sqrt{|e_j|})^2 / c_j \div \sum_j E|e_j| / c_j`, by Cauchy-Schwarz.

        That is for bands with the mean widths :math:`c_j`. On bandwidth and deficit the terms are
        :math:`(E|e_j|)^2` and :math:`E(e_j^2)`.
        """
        widths = [output.width for output in outputs]
        if any(output.width == 0 < output.error for output in outputs):
            if any(widths):
                return math.nan  # an output without bands is out of reach, whatever the others do
            widths = [1.0] * len(outputs)  # no bands at all: the constant band is 1 everywhere
        if y == "deficit":
            terms = [(output.error**2, output.square) for output in outputs]
        else:
            terms = [(output.root**2, output.error) for output in outputs]
        least, needed = (areas.sum_by_width(list(column), widths) for column in zip(*terms, strict=True))
        return 1 - least / needed

    def caution(self, _x: str, _y: str) -> str | None:
        """Return nothing: areas on all axes tell models apart."""
        return None

    def advice(self, parameter: float, _unit: str = "") -> str:
        """Say what to multiply by."""
        return f"multiply by {parameter:.3g}"


def _weighted(column: Array, rows: Rows) -> Array:
    return column if rows.weight is None else column * rows.weight
