"""What goes with a curve on its figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

Coverages: TypeAlias = Sequence[float] | Mapping[str, float]
"""Coverages of operating points, which may have names."""


class PlotOptions(TypedDict, total=False):
    """Options of `plot_ucc`, where they are explained; shared by all that draw curves."""

    reference: bool
    frontier: bool
    confidence: float | None
    original: bool
    cost: float | None
    miss_rate: tuple[float, float] | None
    points: Coverages | None
    area: bool | tuple[float, float]
    unit: str
    legend: bool
    width: float | None
    height: float | None
