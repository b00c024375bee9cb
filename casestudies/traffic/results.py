"""Everything the page says, as plain numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from casestudies.shared.measures import HALF, over_seeds
from casestudies.shared.rows import HIGHEST
from casestudies.traffic import boosting, networks, study, windows
from casestudies.traffic.anomalies import SHOWN, alarms, week_of
from casestudies.traffic.assessment import NOMINAL, QUESTIONS
from casestudies.traffic.study import ASYMMETRIC, BY_HOUR, MAIN, MODELS

if TYPE_CHECKING:
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.hourly import Hourly
    from casestudies.traffic.study import Outcome, Settings
    from casestudies.traffic.windows import Part, Parts

PAPER = {"gain": 0.049, "crossover": 0.2}
EXPECTED = (0.15, 0.35)
"""Where the cross-over of the main model is expected, on every seed."""
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
        study.tested({name: rows[place] for name, rows in test.items()}, settings, seed)
        for place, seed in enumerate(seeds)
    ]
    found = [
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
            "seeds": [one["rates"] for one in found],
            "spread": over_seeds([one["rates"] for one in found]),
            "width": over_seeds([one["width"] for one in found]),
            "hours": found[0]["hours"],
            "holidays": found[0]["holidays"],
            "week": week_of(found[0]),
        },
        "phenomenon": {name: _phenomenon(assessed[name]) for name in (MAIN, ASYMMETRIC)},
        "advice": _advice(assessed),
    }


def _settings(settings: Settings) -> dict[str, Any]:
    """Return what the study was run with, but for where the data were."""
    given = {name: value for name, value in asdict(settings).items() if name not in {"data", "verify"}}
    return given | {
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
        "highest": HIGHEST,
    }


def _data(hours: Hourly, parts: Parts) -> dict[str, Any]:
    def told(part: Part) -> dict[str, Any]:
        days = hours.time[part.place[part.scored]].astype("datetime64[D]")
        return {
            "windows": len(part.past),
            "hours": int(part.scored.sum()),
            "first": str(days.min()),
            "last": str(days.max()),
        }

    return {
        "grid": int(hours.time.size),
        "recorded": int(hours.recorded.sum()),
        "mean": parts.centre,
        "sd": parts.scale,
        "parts": {name: told(getattr(parts, name)) for name in ("train", "stop", "calibrate", "test")},
    }


def _counted(tests: list[dict[str, Any]]) -> dict[str, Any]:
    """Return on how many seeds a difference is significant, and which way the areas differ."""

    def told(kind: str, name: str, y: str) -> dict[str, Any]:
        found = [one[kind][name][y] for one in tests]
        sure = [one for one in found if one["p_value"] < SIGNIFICANT]
        return {
            "smaller": sum(one["difference"] < 0 for one in sure),
            "larger": sum(one["difference"] > 0 for one in sure),
            "difference": float(np.mean([one["difference"] for one in found])),
            "p_low": min(one["p_value"] for one in found),
            "p_high": max(one["p_value"] for one in found),
        }

    return {
        kind: {name: {y: told(kind, name, y) for y in ("miss_rate", "deficit")} for name in tests[0][kind]}
        for kind in ("constant", "main")
    }


def _number(tests: list[dict[str, Any]]) -> int:
    """Return how many tests there are."""
    return sum(len(ways) for one in tests for kind in ("constant", "main") for ways in one[kind].values())


def _phenomenon(seeds: list[dict[str, Any]]) -> dict[str, Any]:
    """Return on how many seeds the curves swap where they should, the model better below, worse above."""
    curves = [one["curve"] for one in seeds]
    inside = [EXPECTED[0] <= one["crossover"]["value"] <= EXPECTED[1] for one in curves]
    better = [one["below"]["low"] > 0 for one in curves]
    worse = [one["above"]["high"] < 0 for one in curves]
    return {
        "inside": sum(inside),
        "better": sum(better),
        "worse": sum(worse),
        "least_better": min(one["better_below"] for one in curves),
        "least_worse": min(one["worse_above"] for one in curves),
        "seeds": len(seeds),
        "holds": all(inside) and all(better) and all(worse),
        "positive": sum(one["gain"]["value"] > 0 for one in curves),
        "surely_positive": sum(one["gain"]["low"] > 0 for one in curves),
    }


def _advice(assessed: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return which model needs the least on average, on how many seeds, and how much more the others need."""
    found = {}
    for name, question in QUESTIONS.items():
        table = {model: [question(one) for one in rows] for model, rows in assessed.items()}
        means = {model: float(np.mean(values)) for model, values in table.items()}
        best = min(means, key=lambda model: means[model])
        wins = [min(table, key=lambda model: table[model][place]) for place in range(len(table[best]))]
        more = {model: mean / means[best] - 1 for model, mean in means.items()}
        found[name] = {"best": best, "seeds": wins.count(best), "more": more}
    return found
