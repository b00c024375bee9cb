r"""The family of bands :math:`\max(z + s, 0)` with any real s."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from uccurve._kernels.hinges import Hinges

if TYPE_CHECKING:
    from uccurve._kernels.rows import Rows
    from uccurve.intervals import Intervals

    Array = Any


class Shift:
    """Add one amount to both bands of every row, down to zero at most."""

    name: Final = "shift"
    as_given: Final = 0.0
    lowest: Final = -math.inf
    proportional: Final = False
    in_units_of_y: Final = True
    hinges_follow_from_bands: Final = False
    deficit_bends_at_points: Final = False

    def start(self, widest: float) -> float:
        """Return the shift at which the widest band is zero."""
        return 0.0 - widest

    def critical(self, xp: Any, rows: Rows, start: float) -> Array:
        """Smallest shift that captures a row: |e| - a; a row with e = 0 is captured from the start."""
        error = rows.abs_error
        return xp.where(error == 0, xp.full_like(error, start), error - rows.active)

    def bands(self, xp: Any, band: Array, parameter: float | Array) -> Array:
        """Move bands by the given shift."""
        return xp.maximum(band + parameter, xp.zeros_like(band))

    def hinges(self, xp: Any, rows: Rows, _knots: Array, index: Array | None = None) -> Hinges:
        r"""Half width, excess and deficit as sums of hinges.

        Each band opens at :math:`s = -z`. The deficit falls with slope 1 from there to the critical
        value. The excess rises with slope 1 from the critical value on; where :math:`a - p > 2|e|`
        the far bound is nearer from :math:`2|e| - a` on, and stays where it is until :math:`-p`.
        """
        weight = xp.ones_like(rows.abs_error) if rows.weight is None else rows.weight
        touch, opened = rows.abs_error - rows.active, -rows.active
        zero = xp.zeros_like(weight)
        if rows.passive is None:
            return Hinges(
                xp.concat([touch, opened]),
                bandwidth=xp.concat([zero, weight]),
                excess=xp.concat([weight, zero]),
                deficit=xp.concat([weight, -weight]),
                row=None if index is None else xp.concat([index, index]),
            )
        passive = rows.passive
        switching = rows.active - passive > 2 * rows.abs_error
        nearer = (2 * rows.abs_error - rows.active)[switching]
        drop = weight[switching]
        none = xp.zeros_like(drop)
        return Hinges(
            xp.concat([touch, opened, -passive, nearer]),
            bandwidth=xp.concat([zero, weight / 2, weight / 2, none]),
            excess=xp.concat([weight, zero, xp.where(switching, weight, zero), -drop]),
            deficit=xp.concat([weight, -weight, zero, none]),
            row=None if index is None else xp.concat([index, index, index, index[switching]]),
        )

    def captured_at_knot(self, critical: Array, start: float) -> Array:
        """Return 0 for rows with e = 0: their first knot lies behind the start."""
        return np.asarray(critical > start, dtype=np.float64)

    def moved(self, intervals: Intervals, parameter: float) -> Intervals:
        """Widen the bands."""
        return intervals.shifted(parameter)

    def of_equal_width(self, widths: tuple[float, float]) -> tuple[float, float]:
        """Widen the narrower model."""
        return max(widths) - widths[0], max(widths) - widths[1]

    def for_unit_band(self, parameter: float, width: float) -> float:
        """Return s + c - 1 for a band of c."""
        return parameter + width - 1

    def miss_rate_ceiling(self, _root: float, exact: float) -> float:
        r"""Return the share of exact predictions, as a rule 0.

        For any two rows that need a band,
        :math:`(z_j - z_i + |e_i|)^+ + (z_i - z_j + |e_j|)^+ \ge |e_i| + |e_j|`.
        """
        return exact

    def caution(self, x: str, y: str) -> str | None:
        """Say that the area of symmetric bands on bandwidth and miss rate is that of any other."""
        if (x, y) != ("bandwidth", "miss_rate"):
            return None
        return (
            "Under shift these areas say little about bands around the same predictions, symmetric ones "
            "gain nothing: rank them by the deficit."
        )

    def advice(self, parameter: float, unit: str = "") -> str:
        """Say what to add."""
        return f"add {parameter:.3g}" + (f" {unit}" if unit else "")
