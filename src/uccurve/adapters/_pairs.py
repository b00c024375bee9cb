"""From pairs of bounds with a claim each to intervals: every adapter of bounds ends here."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve._base.frames import check_same_index
from uccurve.adapters._claims import levels_of, place_of
from uccurve.exceptions import ArgumentError, PredictionOutsideError, ShapeError
from uccurve.formulas.tolerances import SAME_SUM
from uccurve.intervals import Intervals, checks, quantile_columns, rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Invalid
    from uccurve.exceptions import InvalidRowsError

    Pairs = Mapping[float, tuple[Any, Any]]
    Remedies = Mapping[type[InvalidRowsError], str]

_SIDES = ("lower", "upper")


def intervals_of_pairs(
    y_true: ArrayLike,
    pairs: Pairs,
    *,
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
    hints: Remedies | None = None,
) -> Intervals:
    """Make intervals from the bounds of one or several claims.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    pairs : mapping of float to pair of arrays
        Lower and upper bounds by the coverage that they claim. Several become levels, for
        ``vary="level"``, with the outermost as the bounds.
    coverage : float, optional
        The claim to take of several.
    y_pred : array like ``y_true``, optional
        Predictions.
    sample_weight, invalid
        As in `Intervals.from_bounds`.
    hints : mapping of error to str, optional
        What to do about rows that break a rule, in the words of the adapter.
    """
    claims = sorted(pairs)
    if coverage is not None:
        claims = [claims[place_of(claims, coverage)]]
    chosen = {claim: pairs[claim] for claim in claims}
    bounds = {
        name: bound for claim in claims for name, bound in zip(_names(claim), pairs[claim], strict=True)
    }
    check_same_index({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight, **bounds})
    if len(claims) == 1:
        columns = _plain_bounds(y_true, pairs[claims[0]], claims[0], y_pred)
    else:
        columns = _levels(y_true, chosen, y_pred)
    columns = columns._replace(hints={**columns.hints, **(hints or {})})
    refuse_unlimited(columns)
    return Intervals(*checks.check_rows(columns, sample_weight, invalid, library=frames.library(y_true)))


def shape_of(y_true: ArrayLike) -> tuple[int, ...]:
    """Return the shape of the observations, which must be given."""
    observed = as_arrays(y_true=y_true)["y_true"]
    if observed is None:
        raise ArgumentError(argument="y_true", rule="be passed", got="None")
    return tuple(observed.shape)


def _names(claim: float) -> tuple[str, str]:
    return f"lower at {claim:g}", f"upper at {claim:g}"


def _plain_bounds(
    y_true: ArrayLike, pair: tuple[Any, Any], claim: float, y_pred: ArrayLike | None
) -> checks.NamedColumns:
    arrays: dict[str, Any] = as_arrays(y_true=y_true, y_pred=y_pred, lower=pair[0], upper=pair[1])
    return checks.NamedColumns(arrays, {}, claim, {})


def _levels(y_true: ArrayLike, pairs: Pairs, y_pred: ArrayLike | None) -> checks.NamedColumns:
    """Turn pairs into quantiles, once it is known that larger claims are wider."""
    shape = shape_of(y_true)
    quantiles: dict[float, np.ndarray] = {}
    for claim, pair in pairs.items():
        for name, level, bound in zip(_names(claim), levels_of(claim), pair, strict=True):
            quantiles[level] = _in_shape(name, bound, shape)
    _refuse_narrower_claims({claim: tuple(quantiles[level] for level in levels_of(claim)) for claim in pairs})
    levels = sorted(quantiles)
    table = np.stack([quantiles[level] for level in levels], axis=-1)
    columns = quantile_columns(y_true, table, levels, y_pred, "raise")
    if y_pred is None:
        columns.hints.pop(PredictionOutsideError, None)
    return columns


def _in_shape(name: str, bound: Any, shape: tuple[int, ...]) -> np.ndarray:
    array = to_numpy(as_arrays(**{name: bound})[name])
    if shape in ((*array.shape, 1), array.shape[:-1]) and array.size == np.prod(shape):
        return array.reshape(shape)
    if array.shape != shape:
        raise ShapeError(argument=name, rule=f"have the shape {shape} of `y_true`", got=array.shape)
    return array


def _refuse_narrower_claims(pairs: Mapping[float, tuple[np.ndarray, ...]]) -> None:
    """Notice claims in another order than the bounds, or miss rates in their place."""
    with np.errstate(invalid="ignore"):
        widths = {claim: upper - lower for claim, (lower, upper) in pairs.items()}
        finite = np.all([np.isfinite(width) for width in widths.values()], axis=0)
        means = [(claim, float(np.mean(width[finite]))) for claim, width in widths.items() if finite.any()]
    for (small, narrow), (large, wide) in pairwise(means):
        if wide < narrow - SAME_SUM * abs(narrow):
            raise ArgumentError(
                argument="nominal",
                rule=(
                    f"be in the order of the levels in the output: intervals that claim {large:g} must be "
                    f"wider than those that claim {small:g}, but their mean widths are {wide:.6g} and "
                    f"{narrow:.6g}"
                ),
            )


def refuse_unlimited(columns: checks.NamedColumns) -> None:
    """Refuse a bound that is infinite in every row, which elsewhere means a one-sided limit."""
    for role in _SIDES:
        bound = None if columns.values[role] is None else to_numpy(columns.values[role])
        if bound is not None and bound.size and np.isinf(bound).all():
            rules.enforce({role: bound}, names=columns.names, rules=rules.FINITE, hints=columns.hints)
