"""Assessment of one model's forecasts: as given, and scaled or shifted by conformal calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc
from casestudies.shared.measures import measured
from casestudies.traffic.windows import WEEK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casestudies.traffic.training import Forecast
    from casestudies.traffic.windows import Part, Parts

NOMINAL = 0.1
"""The miss rate that conformal calibration aims at."""
RATES = (0.05, 0.1, 0.2, 0.5)
"""Miss rates at which a model is compared with its constant band."""
NARROWEST = 1.0
"""Vehicles per hour; a shift leaves every band at least this wide, so that it can be scaled."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Scored:
    """Intervals of the recorded hours of a part, with their place in time."""

    intervals: uc.Intervals
    grid_index: np.ndarray
    """Index of the hour in the grid, shape (n,)."""

    @property
    def weeks(self) -> np.ndarray:
        """The week of each row, counted from the first one: the blocks of all resampling."""
        return np.asarray((self.grid_index - self.grid_index.min()) // WEEK)

    def like(self, intervals: uc.Intervals) -> Scored:
        """Return other intervals of the same hours."""
        return Scored(intervals=intervals, grid_index=self.grid_index)


def scored(parts: Parts, part: Part, forecast: Forecast) -> Scored:
    """Return the intervals of the hours that were recorded."""
    kept = part.scored
    return Scored(
        intervals=uc.Intervals.from_bands(
            parts.vehicles(part.volume.astype(np.float64))[kept],
            forecast.volume[kept],
            forecast.lower_band[kept],
            forecast.upper_band[kept],
        ),
        grid_index=part.grid_index[kept],
    )


def calibrated(calibrate: Scored, test: Scored, vary: Any) -> Scored:
    """Return the test rows after conformal calibration by a scale or a shift."""
    scaler = uc.ConformalScaler(miss_rate=NOMINAL, vary=vary).fit(calibrate.intervals)
    moved = scaler.transform(test.intervals)
    return test.like(moved.floored(NARROWEST) if vary == "shift" else moved)


def constant_by_hour(calibrate: Scored, test: Scored, hour: np.ndarray) -> Scored:
    """Return one band per hour of the day, by conformal calibration around the same forecasts."""
    constant = calibrate.intervals.constant()
    scaler = uc.ConformalScaler(miss_rate=NOMINAL).fit(constant, by=hour[calibrate.grid_index])
    rows = test.intervals
    band = float(constant.upper_band[0])
    parameters = scaler.parameters_
    factor = np.array([parameters[label] for label in hour[test.grid_index].tolist()])
    return test.like(uc.Intervals.from_bands(rows.y_true, rows.y_pred, band * factor))


def assessed(calibrate: Scored | None, test: Scored, n_resamples: int) -> dict[str, Any]:
    """Return the measures of one model's curve, and its operating points before and after calibration.

    `calibrate` is None for intervals that are calibrated already.
    """
    options: dict[str, Any] = {
        "rates": RATES,
        "n_resamples": n_resamples,
        "blocks": test.weeks,
        "method": "percentile",
    }
    curve = test.intervals.ucc()
    result: dict[str, Any] = {
        "curve": measured(test.intervals, **options),
        "needed": {f"{rate:g}": curve.at(miss_rate=rate).bandwidth for rate in RATES},
        "deficit_area": curve.area(y="deficit"),
        "points": {"as given": _point(test.intervals)},
    }
    if calibrate is not None:
        scaled, shifted = (calibrated(calibrate, test, vary).intervals for vary in ("scale", "shift"))
        result["shifted_curve"] = measured(shifted, **options)
        result["points"] |= {"scaled": _point(scaled), "shifted": _point(shifted)}
    return result


def _point(intervals: uc.Intervals) -> dict[str, float]:
    score = uc.interval_score(intervals.y_true, intervals.lower, intervals.upper, miss_rate=NOMINAL)
    point = intervals.ucc().original
    return {"miss_rate": point.miss_rate, "bandwidth": point.bandwidth, "interval_score": float(score)}


def _calibrated_score(record: Mapping[str, Any]) -> float:
    points = record["points"]
    return float(points.get("scaled", points["as given"])["interval_score"])


QUESTIONS: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "area": lambda record: record["curve"]["areas"]["model"]["exact"],
    "deficit_area": lambda record: record["deficit_area"],
    "interval_score": _calibrated_score,
    "mean_absolute_error": lambda record: record["curve"]["mean_absolute_error"],
}
"""Numbers that rank models, smallest first; the interval score is the calibrated one."""
