"""What goes with a curve on its figure."""

from __future__ import annotations

from typing import TypedDict


class PlotOptions(TypedDict, total=False):
    """Options of `plot_ucc`, where they are explained; shared by all that draw curves."""

    reference: bool
    frontier: bool
    confidence: float | None
    original: bool
    cost: float | None
    miss_rate: tuple[float, float] | None
    unit: str
    legend: bool
