"""The figure of the study: how much each loss gains, on every data set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from casestudies.band_loss.losses import LOSSES, OURS
from casestudies.band_loss.results import number_of
from casestudies.shared.style import COLORS, GRAY

if TYPE_CHECKING:
    from collections.abc import Mapping


def gains(results: Mapping[str, Any]) -> Figure:
    """Draw deficit gains: as shares of the true scale's on made tasks, and as they are on traffic."""
    truth, tasks = results["names"]["truth"], results["tasks"]
    figure = Figure(figsize=(11.5, 4.6), layout="constrained")
    noises = results["noises"]
    panels = figure.subplots(1, len(noises) + 1, sharey=True)
    for panel, (noise, names) in zip(panels, noises.items(), strict=False):
        shares = {
            loss: [
                number_of(record, "deficit_gain") / number_of(true, "deficit_gain")
                for task in names
                for record, true in zip(tasks[task][loss]["seeds"], tasks[task][truth]["seeds"], strict=True)
            ]
            for loss in LOSSES
        }
        _dots(panel, shares)
        panel.axvline(1, color=GRAY, linewidth=1)
        panel.set_title(f"{noise} noise", fontsize="medium")
        panel.set_xlabel("deficit gain / that of the true σ")
    of_traffic = {
        loss: [number_of(record, "deficit_gain") for record in results["traffic"]["losses"][loss]["seeds"]]
        for loss in LOSSES
    }
    _dots(panels[-1], of_traffic)
    panels[-1].set_title("traffic", fontsize="medium")
    panels[-1].set_xlabel("deficit gain")
    for panel in panels:
        panel.xaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol="%"))
    panels[0].set_yticks(range(len(LOSSES)), list(LOSSES))
    panels[0].invert_yaxis()
    ours, others, mean = (
        panels[0].plot([], [], marker, color=color, linestyle="none", alpha=alpha)[0]
        for marker, color, alpha in (
            ("o", COLORS[0], 0.6),
            ("o", COLORS[1], 0.6),
            ("|", "black", 1.0),
        )
    )
    mean.set(markersize=14, markeredgewidth=1.6)
    figure.legend(
        [ours, others, mean],
        ["areas of the curve, one dot per data set", "other losses", "mean; further right is better"],
        loc="outside upper left",
        ncols=3,
        edgecolor="none",
        fontsize="small",
    )
    return figure


def _dots(panel: Any, values: Mapping[str, list[float]]) -> None:
    """Draw the values of each loss on its line, and their mean."""
    for number, (loss, found) in enumerate(values.items()):
        color = COLORS[0 if loss in OURS else 1]
        panel.plot(found, np.full(len(found), number), "o", color=color, alpha=0.45, markersize=5)
        panel.plot(np.mean(found), number, "|", color="black", markersize=14, markeredgewidth=1.6)
    panel.grid(visible=True, alpha=0.25)
