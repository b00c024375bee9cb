"""Figures: they draw results and compute nothing. The only place that knows matplotlib."""

from uccurve.plotting._display import UCCDisplay
from uccurve.plotting._plot_bands import plot_bands
from uccurve.plotting._plot_conditional_coverage import plot_conditional_coverage
from uccurve.plotting._plot_intervals import plot_intervals
from uccurve.plotting._plot_operating_points import plot_operating_points
from uccurve.plotting._plot_ratio import plot_ratio
from uccurve.plotting._plot_regimes import plot_regimes
from uccurve.plotting._plot_reliability import plot_reliability
from uccurve.plotting._plot_ucc import plot_ucc
from uccurve.plotting._saved_figures import save_figure
from uccurve.plotting._style import COLORS, DASHES, QUIET

__all__ = [
    "COLORS",
    "DASHES",
    "QUIET",
    "UCCDisplay",
    "plot_bands",
    "plot_conditional_coverage",
    "plot_intervals",
    "plot_operating_points",
    "plot_ratio",
    "plot_regimes",
    "plot_reliability",
    "plot_ucc",
    "save_figure",
]
