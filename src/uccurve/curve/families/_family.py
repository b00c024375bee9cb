"""What a family of intervals is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Array, Namespace, Vary
    from uccurve.formulas.hinges import Hinges
    from uccurve.formulas.rows import Rows
    from uccurve.formulas.runs import Run
    from uccurve.intervals import Intervals, Summary


class OutputErrors(NamedTuple):
    """Means over the rows of one output."""

    width: float
    """Of the half widths: the constant band."""
    error: float
    r"""Of :math:`|e|`."""
    root: float
    r"""Of :math:`\sqrt{|e|}`."""
    square: float
    """Of :math:`e^2`."""
    exact: float
    """Share of the rows with e = 0."""


class Family(Protocol):
    """Nested intervals, wider as one parameter grows.

    The curve needs the smallest parameter that captures each row, the bands at a parameter, and the
    knots at which the costs bend. Formulas take bare arrays and the array namespace, like kernels.
    """

    @property
    def name(self) -> Vary:
        """What ``vary`` calls the family."""

    @property
    def as_given(self) -> float:
        """The parameter of the intervals as given."""

    @property
    def lowest(self) -> float:
        """The smallest parameter that may be asked for."""

    @property
    def proportional(self) -> bool:
        """Whether the bandwidth is the parameter times the bandwidth as given: areas have closed forms."""

    @property
    def nested(self) -> bool:
        """Whether all nested pairs of the rows are needed, and not the outermost one only."""

    @property
    def in_units_of_y(self) -> bool:
        """Whether the parameter has the unit of y; otherwise it is a plain number."""

    @property
    def hinges_follow_from_bands(self) -> bool:
        """Whether hinges of symmetric bands need critical values and bands only, and no errors."""

    @property
    def runs(self) -> Callable[[Rows], list[Run]] | None:
        """A function of rows of equal weights that returns their hinges kind by kind.

        The first kind are the parameters at which bounds touch observations. None where slopes differ from
        row to row.
        """

    @property
    def deficit_bends_at_points(self) -> bool:
        """Whether the deficit bends upward at operating points only, so that costs are least there."""

    def start(self, widest: float, /) -> float:
        """Return the parameter at which every band is zero, given the widest single band."""

    def critical(self, xp: Namespace, rows: Rows, start: float, /) -> Array:
        """Return the smallest parameter that captures each row; infinite where none does."""

    def bands(self, xp: Namespace, band: Array, parameter: float | Array, /) -> Array:
        """Return bands moved to a parameter."""

    def row_bands(self, xp: Namespace, rows: Rows, parameter: float, /) -> tuple[Array, Array]:
        """Return the bands facing the observation and facing away, moved to a parameter."""

    def bandwidth(self, xp: Namespace, parameter: Array, summary: Summary, /) -> Array | None:
        """Return the mean half width at each parameter, if the summary is enough to tell; else None."""

    def hinges(self, xp: Namespace, rows: Rows, knots: Array, index: Array | None = None, /) -> Hinges:
        """Return the costs as sums of hinges, for rows with finite critical values ``knots``."""

    def captured_at_knot(self, critical: Array, start: float, /) -> Array:
        """Return 1 where a row is captured at the first of its knots, 0 where that is at the start."""

    def moved(self, intervals: Intervals, parameter: float, /) -> Intervals:
        """Return intervals at a parameter."""

    def same_division(self, widths: Sequence[float], others: Sequence[float], /) -> bool:
        """Whether constant bands of these widths, one for each output, have the same curve."""

    def for_unit_band(self, parameter: float, width: float, /) -> float:
        """Return the parameter at which a band of 1 is as wide as one of ``width`` at a parameter."""

    def ceiling(
        self, outputs: Sequence[OutputErrors], constant_area: Callable[[], float], y: str, /
    ) -> float:
        """Return the largest gain of symmetric bands on bandwidth and y.

        ``constant_area`` returns the area of the constant band.
        """

    def caution(self, x: str, y: str, /) -> str | None:
        """Return what to know before areas on these axes are used to rank models, if anything."""

    def advice(self, parameter: float, unit: str = "", /) -> str:
        """Say in words how to get from the bands as given to a parameter."""
