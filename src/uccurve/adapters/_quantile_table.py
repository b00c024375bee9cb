"""From quantiles with a level each to intervals: every adapter of quantiles ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments, frames
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve._base.frames import check_same_index
from uccurve.adapters._claims import place_of
from uccurve.adapters._pairs import refuse_unlimited
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals, Levels, checks, quantile_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.adapters._pairs import Remedies

_TABLE = 2


def intervals_of_quantiles(
    y_true: ArrayLike,
    table: Any,
    levels: Sequence[float],
    *,
    name: str = "levels",
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
    hints: Remedies | None = None,
) -> Intervals:
    """Make intervals from a table of quantiles.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    table : array or frame of shape (n, levels)
        Quantiles.
    levels : sequence of float
        The level of each column.
    name : str
        What the user calls ``levels``.
    coverage : float, optional
        The pair to take: 0.9 for the levels 0.05 and 0.95. Without it all levels are kept.
    y_pred : array of shape (n,), optional
        Predictions; the median if there is one, else the midpoints.
    sample_weight, crossed, invalid
        As in `Intervals.from_quantiles`.
    hints : mapping of error to str, optional
        What to do about rows that break a rule, in the words of the adapter.
    """
    levels = [arguments.number(name, level, 0, 1, open_=True) for level in arguments.sequence(name, levels)]
    check_same_index({"y_true": y_true, "output": table, "y_pred": y_pred, "sample_weight": sample_weight})
    quantiles = to_numpy(as_arrays(output=table)["output"])
    if quantiles.ndim != _TABLE or quantiles.shape[1] != len(levels):
        raise ShapeError(
            argument="output",
            rule=f"have the shape (n, {len(levels)}), one column for each of the `{name}`",
            got=quantiles.shape,
        )
    pair = None if coverage is None else _pair(Levels.check(levels), coverage, name)
    columns = quantile_columns(y_true, quantiles, levels, y_pred, crossed, pair)
    columns = columns._replace(hints={**columns.hints, **(hints or {})})
    refuse_unlimited(columns)
    return Intervals(*checks.check_rows(columns, sample_weight, invalid, library=frames.library(y_true)))


def _pair(levels: Levels, coverage: float, name: str) -> tuple[float, float]:
    """Return the two levels between which there is a coverage."""
    if not levels.pairs:
        raise ArgumentError(
            argument=name,
            rule="hold a pair such as 0.05 and 0.95, to choose a `coverage`",
            got=list(levels.rising),
        )
    return levels.pairs[place_of(levels.claims, coverage)]
