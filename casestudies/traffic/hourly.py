"""The traffic file as a complete grid of hours, with features that a forecast may use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/00492/Metro_Interstate_Traffic_Volume.csv.gz"
SHA256 = "749c90d720360a4215bb15345526073c079ba4cc95e3fa558796d083f85fce9e"
"""Of the unpacked file."""
COLDEST = 100.0
"""Kelvin; colder readings are errors."""
WETTEST = 100.0
"""Millimeters of rain per hour; larger readings are capped."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Hourly:
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
    """The name of the day's holiday, empty on other days, shape (n,)."""
    measured: int
    """How many of the columns of ``weather`` are measurements; the rest are flags."""


def read_traffic(path: str | None) -> dict[str, np.ndarray]:
    """Return the columns of a copy of the file; without a path, of the published one, downloaded once."""
    table = pl.read_csv(_download() if path is None else path, try_parse_dates=True)
    columns = {name: table[name].to_numpy() for name in table.columns}
    return {
        name: column.astype(str) if column.dtype == object else column for name, column in columns.items()
    }


def _download() -> str:
    import pooch  # noqa: PLC0415 - not needed with a copy of the file

    path: str = pooch.retrieve(URL, known_hash=None, processor=pooch.Decompress())
    found = pooch.file_hash(path)
    if found != SHA256:
        raise ValueError(f"{path} must have the sha256 {SHA256}, got {found}: remove it, or pass --data.")
    return path


def hourly(rows: dict[str, np.ndarray]) -> Hourly:
    """Return one row per hour: the first of those that repeat it, with the weather of all of them."""
    hour = rows["date_time"].astype("datetime64[h]")
    time = np.arange(hour.min(), hour.max() + 1)
    index = (hour - time[0]).astype(np.int64)
    present, first = np.unique(index, return_index=True)
    recorded = np.zeros(time.size, dtype=bool)
    recorded[present] = True

    def column(values: np.ndarray) -> np.ndarray:
        on_grid = np.full(time.size, np.nan)
        on_grid[present] = values[first]
        return on_grid

    temperature = column(np.where(rows["temp"] > COLDEST, rows["temp"], np.nan))
    numbers = [
        temperature,
        np.minimum(column(rows["rain_1h"]), WETTEST),
        column(rows["snow_1h"]),
        column(rows["clouds_all"]),
    ]
    kinds = np.unique(rows["weather_main"])
    flags = np.zeros((time.size, kinds.size))
    np.maximum.at(flags, index, (rows["weather_main"][:, None] == kinds).astype(float))
    flags = flags[_last_known(~recorded)]
    holiday = _over_the_day(time, index, rows["holiday"])
    return Hourly(
        time=time,
        volume=_carried(column(rows["traffic_volume"].astype(float))),
        recorded=recorded,
        weather=np.column_stack([*map(_carried, numbers), flags]),
        calendar=_calendar(time, holiday != ""),
        holiday=holiday,
        measured=len(numbers),
    )


def _last_known(missing: np.ndarray) -> np.ndarray:
    """Return the index of the last known hour, or of the first known one where none came before."""
    index = np.maximum.accumulate(np.where(missing, 0, np.arange(missing.size)))
    return np.where(missing[index], np.argmin(missing), index)


def _carried(values: np.ndarray) -> np.ndarray:
    """Carry the last known value forward: a forecast may look back, never ahead."""
    known: np.ndarray = values[_last_known(np.isnan(values))]
    return known


def _over_the_day(time: np.ndarray, index: np.ndarray, name: np.ndarray) -> np.ndarray:
    """Spread a holiday, which the file notes at midnight only, over its day."""
    named = name != "None"
    days = time.astype("datetime64[D]")
    names = np.zeros(time.size, dtype=name.dtype)
    for day, holiday in zip(days[index[named]], name[named], strict=True):
        names[days == day] = holiday
    return names


def hour_of_day(time: np.ndarray) -> np.ndarray:
    """Return the hours since midnight, as whole numbers."""
    return np.asarray((time - time.astype("datetime64[D]")).astype(np.int64))


def _calendar(time: np.ndarray, holiday: np.ndarray) -> np.ndarray:
    """Return the features of the calendar: circles for hour and season, flags for days."""
    days = time.astype("datetime64[D]")
    hour = hour_of_day(time)
    weekday = (days.astype(np.int64) + 3) % 7  # 1970-01-01 was a Thursday
    season = (days - time.astype("datetime64[Y]").astype("datetime64[D]")).astype(float)
    tomorrow = np.append(holiday[24:], np.zeros(min(24, holiday.size), dtype=bool))
    circles = [
        circle(2 * np.pi * phase)
        for phase in (hour / 24, hour / 12, season / 365.25)
        for circle in (np.sin, np.cos)
    ]
    flags = weekday[:, None] == np.arange(7)
    return np.column_stack([*circles, flags, holiday, tomorrow]).astype(float)
