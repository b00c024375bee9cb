"""The exact Uncertainty Characteristics Curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import _limits
from uccurve.curve._curve import Curve
from uccurve.curve._exact_data import ExactData
from uccurve.curve.families import family_of
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side, Tails, Vary, X, Y
    from uccurve.curve._results import Frontier


@dataclass(frozen=True, eq=False, repr=False)
class UCC(Curve):
    r"""The trade-off between missing observations and being wide, over all operating points.

    Moving the bands :math:`z` of all intervals with one parameter, a scale :math:`k z` or a shift
    :math:`\max(z + s, 0)`, moves four costs: the miss rate and the deficit fall, the bandwidth and
    the excess rise. The curve holds them at every parameter where the miss rate changes, and at
    the start, where all bands are zero. It is exact: areas are integrals of the empirical curve,
    not quadratures.

    Several outputs are pooled: one parameter moves them all, and means run over rows and outputs. The
    constant band has a constant for each output, so that nothing is gained by units alone. It follows
    the model's own division among outputs: rank models by their areas.

    Parameters
    ----------
    intervals : Intervals
        The intervals as given.
    vary : {"scale", "shift", "level"}
        What moves the operating point: a factor for all bands, an amount added to them, or, for intervals
        that hold several quantiles, the nominal coverage of the model's own central intervals.
    tails : {"scale", "none"}
        What "level" does beyond the outermost quantiles: multiply them around the center, so that every
        coverage can be reached, or end there.

    References
    ----------
    J. Navrátil, B. Elder, M. Arnold, S. Ghosh, P. Sattigeri, "Assessment of Prediction Intervals
    Using Uncertainty Characteristics Curves", UAI 2022.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> curve.parameter
    array([0. , 1. , 1.5, 2. ])
    >>> curve.miss_rate
    array([1.  , 0.5 , 0.25, 0.  ])
    >>> curve.area()
    2.75
    >>> curve.gain()
    -0.1
    """

    intervals: Intervals
    vary: Vary = field(default="scale", kw_only=True)
    tails: Tails = field(default="scale", kw_only=True)

    def __post_init__(self) -> None:
        arguments.instance("intervals", self.intervals, Intervals)
        if family_of(self.vary, self.tails).nested:
            _ = self._rows

    @cached_property
    def _data(self) -> ExactData:
        return ExactData(self._rows, family_of(self.vary, self.tails))

    def __repr__(self) -> str:
        tails = "" if self.tails == "scale" else f", tails={self.tails!r}"
        return f"UCC({self.intervals!r}, vary={self.vary!r}{tails})"

    @property
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1% of the mean band."""
        return self._rows.symmetric

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.intervals.side

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.intervals.n

    @cached_property
    def _rows(self) -> Intervals:
        """The rows; of nested quantiles, around their own center."""
        return self.intervals.centered() if self.vary == "level" else self.intervals

    def _same_constant_band(self, other: Curve) -> bool:
        theirs = other._rows
        if theirs is None or not np.array_equal(to_numpy(self._rows.y_pred), to_numpy(theirs.y_pred)):
            return False
        constants = (curve.reference._data.summary.widths for curve in (self, other))
        return self._data.family.same_division(*constants)

    @property
    def _nominal(self) -> float | None:
        return self.intervals.nominal

    @property
    def _library(self) -> str | None:
        return self.intervals.library

    def ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate", asymmetric: bool = False) -> float:
        self._check_axes(x, y)
        if self._data.summary.error == 0:
            return math.nan

        def constant_area() -> float:
            return self.reference.area(x=x, y=y)

        outputs = _limits.errors_of_outputs(self._rows)
        asymmetric = asymmetric and self.side == "both"
        if self._data.family.nested and (x, y) == ("bandwidth", "miss_rate"):
            symmetric = 1 - _limits.frontier_area(self.frontier) / self.reference.area()
            return (1 + symmetric) / 2 if asymmetric else symmetric
        return _limits.ceiling(outputs, self._data.family, constant_area, x, y, asymmetric=asymmetric)

    @cached_property
    def reference(self) -> UCC:
        """The curve of the null reference: a constant band around the same predictions."""
        summary = self._data.summary
        if summary.constant and summary.narrowest > 0 and not summary.ladder:
            return self
        constant = self._rows.constant()
        if self._data.family.proportional and summary.width == 0:
            constant = constant.shifted(1.0)  # a constant band of zero cannot be scaled
        if self.vary == "level":
            return UCC(constant.as_one_pair(self._levels[-1]), vary="level")
        return UCC(constant, vary=self.vary)

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass."""
        return _limits.frontier(self._rows)
