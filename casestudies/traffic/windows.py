"""Windows with a day and a half of past and a day to forecast, split in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from casestudies.traffic.hourly import hour_of_day

if TYPE_CHECKING:
    from casestudies.traffic.hourly import Hourly

PAST, AHEAD = 36, 24
"""Hours of the past, and hours to forecast."""
MOST_MISSING = 3
"""The most hours of a window that may be missing."""
WEEK = 168


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Part:
    """Windows of one stretch of time, scaled; missing hours are carried forward and not scored."""

    past: np.ndarray
    """Volume, weather and calendar of the past, shape (windows, PAST, features)."""
    ahead: np.ndarray
    """Calendar of the hours to forecast, shape (windows, AHEAD, features)."""
    volume: np.ndarray
    """Scaled volume of the hours to forecast, shape (windows, AHEAD)."""
    scored: np.ndarray
    """Whether the hour was recorded, shape (windows, AHEAD)."""
    grid_index: np.ndarray
    """Index of the hour in the grid, shape (windows, AHEAD)."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Parts:
    """Windows for training, early stopping, calibration and test."""

    train: Part
    stop: Part
    calibrate: Part
    test: Part
    center: float
    """Mean volume of the training hours, vehicles per hour."""
    scale: float
    """Their standard deviation."""

    def vehicles(self, scaled: np.ndarray) -> np.ndarray:
        """Return scaled volumes in vehicles per hour."""
        return scaled * self.scale + self.center


def split(hours: Hourly, *, stride: int, shares: tuple[float, float] = (0.7, 0.1)) -> Parts:
    """Split the hours in time, and cut windows that do not cross a border.

    Training windows start every ``stride`` hours. All others forecast a day from midnight to midnight, so
    that each hour of the day is always equally far ahead. In the middle part, even weeks are for early
    stopping and odd weeks for calibration.
    """
    n = hours.time.size
    borders = np.searchsorted(
        np.cumsum(hours.recorded), np.array([0, shares[0], sum(shares), 1.0]) * hours.recorded.sum()
    )
    borders[-1] = n
    train = hours.recorded.copy()
    train[borders[1] :] = False
    center, scale = float(hours.volume[train].mean()), float(hours.volume[train].std())
    cut = _Cutter(hours, train, center, scale)
    middle = cut.daily(borders[1], borders[2])
    odd = (middle + PAST - borders[1]) // WEEK % 2 == 1
    return Parts(
        train=cut.windows(cut.every(stride, borders[0], borders[1])),
        stop=cut.windows(middle[~odd]),
        calibrate=cut.windows(middle[odd]),
        test=cut.windows(cut.daily(borders[2], borders[3])),
        center=center,
        scale=scale,
    )


class _Cutter:
    """Cuts windows out of features that are scaled by the training hours."""

    def __init__(self, hours: Hourly, train: np.ndarray, center: float, scale: float) -> None:
        weather = hours.weather.copy()
        numbers = weather[:, : hours.measured]
        spread = numbers[train].std(axis=0)
        weather[:, : hours.measured] = (numbers - numbers[train].mean(axis=0)) / np.where(
            spread > 0, spread, 1
        )
        self.volume = (hours.volume - center) / scale
        self.past = np.column_stack([self.volume, ~hours.recorded, weather, hours.calendar])
        self.calendar = hours.calendar
        self.recorded = hours.recorded
        self.missing = np.concatenate([[0], np.cumsum(~hours.recorded)])
        self.first = int(hour_of_day(hours.time[0]))

    def fits(self, start: int, end: int) -> bool:
        """Return whether a window lies before the end and is nearly complete."""
        last = start + PAST + AHEAD
        return last <= end and self.missing[last] - self.missing[start] <= MOST_MISSING

    def every(self, stride: int, start: int, end: int) -> np.ndarray:
        """Return starts of windows ``stride`` hours apart, those that forecast from midnight included."""
        starts = np.arange(start, end)
        starts = starts[(self.first + starts + PAST) % stride == 0]
        return np.array([first for first in starts if self.fits(first, end)], dtype=np.int64)

    def daily(self, start: int, end: int) -> np.ndarray:
        """Return starts of windows that forecast from midnight to midnight, one per day."""
        return self.every(AHEAD, start, end)

    def windows(self, starts: np.ndarray) -> Part:
        """Cut the windows that start at these hours."""
        past = starts[:, None] + np.arange(PAST)
        ahead = starts[:, None] + PAST + np.arange(AHEAD)
        return Part(
            past=self.past[past].astype(np.float32),
            ahead=self.calendar[ahead].astype(np.float32),
            volume=self.volume[ahead].astype(np.float32),
            scored=self.recorded[ahead],
            grid_index=ahead,
        )
