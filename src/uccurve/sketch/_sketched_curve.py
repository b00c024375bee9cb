"""The curve of a sketch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import frozen
from uccurve.curve import Curve, Frontier, ceiling, check_axes, on_axes, one_of, span
from uccurve.formulas.bands import SCALE, OutputErrors
from uccurve.formulas.bins import ZERO
from uccurve.sketch import _constant_bands, _state
from uccurve.sketch._binned_data import BinnedData

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Partial, Side, X, Y
    from uccurve.sketch._sketch import UCCSketch
    from uccurve.sketch._state import Output


@dataclass(frozen=True, eq=False, repr=False)
class SketchedUCC(Curve):
    """The curve of a sketch. It answers what a `UCC` answers, from the points that the sketch keeps.

    ``at(miss_rate=...)`` returns a point of the exact curve with at most that miss rate; its scale is
    at most 0.4% larger than the smallest such scale.
    """

    sketch: UCCSketch
    _off: float = field(default=0.0, kw_only=True)
    """Share of its scale by which a stored point may be off."""
    vary = SCALE.name

    def __post_init__(self) -> None:
        self.sketch._filled()

    @cached_property
    def data(self) -> BinnedData:
        return BinnedData(self.sketch._state)

    @property
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1% of the mean band."""
        return self.data.summary.symmetric

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.sketch.side

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.sketch.rows

    @property
    def nominal(self) -> float | None:
        return self.sketch.nominal

    def has_same_constant(self, other: Curve) -> bool:
        """Compare what is left of the residuals."""
        if not isinstance(other, SketchedUCC):
            return False
        mine, theirs = self.sketch._state, other.sketch._state
        if (mine.side, mine.n_outputs) != (theirs.side, theirs.n_outputs):
            return False
        tables = ([output.error for output in data.outputs] for data in (self.data, other.data))
        widths = (_constant_bands.scalable(data.summary.widths) for data in (self.data, other.data))
        return all(map(_state.same_table, *tables)) and SCALE.same_division(*widths)

    def __repr__(self) -> str:
        return f"{self.sketch!r}.curve()"

    def ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate", asymmetric: bool = False) -> float:
        check_axes(x, y)
        if self.data.summary.error == 0:
            return math.nan
        outputs = list(map(self._errors, self.data.outputs, self.data.summary.widths))
        asymmetric = asymmetric and self.side == "both"
        return ceiling(outputs, SCALE, lambda: math.nan, x, y, asymmetric=asymmetric)

    def _errors(self, output: Output, width: float) -> OutputErrors:
        """Return the means that the ceiling needs."""
        weight, error = (float(column.sum()) for column in output.error.sums)
        return OutputErrors(
            width=width,
            error=error / weight,
            root=output.root / weight,
            square=output.square / weight,
            exact=_state.weight_in(output.error, ZERO) / weight,
        )

    @cached_property
    def reference(self) -> SketchedUCC:
        """The curve of the null reference: a constant band around the same predictions.

        Of several outputs, each has its own constant. Their points are then within 1/256 of the scale.
        """
        state, summary = self.sketch._state, self.data.summary
        if summary.constant and summary.narrowest > 0:
            return self
        constant = type(self.sketch)(_constant_bands.state_of(state, summary.widths))
        return SketchedUCC(constant, _off=_constant_bands.BIN if state.outputs else 0.0)

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass, where bins end."""
        weight, error = self.sketch._state.error.sums
        total = self.data.summary.weight

        def left(column: np.ndarray) -> np.ndarray:
            return np.concatenate([np.cumsum(column[::-1])[::-1], [0.0]]) / total

        covered = np.concatenate([[0.0], np.cumsum(error)]) / total
        return Frontier(
            miss_rate=frozen(left(weight)), bandwidth=frozen(covered), deficit=frozen(left(error))
        )

    def error_bound(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        partial: Partial = "mean",
        miss_rate: tuple[float, float] | None = None,
        coverage: tuple[float, float] | None = None,
        bandwidth: tuple[float, float] | None = None,
        excess: tuple[float, float] | None = None,
        deficit: tuple[float, float] | None = None,
        parameter: tuple[float, float] | None = None,
    ) -> float:
        """Return how far `area` of the same arguments can be from that of the rows, in its unit.

        Parameters
        ----------
        x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
            As in `area`.
        """
        check_axes(x, y)
        range_ = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = one_of("a range", range_, required=False)
        if axis is None and x == "bandwidth":
            return 0.0
        data = self.data
        part = span(data, axis, range_)
        k, xs, ys = data.parameter, getattr(data, x), getattr(data, y)
        # Within a bin the curve runs between two corners; where a range ends in it, all of it is in doubt.
        first = max(int(np.searchsorted(k, part.first)) - 1, 0)
        last = min(int(np.searchsorted(k, part.last)) + 1, k.size - 1)
        wide, high = np.diff(xs[first : last + 1]), -np.diff(ys[first : last + 1])
        shifted = 4 * self._off * float(data.bandwidth[last])  # of x, with points that are off
        within = float(wide @ high) + shifted * float(ys[first])
        if axis is None or not wide.size:
            return within
        if partial == "strip":
            return within + float(ys[first] * wide[0] + ys[max(last - 1, first)] * wide[-1])
        if part.miss_rates is not None and y == "miss_rate":
            return within / (part.miss_rates[1] - part.miss_rates[0])
        return float(xs[last] - xs[first]) + shifted  # a mean of x over the part, wherever its ends are
