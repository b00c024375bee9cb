"""The traffic study: what its numbers rest on, and a light run from a made file to the page."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from casestudies.traffic import __main__ as traffic
from casestudies.traffic import (
    anomalies,
    assessment,
    boosting,
    figures,
    hourly,
    networks,
    study,
    training,
    windows,
)
from casestudies.traffic import results as results_of
from casestudies.traffic.assessment import Scored

import uccurve as uc
from uccurve.datasets import fetch_metro_traffic

HEADER = "holiday,temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description,date_time,traffic_volume"
START = np.datetime64("2016-12-20T00", "h")
HOURS = 24 * 300
MISSING = {5, 6, *range(900, 960), 6500}
HOLIDAYS = {"2016-12-26": "Christmas Day", "2017-09-04": "Labor Day", "2017-10-09": "Columbus Day"}
COLD, FLOOD, TWICE = 40, 60, (80, 2700)


def volume(hour):
    return round(1500 + 600 * np.sin(2 * np.pi * hour / 24)) + hour // 240


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file with the quirks of the real one: hours twice, gaps, 0 K, a flood, CRLF, "None"."""
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
    path = tmp_path_factory.mktemp("traffic") / "small.csv"
    path.write_bytes("\r\n".join([*lines, ""]).encode())
    return path


@pytest.fixture(scope="module")
def hours(file):
    return hourly.hourly(fetch_metro_traffic(file, verify=False))


@pytest.fixture(scope="module")
def parts(hours):
    return windows.split(hours, stride=7)


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
    """0 K and ten metres of rain would swallow the scale of all other hours."""
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
    """What is tested on must not have been learnt from, stopped by or calibrated on."""
    train, test = parts.train.place, parts.test.place
    middle = np.concatenate([parts.stop.place, parts.calibrate.place])
    assert train.max() < middle.min() - windows.PAST < middle.max() < test.min() - windows.PAST
    for part in (parts.stop, parts.calibrate, parts.test):
        assert np.unique(part.place).size == part.place.size
    assert not np.intersect1d(parts.stop.place, parts.calibrate.place).size


def test_all_but_training_windows_forecast_from_midnight(parts, hours):
    """Otherwise an hour of the day would be near ahead in calibration and far ahead in the test."""
    for part in (parts.stop, parts.calibrate, parts.test):
        assert np.all(hours.calendar[part.place[:, 0], 1] == 1)  # the cosine of the hour
    assert len(np.unique(hours.calendar[parts.train.place[:, 0], 1])) > 2


def test_weeks_for_stopping_and_for_calibration_take_turns(parts):
    """Neighbouring days are alike: a day for one beside a day for the other would not be new to it."""
    starts = np.concatenate([parts.stop.place[:, 0], parts.calibrate.place[:, 0]])
    calibrates = np.arange(starts.size) >= len(parts.stop.place)
    turns = np.count_nonzero(np.diff(calibrates[np.argsort(starts)]))
    assert turns <= np.ptp(starts) // 168 + 1
    assert len(parts.stop.place) > 7 < len(parts.calibrate.place)


def test_windows_are_nearly_complete_and_score_recorded_hours_only(parts, hours):
    """A missing hour has no volume to be right or wrong about."""
    for part in (parts.train, parts.stop, parts.calibrate, parts.test):
        np.testing.assert_array_equal(part.scored, hours.recorded[part.place])
        spans = part.place[:, :1] - windows.PAST + np.arange(windows.PAST + windows.AHEAD)
        assert np.max(np.sum(~hours.recorded[spans], axis=1)) <= windows.MOST_MISSING
        np.testing.assert_allclose(parts.vehicles(part.volume), hours.volume[part.place], rtol=1e-6)
        np.testing.assert_array_equal(part.ahead, hours.calendar[part.place].astype(np.float32))
        np.testing.assert_array_equal(np.diff(part.place, axis=1), 1)
    assert not parts.test.scored.all()


def test_what_comes_later_changes_nothing_that_is_known_earlier(hours, parts):
    """The scales of the features and the fills must come from the training part alone."""
    border = int(parts.test.place.min())
    later = replace(hours, volume=hours.volume.copy(), weather=hours.weather.copy())
    later.volume[border:] = 5
    later.weather[border:, : hours.measured] = 999
    again = windows.split(later, stride=7)
    assert (again.centre, again.scale) == (parts.centre, parts.scale)
    for name in ("train", "stop", "calibrate"):
        np.testing.assert_array_equal(getattr(again, name).past, getattr(parts, name).past)
    np.testing.assert_array_equal(again.test.past[0], parts.test.past[0])
    np.testing.assert_array_equal(again.test.ahead, parts.test.ahead)


def test_losses_are_least_where_they_should_be():
    """Each loss defines what the bands mean: the mean size of an error, its parts, its deviation, a quantile."""
    generator = torch.Generator().manual_seed(0)
    y = torch.randn(20_000, generator=generator) * 2 + 1
    error = y - 1

    def best(loss):
        grid = torch.linspace(0.05, 6, 120)
        return grid[min(range(120), key=lambda i: float(loss(grid[i]).mean()))]

    def bands(volume, lower, upper):
        return networks.Bands(
            torch.full_like(y, volume), lower * torch.ones_like(y), upper * torch.ones_like(y)
        )

    assert best(lambda z: networks.JointMeta.loss(bands(1.0, z, z), y)) == pytest.approx(
        float(error.abs().mean()), abs=0.06
    )
    above = float(error.clamp(min=0).mean())
    assert best(
        lambda z: networks.AsymmetricJointMeta.loss(bands(1.0, torch.tensor(0.3), z), y)
    ) == pytest.approx(above, abs=0.06)
    assert best(lambda z: networks.Gaussian.loss(bands(1.0, z, z), y)) == pytest.approx(2, abs=0.06)
    assert best(lambda z: networks.Quantiles.loss(bands(1.0, torch.tensor(1.0), z), y)) == pytest.approx(
        1.645 * 2, abs=0.1
    )
    assert best(lambda z: networks.Quantiles.loss(bands(1.0, z, torch.tensor(1.0)), y)) == pytest.approx(
        1.645 * 2, abs=0.1
    )


@pytest.mark.parametrize("name", training.NETWORKS)
def test_a_network_learns_a_plain_day_and_its_bands_are_positive(name, parts):
    """The made volumes repeat every day, so a network that trains at all is far better than the mean."""
    schedule = training.Schedule(epochs=5, batch=32, rate=0.02)
    trained = training.train(name, parts, schedule, 0, lambda _: None)
    rows = assessment.scored(parts, parts.test, trained.test).intervals
    assert np.mean(np.abs(rows.residual)) < 0.5 * np.mean(np.abs(rows.y_true - parts.centre))
    assert np.min(rows.lower_band) > 0 < np.min(rows.upper_band)
    assert rows.symmetric == (name in {"joint symmetric", "Gaussian likelihood"})
    assert trained.losses[trained.epoch - 1][1] == min(outside for _, outside in trained.losses)


def test_training_repeats_itself_for_a_seed(parts):
    """Every number of the page is one that its command finds again."""
    first, second, other = (
        training.train(
            "joint symmetric", parts, training.Schedule(epochs=1), seed, lambda _: None
        ).test.volume
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert np.any(first != other)


@pytest.fixture(scope="module")
def other_test(parts):
    """The same parts, but for what happened in the test hours."""
    return replace(parts, test=replace(parts.test, volume=parts.test.volume[::-1] + 1))


def test_what_happened_in_the_test_hours_has_no_part_in_training(parts, other_test):
    """Neither in fitting nor in the choice of the epoch."""
    schedule = training.Schedule(epochs=3, batch=64)
    one, other = (
        training.train("joint asymmetric", given, schedule, 0, lambda _: None)
        for given in (parts, other_test)
    )
    assert one.losses == other.losses
    np.testing.assert_array_equal(one.test.volume, other.test.volume)
    np.testing.assert_array_equal(one.calibrate.upper_band, other.calibrate.upper_band)


def test_what_happened_in_the_test_hours_has_no_part_in_the_trees(parts, other_test):
    """The same for the baseline."""
    settings = boosting.Boosting(every=2, rounds=3)
    one, other = (boosting.boost(given, settings, 0, lambda _: None)[1] for given in (parts, other_test))
    np.testing.assert_array_equal(one.volume, other.volume)
    np.testing.assert_array_equal(one.lower_band, other.lower_band)


def test_hours_that_were_not_recorded_have_no_part_in_the_loss(parts):
    """Their volume is a guess of ours."""
    torch.manual_seed(0)
    network = networks.Gaussian(parts.test.past.shape[2], parts.test.ahead.shape[2])
    past, ahead, volume, scored = training._tensors(parts.test)
    guessed = torch.where(scored, volume, 1e6)
    assert not bool(scored.all())
    with torch.no_grad():
        one, other = (training._loss(network, past, ahead, y, scored) for y in (volume, guessed))
    assert float(one) == float(other)


def test_a_gaussian_forecast_reaches_as_far_as_its_quantiles(parts):
    """The others say their bands themselves; a standard deviation is not an interval yet."""
    torch.manual_seed(0)
    network = networks.Gaussian(parts.test.past.shape[2], parts.test.ahead.shape[2])
    forecast = training._forecast(network, parts, parts.test)
    with torch.no_grad():
        found = network(torch.from_numpy(parts.test.past), torch.from_numpy(parts.test.ahead))
    np.testing.assert_allclose(forecast.upper_band, 1.6448536 * parts.scale * found.upper.numpy(), rtol=1e-6)
    np.testing.assert_allclose(forecast.volume, parts.vehicles(found.volume.numpy()), rtol=1e-6)


def test_crossed_quantiles_of_trees_change_places(parts):
    """The lowest is the lower bound, and bands stay above zero where two of them meet."""
    shape = parts.test.volume.shape
    levels = np.array([0.5, 0.1, 0.1])[:, None] * np.ones(shape).ravel()
    found = boosting._forecast(parts, parts.test, levels)
    np.testing.assert_allclose(found.volume, parts.vehicles(np.full(shape, 0.1)))
    np.testing.assert_allclose(found.upper_band, 0.4 * parts.scale)
    np.testing.assert_allclose(found.lower_band, networks.SMALLEST * parts.scale)


def test_trees_learn_a_plain_day(parts):
    """With quantiles that mostly keep their order."""
    _, test, crossed = boosting.boost(parts, boosting.Boosting(every=2, rounds=30), 0, lambda _: None)
    rows = assessment.scored(parts, parts.test, test)
    assert np.mean(np.abs(rows.intervals.residual)) < 0.2 * parts.scale
    assert 0 <= crossed < 0.5
    told = boosting.narrow(rows)
    thin = np.minimum(test.lower_band, test.upper_band)[parts.test.scored] < boosting.NARROW
    assert told["narrow"] == np.mean(thin) > 0
    assert told["widened_gain"] != rows.intervals.ucc().gain()


def scored_rows(n=400, seed=0):
    rng = np.random.default_rng(seed)
    bands = 100 * rng.uniform(0.5, 2, size=(2, n))
    y = rng.normal(size=n) * bands[0]
    return Scored(intervals=uc.Intervals.from_bands(y, 0 * y, *bands), place=np.arange(n))


def test_conformal_calibration_by_a_scale_leaves_the_curve_and_by_a_shift_does_not():
    """The page says so."""
    calibrate, test = scored_rows(seed=1), scored_rows(seed=2)
    scaled, shifted = (
        assessment.calibrated(calibrate, test, vary).intervals.ucc() for vary in ("scale", "shift")
    )
    assert scaled.gain() == pytest.approx(test.intervals.ucc().gain(), abs=1e-12)
    assert shifted.gain() != pytest.approx(test.intervals.ucc().gain(), abs=1e-3)


def test_calibration_does_not_look_at_what_it_is_used_on():
    """The guarantee is for new rows."""
    calibrate, test = scored_rows(seed=1), scored_rows(seed=2)
    rows = test.intervals
    other = test.like(
        uc.Intervals.from_bands(rows.y_true + 500, rows.y_pred, rows.lower_band, rows.upper_band)
    )
    hour = np.arange(400) % 4
    for way in (
        lambda new: assessment.calibrated(calibrate, new, "scale"),
        lambda new: assessment.calibrated(calibrate, new, "shift"),
        lambda new: assessment.constant_by_hour(calibrate, new, hour),
    ):
        np.testing.assert_allclose(
            way(test).intervals.upper_band, way(other).intervals.upper_band, rtol=1e-12
        )


def test_intervals_of_a_model_are_for_weeks():
    """As the library gives them for blocks of weeks, and not for rows."""
    test = scored_rows(n=168 * 6)
    found = assessment.assessed(None, test, 49)["curve"]["gain"]
    by_week, by_row = (
        uc.confidence_interval(test.intervals, blocks=blocks, method="bootstrap", n_resamples=49, rng=0)
        for blocks in (np.arange(168 * 6) // 168, None)
    )
    assert (found["low"], found["high"]) == (by_week.low, by_week.high) != (by_row.low, by_row.high)


def test_a_band_for_each_hour_is_the_quantile_of_its_own_hours():
    """It is what each hour of the day needs, whatever the others do."""
    n = 24 * 30
    hour = np.arange(n) % 24
    y = np.where(hour == 3, 10.0, 1.0) * np.random.default_rng(0).uniform(-1, 1, size=n)
    rows = Scored(intervals=uc.Intervals.from_bands(y, 0 * y, 1.0), place=np.arange(n))
    found = assessment.constant_by_hour(rows, rows, hour).intervals.upper_band
    for one in (3, 4):
        wanted = np.sort(np.abs(y[hour == one]))[int(np.ceil(31 * 0.9)) - 1]
        np.testing.assert_allclose(found[hour == one], wanted)


def test_alarms_are_the_misses_at_the_operating_point():
    """By rank: exactly the share of rows that the miss rate says, and those with the largest scales."""
    rows = scored_rows()
    missed = anomalies.missed(rows.intervals, 0.2)
    assert missed.mean() == pytest.approx(0.2)
    bounds = rows.intervals.scaled(rows.intervals.ucc().at(miss_rate=0.2).parameter * (1 + 1e-12))
    np.testing.assert_array_equal(missed, (bounds.y_true < bounds.lower) | (bounds.y_true > bounds.upper))


def test_weeks_are_tested_together():
    """Hours of a day depend on each other; exchanging rows would find differences that are none."""
    rows = scored_rows(n=24 * 21)
    bands = rows.intervals.upper_band[::-1].copy()
    other = rows.like(uc.Intervals.from_bands(rows.intervals.y_true, rows.intervals.y_pred, bands))
    found = study.tested({study.MAIN: rows, study.ASYMMETRIC: other, "same": rows}, study.LIGHT, 0)
    assert found["weeks"] == 3
    assert found["main"]["same"]["miss_rate"] == {"difference": 0.0, "p_value": 1.0}
    test = found["main"][study.ASYMMETRIC]["miss_rate"]
    assert test["difference"] == pytest.approx(other.intervals.ucc().area() - rows.intervals.ucc().area())
    assert test["p_value"] * 8 == round(test["p_value"] * 8)  # all exchanges of three weeks


def test_alarms_are_counted_on_holidays_and_elsewhere(hours, parts):
    """Against plain loops over the rows."""
    place = parts.test.place[parts.test.scored]
    rng = np.random.default_rng(1)
    y, bands = hours.volume[place], rng.uniform(1, 2, size=place.size)
    rows = Scored(intervals=uc.Intervals.from_bands(y, y + rng.normal(size=y.size), bands), place=place)
    found = anomalies.alarms(rows, hours, 99, 0)
    on = np.isin(hours.time[place].astype("datetime64[D]").astype(str), list(HOLIDAYS))
    out = {
        "model": anomalies.missed(rows.intervals, 0.2),
        "constant": anomalies.missed(rows.intervals.constant(), 0.2),
    }
    assert found["hours"] == on.sum() == 48
    told = found["rates"]["0.2"]
    for name, missed in out.items():
        assert told[name] == {"holidays": missed[on].mean(), "other": missed[~on].mean()}
    difference = told["difference"]
    assert difference["value"] == pytest.approx(out["constant"][on].mean() - out["model"][on].mean())
    assert difference["low"] <= difference["value"] <= difference["high"]
    assert [one["name"] for one in found["holidays"]] == ["Labor Day", "Columbus Day"]
    day = hours.holiday[place] == "Columbus Day"
    assert found["holidays"][1]["missed"]["model"] == out["model"][day].mean()
    assert found["width"] == pytest.approx({"holidays": bands[on].mean(), "other": bands[~on].mean()})
    assert anomalies.week_of(found)["mean_absolute_error"] == max(
        one["mean_absolute_error"] for one in found["holidays"]
    )


def curve(gain, low, end, better=0.1, worse=-0.1):
    return {
        "curve": {
            "gain": {"value": gain, "low": low},
            "crossover": {"value": end},
            "below": {"low": better},
            "above": {"high": worse},
            "better_below": 0.9,
            "worse_above": 1.0,
        }
    }


def test_the_phenomenon_is_said_to_hold_only_if_it_does():
    """On every seed: the place of the cross-over, and both sides of it."""
    good = curve(0.05, 0.01, 0.25)
    assert results_of._phenomenon([good, good])["holds"]
    for other in (
        curve(0.05, 0.01, 0.36),
        curve(0.05, 0.01, 0.14),
        curve(0.05, 0.01, 0.25, better=-0.01),
        curve(0.05, 0.01, 0.25, worse=0.01),
    ):
        assert not results_of._phenomenon([good, other])["holds"]
    found = results_of._phenomenon([good, curve(0.01, -0.02, 0.2), curve(-0.01, -0.03, 0.2)])
    assert (found["positive"], found["surely_positive"]) == (2, 1)


def test_tests_are_counted_by_direction():
    """A p-value says that areas differ, the sign of the difference which way."""
    seeds = [
        {
            kind: {"a": {y: {"difference": d, "p_value": p} for y in ("miss_rate", "deficit")}}
            for kind in ("constant", "main")
        }
        for d, p in ((-1.0, 0.01), (2.0, 0.04), (-3.0, 0.2))
    ]
    assert results_of._counted(seeds)["main"]["a"]["deficit"] == {
        "smaller": 1, "larger": 1, "difference": pytest.approx(-2 / 3), "p_low": 0.01, "p_high": 0.2,
    }  # fmt: skip
    assert results_of._number(seeds) == 12


def test_advice_names_who_needs_the_least():
    """On average, with the number of seeds on which it is so, and what others need on top."""

    def one(area, score):
        return {
            "curve": {"areas": {"model": {"exact": area}}, "mean_absolute_error": area},
            "deficit_area": 2 * area,
            "points": {"as given": {"interval_score": 99.0}, "scaled": {"interval_score": score}},
        }

    found = results_of._advice({"a": [one(2.0, 5.0), one(4.0, 5.0)], "b": [one(3.0, 4.0), one(1.0, 4.5)]})
    assert found["area"] == {"best": "b", "seeds": 1, "more": {"a": 0.5, "b": 0.0}}
    assert found["interval_score"]["best"] == "b"
    assert found["interval_score"]["seeds"] == 2


@pytest.fixture(scope="module")
def light(file, tmp_path_factory):
    output = tmp_path_factory.mktemp("cases")
    settings = replace(study.LIGHT, data=str(file), verify=False)
    traffic.run(output, settings, workers=0, light=True)
    return output


def test_a_light_run_writes_page_figures_results_and_report(light):
    """The whole path from the file to the page, in seconds."""
    assert sorted(path.name for path in (light / "traffic").iterdir()) == [
        "cross-over.png", "needs.png", "report.html", "results.json", "week.png",
    ]  # fmt: skip
    page = (light / "traffic.md").read_text()
    assert "A light run" in page
    assert "{{" not in page
    assert "{%" not in page
    assert "nan" not in page
    for name in study.MODELS:
        assert f"| {name} |" in page


def test_results_hold_every_model_and_every_seed(light):
    """No seed is left out."""
    results = json.loads((light / "traffic" / "results.json").read_text())
    assert list(results["models"]) == list(study.MODELS)
    assert all(len(one["seeds"]) == len(study.LIGHT.seeds) for one in results["models"].values())
    assert len(results["tests"]["seeds"]) == len(study.LIGHT.seeds)
    gains = [one["curve"]["gain"]["value"] for one in results["models"][study.MAIN]["seeds"]]
    assert results["models"][study.MAIN]["spread"]["curve"]["gain"]["mean"] == pytest.approx(
        np.mean(gains), rel=1e-5
    )


def test_a_week_is_drawn_with_its_misses(parts, hours):
    """The figure's counts are those of the rows it shows."""
    place = parts.test.place[parts.test.scored]
    rng = np.random.default_rng(0)
    y = hours.volume[place]
    rows = Scored(
        intervals=uc.Intervals.from_bands(y, y + rng.normal(size=y.size), rng.uniform(1, 2, size=y.size)),
        place=place,
    )
    figure = figures.week(rows, hours, "2017-10-09", "Columbus Day")
    missed = anomalies.missed(rows.intervals, anomalies.SHOWN)[hours.holiday[place] == "Columbus Day"]
    assert f"{missed.sum()} of {missed.size} hours missed on Columbus Day" in figure.axes[0].get_title()
