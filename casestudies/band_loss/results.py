"""The results of all losses, tasks and seeds: every number on the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from casestudies.band_loss import assessment, ensemble, losses, traffic_rows
from casestudies.band_loss.losses import LOSSES
from casestudies.band_loss.made_tasks import SHAPES
from casestudies.band_loss.study import TRUTH
from casestudies.shared.measures import over_seeds, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from casestudies.band_loss.study import Records, Settings

ON_TRAFFIC = ("deficit_gain", "gain", "bandwidth", "interval_score")
ON_MADE_TASKS = (*ON_TRAFFIC, "correlation")
LOWER_IS_BETTER = ("bandwidth", "interval_score", "rmse")
TOGETHER = ("interval_score", "deficit_gain")
"""The numbers that the second trial ranks the losses by."""


def gathered(made: Records, traffic: dict[str, list[dict[str, Any]]], settings: Settings) -> dict[str, Any]:
    """Return the results of all losses, tasks and seeds."""
    found = _results(made, traffic, settings, _of_truth, ON_MADE_TASKS, ON_TRAFFIC)
    noises = _by_noise(made, settings)
    return found | {
        "settings": _settings(settings),
        "names": {"truth": TRUTH, "log": losses.LOG, "additive": losses.ADDITIVE, "area": losses.AREA}
        | {"miss_rate": losses.MISS_RATE, "beta": losses.BETA_GAUSSIAN, "meta": losses.META}
        | {"gaussian": losses.GAUSSIAN, "laplace": losses.LAPLACE, "pinball": losses.PINBALL},
        "noises": noises,
        "pairs": {noise: _against_log(made, tasks) for noise, tasks in noises.items()},
        "traffic": found["traffic"] | {"pairs": _against_log({"traffic": traffic}, ["traffic"])},
    }


def learned_together(
    made: Records, traffic: dict[str, list[dict[str, Any]]], settings: Settings
) -> dict[str, Any]:
    """Return the results of the second trial, in which predictions and bands are learned together."""
    return _results(made, traffic, settings, _against_truth, TOGETHER, TOGETHER)


def _results(
    made: Records,
    traffic: dict[str, list[dict[str, Any]]],
    settings: Settings,
    judged: Callable[[Records, list[str], str], dict[str, Any]],
    on_made_tasks: Sequence[str],
    on_traffic: Sequence[str],
) -> dict[str, Any]:
    """Return what both trials have: records, distances from the truth by noise, and who leads by a number."""
    noises = _by_noise(made, settings)
    return {
        "tasks": {task: _with_spread(by_loss) for task, by_loss in made.items()},
        "by_noise": {
            noise: {name: judged(made, tasks, name) for name in (*LOSSES, TRUTH)}
            for noise, tasks in noises.items()
        },
        "ranked": {
            noise: {number: ranked(made, tasks, number) for number in on_made_tasks}
            for noise, tasks in noises.items()
        },
        "traffic": {
            "losses": _with_spread(traffic),
            "ranked": {number: ranked({"traffic": traffic}, ["traffic"], number) for number in on_traffic},
        },
    }


def _against_log(made: Records, tasks: list[str]) -> dict[str, Any]:
    """Return the deficit gain of the log area minus that of each of the others."""
    return {
        name: paired(made, tasks, losses.LOG, name, "deficit_gain") for name in LOSSES if name != losses.LOG
    }


def _by_noise(made: Records, settings: Settings) -> dict[str, list[str]]:
    return {noise: [task for task in made if task.startswith(f"{noise}, ")] for noise in settings.noises}


def _settings(settings: Settings) -> dict[str, Any]:
    """Return the settings of the run, without the place of the data."""
    chosen = {name: value for name, value in asdict(settings).items() if name != "data"}
    return chosen | {
        "shapes": {shape: SHAPES[shape] for shape in settings.shapes},
        "nominal": assessment.NOMINAL,
        "tail": losses.TAIL,
        "smallest": ensemble.SMALLEST,
        "for_forecasts": traffic_rows.FOR_FORECASTS,
    }


def _with_spread(by_loss: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {name: {"seeds": records, "spread": over_seeds(records)} for name, records in by_loss.items()}


def number_of(record: Mapping[str, Any], number: str) -> float:
    """Return a number of one record, without its interval."""
    value = record[number]
    return float(value["value"] if isinstance(value, dict) else value)


def _values(made: Records, tasks: list[str], name: str, number: str) -> np.ndarray:
    """Return a number of one loss on all data sets of some tasks."""
    return np.array([number_of(record, number) for task in tasks for record in made[task][name]])


def _of_truth(made: Records, tasks: list[str], name: str) -> dict[str, Any]:
    """Return the deficit gain as a share of what the true scale gains on the same rows, and other means."""
    columns = _relative(made, tasks, name, share="deficit_gain", wider="bandwidth", score="interval_score")
    columns |= {
        number: _values(made, tasks, name, number)
        for number in ("deficit_gain", "gain", "correlation", "coverage", "first_fifth", "last_fifth")
    }
    columns |= {"wider": columns["wider"] - 1, "score": columns["score"] - 1}
    return {column: spread(values.tolist()) for column, values in columns.items()}


def _against_truth(made: Records, tasks: list[str], name: str) -> dict[str, Any]:
    """Return how far predictions and bands are from the true mean and scale on the same rows."""
    columns = _relative(made, tasks, name, rmse="rmse", wider="bandwidth", score="interval_score")
    columns = {column: values - 1 for column, values in columns.items()}
    columns |= {number: _values(made, tasks, name, number) for number in ("deficit_gain", "correlation")}
    return {column: spread(values.tolist()) for column, values in columns.items()}


def _relative(made: Records, tasks: list[str], name: str, **numbers: str) -> dict[str, np.ndarray]:
    """Return numbers of one loss over those of the truth, on all data sets of some tasks."""
    return {
        column: _values(made, tasks, name, number) / _values(made, tasks, TRUTH, number)
        for column, number in numbers.items()
    }


def ranked(made: Records, tasks: list[str], number: str) -> dict[str, Any]:
    """Return the best loss by the mean over data sets, how clear it is of the next, and of the others."""
    means = {name: float(np.mean(_values(made, tasks, name, number))) for name in LOSSES}
    order = sorted(means, key=lambda name: means[name], reverse=number not in LOWER_IS_BETTER)
    best, second = order[:2]
    return {"best": best, "second": second, "order": order} | {
        "pair": paired(made, tasks, best, second, number),
        "behind": {name: abs(means[best] - mean) for name, mean in means.items()},
    }


def paired(made: Records, tasks: list[str], one: str, other: str, number: str) -> dict[str, Any]:
    """Return the difference of two losses on the same data sets, and on how many the first is larger."""
    difference = _values(made, tasks, one, number) - _values(made, tasks, other, number)
    return spread(difference.tolist()) | {
        "larger": int(np.count_nonzero(difference > 0)),
        "sets": int(difference.size),
    }
