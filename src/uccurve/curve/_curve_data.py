"""What a curve is computed from: of rows, of a sketch, or of rows under other weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from uccurve.formulas.points import SLACK

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Namespace
    from uccurve.curve._results import OperatingPoint
    from uccurve.curve.families._family import Family
    from uccurve.formulas.areas import DeficitSums, MissRateSums
    from uccurve.formulas.hinges import Lines
    from uccurve.intervals import Summary


class CurveData(Protocol):
    """Operating points and costs under one family; arrays rise with the parameter, shape (m,)."""

    @property
    def xp(self) -> Namespace:
        """The array namespace."""

    @property
    def family(self) -> Family:
        """What moves the operating point."""

    @property
    def summary(self) -> Summary:
        """Numbers about all rows."""

    @property
    def start(self) -> float:
        """The parameter at which every band is zero."""

    @property
    def parameter(self) -> Array:
        """The distinct operating points."""

    @property
    def miss_rate(self) -> Array:
        """Share of the weight missed at each operating point."""

    @property
    def coverage(self) -> Array:
        """Share of the weight captured at each operating point."""

    @property
    def bandwidth(self) -> Array:
        """Bandwidth at each operating point."""

    @property
    def excess(self) -> Array:
        """Excess at each operating point."""

    @property
    def deficit(self) -> Array:
        """Deficit at each operating point."""

    @property
    def lines(self) -> Lines:
        """The costs at all breakpoints, between which they are linear."""

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much."""

    def steps(self, x: str) -> tuple[Array, Array]:
        """Return where on x the miss rate changes, and to what."""

    def at(self, parameter: float) -> OperatingPoint:
        """Return the costs at one parameter."""


class WholeCurveData(CurveData, Protocol):
    """The same of all rows, with sums that give full areas and gains without a sort."""

    @property
    def miss_rate_sums(self) -> MissRateSums:
        """Sums behind the closed forms on bandwidth and miss rate, for a proportional family."""

    @property
    def deficit_sums(self) -> DeficitSums:
        """Sums behind the closed forms on bandwidth and deficit, for a proportional family."""


def slack(data: CurveData) -> float:
    """Return the difference between miss rates that may be rounding: none where they are counts of rows."""
    return 0.0 if data.summary.equal_weights else SLACK


def floor(data: CurveData) -> float:
    """Return the miss rate that no parameter gets below."""
    return float(data.miss_rate[-1])


def line(data: CurveData, cost: str) -> Array:
    """Return bandwidth, excess or deficit at all breakpoints."""
    lines = data.lines
    known = known_bandwidth(data, lines.knots) if cost == "bandwidth" else None
    return getattr(lines, cost) if known is None else known


def known_bandwidth(data: CurveData, parameter: Array) -> Array | None:
    """Return the bandwidths at parameters, where the summary of the rows is enough to tell; else None."""
    return data.family.bandwidth(data.xp, parameter, data.summary)


def coverage(data: CurveData) -> Array:
    """Return the share of the weight captured at each operating point."""
    if not data.summary.equal_weights:
        return 1 - data.miss_rate
    n = data.summary.weight  # counts, so that nine rows of ten are 0.9 and not a little less
    return (n - data.xp.round(data.miss_rate * n)) / n


def at_points(data: CurveData, cost: str) -> Array:
    """Return bandwidth, excess or deficit at each operating point."""
    known = known_bandwidth(data, data.parameter) if cost == "bandwidth" else None
    if known is not None:
        return known
    knots, values = data.lines.knots, line(data, cost)
    if data.parameter.shape == knots.shape:
        return values
    return data.xp.take(values, data.xp.searchsorted(knots, data.parameter, side="right") - 1)
