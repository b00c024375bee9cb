"""Figures: they draw results and compute nothing. The only place that knows matplotlib."""

from uccurve.plotting.calibration import plot_conditional_coverage, plot_reliability
from uccurve.plotting.comparison import plot_ratio, plot_regimes
from uccurve.plotting.curves import PlotOptions, plot_ucc
from uccurve.plotting.display import UCCDisplay
from uccurve.plotting.rows import plot_bands, plot_intervals
from uccurve.plotting.style import COLORS, DASHES, QUIET, escape_text, save_figure, thin

__all__ = [
    "COLORS",
    "DASHES",
    "QUIET",
    "PlotOptions",
    "UCCDisplay",
    "escape_text",
    "plot_bands",
    "plot_conditional_coverage",
    "plot_intervals",
    "plot_ratio",
    "plot_regimes",
    "plot_reliability",
    "plot_ucc",
    "save_figure",
    "thin",
]
