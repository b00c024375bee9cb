"""The traffic data: the grid of hours, its features, and the windows cut out of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from casestudies.traffic import hourly, windows
from made_traffic import COLD, FLOOD, HOLIDAYS, HOURS, MISSING, TWICE, volume


def test_each_hour_has_one_row_whether_it_was_recorded_or_not(hours):
    """Windows are cut by counting hours; a row too many or too few would shift every forecast."""
    assert hours.time.size == HOURS
    np.testing.assert_array_equal(np.flatnonzero(~hours.recorded), sorted(MISSING))
    np.testing.assert_array_equal(np.diff(hours.time).astype(int), 1)


def test_missing_hours_carry_the_past_forward_and_never_the_future_back(hours):
    """A value from later would let a forecast look ahead."""
    assert hours.volume[5] == hours.volume[6] == volume(4)
    assert hours.volume[930] == volume(899)


def test_weather_keeps_no_reading_that_cannot_be(hours):
    """0 K and ten meters of rain would swallow the scale of all other hours."""
    temperature, rain = hours.weather[:, 0], hours.weather[:, 1]
    assert temperature[COLD] == temperature[COLD - 1] > hourly.COLDEST
    assert rain[FLOOD] == hourly.WETTEST


def test_an_hour_with_two_kinds_of_weather_has_both_flags(hours):
    """The file repeats the hour for each of them."""
    flags = hours.weather[:, hours.measured :]
    assert flags[TWICE[0]].tolist() == [0, 1, 1]  # clear, clouds, rain
    assert flags[TWICE[0] + 1].tolist() == [1, 0, 0]
    assert flags[930].tolist() == flags[899].tolist() == [1, 0, 0]  # nobody looked; the last known weather


def test_a_holiday_lasts_its_day_and_none_is_no_holiday(hours):
    """The file names it at midnight only, and calls every other hour "None"."""
    days = hours.time.astype("datetime64[D]").astype(str)
    for day, name in HOLIDAYS.items():
        assert set(hours.holiday[days == day]) == {name}
    assert set(hours.holiday[~np.isin(days, list(HOLIDAYS))]) == {""}


def test_the_calendar_knows_hour_and_weekday(hours):
    """2016-12-20 was a Tuesday."""
    weekday = hours.calendar[:, 6:13]
    assert weekday[0].argmax() == 1
    np.testing.assert_array_equal(weekday[24:], np.roll(weekday[:-24], 1, axis=1))
    hour = np.arange(HOURS) % 24
    for column, angle in ((0, hour / 24), (2, hour / 12)):
        np.testing.assert_allclose(hours.calendar[:, column], np.sin(2 * np.pi * angle), atol=1e-12)
        np.testing.assert_allclose(hours.calendar[:, column + 1], np.cos(2 * np.pi * angle), atol=1e-12)


def test_the_calendar_knows_holidays_and_their_eves(hours):
    """People leave the day before."""
    days = hours.time.astype("datetime64[D]")
    holidays = np.array(list(HOLIDAYS), dtype="datetime64[D]")
    np.testing.assert_array_equal(hours.calendar[:, 13], np.isin(days, holidays))
    np.testing.assert_array_equal(hours.calendar[:, 14], np.isin(days + 1, holidays))


def test_parts_follow_each_other_in_time_and_share_no_hour(parts):
    """What is tested on must not have been learned from, stopped by or calibrated on."""
    train, test = parts.train.grid_index, parts.test.grid_index
    middle = np.concatenate([parts.stop.grid_index, parts.calibrate.grid_index])
    assert train.max() < middle.min() - windows.PAST < middle.max() < test.min() - windows.PAST
    for part in (parts.stop, parts.calibrate, parts.test):
        assert np.unique(part.grid_index).size == part.grid_index.size
    assert not np.intersect1d(parts.stop.grid_index, parts.calibrate.grid_index).size


def test_all_but_training_windows_forecast_from_midnight(parts, hours):
    """Otherwise an hour of the day would be near ahead in calibration and far ahead in the test."""
    for part in (parts.stop, parts.calibrate, parts.test):
        assert np.all(hours.calendar[part.grid_index[:, 0], 1] == 1)  # the cosine of the hour
    assert len(np.unique(hours.calendar[parts.train.grid_index[:, 0], 1])) > 2


def test_weeks_for_stopping_and_for_calibration_take_turns(parts):
    """Neighboring days are alike: a day for one beside a day for the other would not be new to it."""
    starts = np.concatenate([parts.stop.grid_index[:, 0], parts.calibrate.grid_index[:, 0]])
    calibrates = np.arange(starts.size) >= len(parts.stop.grid_index)
    turns = np.count_nonzero(np.diff(calibrates[np.argsort(starts)]))
    assert turns <= np.ptp(starts) // 168 + 1
    assert len(parts.stop.grid_index) > 7 < len(parts.calibrate.grid_index)


def test_windows_are_nearly_complete_and_score_recorded_hours_only(parts, hours):
    """A missing hour has no volume to be right or wrong about."""
    for part in (parts.train, parts.stop, parts.calibrate, parts.test):
        np.testing.assert_array_equal(part.scored, hours.recorded[part.grid_index])
        spans = part.grid_index[:, :1] - windows.PAST + np.arange(windows.PAST + windows.AHEAD)
        assert np.max(np.sum(~hours.recorded[spans], axis=1)) <= windows.MOST_MISSING
        np.testing.assert_allclose(parts.vehicles(part.volume), hours.volume[part.grid_index], rtol=1e-6)
        np.testing.assert_array_equal(part.ahead, hours.calendar[part.grid_index].astype(np.float32))
        np.testing.assert_array_equal(np.diff(part.grid_index, axis=1), 1)
    assert not parts.test.scored.all()


def test_what_comes_later_changes_nothing_that_is_known_earlier(hours, parts):
    """The scales of the features and the fills must come from the training part alone."""
    border = int(parts.test.grid_index.min())
    later = replace(hours, volume=hours.volume.copy(), weather=hours.weather.copy())
    later.volume[border:] = 5
    later.weather[border:, : hours.measured] = 999
    again = windows.split(later, stride=7)
    assert (again.center, again.scale) == (parts.center, parts.scale)
    for name in ("train", "stop", "calibrate"):
        np.testing.assert_array_equal(getattr(again, name).past, getattr(parts, name).past)
    np.testing.assert_array_equal(again.test.past[0], parts.test.past[0])
    np.testing.assert_array_equal(again.test.ahead, parts.test.ahead)
