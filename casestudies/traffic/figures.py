"""The three figures: curves that cross, what each model needs, and a week with a holiday."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import dates
from matplotlib.figure import Figure

from casestudies.shared.style import COLORS, DASHES, GRAY
from casestudies.traffic.anomalies import SHOWN, missed
from casestudies.traffic.assessment import QUESTIONS
from uccurve.plotting import plot_ucc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import uccurve as uc
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.hourly import Hourly

UNIT = "vehicles/h"
_RATES = np.arange(1, 191) / 200


def cross_over(
    models: Mapping[str, Sequence[Scored]], measures: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Figure:
    """Draw the curve of the first model's first seed with its constant band, and the ratios of all seeds.

    `measures` has for each model and seed what was measured of its curve, the cross-over among it.
    """
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    name = next(iter(models))
    first = models[name][0].intervals
    plot_ucc(first, left, label=name, unit=UNIT, original=False)
    curve, crossover = first.ucc(), measures[name][0]["crossover"]
    if crossover is not None:
        _mark(left, curve.at(miss_rate=crossover["value"]))
    left.set_xlim(0, 1.02 * float(curve.reference.at(miss_rate=0.01).bandwidth))
    left.set_title("One seed: the network's curve and its constant band's")
    for place, (label, seeds) in enumerate(models.items()):
        ratios = np.array([_ratio(scored.intervals.ucc()) for scored in seeds])
        ends = [found["crossover"]["value"] for found in measures[label] if found["crossover"] is not None]
        _draw_seeds(right, place, label, ratios, ends)
    right.axhline(1, color=GRAY, linewidth=1.2, linestyle=":")
    right.text(0.94, 1, "as wide as the constant band", ha="right", va="bottom", color=GRAY, fontsize="small")
    right.set(xlabel="miss rate", ylabel="bandwidth over that of the constant band", xlim=(0, 0.95))
    right.set_title("All seeds: which one needs less, and where they swap")
    right.grid(visible=True, alpha=0.25)
    right.legend(edgecolor="none", framealpha=0.85, fontsize="small", loc="upper left")
    return figure


def _draw_seeds(ax: Any, place: int, label: str, ratios: np.ndarray, crossovers: Sequence[float]) -> None:
    """Draw one model's seeds as thin lines, and their mean as a thick one with its own dashes and marks."""
    color, shape = COLORS[place % len(COLORS)], "os^D"[place % 4]
    ax.plot(_RATES, ratios.T, color=color, linewidth=0.6, alpha=0.55)
    ax.plot(
        _RATES,
        ratios.mean(axis=0),
        color=color,
        linestyle=DASHES[place % len(DASHES)],
        linewidth=2.4,
        label=f"{label}: mean of {len(ratios)} seeds, each a thin line",
    )
    ax.plot(
        crossovers,
        np.ones(len(crossovers)),
        linestyle="none",
        marker=shape,
        color=color,
        markersize=6,
        markeredgecolor="white",
        zorder=5,
        label=f"{label}: cross-over of each seed" if len(crossovers) else None,
    )


def _ratio(curve: uc.UCC) -> list[float]:
    """Return a model's bandwidth over that of its constant band, at the miss rates of the figure."""
    return [1 - curve.gain_at(miss_rate=rate) for rate in _RATES.tolist()]


def _mark(ax: Any, at: uc.OperatingPoint) -> None:
    """Mark the cross-over."""
    ax.plot(at.bandwidth, at.miss_rate, "o", color="black", markersize=6, zorder=5)
    ax.annotate(
        f"cross-over\nat miss rate {at.miss_rate:.2f}",
        (at.bandwidth, at.miss_rate),
        xytext=(38, 38),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": GRAY},
    )


def needs(models: Mapping[str, Sequence[dict[str, Any]]]) -> Figure:
    """Draw what each model needs, one dot per seed: two areas, and the interval score once calibrated."""
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    words = {
        "area": ("area on bandwidth and miss rate\n(vehicles/h)", 1),
        "deficit_area": ("area on bandwidth and deficit\n(1000 (vehicles/h)²)", 1000),
        "interval_score": ("interval score at a miss rate of 10%,\ncalibrated by a scale (vehicles/h)", 1),
    }
    names = list(models)
    for panel, (question, (label, unit)) in zip(panels, words.items(), strict=True):
        for number, name in enumerate(names):
            values = [QUESTIONS[question](record) / unit for record in models[name]]
            color = COLORS[number % len(COLORS)]
            panel.plot(values, np.full(len(values), number), "o", color=color, alpha=0.6, markersize=6)
            (mean,) = panel.plot(
                np.mean(values), number, "|", color="black", markersize=16, markeredgewidth=1.6
            )
        panel.set_xlabel(label)
        panel.grid(visible=True, alpha=0.25)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    (seeds,) = panels[0].plot([], [], "o", color=GRAY, alpha=0.6, markersize=6)
    figure.legend(
        [seeds, mean],
        ["one seed, in the color of its model", "mean of the seeds; further left is better"],
        loc="outside upper left",
        ncols=2,
        edgecolor="none",
        fontsize="small",
    )
    return figure


def week(model: Scored, hours: Hourly, day: str, name: str) -> Figure:
    """Draw a week around a holiday: forecasts, bands at one miss rate, and the hours they miss."""
    time = hours.time[model.grid_index]
    middle = np.datetime64(day, "h")
    shown = (time >= middle - np.timedelta64(72, "h")) & (time < middle + np.timedelta64(96, "h"))
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    panels = figure.subplots(2, 1, sharex=True, sharey=True)
    bands = {"the network's bands": model.intervals, "a constant band": model.intervals.constant()}
    for panel, (words, intervals), color in zip(panels, bands.items(), (COLORS[0], GRAY), strict=True):
        scaled = intervals.scaled(intervals.ucc().at(miss_rate=SHOWN).parameter)
        out = missed(intervals, SHOWN)[shown]
        when, y = time[shown], np.asarray(intervals.y_true)[shown]
        on = when.astype("datetime64[D]") == np.datetime64(day)
        panel.axvspan(middle, middle + np.timedelta64(24, "h"), color=COLORS[5], alpha=0.16, linewidth=0)
        panel.fill_between(
            when,
            np.asarray(scaled.lower)[shown],
            np.asarray(scaled.upper)[shown],
            color=color,
            alpha=0.22,
            linewidth=0,
            label=f"{words} at a miss rate of {SHOWN:g}",
        )
        panel.plot(when, np.asarray(intervals.y_pred)[shown], color=color, linewidth=1.3, label="forecast")
        panel.plot(when[~out], y[~out], "o", color="black", markersize=2.5, label="observed, captured")
        panel.plot(when[out], y[out], "x", color=COLORS[1], markersize=5.5, label="observed, missed")
        panel.set_title(
            f"{words}: {int(out[on].sum())} of {int(on.sum())} hours missed on {name}, "
            f"{int(out[~on].sum())} of {int((~on).sum())} on the other days",
            fontsize="medium",
        )
        panel.set_ylabel(UNIT)
        panel.grid(visible=True, alpha=0.25)
        low, high = panel.get_ylim()
        panel.set_ylim(min(low, 0), high)
        panel.legend(loc="upper center", ncols=4, edgecolor="none", framealpha=0.85, fontsize="small")
    panels[0].set_ylim(panels[0].get_ylim()[0], 1.18 * panels[0].get_ylim()[1])
    panels[1].xaxis.set_major_locator(dates.DayLocator())  # type: ignore[no-untyped-call]
    panels[1].xaxis.set_major_formatter(dates.DateFormatter("%a %d %b"))  # type: ignore[no-untyped-call]
    panels[1].set_xlabel(f"hours around {day}")
    return figure
