"""Forecasts of Darts: draws, or quantiles by the names of their components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.adapters._forecasts import Forecast, joined
from uccurve.adapters._series import as_list, observations
from uccurve.columns import list_names, read_level
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.adapters._series import SeriesIntervals

_PARTS = ("all_values", "time_index", "components")
_QUANTILE = ("_q", "q")
"""How the names of quantiles end in front of their digits: x_q0.050, or q0.050."""


def from_darts(
    y_true: Any,
    output: Any,
    *,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> SeriesIntervals:
    """Make intervals from probabilistic forecasts of Darts.

    The observation of each forecast is found by its time in ``y_true``, which may be longer.

    Parameters
    ----------
    y_true : TimeSeries, or sequence of TimeSeries
        Observations: one series, or several.
    output : TimeSeries, sequence of TimeSeries, or sequence of such sequences
        What ``predict`` and ``historical_forecasts`` return, as draws (``num_samples=200``) or as quantiles
        (``predict_likelihood_parameters=True``, with components such as ``x_q0.050``). Several forecasts of
        one series, or one or several of each series.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws; by default at the 31 of `Intervals.from_distribution`, as far as the
        draws reach.
    sample_weight : array of shape (n,), optional
        Weights of the rows of all forecasts, one after the other.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`.

    Returns
    -------
    SeriesIntervals
        Intervals around the medians, or without them the midpoints; the number of each row's series, and
        its forecast as its block.

    Examples
    --------
    >>> from types import SimpleNamespace as TimeSeries  # stands for that of Darts
    >>> import numpy as np
    >>> import uccurve as uc
    >>> def series(columns):
    ...     values = np.array(list(columns.values())).T[:, :, np.newaxis]
    ...     return TimeSeries(time_index=np.arange(2), components=list(columns), all_values=lambda: values)
    >>> y = series({"load": [3.0, 5.0]})
    >>> forecast = series({"load_q0.050": [1.0, 2.0], "load_q0.500": [2.0, 4.0], "load_q0.950": [4.0, 6.0]})
    >>> uc.adapters.from_darts(y, forecast)
    SeriesIntervals(Intervals(n=2, bandwidth=1.75, asymmetric), series=1, blocks=1)
    """
    truths = _as_list("y_true", y_true)
    groups = [_as_list("output", each) for each in _as_list("output", output)]
    if _is_series(y_true):
        groups = [[each for group in groups for each in group]]
    if len(groups) != len(truths):
        raise ShapeError(
            argument="output", rule=f"have forecasts of each series: {len(truths)}", got=len(groups)
        )
    forecasts = [
        _read(truth, forecast, series)
        for series, (truth, group) in enumerate(zip(truths, groups, strict=True))
        for forecast in group
    ]
    return joined(
        forecasts,
        coverage=coverage,
        levels=levels,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def _is_series(value: Any) -> bool:
    return all(hasattr(value, part) for part in _PARTS)


def _as_list(name: str, value: Any) -> list[Any]:
    return [value] if _is_series(value) else as_list(name, value, "TimeSeries of Darts, or one of them")


def _read(truth: Any, forecast: Any, series: int) -> Forecast:
    for name, value in {"y_true": truth, "output": forecast}.items():
        if not _is_series(value):
            raise ArgumentTypeError(argument=name, rule="be TimeSeries of Darts", got=type(value).__name__)
    known, components = truth.all_values(), [str(name) for name in truth.components]
    if known.shape[-1] > 1:
        raise ArgumentError(
            argument="y_true", rule="have one value at a time", got=f"{known.shape[-1]} draws"
        )
    observed = observations(
        forecast.time_index.tolist(), truth.time_index.tolist(), known[:, :, 0], "time", called="output"
    )
    values, names = forecast.all_values(), [str(name) for name in forecast.components]
    if values.shape[-1] > 1:
        order = _order(names, components)
        return Forecast(series, observed, np.moveaxis(values[:, order], -1, 0), ())
    told = [found for name in names if (found := read_level(name)) is not None]
    if len(told) < len(names):
        raise ArgumentError(
            argument="output",
            rule=(
                "hold draws, as with `num_samples=200`, or quantiles, as with "
                "`predict_likelihood_parameters=True`"
            ),
            got=f"one value of {list_names(names)}",
        )
    levels = tuple(sorted({name.share for name in told}))
    fronts = list(dict.fromkeys(name.front for name in told))
    order = _order([_component(front) for front in fronts], components)
    place = {(name.front, name.share): number for number, name in enumerate(told)}
    try:
        table = [[values[:, place[fronts[number], level], 0] for number in order] for level in levels]
    except KeyError as error:
        raise ArgumentError(
            argument="output", rule="have the same levels for each component", got=list_names(names)
        ) from error
    return Forecast(series, observed, np.moveaxis(np.array(table), 1, 2), levels)


def _component(front: str) -> str:
    """Return the component that a quantile belongs to: x of x_q0.050."""
    return next((front.removesuffix(end) for end in _QUANTILE if front.endswith(end)), front)


def _order(names: list[str], components: list[str]) -> list[int]:
    """Return the place of each component of the observations among the forecasts; one alone always fits."""
    if len(names) == len(components) == 1:
        return [0]
    if sorted(names) != sorted(components):
        raise ArgumentError(
            argument="output",
            rule=f"have the components of `y_true`, {list_names(components)}",
            got=list_names(names),
        )
    return [names.index(component) for component in components]
