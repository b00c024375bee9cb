"""The paper's figure: the bands, what they cost, and the constant band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from uccurve.plotting import COLORS, QUIET, plot_ucc

if TYPE_CHECKING:
    import uccurve as uc
    from casestudies.bnn_gap.study import Gap, Outcome, Settings

NETWORK, CONSTANT = COLORS[0], COLORS[1]
_POINTS = {NETWORK: "BA", CONSTANT: "DC"}
"""The letters of the paper's figure, at the low miss rate and at the high one."""
_PLACES = {"A": (7, 5), "B": (-18, -12), "C": (-18, -12), "D": (7, 5)}
"""Where the letters stand beside their points: on the outer side, if the curves cross as in the paper."""


def draw_three_panels(outcome: Outcome, settings: Settings) -> Figure:
    """Draw the network's bands, both curves, the constant band."""
    rows, constant = outcome.intervals, outcome.intervals.constant()
    figure = Figure(figsize=(10, 4.3), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    _draw_bands(left, outcome.data, rows, settings, NETWORK)
    _draw_bands(right, outcome.data, constant, settings, CONSTANT)
    right.sharey(left)
    plot_ucc(rows, middle, label="network", color=NETWORK, paper=True, original=False, frontier=False)
    for curve, color in ((rows.ucc(), NETWORK), (constant.ucc(), CONSTANT)):
        for letter, rate in zip(_POINTS[color], settings.rates, strict=True):
            point = (curve.at(miss_rate=rate).bandwidth, rate)
            middle.axhline(rate, color=QUIET, linewidth=0.9, linestyle=":", zorder=0)
            middle.plot(*point, "o", color=color, markeredgecolor="white", zorder=5)
            words: Any = {"color": color, "fontweight": "bold", "fontsize": "large"}
            middle.annotate(letter, point, _PLACES[letter], textcoords="offset points", **words)
    for ax, title in (
        (left, "network's bands, scaled"),
        (middle, "what they cost"),
        (right, "constant band, scaled"),
    ):
        ax.set_title(title, fontsize="medium")
    handles = left.get_legend_handles_labels()[0][2:]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, frameon=False, fontsize="small")
    return figure


def _draw_bands(ax: Any, data: Gap, intervals: uc.Intervals, settings: Settings, color: str) -> None:
    """Draw the predictions with their bands at both miss rates, the data and the true function."""
    for letter, rate, opacity in zip(_POINTS[color], settings.rates, (0.22, 0.6), strict=True):
        scaled = intervals.scaled(intervals.ucc().at(miss_rate=rate).parameter)
        band = ax.fill_between(
            data.x, scaled.lower, scaled.upper, facecolor=(color, opacity), edgecolor=color
        )
        band.set_label(f"{letter}: miss rate {rate:g}")
    ax.plot(data.x_train, data.y_train, "o", color="black", markersize=4, zorder=5, label="training points")
    ax.plot(data.x, data.y_true, ".", color="0.5", markersize=2, label="test points")
    ax.plot(data.x, data.y_mean, "--", color="black", label="true function")
    ax.plot(data.x, intervals.y_pred, color="black", label="prediction")
    ax.axvspan(*settings.gap, facecolor="0.92", zorder=0, label="gap in the training data")
    ax.set(xlabel="x", ylabel="y", xlim=settings.domain)
    ax.margins(y=0.15)  # room for the names of the bands
    ax.legend(
        handles=ax.get_legend_handles_labels()[0][:2], loc="upper center", frameon=False, fontsize="small"
    )
