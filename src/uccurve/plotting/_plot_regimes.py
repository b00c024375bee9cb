"""Who is best at which coverage, as a figure."""

from __future__ import annotations

import itertools
import textwrap
from typing import Any

from uccurve._base import arguments
from uccurve._base.text import limits, printable, short_percent
from uccurve.comparison import Comparison, Regime
from uccurve.plotting._fitted_words import fit_axis_words, legend_above
from uccurve.plotting._style import COLORS, QUIET, literal, new_axes
from uccurve.plotting._text_sizes import text_size

_WIDE = 0.15
"""Share of the axis from which on a bar has room for words."""
_CLEAR: dict[str, Any] = {"edgecolor": "white", "alpha": 1.0}
_UNTESTED: dict[str, Any] = {"fill": False, "linestyle": "--"}
_UNKNOWN: dict[str, Any] = {
    "facecolor": "0.93",
    "edgecolor": "0.75",
    "hatch": "....",
    "linewidth": 0,
    "zorder": 0,
}


def plot_regimes(comparison: Comparison, ax: Any = None, *, legend: bool = True) -> Any:
    """Draw who is best at which coverage, on matplotlib axes, and return them.

    Each model has a lane, with a bar over the coverages where it is clearly the best. An empty bar shows who
    leads where nothing was tested. Over dotted ground it is too close to call. Where there is room, the bar
    says the smallest lead over the second best.

    Parameters
    ----------
    comparison : Comparison
        What `compare` found.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    legend : bool
        Show the legend.
    """
    arguments.instance("comparison", comparison, Comparison)
    names = _lanes(comparison)
    ax = new_axes(6.4, 1.5 + 0.45 * len(names)) if ax is None else ax
    bars: list[tuple[Any, Any]] = []
    for regime, (low, high) in zip(comparison.regimes, _drawn_ranges(comparison), strict=True):
        if regime.best is None:
            ax.axvspan(low, high, **_UNKNOWN)
            continue
        lane, length = names.index(regime.best), high - low
        color = QUIET if regime.best in comparison.constant_bands else COLORS[lane % len(COLORS)]
        style = {"color": color} | _style(regime)
        if not regime.clear:
            style |= {"edgecolor": color}
        (bar,) = ax.barh(lane, length, left=low, height=0.7, **style)
        if regime.runner_up is not None and length >= _WIDE:
            words = ax.text(
                (low + high) / 2,
                lane,
                f"≥ {short_percent(regime.saved)}",
                ha="center",
                va="center",
                fontsize=text_size(ax, "small"),
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "boxstyle": "round,pad=0.2"},
            )
            bars.append((bar, words))
    ax.set_yticks(range(len(names)), [_lane(name) for name in names])
    ax.set(xlim=(0, 1), ylim=(len(names) - 0.4, -0.6), xlabel="coverage")
    ax.grid(visible=True, axis="x", alpha=0.25)
    ax.set_axisbelow(True)
    fit_axis_words(ax)
    of = f" of {limits(comparison.side)}" if comparison.side != "both" else ""
    if legend:
        best = "best interval score" if comparison.options.rank_by == "interval_score" else "narrowest"
        title = f"{best}{of}, and the smallest lead over the second"
        legend_above(ax, _key(comparison), ncols=3, title=title)
    _hide_long_words(ax, bars)
    return ax


def _drawn_ranges(comparison: Comparison) -> list[tuple[float, float]]:
    """Return the coverages of ranges, drawn up to the middle between two steps so that they leave no gaps."""
    regimes = list(comparison.regimes)
    middles = [(one.high + other.low) / 2 for one, other in itertools.pairwise(regimes)]
    rates = [regimes[0].low, *middles, regimes[-1].high]
    return [(1 - high, 1 - low) for low, high in itertools.pairwise(rates)]


def _hide_long_words(ax: Any, bars: list[tuple[Any, Any]]) -> None:
    """Hide the words of bars that turn out too short for them."""
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    for bar, words in bars:
        if words.get_bbox_patch().get_window_extent().width > bar.get_window_extent().width:
            words.set_visible(False)


def _lanes(comparison: Comparison) -> list[str]:
    """Return the models, with the constant band that all share, or those that are best somewhere."""
    best = {regime.best for regime in comparison.regimes}
    constants = comparison.constant_bands
    return [*comparison.models, *(name for name in constants if len(constants) == 1 or name in best)]


def _lane(name: str) -> str:
    """Break a long name, which would leave the lanes no room."""
    lines = textwrap.wrap(printable(name), 20, max_lines=2, placeholder="…")
    return "\n".join(map(literal, lines))


def _key(comparison: Comparison) -> list[Any]:
    """Explain full and empty bars, and the ground without any, where they are there."""
    from matplotlib.patches import Patch  # noqa: PLC0415

    entries = (
        (_CLEAR, Patch(facecolor=QUIET, label="clear", **_CLEAR)),
        (_UNTESTED, Patch(edgecolor=QUIET, label="not tested", **_UNTESTED)),
        (_UNKNOWN, Patch(label="too close to call", **_UNKNOWN)),
    )
    styles = [_style(regime) for regime in comparison.regimes]
    return [patch for style, patch in entries if any(style is used for used in styles)]


def _style(regime: Regime) -> dict[str, Any]:
    """Return how a range is drawn: as known and tested as it is."""
    if regime.best is None:
        return _UNKNOWN
    return _CLEAR if regime.clear else _UNTESTED
