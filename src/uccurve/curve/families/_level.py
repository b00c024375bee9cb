"""The family of a model's own central intervals: nominal coverage moves the operating point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from uccurve.curve.families._scale import Scale
from uccurve.formulas import ladder_hinges, ladders

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Tails
    from uccurve.curve.families._family import OutputErrors
    from uccurve.formulas.hinges import Hinges
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals, Summary

    Array = Any

_SCALE = Scale()


@dataclass(frozen=True)
class Level:
    r"""Move along nested pairs of quantiles, all rows to the same nominal coverage.

    The parameter t is the nominal coverage as a share of that of the outermost pair: 1 is "as given". Bounds
    are linear between the levels of pairs, and at 0 they meet in the center, the median or the midpoint of
    the innermost pair. Beyond 1 the outermost pair is multiplied by t around the center, or, without tails,
    stays as it is.
    """

    tails: Tails = "scale"
    name: Final = "level"
    as_given: Final = 1.0
    lowest: Final = 0.0
    proportional: Final = False
    nested: Final = True
    in_units_of_y: Final = False
    hinges_follow_from_bands: Final = False
    runs: Final[None] = None
    deficit_bends_at_points: Final = False

    @property
    def _scaled_tails(self) -> bool:
        return self.tails == "scale"

    def start(self, _widest: float) -> float:
        """Return 0, where every pair meets in the center."""
        return 0.0

    def critical(self, xp: Any, rows: Rows, _start: float = 0.0) -> Array:
        """Smallest share of the largest nominal coverage that captures a row; beyond 1, its scale."""
        if rows.ladder is None:  # one pair
            return _SCALE.critical(xp, rows)
        return ladders.critical(xp, rows.abs_error, rows.ladder, tails=self._scaled_tails)

    def bands(self, _xp: Any, band: Array, parameter: float | Array) -> Array:
        """Move the bands of a single pair."""
        return band * parameter

    def row_bands(self, xp: Any, rows: Rows, parameter: float) -> tuple[Array, Array]:
        """Move the bands of both sides to a parameter."""
        if rows.ladder is None:
            return _SCALE.row_bands(xp, rows, parameter)
        knots, tails = rows.ladder.knots, self._scaled_tails
        active, passive = (
            ladders.band_at(xp, knots, side, parameter, tails=tails)
            for side in (rows.ladder.active, rows.ladder.passive)
        )
        return active, passive

    def bandwidth(self, xp: Any, parameter: Array, summary: Summary) -> Array:
        """Interpolate the bandwidths of the pairs."""
        if not summary.ladder:
            return parameter * summary.width
        knots, widths = zip(*summary.ladder, strict=True)
        return ladders.interpolate(xp, knots, widths, parameter, tails=self._scaled_tails)

    def hinges(self, xp: Any, rows: Rows, knots: Array, index: Array | None = None) -> Hinges:
        """Excess and deficit as sums of hinges, at critical values, at the levels of pairs, and between."""
        if rows.ladder is None:
            found = _SCALE.hinges(xp, rows, knots, index)
            return found if index is None else _with_bandwidth(xp, found, rows, index)
        return ladder_hinges.hinges(xp, rows, rows.ladder, knots, index, tails=self._scaled_tails)

    def captured_at_knot(self, critical: Array, start: float) -> Array:
        """Return 1 for every row: critical values are knots."""
        return _SCALE.captured_at_knot(critical, start)

    def moved(self, intervals: Intervals, parameter: float) -> Intervals:
        """Take the intervals of another nominal coverage."""
        return intervals.at_level(parameter, tails=self._scaled_tails)

    def same_division(self, widths: Sequence[float], others: Sequence[float]) -> bool:
        """Compare the widths of outputs as shares of the widest one: constant bands are scaled."""
        return _SCALE.same_division(widths, others)

    def for_unit_band(self, parameter: float, width: float) -> float:
        """Return t c for a band of c."""
        return parameter * width

    def ceiling(self, outputs: Sequence[OutputErrors], constant_area: Callable[[], float], y: str) -> float:
        r"""Compare the area of the constant band with the least area of any nested intervals.

        Against the deficit that is :math:`\tfrac12 (E|e|)^2`, as bandwidth and deficit add up to
        :math:`E|e|` at least. Against the miss rate it is the area under the limit line, which opens one row
        after the other: not a matter of means.
        """
        if y != "deficit":
            return math.nan
        error = sum(output.error for output in outputs) / len(outputs)
        return 1 - error**2 / 2 / constant_area()

    def caution(self, _x: str, _y: str) -> str | None:
        """Return nothing: areas on all axes tell models apart."""
        return None

    def advice(self, parameter: float, _unit: str = "") -> str:
        """Say which nominal coverage to take, or what to multiply the outermost pair by."""
        if parameter > 1:
            return f"multiply the outermost pair by {parameter:.3g}"
        return f"take {parameter:.3g} of the largest level"


def _with_bandwidth(xp: Any, found: Hinges, rows: Rows, index: Array) -> Hinges:
    """Add the knots at which the half widths of single pairs open: all at 0."""
    active, passive = _SCALE.row_bands(xp, rows, 1.0)
    width = active / 2 + passive / 2
    zero, start = xp.zeros_like(found.knots), xp.zeros_like(width)
    pulse = None if found.pulse is None else xp.concat([found.pulse, start])
    return found._replace(
        knots=xp.concat([found.knots, start]),
        bandwidth=xp.concat([zero, width if rows.weight is None else width * rows.weight]),
        excess=xp.concat([found.excess, start]),
        deficit=xp.concat([found.deficit, start]),
        pulse=pulse,
        row=xp.concat([found.row, index]),
    )
