"""Forecasts of GluonTS: draws, quantiles, or distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.adapters._forecasts import Forecast, joined
from uccurve.adapters._levels import levels_to_read
from uccurve.adapters._series import as_list, observations
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.adapters._series import SeriesIntervals

_MEAN = "mean"
_ONE_COMPONENT = 2
"""Axes of an array of draws, or of quantiles, of one component."""


def from_gluonts(
    y_true: Iterable[Any],
    output: Iterable[Any],
    *,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> SeriesIntervals:
    """Make intervals from forecasts of GluonTS.

    Parameters
    ----------
    y_true : iterable of pandas.Series, pandas.DataFrame or arrays
        The series of each forecast, as ``make_evaluation_predictions`` returns them beside the forecasts:
        observations are found by their time, and the history before is left out. Arrays hold the
        observations of the forecast's steps only.
    output : iterable of SampleForecast, QuantileForecast or DistributionForecast
        The forecasts, all of one kind.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws and distributions; by default at the 31 of
        `Intervals.from_distribution`, as far as draws reach.
    sample_weight : array of shape (n,), optional
        Weights of the rows of all forecasts, one after the other.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`; GluonTS marks missing observations by NaN.

    Returns
    -------
    SeriesIntervals
        Intervals around the medians, or without them the midpoints. The series of a row is the ``item_id``
        of its forecast, or the forecast's number where some have none; its block is its forecast.

    Examples
    --------
    >>> from types import SimpleNamespace as SampleForecast  # stands for that of GluonTS
    >>> import numpy as np
    >>> import uccurve as uc
    >>> draws = np.arange(38.0).reshape(19, 2)
    >>> forecast = SampleForecast(samples=draws, item_id="a", start_date="2024-01-01", index=[0, 1])
    >>> uc.adapters.from_gluonts([[20.0, 30.0]], [forecast], coverage=0.9)
    SeriesIntervals(Intervals(n=2, bandwidth=18, symmetric), series=1, blocks=1)
    """
    truths = as_list("y_true", y_true, "series, one for each forecast")
    forecasts = as_list("output", output, "forecasts of GluonTS")
    if len(truths) != len(forecasts):
        raise ShapeError(
            argument="y_true",
            rule=f"have a series for each forecast of `output`, {len(forecasts)}",
            got=len(truths),
        )
    labels = [getattr(forecast, "item_id", None) for forecast in forecasts]
    if None in labels:
        labels = list(range(len(labels)))
    of_distribution = levels_to_read(coverage, levels)
    read = [
        _read(truth, forecast, label, of_distribution)
        for truth, forecast, label in zip(truths, forecasts, labels, strict=True)
    ]
    already_read = bool(forecasts) and not (hasattr(forecasts[0], "samples") or _has_quantiles(forecasts[0]))
    return joined(
        read,
        coverage=coverage,
        levels=None if already_read else levels,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def _has_quantiles(forecast: Any) -> bool:
    return hasattr(forecast, "forecast_keys") and hasattr(forecast, "forecast_array")


def _read(truth: Any, forecast: Any, label: Hashable, levels: Sequence[float]) -> Forecast:
    if not hasattr(forecast, "start_date") or not hasattr(forecast, "index"):
        raise ArgumentTypeError(
            argument="output", rule="hold forecasts of GluonTS", got=type(forecast).__name__
        )
    told: tuple[float, ...] = ()
    if _has_quantiles(forecast):
        places = [number for number, key in enumerate(forecast.forecast_keys) if key != _MEAN]
        if not places:
            keys = list(forecast.forecast_keys)
            raise ArgumentError(argument="output", rule="have quantiles such as '0.1' and '0.9'", got=keys)
        told = tuple(float(forecast.forecast_keys[number]) for number in places)
        values = np.asarray(forecast.forecast_array)[places]
    elif hasattr(forecast, "samples"):
        values = to_numpy(forecast.samples)
    elif callable(getattr(forecast, "quantile", None)):
        told = tuple(levels)
        values = np.stack([to_numpy(forecast.quantile(level)) for level in levels])
    else:
        raise ArgumentTypeError(
            argument="output", rule="hold draws, quantiles or distributions", got=type(forecast).__name__
        )
    values = values[:, :, np.newaxis] if values.ndim == _ONE_COMPONENT else values
    observed = _observed(truth, forecast, label)
    if observed.shape != values.shape[1:]:
        raise ShapeError(
            argument="y_true",
            rule=f"have the shape {values.shape[1:]} of each forecast, steps and components",
            got=f"{observed.shape} for {label!r}",
        )
    return Forecast(label, observed, values, told)


def _observed(truth: Any, forecast: Any, label: Hashable) -> np.ndarray:
    """Return the observations of a forecast's steps, of shape (steps, components)."""
    array = as_arrays(y_true=truth)["y_true"]
    if array is None or array.ndim not in (1, _ONE_COMPONENT):
        raise ArgumentError(
            argument="y_true", rule=f"have the shape (steps,) or (steps, components) for {label!r}"
        )
    values = to_numpy(array)
    values = values[:, np.newaxis] if values.ndim == 1 else values
    if not hasattr(truth, "iloc"):
        return values
    known, steps = truth.index, forecast.index
    if not hasattr(known, "asfreq") or not hasattr(known, "start_time"):  # time stamps, not periods
        steps = steps.to_timestamp()
    return observations(steps.tolist(), known.tolist(), values, "time", called="output")
