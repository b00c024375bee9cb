"""The area under a curve, or the part of it over some coverages, as a shade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.plotting._style import in_unit, share, thin

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve import Curve
    from uccurve.plotting._drawn_axes import Drawn


class ShadedArea(NamedTuple):
    """A range of the vertical axis, and what the legend says about it."""

    low: float
    high: float
    words: str


def shaded_area(
    curve: Curve, area: bool | tuple[float, float], x: X, y: Y, name: str, unit: str
) -> ShadedArea | None:
    """Check the option, and say what the shade is: under the whole curve, or left of a part of it.

    Over a range of miss rates the shade is the length of the range times the mean x over it: the partial
    area "mean".
    """
    if isinstance(area, (bool, np.bool_)):
        return ShadedArea(0.0, np.inf, "area under the curve") if area else None
    ends = arguments.sequence("area", area)
    if y != "miss_rate":
        raise ArgumentError(
            argument="area", rule="be a range with the miss rate on the vertical axis only", got=f"y={y!r}"
        )
    if len(ends) != 2:  # noqa: PLR2004 - a pair
        raise ArgumentError(
            argument="area", rule="be True, or a pair of coverages like (0.8, 0.95)", got=repr(area)
        )
    low, high = (arguments.number("area", end, 0, 1) for end in ends)
    if low >= high:
        raise ArgumentError(
            argument="area", rule="be a pair of coverages, the smaller one first", got=repr(area)
        )
    try:
        mean = f"mean {x} {curve.area(x=x, coverage=(low, high)):.3g} {in_unit(unit)}"
    except UnreachableError:
        mean = "not reached"
    name = f"{name.strip()}, " if name else ""
    return ShadedArea(
        arguments.complement(high),
        arguments.complement(low),
        f"{name}coverage {share(low)} to {share(high)}: {mean}",
    )


def draw_area(ax: Any, drawn: Drawn, curve: Curve, shaded: ShadedArea, color: str) -> None:
    """Shade from the vertical axis to the curve, between two heights."""
    x, y = (thin(getattr(curve, axis)) for axis in drawn.axes)
    x, y = np.r_[0.0, x], np.r_[y[:1], y]  # curves begin at zero bands, where x may be more than 0
    shade = ax.fill_between(
        x,
        shaded.low,
        np.clip(y, shaded.low, shaded.high),
        step="post" if drawn.axes[1] == "miss_rate" else None,
        facecolor=color,
        alpha=0.16,
        linewidth=0,
        gid="area",
    )
    if drawn.first(("area", shaded.words)):
        shade.set_label(shaded.words)
        drawn.remember("area", shade)
