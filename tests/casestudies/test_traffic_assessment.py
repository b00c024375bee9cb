"""The assessment of traffic forecasts: calibration, alarms, tests, and the claims of the page."""

from __future__ import annotations

import numpy as np
import pytest
from casestudies.traffic import anomalies, assessment, study
from casestudies.traffic import results as results_of
from casestudies.traffic.assessment import Scored
from made_traffic import HOLIDAYS

import uccurve as uc


def scored_rows(n=400, seed=0):
    rng = np.random.default_rng(seed)
    bands = 100 * rng.uniform(0.5, 2, size=(2, n))
    y = rng.normal(size=n) * bands[0]
    return Scored(intervals=uc.Intervals.from_bands(y, 0 * y, *bands), grid_index=np.arange(n))


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
        uc.confidence_interval(
            test.intervals, "gain", blocks=blocks, method="percentile", n_resamples=49, rng=0
        )
        for blocks in (np.arange(168 * 6) // 168, None)
    )
    assert (found["low"], found["high"]) == (by_week.low, by_week.high) != (by_row.low, by_row.high)


def test_a_band_for_each_hour_is_the_quantile_of_its_own_hours():
    """It is what each hour of the day needs, whatever the others do."""
    n = 24 * 30
    hour = np.arange(n) % 24
    y = np.where(hour == 3, 10.0, 1.0) * np.random.default_rng(0).uniform(-1, 1, size=n)
    rows = Scored(intervals=uc.Intervals.from_bands(y, 0 * y, 1.0), grid_index=np.arange(n))
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
    index = parts.test.grid_index[parts.test.scored]
    rng = np.random.default_rng(1)
    y, bands = hours.volume[index], rng.uniform(1, 2, size=index.size)
    rows = Scored(intervals=uc.Intervals.from_bands(y, y + rng.normal(size=y.size), bands), grid_index=index)
    found = anomalies.alarms(rows, hours, 99, 0)
    on = np.isin(hours.time[index].astype("datetime64[D]").astype(str), list(HOLIDAYS))
    out = {
        "model": anomalies.missed(rows.intervals, 0.2),
        "constant": anomalies.missed(rows.intervals.constant(), 0.2),
    }
    assert found["hours"] == on.sum() == 48
    rates = found["rates"]["0.2"]
    for name, missed in out.items():
        assert rates[name] == {"holidays": missed[on].mean(), "other": missed[~on].mean()}
    difference = rates["difference"]
    assert difference["value"] == pytest.approx(out["constant"][on].mean() - out["model"][on].mean())
    assert difference["low"] <= difference["value"] <= difference["high"]
    assert [one["name"] for one in found["holidays"]] == ["Labor Day", "Columbus Day"]
    day = hours.holiday[index] == "Columbus Day"
    assert found["holidays"][1]["missed"]["model"] == out["model"][day].mean()
    assert found["width"] == pytest.approx({"holidays": bands[on].mean(), "other": bands[~on].mean()})
    assert anomalies.worst_holiday(found["holidays"])["mean_absolute_error"] == max(
        one["mean_absolute_error"] for one in found["holidays"]
    )


def curve(gain, low, end, better=0.1, worse=-0.1):
    return {
        "curve": {
            "gain": {"value": gain, "low": low},
            "crossover": None if end is None else {"value": end},
            "below": None if end is None else {"low": better},
            "above": None if end is None else {"high": worse},
            "better_below": 0.9,
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
        curve(0.05, 0.01, None),
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
