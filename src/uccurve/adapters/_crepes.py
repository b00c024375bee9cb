"""Intervals, percentiles and conformal predictive distributions of crepes."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.adapters._claims import check_claims, levels_of
from uccurve.adapters._pairs import intervals_of_pairs
from uccurve.adapters._quantile_table import intervals_of_quantiles
from uccurve.exceptions import ArgumentError, NonFiniteError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Invalid
    from uccurve.intervals import Intervals

_PAIR = 2
_TABLE = 2
_REMEDY = (
    "crepes gives infinite bounds where it has too few calibration rows for the level: a coverage c takes at "
    "least 1/(1 - c) - 1 of them, 99 for 99%, and predictive systems take 2/(1 - c) - 1; in every category, "
    "if there are categories. Calibrate on more rows, ask for less coverage, or give crepes `y_min` and "
    "`y_max`."
)


def from_crepes(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | Sequence[float] | None = None,
    percentiles: Sequence[float] | None = None,
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read intervals, percentiles or predictive distributions of crepes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, 2) or (n, k), or array of n arrays
        What ``predict_int`` returns, with ``nominal``; what ``predict_percentiles`` returns, with
        ``percentiles``; or what ``predict_cpds`` returns, with the coverages to read as ``nominal``.
    nominal : float or sequence of float
        The ``confidence`` that was asked for, such as 0.95. Of predictive distributions, one or more
        coverages, read by the rule of crepes.
    percentiles : sequence of float
        ``lower_percentiles`` and then ``higher_percentiles``, in the units of crepes, such as
        ``[2.5, 25, 75, 97.5]``.
    coverage : float, optional
        One of several claims. Without it several become levels, for ``vary="level"``.
    y_pred : array of shape (n,), optional
        Predictions; the midpoints if not given.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> from uccurve.adapters import from_crepes
    >>> from_crepes([1.0, 2.0, 4.0], [[0, 2], [1, 4], [2, 5]], nominal=0.9).nominal
    0.9
    """
    options: dict[str, Any] = {
        "coverage": coverage,
        "y_pred": y_pred,
        "sample_weight": sample_weight,
        "invalid": invalid,
        "hints": {NonFiniteError: _REMEDY},
    }
    if (nominal is None) == (percentiles is None):
        raise ArgumentError(
            argument="nominal",
            rule=(
                "be passed for intervals, which have one coverage, or `percentiles` for those that were "
                "asked for, not both"
            ),
            got="neither" if nominal is None else "both",
        )
    if percentiles is not None:
        levels = [
            float(Decimal(repr(arguments.number("percentiles", value, 0, 100, open_=True))) / 100)
            for value in arguments.sequence("percentiles", percentiles)
        ]
        return intervals_of_quantiles(y_true, output, levels, name="percentiles", **options)
    claims = check_claims(nominal)
    rows = _distributions(output)
    if isinstance(rows, np.ndarray) and rows.shape[1] == _PAIR:
        if len(claims) > 1:
            raise ArgumentError(
                argument="nominal", rule="be one coverage for bounds of shape (n, 2)", got=repr(nominal)
            )
        pairs: dict[float, tuple[Any, Any]] = {claims[0]: (rows[:, 0], rows[:, 1])}
    else:
        pairs = {claim: _bounds(rows, claim) for claim in claims}
    return intervals_of_pairs(y_true, pairs, **options)


def _distributions(output: Any) -> np.ndarray | list[np.ndarray]:
    """Return the values of each row: a table, or arrays of different lengths where there are categories."""
    if isinstance(output, np.ndarray) and output.dtype == object and output.ndim == 1:
        rows = [to_numpy(as_arrays(output=row)["output"]) for row in output]
        if all(row.ndim == 1 and row.size for row in rows):
            return rows
        raise ShapeError(argument="output", rule="hold one array of values for each row, but some are empty")
    table = to_numpy(as_arrays(output=output)["output"])
    if table.ndim != _TABLE or table.shape[1] < _PAIR:
        raise ShapeError(argument="output", rule="have the shape (n, 2) or (n, values)", got=table.shape)
    return table


def _bounds(rows: np.ndarray | list[np.ndarray], claim: float) -> tuple[np.ndarray, np.ndarray]:
    """Read the bounds of predictive distributions: the value of level τ is the τ(m + 1)-th of m."""
    low, high = (Fraction(repr(level)) for level in levels_of(claim))

    def read(values: np.ndarray) -> tuple[Any, Any]:
        m = values.shape[-1]
        below, above = math.floor(low * (m + 1)) - 1, math.ceil(high * (m + 1)) - 1
        ordered = np.sort(values, axis=-1)
        beyond = np.full(values.shape[:-1], np.inf)
        return ordered[..., below] if below >= 0 else -beyond, ordered[..., above] if above < m else beyond

    if isinstance(rows, np.ndarray):
        return read(rows)
    lower, upper = zip(*map(read, rows), strict=True)
    return np.array(lower), np.array(upper)
