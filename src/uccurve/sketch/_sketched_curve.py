"""The curve of a sketch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import frozen
from uccurve._kernels.bins import ZERO, BinTable
from uccurve.curve import Curve, Frontier, _limits
from uccurve.curve._ranges import on_axes, one_of, span
from uccurve.curve.families import SCALE
from uccurve.curve.families._family import OutputErrors
from uccurve.exceptions import ArgumentError
from uccurve.sketch import _state
from uccurve.sketch._binned_data import BinnedData
from uccurve.sketch._state import State, same_table

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Partial, X, Y
    from uccurve.sketch._sketch import UCCSketch


@dataclass(frozen=True, eq=False, repr=False)
class SketchedUCC(Curve):
    """The curve of a sketch. It answers what a `UCC` answers, from the points that the sketch keeps.

    ``at(miss_rate=...)`` returns a point of the exact curve with at most that miss rate; its scale is
    at most 0.4 % larger than the smallest such scale.
    """

    sketch: UCCSketch
    vary = SCALE.name

    def __post_init__(self) -> None:
        self.sketch._filled()

    @cached_property
    def _data(self) -> BinnedData:
        return BinnedData(self.sketch._state)

    @property
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1 % of the mean band."""
        return self._data.summary.symmetric

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.sketch.rows

    @property
    def _nominal(self) -> float | None:
        return self.sketch.nominal

    def _same_constant_band(self, other: Curve) -> bool:
        """Compare what is left of the residuals."""
        return isinstance(other, SketchedUCC) and same_table(
            self.sketch._state.error, other.sketch._state.error
        )

    def __repr__(self) -> str:
        return f"{self.sketch!r}.curve()"

    def ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate", asymmetric: bool = False) -> float:
        self._check_axes(x, y)
        summary, totals = self._data.summary, self.sketch._state.totals
        if summary.error == 0:
            return math.nan
        outputs = [
            OutputErrors(
                width=summary.width,
                error=1.0,
                root=totals.root / summary.weight / math.sqrt(summary.error),
                square=totals.square / summary.weight / summary.error**2,
                exact=_state.weight_in(self.sketch._state.error, ZERO) / summary.weight,
            )
        ]
        return _limits.ceiling(outputs, SCALE, lambda: math.nan, x, y, asymmetric=asymmetric)

    @cached_property
    def reference(self) -> SketchedUCC:
        """The curve of the null reference: a constant band around the same predictions."""
        state, summary = self.sketch._state, self._data.summary
        if summary.constant and summary.narrowest > 0:
            return self
        width = summary.width or 1.0
        weight, error = state.error.sums
        table = BinTable(
            state.error.bins,
            state.error.largest / width,
            np.stack([weight, weight * width, error, error / width]),
        )
        totals = _state.Totals(
            **{
                **{name: getattr(state.totals, name) for name in _state.NAMES},
                "width": width * summary.weight,
                "moment": state.totals.square / width,
                "narrowest": width,
                "widest": width,
                "asymmetry": 0.0,
                "touching": math.nan,  # its bins do not end at a scale of 1
            }
        )
        empty = _state.nothing().switch
        return SketchedUCC(type(self.sketch)(State(table, empty, state.error, totals)))

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass, where bins end."""
        weight, error = self.sketch._state.error.sums
        total = self._data.summary.weight

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
        self._check_axes(x, y)
        range_ = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = one_of("a range", range_, required=False)
        if axis is None and x == "bandwidth":
            return 0.0
        data = self._data
        part = span(data, axis, range_)
        k, xs, ys = data.parameter, getattr(data, x), getattr(data, y)
        # Within a bin the curve runs between two corners; where a range ends in it, all of it is in doubt.
        first = max(int(np.searchsorted(k, part.first)) - 1, 0)
        last = min(int(np.searchsorted(k, part.last)) + 1, k.size - 1)
        wide, high = np.diff(xs[first : last + 1]), -np.diff(ys[first : last + 1])
        within = float(wide @ high)
        if axis is None or not wide.size:
            return within
        if partial == "strip":
            return within + float(ys[first] * wide[0] + ys[max(last - 1, first)] * wide[-1])
        if part.miss_rates is not None and y == "miss_rate":
            return within / (part.miss_rates[1] - part.miss_rates[0])
        return float(xs[last] - xs[first])  # a mean of x over the part, wherever its ends are

    def _in_unit(self, factor: float) -> SketchedUCC:
        raise ArgumentError(
            f"y must be in a unit in which residuals are between 1e-120 and 1e120: a sketch cannot be "
            f"rescaled (by {factor:g})."
        )
