"""Figures: they draw results and compute nothing. The only place that knows matplotlib."""

from uccurve.plotting._ucc import plot_ucc

__all__ = ["plot_ucc"]
