"""Several forecasts, each of some steps of one series, become the rows of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import frozen
from uccurve.adapters._levels import intervals_of_draws, intervals_of_levels
from uccurve.adapters._series import SeriesIntervals, as_objects
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid


class Forecast(NamedTuple):
    """One forecast of one series."""

    series: Hashable
    observed: np.ndarray
    """Shape (steps, components)."""
    values: np.ndarray
    """Draws of shape (draws, steps, components), or quantiles of shape (levels, steps, components)."""
    levels: tuple[float, ...]
    """The levels of quantiles; empty for draws."""


def joined(
    forecasts: Sequence[Forecast],
    *,
    coverage: float | None,
    levels: Sequence[float] | None,
    sample_weight: ArrayLike | None,
    crossed: Crossed,
    invalid: Invalid,
) -> SeriesIntervals:
    """Make intervals of all forecasts, with the series and the forecast of each row.

    Parameters
    ----------
    forecasts : sequence of Forecast
        At least one; all with the same levels or as many draws, and as many components.
    coverage : float, optional
        The one pair of quantiles to take.
    levels : sequence of float, optional
        At which levels to read draws.
    sample_weight, crossed, invalid
        As in `Intervals.from_quantiles`.
    """
    if not forecasts:
        raise ArgumentError(argument="output", rule="have at least one forecast", got="none")
    if len({(each.levels, each.values.shape[0], each.observed.shape[1]) for each in forecasts}) > 1:
        raise ArgumentError(
            argument="output",
            rule="have the same levels, or as many draws, and as many components in all forecasts",
        )
    observed = np.concatenate([each.observed for each in forecasts])
    values = np.concatenate([each.values for each in forecasts], axis=1)
    if observed.shape[1] == 1:
        observed, values = observed[:, 0], values[:, :, 0]
    told = forecasts[0].levels
    if told and levels is not None:
        raise ArgumentError(
            argument="levels", rule="be passed for draws only", hint="`output` tells those of its quantiles."
        )
    weighted: Any = {"coverage": coverage, "sample_weight": sample_weight, "invalid": invalid}
    if told:
        quantiles = dict(zip(told, values, strict=True))
        rows = intervals_of_levels(observed, quantiles, crossed=crossed, **weighted)
    else:
        rows = intervals_of_draws(observed, values, levels=levels, **weighted)
    blocks = np.repeat(np.arange(len(forecasts)), [len(each.observed) for each in forecasts])
    if rows.kept is not None:
        blocks = blocks[rows.kept]
    series = as_objects([forecasts[block].series for block in blocks.tolist()])
    return SeriesIntervals(intervals=rows, series=frozen(series), blocks=frozen(blocks))
