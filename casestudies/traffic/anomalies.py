"""Misses as alarms: whether hours of holidays are missed more often, and by which bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from casestudies.shared.rows import Rows, resampled

if TYPE_CHECKING:
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.hourly import Hourly
    from uccurve import Intervals

RATES = (0.05, 0.2, 0.5)
"""Operating points, from few alarms to many."""
SHOWN = 0.2
"""The one that the figure shows."""


def missed(intervals: Intervals, miss_rate: float) -> np.ndarray:
    """Return which rows are missed at an operating point; the curve decides by rank."""
    return Rows.of(intervals).critical > intervals.ucc().at(miss_rate=miss_rate).parameter


def alarms(model: Scored, hours: Hourly, n_resamples: int, rng: int) -> dict[str, Any]:
    """Return how often hours of holidays and other hours are missed, by the model and the constant band.

    The difference between the two on holidays comes with an interval for other holidays: days are drawn.
    """
    names, days = hours.holiday[model.place], hours.time[model.place].astype("datetime64[D]")
    on = names != ""
    bands = {"model": model.intervals, "constant": model.intervals.constant()}
    rates: dict[str, Any] = {}
    for rate in RATES:
        out = {name: missed(intervals, rate) for name, intervals in bands.items()}
        more = (out["constant"].astype(float) - out["model"])[on]
        rates[f"{rate:g}"] = {name: _means(alarm, on) for name, alarm in out.items()} | {
            "difference": _with_interval(more, days[on], n_resamples, rng)
        }
        if rate == SHOWN:
            holidays = [_holiday(day, days == day, names, model, out) for day in np.unique(days[on])]
    return {
        "hours": int(on.sum()),
        "rates": rates,
        "width": _means(Rows.of(model.intervals).half_width, on),
        "holidays": holidays,
    }


def _holiday(
    day: np.datetime64, on: np.ndarray, names: np.ndarray, model: Scored, out: dict[str, np.ndarray]
) -> dict[str, Any]:
    return {
        "name": str(names[on][0]),
        "day": str(day),
        "hours": int(on.sum()),
        "mean_absolute_error": float(np.mean(np.abs(model.intervals.residual[on]))),
        "missed": {band: float(np.mean(alarm[on])) for band, alarm in out.items()},
    }


def _means(values: np.ndarray, on: np.ndarray) -> dict[str, float]:
    return {"holidays": float(np.mean(values[on])), "other": float(np.mean(values[~on]))}


def _with_interval(values: np.ndarray, days: np.ndarray, n_resamples: int, rng: int) -> dict[str, float]:
    """Return the mean of the values with a bootstrap interval; whole days are drawn."""
    found = [np.mean(values[places]) for places in resampled(days, n_resamples, rng)]
    low, high = np.quantile(found, [0.025, 0.975])
    return {"value": float(np.mean(values)), "low": float(low), "high": float(high)}


def week_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return the holiday that the forecast was farthest off on: the week to look at."""
    worst: dict[str, Any] = max(found["holidays"], key=lambda holiday: holiday["mean_absolute_error"])
    return worst
