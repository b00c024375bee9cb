"""The results of all losses, tasks and seeds: every number on the page, and its figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from casestudies.band_loss.losses import LOG, LOSSES, OURS
from casestudies.measures import summarize, with_spread
from uccurve.plotting import COLORS, QUIET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TRUTH = "true σ"
"""The bands that are the truth, as one more model."""
RANKED = ("deficit_gain", "gain")

Records = dict[str, dict[str, Any]]
"""Measures by task and by loss: one record for each seed, and their spread."""


def gather(records: dict[str, dict[str, list[Any]]], noises: Sequence[str]) -> dict[str, Any]:
    """Return the records, distances from the truth by noise, and who leads by a number."""
    tasks = {task: with_spread(by_loss) for task, by_loss in records.items()}
    by_noise = {noise: select_tasks(tasks, noise) for noise in noises}
    return {
        "tasks": tasks,
        "by_noise": {
            noise: {name: compare_with_truth(some, name) for name in (*LOSSES, TRUTH)}
            for noise, some in by_noise.items()
        },
        "ranked": {noise: rank(some) for noise, some in by_noise.items()},
        "pairs": {noise: _compare_with_log(some) for noise, some in by_noise.items()},
    }


def select_tasks(tasks: Records, noise: str) -> Records:
    """Return the tasks that have this noise."""
    return {task: by_loss for task, by_loss in tasks.items() if task.startswith(f"{noise}, ")}


def compare_with_truth(tasks: Records, name: str) -> dict[str, Any]:
    """Return numbers of one loss on all data sets of some tasks, and what they are of the true scale's."""

    def relative(number: str) -> np.ndarray:
        return np.asarray(_values(tasks, name, number) / _values(tasks, TRUTH, number))

    columns = {
        "share": relative("deficit_gain"),
        "wider": relative("bandwidth") - 1,
        "score": relative("interval_score") - 1,
        **{number: _values(tasks, name, number) for number in ("coverage", "first_fifth", "last_fifth")},
    }
    return {column: summarize(values) for column, values in columns.items()}


def rank(tasks: Records) -> dict[str, Any]:
    """Return the losses in the order of their means, and how far the best is ahead of the others."""
    ranked = {}
    for number in RANKED:
        means = {name: float(np.mean(_values(tasks, name, number))) for name in LOSSES}
        order = sorted(means, key=lambda name: means[name], reverse=True)
        best, second = order[:2]
        ranked[number] = {
            "order": order,
            "pair": _compare_pair(tasks, best, second, number),
            "behind": {name: abs(means[best] - mean) for name, mean in means.items()},
        }
    return ranked


def _compare_pair(tasks: Records, one: str, other: str, number: str) -> dict[str, Any]:
    """Return the difference of two losses on the same data sets, and on how many the first is larger."""
    difference = _values(tasks, one, number) - _values(tasks, other, number)
    larger = int(np.count_nonzero(difference > 0))
    return summarize(difference) | {"larger": larger, "sets": int(difference.size)}


def _compare_with_log(tasks: Records) -> dict[str, Any]:
    """Return the deficit gain of the log area minus that of each of the others."""
    return {name: _compare_pair(tasks, LOG, name, "deficit_gain") for name in LOSSES if name != LOG}


def _values(tasks: Records, name: str, number: str) -> np.ndarray:
    """Return a number of one loss on all data sets, without its interval."""
    values = [record[number] for by_loss in tasks.values() for record in by_loss[name]["seeds"]]
    return np.array([value["value"] if isinstance(value, dict) else value for value in values])


def draw_gains(results: Mapping[str, Any]) -> Figure:
    """Draw deficit gains as shares of the true scale's: a dot for each data set, and their mean."""
    noises = results["settings"]["noises"]
    figure = Figure(figsize=(11.5, 4.6), layout="constrained")
    panels = figure.subplots(1, len(noises), sharey=True, squeeze=False)[0]
    for panel, noise in zip(panels, noises, strict=True):
        tasks = select_tasks(results["tasks"], noise)
        truth = _values(tasks, TRUTH, "deficit_gain")
        for number, loss in enumerate(LOSSES):
            shares = _values(tasks, loss, "deficit_gain") / truth
            color = COLORS[0 if loss in OURS else 1]
            panel.plot(shares, np.full(len(shares), number), "o", color=color, alpha=0.45, markersize=5)
            panel.plot(np.mean(shares), number, "|", color="black", markersize=14, markeredgewidth=1.6)
        panel.axvline(1, color=QUIET, linewidth=1)
        panel.set_title(f"{noise} noise", fontsize="medium")
        panel.set_xlabel("deficit gain / that of the true σ")
        panel.grid(visible=True, alpha=0.25)
        panel.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    panels[0].set_yticks(range(len(LOSSES)), list(LOSSES))
    panels[0].invert_yaxis()
    return figure
