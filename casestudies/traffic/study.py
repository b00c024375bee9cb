"""The study: every network on every seed, and misses as alarms."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

import uccurve as uc
from casestudies import measures
from casestudies.figures import draw_ratios
from casestudies.measures import list_constants, measure, run_all, summarize_seeds, with_spread
from casestudies.traffic import hours, models
from casestudies.traffic.models import NETWORKS, Schedule
from uccurve.plotting import plot_ucc

if TYPE_CHECKING:
    from casestudies.traffic.hours import Hours, Part, Parts

MAIN, ASYMMETRIC = tuple(NETWORKS)[:2]
PAPER = {"gain": 0.049, "crossover": 0.2}
EXPECTED = (0.15, 0.35)
"""The range in which the cross-over of the main model is expected, on every seed."""
NOMINAL = 0.1
"""The miss rate that conformal calibration aims at."""
RATES = (0.05, 0.1, 0.2, 0.5)
"""Miss rates at which a model is compared with its constant band."""
SHOWN = 0.2
"""The miss rate of alarms that the page speaks of."""
ALARMS = (0.05, SHOWN, 0.5)
"""All miss rates of alarms, from few to many."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the study."""

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    schedule: Schedule = field(default_factory=Schedule)
    n_resamples: int = 499
    data: str | None = None
    """A local copy of the data; downloaded if None."""


LIGHT = Settings(seeds=(0, 1), schedule=Schedule(epochs=1, stride=12), n_resamples=49)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


def run(*, light: bool, data: str | None) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Train and assess all networks; return the results and the figure."""
    settings = replace(LIGHT if light else Settings(), data=data)
    grid, parts = prepare(settings.data, settings.schedule.stride)
    groups = {name: [(name, seed, settings) for seed in settings.seeds] for name in NETWORKS}
    outcomes = run_all(train_and_assess, groups)
    records = {name: [found for _, found, _ in seeds] for name, seeds in outcomes.items()}
    alarms = [count_alarms(rows, parts.test, grid) for rows, _, _ in outcomes[MAIN]]
    results = {
        "settings": asdict(replace(settings, data=None))
        | list_constants(measures, hours, models, sys.modules[__name__]),
        "paper": PAPER,
        "data": _describe(grid, parts),
        "names": {"main": MAIN, "asymmetric": ASYMMETRIC},
        "models": with_spread(records),
        "training": {name: [course for _, _, course in seeds] for name, seeds in outcomes.items()},
        "alarms": {
            "spread": summarize_seeds([one["rates"] for one in alarms]),
            "width": summarize_seeds([one["width"] for one in alarms]),
            "hours": alarms[0]["hours"],
            "days": alarms[0]["days"],
        },
        "phenomenon": {name: find_phenomenon(records[name]) for name in (MAIN, ASYMMETRIC)},
    }
    joint = {
        name: [(rows, found["curve"]) for rows, found, _ in outcomes[name]] for name in (MAIN, ASYMMETRIC)
    }
    return results, {"cross-over": draw_cross_over(joint)}


@lru_cache(maxsize=1)
def prepare(data: str | None, stride: int) -> tuple[Hours, Parts]:
    """Read the data and cut the windows, once per process."""
    grid = hours.read_hours(data)
    return grid, hours.split(grid, stride=stride)


def train_and_assess(name: str, seed: int, settings: Settings) -> tuple[uc.Intervals, dict[str, Any], Any]:
    """Return one network's intervals of the test hours, its numbers, and the course of its training."""
    _, parts = prepare(settings.data, settings.schedule.stride)
    calibrate, test, course = models.train(name, parts, settings.schedule, seed)
    scaled = uc.ConformalScaler(miss_rate=NOMINAL).fit(calibrate).transform(test)
    curve = test.ucc()
    record = {
        "curve": measure(test, rates=RATES, n_resamples=settings.n_resamples, blocks=parts.test.weeks),
        "needed": {f"{NOMINAL:g}": curve.at(miss_rate=NOMINAL).bandwidth},
        "deficit_area": curve.area(y="deficit"),
        "as_given": _assess_point(test),
        "scaled": _assess_point(scaled),
    }
    return test, record, course


def _assess_point(intervals: uc.Intervals) -> dict[str, float]:
    score = uc.interval_score(intervals.y_true, intervals.lower, intervals.upper, miss_rate=NOMINAL)
    point = intervals.ucc().original
    return {"miss_rate": point.miss_rate, "bandwidth": point.bandwidth, "interval_score": float(score)}


def draw_cross_over(joint: dict[str, list[tuple[uc.Intervals, dict[str, Any]]]]) -> Figure:
    """Draw the curve of the main model's first seed with its constant band, and the ratios of all seeds."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    rows, found = joint[MAIN][0]
    swap = found["crossover"]
    points = {} if swap is None else {"cross-over": 1 - swap["value"]}
    plot_ucc(rows, left, label=MAIN, unit="vehicles/h", original=False, paper=True, points=points)
    left.set_title("One seed: the network's curve and its constant band's")
    draw_ratios(right, joint)
    right.set_title("All seeds: which one needs less, and where they swap")
    return figure


def find_missed(intervals: uc.Intervals, miss_rate: float) -> np.ndarray:
    """Return which rows are missed at an operating point; the curve decides by rank."""
    return np.asarray(intervals.critical()) > intervals.ucc().at(miss_rate=miss_rate).parameter


def count_alarms(intervals: uc.Intervals, part: Part, grid: Hours) -> dict[str, Any]:
    """Return how often hours of holidays and other hours are missed, by the model and the constant band."""
    index = part.grid_index[part.scored]
    on = grid.holiday[index]

    def means(values: np.ndarray) -> dict[str, float]:
        return {"holidays": float(np.mean(values[on])), "other": float(np.mean(values[~on]))}

    bands = {"model": intervals, "constant": intervals.constant()}
    rates: dict[str, Any] = {}
    for rate in ALARMS:
        found = rates[f"{rate:g}"] = {name: means(find_missed(rows, rate)) for name, rows in bands.items()}
        found["difference"] = found["constant"]["holidays"] - found["model"]["holidays"]
    return {
        "hours": int(on.sum()),
        "days": int(np.unique(grid.time[index][on].astype("datetime64[D]")).size),
        "rates": rates,
        "width": means((np.asarray(intervals.lower_band) + np.asarray(intervals.upper_band)) / 2),
    }


def find_phenomenon(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return on how many seeds the curves cross as expected, with the model better below and worse above."""
    curves = [record["curve"] for record in records]
    crossing = [curve for curve in curves if curve["crossover"] is not None]
    inside = sum(EXPECTED[0] <= curve["crossover"]["value"] <= EXPECTED[1] for curve in crossing)
    better = sum(curve["below"]["low"] > 0 for curve in crossing)
    worse = sum(curve["above"]["high"] < 0 for curve in crossing)
    return {
        "inside": inside,
        "better": better,
        "worse": worse,
        "seeds": len(records),
        "holds": inside == better == worse == len(records),
        "positive": sum(curve["gain"]["value"] > 0 for curve in curves),
        "surely_positive": sum(curve["gain"]["low"] > 0 for curve in curves),
    }


def _describe(grid: Hours, parts: Parts) -> dict[str, Any]:
    """Return how many hours and windows each part has, and when."""

    def describe(part: Part) -> dict[str, Any]:
        days = grid.time[part.grid_index[part.scored]].astype("datetime64[D]")
        return {
            "windows": len(part.past),
            "hours": int(part.scored.sum()),
            "first": str(days.min()),
            "last": str(days.max()),
        }

    return {
        "grid": int(grid.time.size),
        "recorded": int(grid.recorded.sum()),
        "mean": parts.center,
        "sd": parts.scale,
        "parts": {name: describe(getattr(parts, name)) for name in ("train", "stop", "calibrate", "test")},
    }
