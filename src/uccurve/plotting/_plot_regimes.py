"""Who needs the least bandwidth where, as a figure."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.text import printable
from uccurve.comparison import Comparison
from uccurve.plotting._style import COLORS, QUIET, literal, new_axes, show_legend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDE = 0.15
"""Share of the axis from which on a bar has room for words."""
_COLUMNS = ("low", "high", "best", "runner_up", "saved", "p_holm", "significant")
_CLEAR: dict[str, Any] = {"edgecolor": "white", "alpha": 1.0}
_CHANCE: dict[str, Any] = {"hatch": "////", "edgecolor": "white", "alpha": 0.6}
_UNTESTED: dict[str, Any] = {"fill": False, "linestyle": "--"}
_UNKNOWN: dict[str, Any] = {
    "facecolor": "0.93",
    "edgecolor": "0.75",
    "hatch": "....",
    "linewidth": 0,
    "zorder": 0,
}


def plot_regimes(comparison: Comparison, ax: Any = None, *, legend: bool = True) -> Any:
    """Draw who needs the least bandwidth at which miss rates, on matplotlib axes, and return them.

    Each model has a lane, with a bar over the miss rates where it is best. A full bar is
    significant after Holm, a hatched one may be chance, an empty one could not be tested. Over
    dotted ground no order is known. Where there is room, the bar says how much less bandwidth that
    is than the second best needs.

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
    table: Mapping[str, Sequence[Any]] = comparison.tables["regimes"]
    names = _lanes(comparison, table["best"])
    ax = new_axes(6.4, 1.5 + 0.45 * len(names)) if ax is None else ax
    for low, high, best, second, saved, p, sure in zip(*(table[column] for column in _COLUMNS), strict=True):
        if best is None:
            ax.axvspan(low, high, **_UNKNOWN)
            continue
        lane = names.index(best)
        color = QUIET if best in comparison.options["constants"] else COLORS[lane % len(COLORS)]
        style = _UNTESTED | {"edgecolor": color} if math.isnan(p) else _CLEAR if sure else _CHANCE
        ax.barh(lane, high - low, left=low, height=0.7, color=color, **style)
        if second is not None and high - low >= _WIDE:
            ax.text(
                (low + high) / 2,
                lane,
                f"{100 * saved:.1f} % less",
                ha="center",
                va="center",
                fontsize="small",
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "boxstyle": "round,pad=0.2"},
            )
    ax.set_yticks(range(len(names)), [_lane(name) for name in names])
    ax.set(xlim=(0, 1), ylim=(len(names) - 0.4, -0.6), xlabel="miss rate")
    ax.grid(visible=True, axis="x", alpha=0.25)
    ax.set_axisbelow(True)
    if legend:
        show_legend(
            ax,
            _key(comparison),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=3,
            title="least bandwidth, and how much less than the second best",
            alignment="left",
        )
    return ax


def _lanes(comparison: Comparison, best: Sequence[str | None]) -> list[str]:
    """Return the models, with the constant band that all share, or those that are best somewhere."""
    constants = comparison.options["constants"]
    kept = constants if len(constants) == 1 else [name for name in constants if name in best]
    return [name for name in comparison.curves if name not in constants or name in kept]


def _lane(name: str) -> str:
    """Break a long name, which would leave the lanes no room."""
    lines = textwrap.wrap(printable(name), 20, max_lines=2, placeholder="…")
    return "\n".join(map(literal, lines))


def _key(comparison: Comparison) -> list[Any]:
    """Explain full, hatched and empty bars, and the ground without any."""
    from matplotlib.patches import Patch  # noqa: PLC0415

    level = comparison.options["level"]
    unknown = (
        [Patch(label="no order is known", **_UNKNOWN)] if None in comparison.tables["regimes"]["best"] else []
    )
    return [
        Patch(facecolor=QUIET, label=f"significant, p < {1 - level:.2g} after Holm", **_CLEAR),
        Patch(facecolor=QUIET, label="may be chance", **_CHANCE),
        Patch(edgecolor=QUIET, label="not tested", **_UNTESTED),
        *unknown,
    ]
