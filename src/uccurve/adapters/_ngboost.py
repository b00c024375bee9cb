"""Predictive distributions of NGBoost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.adapters._claims import check_claims, levels_of
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Invalid


def from_ngboost(
    y_true: ArrayLike,
    output: Any,
    *,
    levels: Sequence[float] | None = None,
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read what ``pred_dist`` of NGBoost returns.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : distribution of NGBoost
        The distributions of all rows, as ``model.pred_dist(X)``.
    levels : sequence of float, optional
        The quantiles to read, for ``vary="level"``; those of `Intervals.from_distribution` if not given.
    coverage : float, optional
        Read one central interval instead.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from uccurve.adapters import from_ngboost
    >>> from_ngboost([1.0, 2.0, 4.0], norm([1, 2, 3], [1, 1, 2]), coverage=0.9)
    Intervals(n=3, bandwidth=2.193, symmetric)
    """
    if callable(getattr(output, "pred_dist", None)):  # distributions of NGBoost have every attribute
        raise ArgumentTypeError(
            argument="output",
            rule="be a distribution, as `model.pred_dist(X)` returns it",
            got=type(output).__name__,
        )
    if coverage is not None:
        if levels is not None:
            raise ArgumentError(argument="coverage", rule="not be passed beside `levels`: pass one of them")
        levels = levels_of(check_claims(coverage, name="coverage")[0])
    return Intervals.from_distribution(
        y_true, output, levels=levels, sample_weight=sample_weight, invalid=invalid
    )
