"""The figures: the bands with what they cost, and the ratios of bandwidths on all data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from casestudies.shared.style import COLORS, DASHES, GRAY
from uccurve.plotting import plot_ucc

if TYPE_CHECKING:
    import uccurve as uc
    from casestudies.bnn_gap.study import Outcome, Settings

NETWORK, CONSTANT = COLORS[0], COLORS[1]
_POINTS = {NETWORK: "BA", CONSTANT: "DC"}
"""The letters of the paper's figure, at the low miss rate and at the high one."""
_FAINT = "#CDBB8F"
_CONTROL = "0.62"
_SHOWN = np.arange(1, 96) / 100
"""Miss rates of the second figure; above them, both bandwidths are close to zero."""
_TICKS = (0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8)
_DOT = {"markeredgecolor": "white", "markersize": 8}
_TRAINING = {"color": "black", "markersize": 4.5, "markeredgecolor": "white", "markeredgewidth": 0.6}


def three_panels(outcome: Outcome, settings: Settings) -> Figure:
    """Draw the paper's figure: the network's bands, both curves, the constant band."""
    figure = Figure(figsize=(10, 4.3), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(1, 1.05, 1))
    right.sharey(left)
    constant = outcome.intervals.constant()
    for ax, intervals, color in ((left, outcome.intervals, NETWORK), (right, constant, CONSTANT)):
        _draw_bands(ax, outcome, intervals, settings, color)
    low, high = left.get_ylim()
    left.set_ylim(low, high + 0.2 * (high - low))  # room for the names of the bands
    left.set_title("network’s bands, scaled", fontsize="medium")
    middle.set_title("what they cost", fontsize="medium")
    right.set_title("constant band, scaled", fontsize="medium")
    left.set_ylabel("y", rotation=0)
    _draw_curves(middle, outcome, settings)
    handles = left.get_legend_handles_labels()[0]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, frameon=False, fontsize="small")
    return figure


def ratios(parts: dict[str, list[Outcome]], names: dict[str, str], settings: Settings) -> Figure:
    """Draw the network's bandwidth over that of the constant band, at all miss rates, for all data sets."""
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    ax: Any = figure.subplots()
    for outcome in parts["control"]:
        ax.plot(_SHOWN, _ratio(outcome), color=_CONTROL, linewidth=1.2, zorder=1)
    for outcome in parts["more"]:
        ax.plot(_SHOWN, _ratio(outcome), color=_FAINT, linewidth=0.8, zorder=2)
    for number, outcome in enumerate(parts["main"]):
        style = _line(number)
        ax.plot(_SHOWN, _ratio(outcome), label=f"seed {outcome.seed}", zorder=3, **style)
        measures = outcome.record["measures"]
        if measures["clear"]:
            ax.plot(measures["crossover"]["value"], 1, "o", color=style["color"], zorder=4, **_DOT)
    ax.plot([], [], "o", color=GRAY, label="clear cross-over", **_DOT)
    ax.plot([], [], color=_FAINT, linewidth=0.8, label=f"{len(parts['more'])} more data sets")
    ax.plot([], [], color=_CONTROL, linewidth=1.2, label=f"control, {names['control']}")
    _label_axes(ax, settings, _log_limits(ax))
    figure.legend(
        loc="outside right center", frameon=False, fontsize="small", title=names["main"], alignment="left"
    )
    return figure


def by_prior(cited: dict[float, list[Outcome]], settings: Settings) -> Figure:
    """Draw the same ratios for the cited function, one panel for each prior."""
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    axes: Any = figure.subplots(1, len(cited), sharey=True, squeeze=False)[0]
    for ax, (prior, outcomes) in zip(axes, cited.items(), strict=True):
        for outcome in outcomes:
            number = settings.seeds.index(outcome.seed) if outcome.seed in settings.seeds else None
            style = {"color": _FAINT, "linewidth": 0.8} if number is None else _line(number)
            ax.plot(_SHOWN, _ratio(outcome), zorder=2 if number is None else 3, **style)
            measures = outcome.record["measures"]
            if measures["clear"]:
                ax.plot(measures["crossover"]["value"], 1, "o", color=style["color"], zorder=4, **_DOT)
        ax.set_title(f"prior N(0, {prior:g}²), seeds: {len(outcomes)}", fontsize="medium")
    limits = _log_limits(axes[0])
    for ax in axes:
        _label_axes(ax, settings, limits)
        ax.label_outer()
    return figure


def _line(number: int) -> dict[str, Any]:
    """Return how the line of a seed looks."""
    return {
        "color": COLORS[number % len(COLORS)],
        "linestyle": DASHES[number % len(DASHES)],
        "linewidth": 1.9,
    }


def _draw_bands(ax: Any, outcome: Outcome, intervals: uc.Intervals, settings: Settings, color: str) -> None:
    """Draw the predictions with their bands at both miss rates, the data and the true function."""
    data, curve = outcome.data, intervals.ucc()
    entries = {}
    for letter, rate, opacity in zip(_POINTS[color], settings.rates, (0.22, 0.6), strict=True):
        half = curve.at(miss_rate=rate).parameter * np.asarray(intervals.upper_band)
        low, high = outcome.mean - half, outcome.mean + half
        shaded = ax.fill_between(data.x, low, high, facecolor=(color, opacity), edgecolor="none", zorder=1)
        shaded.set_label(f"_{letter}")
        entries[f"{letter}: miss rate {rate:g}"] = shaded
        for edge in (low, high):
            ax.plot(data.x, edge, color=color, linewidth=0.7, zorder=1)
    ax.plot(data.x_train, data.y_train, "o", label="training points", zorder=5, **_TRAINING)
    ax.plot(data.x, data.y_true, ".", color="0.5", markersize=2, zorder=2, label="test points")
    ax.plot(
        data.x, data.y_mean, color="black", linewidth=1.2, linestyle="--", zorder=4, label="true function"
    )
    ax.plot(data.x, outcome.mean, color="black", linewidth=1.4, zorder=3, label="prediction")
    ax.axvspan(*settings.gap, facecolor="0.92", zorder=0, label="gap in the training data")
    ax.set(xlabel="x", xlim=settings.domain)
    ax.grid(visible=True, alpha=0.25)
    labels = sorted(entries)
    ax.legend(
        [entries[label] for label in labels], labels, loc="upper center", frameon=False, fontsize="small"
    )


def _draw_curves(ax: Any, outcome: Outcome, settings: Settings) -> None:
    """Draw both curves with the four points and their cross-over."""
    curve = outcome.intervals.ucc()
    pair = ((curve, "network", NETWORK), (curve.reference, "constant band", CONSTANT))
    for drawn, name, color in pair:
        plot_ucc(drawn, ax, color=color, reference=False, frontier=False, original=False, legend=False)
        ax.get_lines()[-1].set_label(name)
    for number, rate in enumerate(settings.rates):
        ax.axhline(rate, color=GRAY, linewidth=0.9, linestyle=":", zorder=0)
        points = [
            (drawn.at(miss_rate=rate).bandwidth, _POINTS[color][number], color) for drawn, _, color in pair
        ]
        for side, (bandwidth, letter, color) in zip(("right", "left"), sorted(points), strict=True):
            ax.plot(bandwidth, rate, "o", color=color, zorder=5, **_DOT)
            away = (-7, -12) if side == "right" else (7, 5)
            words = {"color": color, "fontweight": "bold", "fontsize": "large", "ha": side}
            ax.annotate(letter, (bandwidth, rate), away, textcoords="offset points", **words)
    _mark_crossover(ax, outcome)
    ax.legend(loc="upper right", frameon=False, fontsize="small")
    ax.set_xlabel("bandwidth: mean half width")


def _mark_crossover(ax: Any, outcome: Outcome) -> None:
    """Mark the miss rate where the curves cross, if they clearly do."""
    measures = outcome.record["measures"]
    if not measures["clear"]:
        return
    at = measures["crossover"]["value"]
    bandwidth = outcome.intervals.ucc().at(miss_rate=at).bandwidth
    ax.annotate(
        f"cross-over\nat miss rate {at:.2f}",
        (bandwidth, at),
        (0.97, at + 0.16),
        textcoords=("axes fraction", "data"),
        ha="right",
        fontsize="small",
        arrowprops={"arrowstyle": "->", "color": GRAY, "shrinkB": 4, "relpos": (0, 0.3)},
    )


def _log_limits(ax: Any) -> tuple[float, float]:
    """Set a logarithmic scale; return the range of ratios, with room for the words above the lines."""
    ax.set_yscale("log")
    low, high = ax.get_ylim()
    return low, 1.1 * high


def _label_axes(ax: Any, settings: Settings, limits: tuple[float, float]) -> None:
    """Label both sides of 1, and mark the miss rates of the first figure."""
    low, high = limits
    ax.axhline(1, color="black", linewidth=1, zorder=2)
    for rate in settings.rates:
        ax.axvline(rate, color=GRAY, linewidth=0.9, linestyle=":", zorder=0)
    ax.axhspan(low, 1, facecolor="0.965", zorder=-1)
    ax.yaxis.set_major_locator(FixedLocator([tick for tick in _TICKS if low <= tick <= high]))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: f"{tick:g}"))
    ax.xaxis.set_major_locator(FixedLocator([0, *np.arange(1, 10) / 10]))
    ax.set(xlim=(0, _SHOWN[-1]), ylim=(low, high), xlabel="miss rate")
    ax.set_ylabel("bandwidth of the network\nover the constant band’s")
    ax.grid(visible=True, alpha=0.25)
    words = {"fontsize": "small", "fontstyle": "italic", "color": GRAY, "transform": ax.transAxes}
    ax.text(0.01, 0.96, "above 1: network wider", ha="left", va="top", **words)
    ax.text(0.99, 0.04, "below 1: network narrower", ha="right", va="bottom", **words)


def _ratio(outcome: Outcome) -> list[float]:
    curve = outcome.intervals.ucc()
    return [1 - curve.gain_at(miss_rate=rate) for rate in _SHOWN.tolist()]
