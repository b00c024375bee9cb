r"""The family of bands :math:`\max(z + s, 0)` with any real s."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from uccurve.formulas.hinges import Hinges
from uccurve.formulas.runs import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve.curve.families._family import OutputErrors
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals, Summary

    Array = Any

_SAME = 1e-12
"""Differences between means that may be rounding."""


class Shift:
    """Add one amount to both bands of every row, down to zero at most."""

    name: Final = "shift"
    as_given: Final = 0.0
    lowest: Final = -math.inf
    proportional: Final = False
    nested: Final = False
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

    def row_bands(self, xp: Any, rows: Rows, parameter: float) -> tuple[Array, Array]:
        """Move the bands of both sides."""
        active = self.bands(xp, rows.active, parameter)
        return active, active if rows.passive is None else self.bands(xp, rows.passive, parameter)

    def bandwidth(self, _xp: Any, _parameter: Array, _summary: Summary) -> None:
        """Return nothing: it bends at every row."""
        return

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

    def runs(self, rows: Rows) -> list[Run]:
        """Return the same knots kind by kind, of rows of equal weights."""
        touch, opened, passive = rows.abs_error - rows.active, -rows.active, rows.passive
        if passive is None:
            return [Run(touch, 0.0, 1.0, 1.0), Run(opened, 1.0, 0.0, -1.0)]
        switching = rows.active - passive > 2 * rows.abs_error
        nearer = (2 * rows.abs_error - rows.active)[switching]
        return [
            Run(touch, 0.0, 1.0, 1.0),
            Run(opened, 0.5, 0.0, -1.0),
            Run(-passive[switching], 0.5, 1.0, 0.0),
            Run(-passive[~switching], 0.5, 0.0, 0.0),
            Run(nearer, 0.0, -1.0, 0.0),
        ]

    def captured_at_knot(self, critical: Array, start: float) -> Array:
        """Return 0 for rows with e = 0: their first knot lies behind the start."""
        return np.asarray(critical > start, dtype=np.float64)

    def moved(self, intervals: Intervals, parameter: float) -> Intervals:
        """Widen the bands."""
        return intervals.shifted(parameter)

    def same_division(self, widths: Sequence[float], others: Sequence[float]) -> bool:
        """Compare how much wider the outputs are than the first one."""
        size = max(*widths, *others)
        pairs = zip(widths, others, strict=True)
        return all(abs((a - widths[0]) - (b - others[0])) <= _SAME * size for a, b in pairs)

    def for_unit_band(self, parameter: float, width: float) -> float:
        """Return s + c - 1 for a band of c."""
        return parameter + width - 1

    def ceiling(self, outputs: Sequence[OutputErrors], constant_area: Callable[[], float], y: str) -> float:
        r"""Compare the area of the constant band with the least area of any symmetric bands.

        Against the miss rate that is :math:`P(e \ne 0)\,E|e|`: for any two rows that need a band,
        :math:`(z_j - z_i + |e_i|)^+ + (z_i - z_j + |e_j|)^+ \ge |e_i| + |e_j|`. Bandwidth and deficit add up
        to :math:`E|e|` at least, which leaves :math:`\tfrac12 (E|e|)^2` against the deficit.
        """
        error = sum(output.error for output in outputs) / len(outputs)
        exact = sum(output.exact for output in outputs) / len(outputs)
        if len(outputs) == 1:  # then the constant band's areas are E|e| and half of E(e²)
            return 1 - error**2 / outputs[0].square if y == "deficit" else exact
        least = error**2 / 2 if y == "deficit" else (1 - exact) * error
        return 1 - least / constant_area()

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
