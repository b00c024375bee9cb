"""Crossed quantiles and bounds put in order: on request only, counted, and with a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arguments import rows_that
from uccurve._base.arrays import namespace
from uccurve._base.caller_warnings import warn_caller
from uccurve.exceptions import SortedRowsWarning
from uccurve.intervals._row_rules import falls

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array

CROSSED = ("raise", "sort")
"""What can be done about crossed rows."""


def sort_quantiles(table: Array) -> tuple[Array, Array]:
    """Sort the quantiles of each row and output, the standard rearrangement; those with NaN stay as they are.

    Parameters
    ----------
    table : array of shape (n, levels) or (n, outputs, levels)
        Quantiles, the last axis by rising level.

    Returns
    -------
    ordered : array, same shape
        The quantiles in rising order.
    crossed : array of bool of shape (n,)
        The rows that were not.
    """
    xp = namespace(table)
    if table.shape[-1] == 1:
        return table, xp.zeros(table.shape[:1], dtype=xp.bool)
    crossed = falls(None, *(table[..., place] for place in range(table.shape[-1])))
    ordered = xp.where(crossed[..., None], xp.sort(table, axis=-1, stable=False), table)
    return ordered, crossed if crossed.ndim == 1 else xp.any(crossed, axis=1)


def sort_bounds(lower: Array, upper: Array) -> tuple[Array, Array, Array]:
    """Swap the bounds of each row and output where they are crossed, and return the rows that were.

    Parameters
    ----------
    lower, upper : array of shape (n,) or (n, outputs)
        Bounds; NaN stays where it is.

    Returns
    -------
    lower, upper : array, same shape
        Bounds in order.
    crossed : array of bool of shape (n,)
        The rows whose bounds were swapped.
    """
    xp, swapped = namespace(lower), lower > upper
    crossed = swapped if swapped.ndim == 1 else xp.any(swapped, axis=tuple(range(1, swapped.ndim)))
    return xp.where(swapped, upper, lower), xp.where(swapped, lower, upper), crossed


def warn_sorted(crossed: Array, what: str) -> None:
    """Warn that rows were crossed, and say how many and what was done; nothing where there are none."""
    xp = namespace(crossed)
    count = int(xp.count_nonzero(crossed))
    if count:
        first = int(xp.nonzero(crossed)[0][0])
        rows = rows_that(count, crossed.shape[0], "had", "had")
        warn_caller(f"{rows} crossed {what}; first at row {first}.", SortedRowsWarning)
