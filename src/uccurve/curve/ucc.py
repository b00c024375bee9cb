"""The exact Uncertainty Characteristics Curve."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import limits
from uccurve.curve.curve import Curve
from uccurve.curve.sorted_rows import SortedRows
from uccurve.exceptions import ArgumentError
from uccurve.formulas.bands import FAMILIES, LEVEL_WITHOUT_TAILS
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side, Tails, Vary
    from uccurve.curve.results import Frontier
    from uccurve.formulas.bands import Scale


def family_of(vary: object, tails: Tails = "scale") -> Scale:
    """Return the family that ``vary`` names; ``tails="none"`` ends a "level" one at the outermost pair."""
    arguments.option("vary", vary, tuple(FAMILIES))
    arguments.option("tails", tails, ("scale", "none"))
    family = FAMILIES[str(vary)]
    if tails == "scale":
        return family
    if not family.nested:
        raise ArgumentError(argument="tails", rule="be 'scale' unless vary='level'", got=repr(tails))
    return LEVEL_WITHOUT_TAILS


@dataclass(frozen=True, eq=False, repr=False)
class UCC(Curve):
    r"""The trade-off between missing observations and being wide, over all operating points.

    Moving the bands :math:`z` of all intervals with one parameter, a scale :math:`k z` or a shift
    :math:`\max(z + s, 0)`, moves four costs: the miss rate and the deficit fall, the bandwidth and
    the excess rise. The curve has them at every parameter where the miss rate changes, and at
    the start, where all bands are zero. It is exact: areas are integrals of the empirical curve,
    not quadratures.

    Several outputs are pooled: one parameter moves them all, and means run over rows and outputs. The
    constant width has a constant for each output, so that nothing is gained by units alone. It follows
    the model's own division among outputs: rank models by their areas.

    Parameters
    ----------
    intervals : Intervals
        The intervals as supplied.
    vary : {"scale", "shift", "level"}
        What moves the operating point: a factor for all bands, an amount added to them, or, for intervals
        with several quantiles, the nominal coverage of the model's own central intervals.
    tails : {"scale", "none"}
        What "level" does beyond the outermost quantiles: multiply them around the center, so that every
        coverage can be reached, or end there.

    Raises
    ------
    ArgumentTypeError
        If ``intervals`` are not `Intervals`.
    ArgumentError
        If ``vary`` or ``tails`` is unknown, or ``vary="level"`` has no pairs of quantiles.

    See Also
    --------
    compare : Which model to use.
    scan : Rows that do not fit into memory.

    References
    ----------
    J. Navrátil, B. Elder, M. Arnold, S. Ghosh, P. Sattigeri, "Assessment of Prediction Intervals
    Using Uncertainty Characteristics Curves", 2022, arXiv:2310.03158.

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
    source: Intervals = field(init=False)

    def __post_init__(self) -> None:
        arguments.instance("intervals", self.intervals, Intervals)
        nested = family_of(self.vary, self.tails).nested
        object.__setattr__(self, "source", self.intervals.centered() if nested else self.intervals)

    @cached_property
    def data(self) -> SortedRows:
        """What the answers are computed from: rows, sorted once."""
        return SortedRows(self.source, family_of(self.vary, self.tails))

    def __repr__(self) -> str:
        tails = "" if self.tails == "scale" else f", tails={self.tails!r}"
        return f"UCC({self.intervals!r}, vary={self.vary!r}{tails})"

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.intervals.side

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.intervals.n

    def moved_to(self, parameter: float) -> Intervals:
        """Return the intervals at a parameter of the curve.

        Parameters
        ----------
        parameter : float
            The factor, the amount or the level.

        Returns
        -------
        Intervals
            The rows with those bands.

        Raises
        ------
        ArgumentError
            If the parameter is not finite, or is negative and not a shift.
        MagnitudeError
            If the bands become too large for float64.
        """
        if self.data.family.nested:
            return self.source.at_level(parameter, tails=self.tails == "scale")
        if self.data.family.in_units_of_y:
            return self.source.shifted(parameter)
        return self.source.scaled(parameter)

    def has_same_constant(self, other: Curve) -> bool:
        """Whether another curve is measured against the same constant width.

        Parameters
        ----------
        other : Curve
            Another curve.

        Returns
        -------
        bool
            Whether gains are measured against the same curve.
        """
        theirs = other.source
        if theirs is None or not np.array_equal(to_numpy(self.source.y_pred), to_numpy(theirs.y_pred)):
            return False
        constants = (curve.reference.data.summary.widths for curve in (self, other))
        return self.data.family.same_division(*constants)

    @property
    def nominal(self) -> float | None:
        """The coverage that the intervals claim."""
        return self.intervals.nominal

    @property
    def library(self) -> str | None:
        """The frame library that the rows came from."""
        return self.intervals.library

    @cached_property
    def reference(self) -> UCC:
        """The curve of the null reference: constant width around the same predictions."""
        summary = self.data.summary
        if summary.constant and summary.narrowest > 0 and not summary.ladder:
            return self
        constant = self.source.constant()
        if self.data.family.proportional and summary.width == 0:
            constant = constant.shifted(1.0)  # a constant band of zero cannot be scaled
        if self.levels:
            constant = constant.as_one_pair(self.levels[-1])
        return UCC(constant, vary=self.vary)

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass."""
        return limits.frontier(self.source)
