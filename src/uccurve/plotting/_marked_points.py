"""Operating points on a curve, each with a short label beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.plotting._direct_labels import DirectLabel
from uccurve.plotting._point_words import moved_by_in_short
from uccurve.plotting._style import literal, share
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from uccurve.curve import Curve, OperatingPoint
    from uccurve.plotting._drawn_axes import Drawn
    from uccurve.plotting._plot_options import Coverages

_DOT: dict[str, Any] = {
    "marker": "o",
    "markeredgecolor": "white",
    "markeredgewidth": 1,
    "linestyle": "none",
    "zorder": 4.5,
    "gid": "point",
}


class MarkedPoint(NamedTuple):
    """An operating point, and the words beside it."""

    point: OperatingPoint
    words: str
    short: str
    """What is said where there is no room for the words."""


def marked_points(curve: Curve, points: Coverages, unit: str) -> list[MarkedPoint]:
    """Find the points of coverages, which may have names: "90%: ×1.63"."""
    named = points if isinstance(points, Mapping) else None
    values = list(named.values()) if named is not None else arguments.sequence("points", points)
    names = [""] * len(values) if named is None else [f"{literal(str(name)).strip()}, " for name in named]
    found = []
    for name, value in zip(names, values, strict=True):
        coverage = arguments.number("points", value, 0, 1)
        point = curve.at(coverage=coverage)
        how = moved_by_in_short(point, curve.data.family.name, unit)
        found.append(
            MarkedPoint(point, f"{name}{share(coverage)}: {how}", name.strip(", ") or share(coverage))
        )
    return found


def draw_points(ax: Any, drawn: Drawn, points: list[MarkedPoint], color: str) -> None:
    """Draw the dots, and hand their labels over to be placed when all is drawn."""
    for marked in points:
        x, y = (float(getattr(marked.point, axis)) for axis in drawn.axes)
        ax.plot(x, y, color=color, markersize=7 * scale(ax), **_DOT)
        drawn.right = max(drawn.right, 1.04 * x)
        drawn.labels.append(DirectLabel(marked.words, [(x, y)], color, short=marked.short))
