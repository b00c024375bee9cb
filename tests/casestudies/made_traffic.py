"""A small traffic file with the quirks of the real one: repeated hours, gaps, 0 K, a flood, CRLF, "None"."""

from __future__ import annotations

import numpy as np

HEADER = "holiday,temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description,date_time,traffic_volume"
START = np.datetime64("2016-12-20T00", "h")
HOURS = 24 * 300
MISSING = {5, 6, *range(900, 960), 6500}
HOLIDAYS = {"2016-12-26": "Christmas Day", "2017-09-04": "Labor Day", "2017-10-09": "Columbus Day"}
COLD, FLOOD, TWICE = 40, 60, (80, 2700)


def volume(hour):
    return round(1500 + 600 * np.sin(2 * np.pi * hour / 24)) + hour // 240


def write(path):
    """Write the file, and return its path."""
    lines = [HEADER]
    for number in range(HOURS):
        if number in MISSING:
            continue
        time = START + number
        holiday = HOLIDAYS.get(str(time.astype("datetime64[D]")), "None") if number % 24 == 0 else "None"
        temp = 0.0 if number == COLD else 270 + number % 24
        rain = 9831.3 if number == FLOOD else 0.0
        clock = str(time.astype("datetime64[s]")).replace("T", " ")
        skies = ("Clouds", "Rain") if number in TWICE else ("Clear",)
        lines += [
            f"{holiday},{temp},{rain},0.0,40,{sky},a few words,{clock},{volume(number)}" for sky in skies
        ]
    path.write_bytes("\r\n".join([*lines, ""]).encode())
    return path
