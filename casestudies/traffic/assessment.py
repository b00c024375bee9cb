"""One model's forecasts assessed: as they are, scaled and shifted by conformal calibration."""

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
    from uccurve import Intervals

NOMINAL = 0.1
"""The miss rate that conformal calibration is asked for."""
RATES = (0.05, 0.1, 0.2, 0.5)
"""Miss rates at which a model is held against its constant band."""
NARROWEST = 1.0
"""Vehicles an hour; no band gets narrower by a shift, so that it can still be scaled."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Scored:
    """Intervals of the recorded hours of a part, with where they are in time."""

    intervals: Intervals
    place: np.ndarray
    """Which hour of the grid, shape (n,)."""

    @property
    def weeks(self) -> np.ndarray:
        """The week of each row, counted from the first one: what is resampled together."""
        return np.asarray((self.place - self.place.min()) // WEEK)

    def like(self, intervals: Intervals) -> Scored:
        """Return other intervals of the same hours."""
        return Scored(intervals=intervals, place=self.place)


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
        place=part.place[kept],
    )


def calibrated(calibrate: Scored, test: Scored, vary: Any) -> Scored:
    """Return the test rows after conformal calibration by a scale or a shift."""
    scaler = uc.ConformalScaler(miss_rate=NOMINAL, vary=vary).fit(calibrate.intervals)
    rows = test.intervals
    lower, upper = scaler.transform(rows.y_pred, rows.lower, rows.upper)
    moved = uc.Intervals.from_bands(rows.y_true, rows.y_pred, rows.y_pred - lower, upper - rows.y_pred)
    return test.like(moved.floored(NARROWEST) if vary == "shift" else moved)


def constant_by_hour(calibrate: Scored, test: Scored, hour: np.ndarray) -> Scored:
    """Return a band for each hour of the day, by conformal calibration around the same forecasts."""
    flat = calibrate.intervals.constant()
    scaler = uc.ConformalScaler(miss_rate=NOMINAL).fit(flat, groups=hour[calibrate.place])
    rows = test.intervals
    width = float(flat.upper_band[0])
    factor = np.array([scaler.parameters[one] for one in hour[test.place].tolist()])
    return test.like(uc.Intervals.from_bands(rows.y_true, rows.y_pred, width * factor))


def assessed(calibrate: Scored | None, test: Scored, n_resamples: int) -> dict[str, Any]:
    """Return what is said about one model: its curve, and ways to reach an operating point.

    Without rows to calibrate on, the intervals are calibrated already.
    """
    options: dict[str, Any] = {
        "rates": RATES,
        "n_resamples": n_resamples,
        "blocks": test.weeks,
        "method": "bootstrap",
    }
    curve = test.intervals.ucc()
    found: dict[str, Any] = {
        "curve": measured(test.intervals, **options),
        "needed": {f"{rate:g}": curve.at(miss_rate=rate).bandwidth for rate in RATES},
        "deficit_area": curve.area(y="deficit"),
        "points": {"as given": _point(test.intervals)},
    }
    if calibrate is not None:
        scaled, shifted = (calibrated(calibrate, test, vary).intervals for vary in ("scale", "shift"))
        found["shifted_curve"] = measured(shifted, **options)
        found["points"] |= {"scaled": _point(scaled), "shifted": _point(shifted)}
    return found


def _point(intervals: Intervals) -> dict[str, float]:
    score = uc.interval_score(intervals.y_true, intervals.lower, intervals.upper, miss_rate=NOMINAL)
    point = intervals.ucc().original
    return {"miss_rate": point.miss_rate, "bandwidth": point.bandwidth, "interval_score": float(score)}


def _score(one: Mapping[str, Any]) -> float:
    points = one["points"]
    return float(points.get("scaled", points["as given"])["interval_score"])


QUESTIONS: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "area": lambda one: one["curve"]["areas"]["model"]["exact"],
    "deficit_area": lambda one: one["deficit_area"],
    "interval_score": _score,
    "mean_absolute_error": lambda one: one["curve"]["mean_absolute_error"],
}
"""Numbers that rank models, the least first, from what was assessed; the score is the calibrated one."""
