"""The ratio of two models' bandwidths as a figure."""

from __future__ import annotations

from typing import Any

from uccurve._base import arguments
from uccurve.inference import RatioCurve
from uccurve.plotting._style import QUIET, literal, model_style, new_axes, show_legend


def plot_ratio(
    ratio: RatioCurve,
    ax: Any = None,
    *,
    label: str | None = None,
    color: str | None = None,
) -> Any:
    """Draw the ratio of two models' bandwidths over coverage on matplotlib axes and return them.

    Below 100 % the first model needs less bandwidth. The shaded band is the confidence band of the ratio, the
    mark on the line of 100 % the cross-over with its interval.

    Parameters
    ----------
    ratio : RatioCurve
        What `uccurve.ratio_curve` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    label : str, optional
        The name of the curve in the legend.
    color : str, optional
        Any color that matplotlib knows.
    """
    arguments.instance("ratio", ratio, RatioCurve)
    fresh = ax is None
    ax = new_axes(6.4, 4.0) if ax is None else ax
    drawn = sum(line.get_gid() == "ratio" for line in ax.lines)
    style = model_style(drawn) | ({"color": color} if color else {})
    x = 100 * ratio.coverage
    name = literal(label) if label else "ratio"
    ax.plot(x, 100 * ratio.ratio, linewidth=1.9, label=name, gid="ratio", **style)
    ax.fill_between(x, 100 * ratio.low, 100 * ratio.high, color=style["color"], alpha=0.18, linewidth=0)
    if ratio.crossover is not None:
        ends = [100 * (1 - end) for end in (ratio.crossover.high, ratio.crossover.low)]
        ax.plot(ends, [100, 100], color=style["color"], linewidth=5, alpha=0.5, solid_capstyle="butt")
        ax.plot(100 * ratio.crossover.coverage, 100, "o", color=style["color"], markeredgecolor="white")
    if not drawn:
        ax.axhline(100, color=QUIET, linewidth=1.2, linestyle=":")
        ax.set(xlabel="coverage in %", ylabel="bandwidth in % of the other's")
        ax.grid(visible=True, alpha=0.25)
    if label or not fresh:
        show_legend(ax, [line for line in ax.lines if line.get_gid() == "ratio"])
    return ax
