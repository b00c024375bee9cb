"""Misses as alarms: how often hours of holidays are missed, and by which bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from casestudies.shared.ceilings import with_intervals
from casestudies.shared.measures import half_widths

if TYPE_CHECKING:
    import uccurve as uc
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.hourly import Hourly

RATES = (0.05, 0.2, 0.5)
"""Operating points, from few alarms to many."""
SHOWN = 0.2
"""The miss rate of the figure."""


def missed(intervals: uc.Intervals, miss_rate: float) -> np.ndarray:
    """Return which rows are missed at an operating point; the curve decides by rank."""
    return np.asarray(intervals.critical()) > intervals.ucc().at(miss_rate=miss_rate).parameter


def alarms(model: Scored, hours: Hourly, n_resamples: int, rng: int) -> dict[str, Any]:
    """Return how often hours of holidays and other hours are missed, by the model and the constant band.

    The difference on holidays has an interval from a bootstrap of whole days: it is for other holidays.
    """
    names, days = hours.holiday[model.grid_index], hours.time[model.grid_index].astype("datetime64[D]")
    on = names != ""
    bands = {"model": model.intervals, "constant": model.intervals.constant()}
    rates: dict[str, Any] = {}
    for rate in RATES:
        alarm = {name: missed(intervals, rate) for name, intervals in bands.items()}
        difference = (alarm["constant"].astype(float) - alarm["model"])[on]
        by_day = with_intervals(
            {"difference": _mean}, difference, blocks=days[on], n_resamples=n_resamples, rng=rng
        )
        rates[f"{rate:g}"] = {name: _means(rows, on) for name, rows in alarm.items()} | by_day
        if rate == SHOWN:
            holidays = [_holiday(day, days == day, names, model, alarm) for day in np.unique(days[on])]
    return {
        "hours": int(on.sum()),
        "rates": rates,
        "width": _means(half_widths(model.intervals), on),
        "holidays": holidays,
    }


def _holiday(
    day: np.datetime64, on: np.ndarray, names: np.ndarray, model: Scored, alarm: dict[str, np.ndarray]
) -> dict[str, Any]:
    return {
        "name": str(names[on][0]),
        "day": str(day),
        "hours": int(on.sum()),
        "mean_absolute_error": float(np.mean(np.abs(model.intervals.residual[on]))),
        "missed": {band: float(np.mean(rows[on])) for band, rows in alarm.items()},
    }


def _mean(values: np.ndarray) -> float:
    return float(np.mean(values))


def _means(values: np.ndarray, on: np.ndarray) -> dict[str, float]:
    return {"holidays": _mean(values[on]), "other": _mean(values[~on])}


def worst_holiday(holidays: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the holiday with the largest error of the forecast: the figure shows its week."""
    worst: dict[str, Any] = max(holidays, key=lambda holiday: holiday["mean_absolute_error"])
    return worst
