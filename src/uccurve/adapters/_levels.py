"""From quantiles by their level, or from draws, to intervals: every adapter of forecasts ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve.adapters._claims import check_claims, levels_of, place_of
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas.tolerances import SAME_SUM
from uccurve.intervals import DEFAULT_LEVELS, Intervals, Levels, checks, quantile_columns, quantile_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid

_FEWEST_DRAWS = 2
_PAIR = 2
"""Levels of one pair, and axes of a table for one output."""


def intervals_of_levels(
    y_true: ArrayLike,
    quantiles: Mapping[float, np.ndarray],
    *,
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
    names: Mapping[float, str] | None = None,
    library: str | None = None,
) -> Intervals:
    """Make intervals from quantiles: all pairs as levels, or the one pair that claims a coverage.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    quantiles : mapping of float to array like ``y_true``
        Predicted quantiles by the share of observations below them.
    coverage : float, optional
        The one pair to take, by the coverage that it claims; all if not given.
    y_pred, sample_weight, crossed, invalid
        As in `Intervals.from_quantiles`.
    names : mapping of float to str, optional
        What the output calls the quantiles, for errors.
    library : str, optional
        The frame library that the output comes from.
    """
    levels = sorted(quantiles)
    pair = None
    if coverage is not None:
        found = Levels.check(levels)
        pair = found.pairs[place_of(found.claims, coverage)]
    table = np.stack([quantiles[level] for level in levels], axis=-1)
    columns = quantile_columns(y_true, table, levels, y_pred, crossed, pair)
    called = {quantile_name(level): name for level, name in (names or {}).items()}
    columns = columns.renamed(called)
    return Intervals(*checks.check_rows(columns, sample_weight, invalid, library=library))


def intervals_of_draws(
    y_true: ArrayLike,
    draws: np.ndarray,
    *,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Make intervals from draws around their medians.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    draws : array of shape (draws, n) or (draws, n, outputs)
        Draws of the predictive distribution.
    coverage : float, optional
        The coverage of the one pair of quantiles to take.
    levels : sequence of float, optional
        The levels of the quantiles to take; by default the 31 of `Intervals.from_distribution`, as far as
        the draws reach.
    sample_weight, invalid
        As in `Intervals.from_samples`.
    """
    many = draws.shape[0]
    if many < _FEWEST_DRAWS:
        raise ShapeError(
            argument="output", rule=f"have {_FEWEST_DRAWS} draws or more of each value", got=many
        )
    with np.errstate(invalid="ignore"):  # which the rules of the rows name
        center = np.median(draws, axis=0)
    return Intervals.from_samples(
        y_true,
        draws,
        axis=0,
        levels=levels_to_read(coverage, levels, many),
        y_pred=center,
        sample_weight=sample_weight,
        invalid=invalid,
    )


def levels_to_read(
    coverage: float | None, levels: Sequence[float] | None, draws: int | None = None
) -> list[float]:
    """Return the levels at which to read draws, or a distribution: those asked for, or common ones.

    Examples
    --------
    >>> levels_to_read(0.9, None)
    [0.05, 0.95]
    >>> levels_to_read(None, None, draws=3)
    [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]
    """
    if coverage is not None and levels is not None:
        raise ArgumentError(argument="coverage", rule="not be passed beside `levels`: pass one of them")
    if coverage is not None:
        return list(levels_of(check_claims(coverage, name="coverage")[0]))
    if levels is not None:
        return arguments.sequence("levels", levels)
    reach = 0.0 if draws is None else 1 / (draws + 1) - SAME_SUM
    return [level for level in DEFAULT_LEVELS if reach <= level <= 1 - reach]
