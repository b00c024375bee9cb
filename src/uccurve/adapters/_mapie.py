"""Intervals of MAPIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.arrays import as_arrays
from uccurve.adapters._claims import check_claims
from uccurve.adapters._pairs import intervals_of_pairs
from uccurve.exceptions import ArgumentError, NonFiniteError, PredictionOutsideError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Invalid
    from uccurve.intervals import Intervals

_PAIR = 2
_STACK = 3
_REMEDIES = {
    PredictionOutsideError: "Pass the intervals alone, `output[1]`, to use the midpoints.",
    NonFiniteError: (
        "MAPIE gives infinite bounds where it has too few rows to conformalize on: a coverage c takes at "
        "least 1/(1 - c) - 1 of them. Conformalize on more rows, or ask for less coverage."
    ),
}


def from_mapie(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | Sequence[float],
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read what ``predict_interval`` of MAPIE returns.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : pair of arrays, or array
        Predictions of shape (n,) and intervals of shape (n, 2, levels); or the intervals alone, whose
        midpoints then are the predictions.
    nominal : float or sequence of float
        The ``confidence_level`` of the regressor, in its order.
    coverage : float, optional
        One of several claims. Without it several become levels, for ``vary="level"``.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import numpy as np
    >>> from uccurve.adapters import from_mapie
    >>> y_pred = np.array([1.0, 2.0, 4.0])
    >>> intervals = y_pred[:, None, None] + np.array([[-1, -2], [1, 2]])
    >>> from_mapie([1.5, 2.0, 2.5], (y_pred, intervals), nominal=[0.8, 0.95])
    Intervals(n=3, bandwidth=2, symmetric, levels=2)
    """
    claims = check_claims(nominal)
    y_pred, table = output if _is_pair(output) else (None, output)
    bounds: Any = as_arrays(intervals=table)["intervals"]
    shape = None if bounds is None else tuple(bounds.shape)
    if shape is None or len(shape) not in (_PAIR, _STACK) or shape[1] != _PAIR:
        raise ShapeError(argument="output", rule="hold intervals of the shape (n, 2, levels)", got=shape)
    if len(shape) == _PAIR:
        bounds = bounds[:, :, None]
    if bounds.shape[2] != len(claims):
        raise ArgumentError(
            argument="nominal",
            rule=f"name one coverage for each level of the output, which has {bounds.shape[2]}",
            got=repr(nominal),
        )
    pairs = {claim: (bounds[:, 0, level], bounds[:, 1, level]) for level, claim in enumerate(claims)}
    return intervals_of_pairs(
        y_true,
        pairs,
        coverage=coverage,
        y_pred=y_pred,
        sample_weight=sample_weight,
        invalid=invalid,
        hints=_REMEDIES,
    )


def _is_pair(output: Any) -> bool:
    """Whether predictions come with the intervals; a list of rows is an array."""
    return isinstance(output, tuple) and len(output) == _PAIR
