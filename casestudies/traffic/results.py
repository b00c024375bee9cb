"""The results of all models and seeds: every number on the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from casestudies.shared.measures import HALF, over_seeds
from casestudies.traffic import boosting, networks, study, windows
from casestudies.traffic.anomalies import SHOWN, alarms, worst_holiday
from casestudies.traffic.assessment import NOMINAL, QUESTIONS
from casestudies.traffic.study import ASYMMETRIC, BY_HOUR, MAIN, MODELS

if TYPE_CHECKING:
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.hourly import Hourly
    from casestudies.traffic.study import Outcome, Settings
    from casestudies.traffic.windows import Part, Parts

PAPER = {"gain": 0.049, "crossover": 0.2}
EXPECTED = (0.15, 0.35)
"""The range in which the cross-over of the main model is expected, on every seed."""
SIGNIFICANT = 0.05


def by_model(outcomes: dict[tuple[str, int], Outcome], seeds: tuple[int, ...]) -> dict[str, list[Scored]]:
    """Return the test intervals of each model, in the order of seeds."""
    return {
        name: [outcomes[MAIN if name == BY_HOUR else name, seed].test[name] for seed in seeds]
        for name in MODELS
    }


def gathered(
    outcomes: dict[tuple[str, int], Outcome], settings: Settings, hours: Hourly, parts: Parts
) -> dict[str, Any]:
    """Return the results of all models and seeds."""
    seeds = settings.seeds
    assessed = {
        name: [outcomes[MAIN if name == BY_HOUR else name, seed].assessed[name] for seed in seeds]
        for name in MODELS
    }
    test = by_model(outcomes, seeds)
    tests = [
        study.tested({name: rows[number] for name, rows in test.items()}, settings, seed)
        for number, seed in enumerate(seeds)
    ]
    by_seed = [
        alarms(rows, hours, settings.n_resamples, seed) for rows, seed in zip(test[MAIN], seeds, strict=True)
    ]
    return {
        "settings": _settings(settings),
        "paper": PAPER,
        "data": _data(hours, parts),
        "names": {"main": MAIN, "asymmetric": ASYMMETRIC, "by_hour": BY_HOUR},
        "models": {name: {"seeds": rows, "spread": over_seeds(rows)} for name, rows in assessed.items()},
        "training": {
            name: [outcomes[name, seed].training for seed in seeds] for name in MODELS if name != BY_HOUR
        },
        "tests": {
            "seeds": tests,
            "counted": _counted(tests),
            "weeks": tests[0]["weeks"],
            "number": _number(tests),
        },
        "alarms": {
            "seeds": [record["rates"] for record in by_seed],
            "spread": over_seeds([record["rates"] for record in by_seed]),
            "width": over_seeds([record["width"] for record in by_seed]),
            "hours": by_seed[0]["hours"],
            "holidays": by_seed[0]["holidays"],
            "week": worst_holiday(by_seed[0]["holidays"]),
        },
        "phenomenon": {name: _phenomenon(assessed[name]) for name in (MAIN, ASYMMETRIC)},
        "advice": _advice(assessed),
    }


def _settings(settings: Settings) -> dict[str, Any]:
    """Return the settings of the run, without the place of the data."""
    chosen = {name: value for name, value in asdict(settings).items() if name != "data"}
    return chosen | {
        "nominal": NOMINAL,
        "shown": SHOWN,
        "hidden": networks.HIDDEN,
        "meta_hidden": networks.META_HIDDEN,
        "tail": networks.TAIL,
        "past": windows.PAST,
        "ahead": windows.AHEAD,
        "most_missing": windows.MOST_MISSING,
        "expected": EXPECTED,
        "significant": SIGNIFICANT,
        "narrow": boosting.NARROW,
        "half": HALF,
    }


def _data(hours: Hourly, parts: Parts) -> dict[str, Any]:
    def described(part: Part) -> dict[str, Any]:
        days = hours.time[part.grid_index[part.scored]].astype("datetime64[D]")
        return {
            "windows": len(part.past),
            "hours": int(part.scored.sum()),
            "first": str(days.min()),
            "last": str(days.max()),
        }

    return {
        "grid": int(hours.time.size),
        "recorded": int(hours.recorded.sum()),
        "mean": parts.center,
        "sd": parts.scale,
        "parts": {name: described(getattr(parts, name)) for name in ("train", "stop", "calibrate", "test")},
    }


def _counted(tests: list[dict[str, Any]]) -> dict[str, Any]:
    """Return on how many seeds a difference is significant, and which way the areas differ."""

    def counted(kind: str, name: str, y: str) -> dict[str, Any]:
        results = [test[kind][name][y] for test in tests]
        significant = [result for result in results if result["p_value"] < SIGNIFICANT]
        return {
            "smaller": sum(result["difference"] < 0 for result in significant),
            "larger": sum(result["difference"] > 0 for result in significant),
            "difference": float(np.mean([result["difference"] for result in results])),
            "p_low": min(result["p_value"] for result in results),
            "p_high": max(result["p_value"] for result in results),
        }

    return {
        kind: {name: {y: counted(kind, name, y) for y in ("miss_rate", "deficit")} for name in tests[0][kind]}
        for kind in ("constant", "main")
    }


def _number(tests: list[dict[str, Any]]) -> int:
    """Return how many tests there are."""
    return sum(len(by_y) for test in tests for kind in ("constant", "main") for by_y in test[kind].values())


def _phenomenon(seeds: list[dict[str, Any]]) -> dict[str, Any]:
    """Return on how many seeds the curves cross as expected, with the model better below and worse above."""
    curves = [record["curve"] for record in seeds]
    crossing = [curve for curve in curves if curve["crossover"] is not None]
    inside = sum(EXPECTED[0] <= curve["crossover"]["value"] <= EXPECTED[1] for curve in crossing)
    better = sum(curve["below"]["low"] > 0 for curve in crossing)
    worse = sum(curve["above"]["high"] < 0 for curve in crossing)
    return {
        "inside": inside,
        "better": better,
        "worse": worse,
        "least_better": min(curve["better_below"] for curve in curves),
        "seeds": len(seeds),
        "holds": inside == better == worse == len(seeds),
        "positive": sum(curve["gain"]["value"] > 0 for curve in curves),
        "surely_positive": sum(curve["gain"]["low"] > 0 for curve in curves),
    }


def _advice(assessed: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return which model needs least on average, on how many seeds it does, and what others need on top."""
    advice = {}
    for name, question in QUESTIONS.items():
        table = {model: [question(record) for record in records] for model, records in assessed.items()}
        means = {model: float(np.mean(values)) for model, values in table.items()}
        best = min(means, key=lambda model: means[model])
        winners = [min(table, key=lambda model: table[model][number]) for number in range(len(table[best]))]
        more = {model: mean / means[best] - 1 for model, mean in means.items()}
        advice[name] = {"best": best, "seeds": winners.count(best), "more": more}
    return advice
