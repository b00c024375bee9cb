"""The traffic file as a complete grid of hours, and the windows that are cut out of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pooch

URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/00492/Metro_Interstate_Traffic_Volume.csv.gz"
SHA256 = "749c90d720360a4215bb15345526073c079ba4cc95e3fa558796d083f85fce9e"
"""Of the unpacked file."""
MEASURED = ("temp", "rain_1h", "snow_1h", "clouds_all")
"""Weather that is measured; the other columns of weather are flags."""
COLDEST = 100.0
"""Kelvin; colder readings are errors."""
WETTEST = 100.0
"""Millimeters of rain per hour; larger readings are capped."""
PAST, AHEAD = 36, 24
"""Hours of the past, and hours to forecast."""
MOST_MISSING = 3
"""The most hours of a window that may be missing."""
WEEK = 168


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Hours:
    """One row per hour from the first to the last, recorded or not."""

    time: np.ndarray
    """The hour, datetime64[h], shape (n,)."""
    volume: np.ndarray
    """Vehicles per hour, shape (n,); an hour that was not recorded has the last known value."""
    recorded: np.ndarray
    """Whether the hour is in the file, shape (n,)."""
    weather: np.ndarray
    """Temperature, rain, snow, clouds and a flag for each kind of weather, shape (n, w)."""
    calendar: np.ndarray
    """Hour, weekday, season and holiday, known in advance, shape (n, c)."""
    holiday: np.ndarray
    """Whether the day is a holiday, shape (n,)."""


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

    @property
    def weeks(self) -> np.ndarray:
        """The week of each scored hour, counted from the first one: the blocks of all resampling."""
        index = self.grid_index[self.scored]
        return np.asarray((index - index.min()) // WEEK)


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

    def to_vehicles(self, scaled: np.ndarray) -> np.ndarray:
        """Return scaled volumes in vehicles per hour."""
        return scaled * self.scale + self.center


def read_hours(path: str | None) -> Hours:
    """Return one row per hour: the first of those that repeat it, with the weather of all of them.

    What is missing carries the last known value: a forecast may look back, never ahead. Without a path the
    published file is downloaded, once.
    """
    rows = pl.read_csv(download() if path is None else path, try_parse_dates=True)
    kinds = sorted(rows["weather_main"].unique())
    hours = rows.group_by(time="date_time").agg(
        pl.col("traffic_volume", *MEASURED).cast(pl.Float64).first(),
        *(pl.col("weather_main").eq(kind).any().cast(pl.Float64).alias(kind) for kind in kinds),
    )
    ends = pl.datetime_range(pl.col("date_time").min(), pl.col("date_time").max(), "1h")
    grid = rows.select(time=ends).join(hours, on="time", how="left", maintain_order="left")
    recorded = grid["traffic_volume"].is_not_null()
    temperature = pl.when(pl.col("temp") > COLDEST).then(pl.col("temp"))
    known = grid.with_columns(temp=temperature, rain_1h=pl.col("rain_1h").clip(upper_bound=WETTEST)).select(
        pl.all().forward_fill().backward_fill()
    )
    # The file names a holiday at midnight only, and calls every other hour "None".
    named = rows.filter(pl.col("holiday") != "None")["date_time"].dt.date().unique()
    holiday = grid["time"].dt.date().is_in(named.implode()).to_numpy()
    time = known["time"].to_numpy().astype("datetime64[h]")
    return Hours(
        time=time,
        volume=known["traffic_volume"].to_numpy(),
        recorded=recorded.to_numpy(),
        weather=known.select(*MEASURED, *kinds).to_numpy(),
        calendar=_make_calendar(time, holiday),
        holiday=holiday,
    )


def download() -> str:
    """Return the path of the file, which is fetched once, and known by its hash."""
    path: str = pooch.retrieve(URL, known_hash=None, processor=pooch.Decompress())
    found = pooch.file_hash(path)
    if found != SHA256:
        raise ValueError(f"{path} must have the sha256 {SHA256}, got {found}: remove it, or pass --data.")
    return path


def hour_of_day(time: np.ndarray) -> np.ndarray:
    """Return the hours since midnight, as whole numbers."""
    return np.asarray((time - time.astype("datetime64[D]")).astype(np.int64))


def _make_calendar(time: np.ndarray, holiday: np.ndarray) -> np.ndarray:
    """Return the features of the calendar: circles for hour and season, flags for days."""
    days = time.astype("datetime64[D]")
    hour = hour_of_day(time)
    weekday = (days.astype(np.int64) + 3) % 7  # 1970-01-01 was a Thursday
    season = (days - time.astype("datetime64[Y]").astype("datetime64[D]")).astype(float)
    tomorrow = np.append(holiday[24:], np.zeros(min(24, holiday.size), dtype=bool))
    phases = (hour / 24, hour / 12, season / 365.25)
    circles = [circle(2 * np.pi * phase) for phase in phases for circle in (np.sin, np.cos)]
    return np.column_stack([*circles, weekday[:, None] == np.arange(7), holiday, tomorrow]).astype(float)


def split(hours: Hours, *, stride: int, shares: tuple[float, float] = (0.7, 0.1)) -> Parts:
    """Split the hours in time, and cut windows that do not cross a border.

    Training windows start every ``stride`` hours. All others forecast a day from midnight to midnight, so
    that each hour of the day is always equally far ahead. In the middle part, even weeks are for early
    stopping and odd weeks for calibration. Volumes and weather are scaled by the training hours.
    """
    shares_before = np.array([0, shares[0], sum(shares)])
    borders = np.searchsorted(np.cumsum(hours.recorded), shares_before * hours.recorded.sum())
    borders = np.append(borders, hours.time.size)
    learned = hours.recorded & (np.arange(hours.time.size) < borders[1])
    center, scale = float(hours.volume[learned].mean()), float(hours.volume[learned].std())
    numbers, flags = np.split(hours.weather, [len(MEASURED)], axis=1)
    spread = numbers[learned].std(axis=0)
    numbers = (numbers - numbers[learned].mean(axis=0)) / np.where(spread > 0, spread, 1)
    volume = (hours.volume - center) / scale
    features = np.column_stack([volume, ~hours.recorded, numbers, flags, hours.calendar])
    missing = np.concatenate([[0], np.cumsum(~hours.recorded)])

    def find_starts(start: int, end: int, every: int = AHEAD) -> np.ndarray:
        starts = np.arange(start, end - PAST - AHEAD + 1)
        nearly_complete = missing[starts + PAST + AHEAD] - missing[starts] <= MOST_MISSING
        is_due = (hour_of_day(hours.time[0]) + starts + PAST) % every == 0
        return np.asarray(starts[nearly_complete & is_due])

    def cut(starts: np.ndarray) -> Part:
        past = starts[:, None] + np.arange(PAST)
        ahead = starts[:, None] + PAST + np.arange(AHEAD)
        return Part(
            past=features[past].astype(np.float32),
            ahead=hours.calendar[ahead].astype(np.float32),
            volume=volume[ahead].astype(np.float32),
            scored=hours.recorded[ahead],
            grid_index=ahead,
        )

    middle = find_starts(borders[1], borders[2])
    odd = (middle + PAST - borders[1]) // WEEK % 2 == 1
    return Parts(
        train=cut(find_starts(borders[0], borders[1], stride)),
        stop=cut(middle[~odd]),
        calibrate=cut(middle[odd]),
        test=cut(find_starts(borders[2], borders[3])),
        center=center,
        scale=scale,
    )
