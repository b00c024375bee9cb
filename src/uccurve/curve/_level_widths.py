"""What nested pairs add to the summary of rows: their bandwidths, and the nominal coverage at a parameter."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._base.arrays import namespace
from uccurve.exceptions import ArgumentError
from uccurve.formulas import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve.intervals import Intervals, RowArrays, Summary


def with_ladder(intervals: Intervals) -> Summary:
    """Return the summary with the bandwidth of each pair: one pass over the quantiles."""
    summary, nested = intervals.rows.summary, intervals.rows.columns.nested
    if nested is None or len(nested.levels) == 1:
        return summary
    xp = namespace(intervals.y_true)

    def sums(block: RowArrays) -> tuple[float, ...]:
        pairs = block.nested
        assert pairs is not None  # noqa: S101 - seen above
        inner = zip(pairs.lower[:-1], pairs.upper[:-1], strict=True)
        return tuple(rows.total(xp, high / 2 - low / 2, block.weight) for low, high in inner)

    found = rows.totals(sums, intervals.rows.weighted().blocks())
    means = (min(width / summary.weight, summary.width) for width in found)
    widths = accumulate(means, max)  # rounding does not turn equal pairs around
    return summary._replace(ladder=tuple(zip(nested.knots, [*widths, summary.width], strict=True)))


def nominal_at(intervals: Intervals, parameter: float) -> float | None:
    """Return the nominal coverage at a parameter; None beyond the outermost pair."""
    nested = intervals.rows.columns.nested
    return None if nested is None or parameter > 1 else max(parameter, 0.0) * nested.levels[-1]


def parameter_of_nominal(nominal: float, levels: tuple[float, ...], others: Iterable[str] = ()) -> float:
    """Return the parameter at which nested quantiles of the given levels claim a coverage.

    ``others`` are the axes on which a point was given as well, which is one too many.
    """
    for axis in others:
        raise ArgumentError(argument="nominal", rule=f"not be passed beside `{axis}`: pass one of them")
    if not levels:
        raise ArgumentError(
            argument="nominal",
            rule='be passed for a curve with vary="level" only',
            hint="Pass `coverage` or `parameter`.",
        )
    nominal = arguments.number("nominal", nominal, 0, 1)
    if nominal > levels[-1]:
        raise ArgumentError(
            argument="nominal",
            rule=f"be at most {levels[-1]:g}, the coverage of the outermost quantiles",
            got=f"{nominal:g}",
            hint="Beyond it pass `coverage` or `parameter`.",
        )
    return nominal / levels[-1]
