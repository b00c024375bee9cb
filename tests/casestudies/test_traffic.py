"""The traffic study: the grid of hours, windows, models, alarms, and the claims of the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from casestudies.traffic import hours as traffic_hours
from casestudies.traffic import models, study
from made_traffic import COLD, FLOOD, HOLIDAYS, HOURS, MISSING, TWICE, volume

import uccurve as uc


def test_each_hour_has_one_row_that_never_looks_ahead(hours):
    """Windows are cut by counting hours; missing ones carry the past forward."""
    assert hours.time.size == HOURS
    np.testing.assert_array_equal(np.flatnonzero(~hours.recorded), sorted(MISSING))
    assert hours.volume[5] == hours.volume[6] == volume(4)
    assert hours.volume[930] == volume(899)


def test_weather_keeps_no_reading_that_cannot_be_and_all_kinds_of_an_hour(hours):
    """0 K and ten meters of rain would swallow the scale of all other hours."""
    assert hours.weather[COLD, 0] == hours.weather[COLD - 1, 0] > traffic_hours.COLDEST
    assert hours.weather[FLOOD, 1] == traffic_hours.WETTEST
    flags = hours.weather[:, len(traffic_hours.MEASURED) :]
    assert flags[TWICE[0]].tolist() == [0, 1, 1]  # clear, clouds, rain
    assert flags[930].tolist() == flags[899].tolist() == [1, 0, 0]  # nobody looked; the last known weather


def test_the_calendar_knows_hour_weekday_holidays_and_their_eves(hours):
    """2016-12-20 was a Tuesday; the file names a holiday at midnight only."""
    assert hours.calendar[0, 6:13].argmax() == 1
    np.testing.assert_array_equal(hours.calendar[24:, 6:13], np.roll(hours.calendar[:-24, 6:13], 1, axis=1))
    angle = 2 * np.pi * (np.arange(HOURS) % 24) / 24
    np.testing.assert_allclose(hours.calendar[:, 0], np.sin(angle), atol=1e-12)
    days = hours.time.astype("datetime64[D]")
    holidays = np.array(list(HOLIDAYS), dtype="datetime64[D]")
    np.testing.assert_array_equal(hours.holiday, np.isin(days, holidays))
    np.testing.assert_array_equal(hours.calendar[:, 13], np.isin(days, holidays))
    np.testing.assert_array_equal(hours.calendar[:, 14], np.isin(days + 1, holidays))


def test_parts_follow_each_other_in_time_and_share_no_hour(parts, hours):
    """What is tested on must not have been learned from, stopped by or calibrated on."""
    middle = np.concatenate([parts.stop.grid_index, parts.calibrate.grid_index])
    train, test, past = parts.train.grid_index, parts.test.grid_index, traffic_hours.PAST
    assert train.max() < middle.min() - past < middle.max() < test.min() - past
    assert np.unique(middle).size == middle.size
    for part in (parts.stop, parts.calibrate, parts.test):
        assert np.all(hours.calendar[part.grid_index[:, 0], 1] == 1)  # the cosine of the hour: midnight


def test_windows_are_nearly_complete_and_score_recorded_hours_only(parts, hours):
    """A missing hour has no volume to be right or wrong about."""
    for part in (parts.train, parts.stop, parts.calibrate, parts.test):
        np.testing.assert_array_equal(part.scored, hours.recorded[part.grid_index])
        spans = part.grid_index[:, :1] + np.arange(-traffic_hours.PAST, traffic_hours.AHEAD)
        assert np.max(np.sum(~hours.recorded[spans], axis=1)) <= traffic_hours.MOST_MISSING
        np.testing.assert_allclose(parts.to_vehicles(part.volume), hours.volume[part.grid_index], rtol=1e-6)
        np.testing.assert_array_equal(part.ahead, hours.calendar[part.grid_index].astype(np.float32))
    assert not parts.test.scored.all()


def test_what_comes_later_changes_nothing_that_is_known_earlier(hours, parts):
    """The scales of the features and the fills must come from the training part alone."""
    border = int(parts.test.grid_index.min())
    later = replace(hours, volume=hours.volume.copy(), weather=hours.weather.copy())
    later.volume[border:] = 5
    later.weather[border:, : len(traffic_hours.MEASURED)] = 999
    again = traffic_hours.split(later, stride=7)
    assert (again.center, again.scale) == (parts.center, parts.scale)
    np.testing.assert_array_equal(again.train.past, parts.train.past)
    np.testing.assert_array_equal(again.test.past[0], parts.test.past[0])


def test_what_happened_in_the_test_hours_has_no_part_in_training(parts):
    """Neither in fitting nor in the choice of the epoch; nor have hours that were not recorded."""
    other = replace(parts, test=replace(parts.test, volume=parts.test.volume[::-1] + 1))
    guessed = replace(parts.train, volume=np.where(parts.train.scored, parts.train.volume, 9))
    schedule = models.Schedule(epochs=1, batch=64)
    one, two, three = (
        models.train("joint asymmetric", given, schedule, 0)
        for given in (parts, other, replace(parts, train=guessed))
    )
    for again in (two, three):
        np.testing.assert_array_equal(one.test.y_pred, again.test.y_pred)
        np.testing.assert_array_equal(one.calibrate.upper_band, again.calibrate.upper_band)


@pytest.mark.parametrize(
    ("network", "sides", "expected"),
    [
        ("joint symmetric", "both", 2 * 0.798),  # the mean absolute error
        ("joint asymmetric", "upper", 0.798),  # that of the errors above, 0 below
        ("Gaussian likelihood", "both", 2),
        ("quantile loss", "upper", 2 * 1.645),
    ],
)
def test_losses_are_least_where_they_should_be(network, sides, expected):
    """Each loss defines what the bands mean."""
    y = torch.randn(20_000, generator=torch.Generator().manual_seed(0)) * 2 + 1
    grid = torch.linspace(0.05, 6, 120)

    def loss(band):
        lower = band if sides == "both" else torch.tensor(0.3)
        given = models.Bands(*(torch.ones_like(y) * value for value in (1.0, lower, band)))
        return float(models.NETWORKS[network].loss(given, y).mean())

    assert float(min(grid, key=loss)) == pytest.approx(expected, abs=0.1)


def test_alarms_are_counted_on_holidays_and_elsewhere(hours, parts):
    """They are the misses at the operating point: exactly the share of rows that the miss rate says."""
    index = parts.test.grid_index[parts.test.scored]
    rng = np.random.default_rng(1)
    y, bands = hours.volume[index], rng.uniform(1, 2, size=index.size)
    rows = uc.Intervals.from_bands(y, y + rng.normal(size=y.size), bands)
    found = study.count_alarms(rows, parts.test, hours)
    on = np.isin(hours.time[index].astype("datetime64[D]").astype(str), list(HOLIDAYS))
    missed = study.find_missed(rows, 0.2)
    assert missed.mean() == pytest.approx(0.2, abs=1 / index.size)
    assert found["hours"] == on.sum() == 48
    assert found["rates"]["0.2"]["model"] == {"holidays": missed[on].mean(), "other": missed[~on].mean()}
    assert found["days"] == 2
    assert found["width"] == pytest.approx({"holidays": bands[on].mean(), "other": bands[~on].mean()})


def curve(end=0.25, better=0.1, worse=-0.1):
    sides = {"crossover": {"value": end}, "below": {"low": better}, "above": {"high": worse}}
    return {"curve": {"gain": {"value": 0.05, "low": -0.01}, **sides}}


def test_the_phenomenon_is_said_to_hold_only_if_it_does():
    """On every seed: the place of the cross-over, and both sides of it."""
    assert study.find_phenomenon([curve(), curve()])["holds"]
    for other in (curve(end=0.36), curve(end=0.14), curve(better=-0.01), curve(worse=0.01)):
        found = study.find_phenomenon([curve(), other])
        assert not found["holds"]
        assert (found["positive"], found["surely_positive"]) == (2, 0)
