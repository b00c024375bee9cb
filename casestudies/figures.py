"""The figure that studies share: which one needs less, and where they swap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.plotting import COLORS, DASHES, QUIET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import uccurve as uc

RATES = np.arange(1, 191) / 200
"""Miss rates of the ratios; above them, both bandwidths are close to zero."""


def draw_ratios(ax: Any, groups: Mapping[str, Sequence[tuple[uc.Intervals, Mapping[str, Any]]]]) -> None:
    """Draw bandwidths over those of the constant band: a line for each data set, a color for each group.

    Each data set has intervals, and what was measured of them. A clear cross-over is marked.
    """
    ax.axhline(1, color=QUIET, linewidth=1.2, linestyle=":", label="constant band")
    for place, (label, data_sets) in enumerate(groups.items()):
        color = COLORS[place]
        for rows, measures in data_sets:
            curve = rows.ucc()
            ratios = [1 - curve.gain_at(miss_rate=rate) for rate in RATES.tolist()]
            (line,) = ax.plot(RATES, ratios, color=color, linestyle=DASHES[place], linewidth=1)
            if measures["clear"]:
                at = measures["crossover"]["value"]
                ax.plot(at, 1, "o", color=color, markeredgecolor="white", zorder=5)
        line.set_label(f"{label}: {len(data_sets)} seeds")
    ax.set(xlabel="miss rate", ylabel="bandwidth over that of the constant band", xlim=(0, RATES[-1]))
    ax.grid(visible=True, alpha=0.25)
    ax.legend(edgecolor="none", framealpha=0.85, fontsize="small")
