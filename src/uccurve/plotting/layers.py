"""What is drawn beside a curve: constant width, limit, confidence band, hatched area, operating points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve.exceptions import ArgumentError
from uccurve.plotting import style
from uccurve.plotting.style import QUIET, scale_of, thin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Side, X, Y
    from uccurve.curve import Curve, CurveBand, OperatingPoint

# The order of the legend: models first, then their points, then what they are held against.
_RANKS = ("model", "original", "optimum", "area", "band", "constant", "limit")
# How far out, as a multiple of the view, intervals as supplied may draw its end.
_FARTHEST = 2.5
_ROOM = 1.04
# Share of the axis of a cost below 0, for marks that lie there.
_BELOW = 0.018
_WORDS = {
    "bandwidth": "mean half-width",
    "excess": "excess: mean room inside the {bounds}",
    "deficit": "deficit: mean distance outside the {bounds}",
}
_WIDTH_OF_LIMIT = "mean distance from the prediction to the {bounds}"


class Frame(NamedTuple):
    """What the two axes show: a cost over coverage, or two costs as in the paper."""

    x: X
    y: Y
    side: Side
    is_paper: bool
    is_stretched: bool

    @property
    def is_over_coverage(self) -> bool:
        """Whether the horizontal axis is one of coverage, and the vertical one of the other cost."""
        return self.y == "miss_rate" and not self.is_paper

    @property
    def drawstyle(self) -> str:
        """Coverage is a step function of the bands; the other costs are lines."""
        if self.y != "miss_rate":
            return "default"
        return "steps-pre" if self.is_over_coverage else "steps-post"

    def costs(self, point: Any) -> tuple[float, float]:
        """Return the two costs of an operating point."""
        return float(getattr(point, self.x)), float(getattr(point, self.y))

    def place(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return where two costs are on the axes, from left to right and upwards."""
        return (1 - y, x) if self.is_over_coverage else (x, y)

    def path(self, curve: Any) -> tuple[Any, Any]:
        """Return where the points of a curve are."""
        return self.place(thin(getattr(curve, self.x)), thin(getattr(curve, self.y)))

    def words(self, cost: str, unit: str) -> str:
        """Name the axis of a cost with its unit, in the words of intervals or limits."""
        is_limit = self.side != "both"
        words = _WIDTH_OF_LIMIT if is_limit and cost == "bandwidth" else _WORDS[cost]
        bounds = f"{self.side} limit" if is_limit else "bounds"
        return f"{words.format(bounds=bounds)} ({style.in_unit(unit)})"


@dataclass(eq=False)
class Drawn:
    """The curves on a pair of axes, and what was drawn with them, so that several models can share them.

    ``right`` and ``top`` are the largest x and y in view, ``marks`` the names of points by their coverage.
    """

    frame: Frame
    curves: int = 0
    right: float = 0.0
    top: float = 0.0
    marks: dict[float, str] = field(default_factory=dict)
    _entries: list[tuple[int, Any]] = field(default_factory=list)
    _once: set[Any] = field(default_factory=set)
    _residuals: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    @classmethod
    def on(cls, ax: Any, frame: Frame) -> Drawn:
        """Return what is on the axes; nothing, if they were cleared since."""
        drawn: Drawn | None = getattr(ax, "_uccurve", None)
        if drawn is None or (drawn._entries and drawn._entries[0][1].axes is None):
            ax._uccurve = drawn = cls(frame)
        if drawn.frame != frame:  # the labels could be true of one of them only
            rule = "show the same two costs, of the same kind of bounds, on the same axes"
            raise ArgumentError(argument="ax", rule=rule, hint="Draw on other axes.")
        return drawn

    def is_first(self, what: Any) -> bool:
        """Whether something that is drawn once is to be drawn now."""
        is_new = what not in self._once
        self._once.add(what)
        return is_new

    def number_predictions(self, curve: Curve) -> int:
        """Return the number of the predictions, told apart by the residuals they leave.

        The limit line depends on nothing but the residuals and their weights.
        """
        mine = thin(curve.frontier.bandwidth), thin(curve.frontier.miss_rate)
        for place, other in enumerate(self._residuals):
            pairs = list(zip(mine, other, strict=True))
            if all(a.shape == b.shape and np.allclose(a, b, 1e-9, 0) for a, b in pairs):
                return place
        self._residuals.append(mine)
        return len(self._residuals) - 1

    def remember(self, kind: str, artist: Any, words: str) -> None:
        """Name an artist in the legend, in its place; the same words have one entry."""
        if kind == "model" or self.is_first((kind, words)):
            artist.set_label(words)
            self._entries.append((_RANKS.index(kind), artist))

    def include(self, x: float, y: float = 0.0) -> None:
        """Make the view hold a point, with some room."""
        self.right, self.top = max(self.right, _ROOM * x), max(self.top, _ROOM * y)

    def finish(self, ax: Any, unit: str, *, legend: bool, may_grow: bool) -> None:
        """Set view, labels and legend; entries that are not ours come last."""
        frame, x, y = self.frame, self.frame.words(self.frame.x, unit), "miss rate"
        set_right = ax.set_ylim if frame.is_over_coverage else ax.set_xlim
        if 0 < self.right < float("inf"):
            set_right(-_BELOW * self.right, self.right)
        if frame.is_over_coverage:
            x, y = style.show_coverage(ax, is_stretched=frame.is_stretched, marks=self.marks), x
        elif 0 < self.top < float("inf"):
            ax.set_ylim(-_BELOW * self.top, self.top)
        if frame.y == "deficit":
            y = frame.words("deficit", unit)
        elif frame.is_paper:
            ax.set_yticks(np.linspace(0, 1, 6))
            ax.yaxis.set_major_formatter(style.format_share)
        style.label_axes(ax, x, y)
        if legend:
            ours = [artist for _, artist in sorted(self._entries, key=lambda ranked: ranked[0])]
            others = [one for one in ax.get_legend_handles_labels()[0] if one not in ours]
            corner = "upper left" if frame.is_over_coverage else "upper right"
            style.show_legend(ax, [*ours, *others], corner=corner, is_apart=False, may_grow=may_grow)


# -- lines --------------------------------------------------------------------------------------


def draw_references(ax: Any, drawn: Drawn, curve: Curve, color: str, *, constant: bool, limit: bool) -> None:
    """Draw constant width and the limit line, once around the same predictions.

    Those of the first predictions are gray, those of others have the color of their model.
    """
    frame, number = drawn.frame, drawn.number_predictions(curve)
    look = {"color": color if number else QUIET, "linewidth": 1.3 * scale_of(ax)}
    other = ", other predictions" if number else ""
    if constant and drawn.is_first(("constant", number)):
        dashes = {"linestyle": style.DASHES_OF_CONSTANT, "drawstyle": frame.drawstyle}
        (line,) = ax.plot(*frame.path(curve.reference), **look | dashes)
        drawn.include(0, float(getattr(curve.reference, frame.y)[0]))
        drawn.remember("constant", line, f"constant width{other}")
    kind = "symmetric" if curve.symmetric else "asymmetric"
    if limit and frame.x == "bandwidth" and drawn.is_first(("limit", number, kind)):
        found = curve.frontier
        width = found.bandwidth if curve.symmetric else found.asymmetric_bandwidth
        place = frame.place(thin(width), thin(getattr(found, frame.y)))
        (line,) = ax.plot(*place, linestyle=":" if curve.symmetric else (0, (1, 3)), **look)
        words = f"limit, {kind} intervals" if curve.side == "both" else "limit in hindsight"
        drawn.remember("limit", line, words + other)


def draw_band(ax: Any, drawn: Drawn, curve: Curve, band: CurveBand, color: str) -> None:
    """Shade where the true coverage may lie, between thin edges that show in gray."""
    frame = drawn.frame
    x = thin(getattr(curve, frame.x))
    low, high = thin(band.low), thin(band.high)
    fill = ax.fill_betweenx if frame.is_over_coverage else ax.fill_between
    ends = (1 - high, 1 - low) if frame.is_over_coverage else (low, high)
    shade = fill(x, *ends, step="post", facecolor=color, linewidth=0, alpha=0.16)
    look = {"drawstyle": frame.drawstyle, "color": color, "alpha": 0.5, "linewidth": 0.6}
    for edge in (low, high):
        ax.plot(*frame.place(x, edge), **look)
    drawn.remember("band", shade, f"{100 * band.confidence_level:g}% band, whole curve at once")


def draw_area(
    ax: Any, drawn: Drawn, curve: Curve, coverages: tuple[float, float], words: str, color: str
) -> None:
    """Hatch what lies under a curve between two coverages: bands are shaded."""
    low, high = coverages
    x, rate = thin(getattr(curve, drawn.frame.x)), thin(curve.miss_rate)
    x, rate = np.r_[0.0, x], np.r_[rate[:1], rate]  # curves begin at zero bands
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": color, "alpha": 0.4, "linewidth": 0}
    look |= {"hatch": "///", "gid": "area"}
    if drawn.frame.is_over_coverage:
        shade = ax.fill_between(np.clip(1 - rate, low, high), 0, x, step="pre", **look)
    else:
        shade = ax.fill_between(x, 1 - high, np.clip(rate, 1 - high, 1 - low), step="post", **look)
    drawn.remember("area", shade, words)


# -- points -------------------------------------------------------------------------------------


def draw_original(ax: Any, drawn: Drawn, point: OperatingPoint, color: str) -> None:
    """Mark the intervals as supplied; far outside the view, say where they are."""
    frame, (x, y) = drawn.frame, drawn.frame.costs(point)
    ax.plot(*frame.place(x, y), **style.ring(ax, color))
    if drawn.is_first("original"):
        (entry,) = ax.plot([], [], **style.ring(ax, QUIET))
        drawn.remember("original", entry, "as supplied")
    if x <= _FARTHEST * drawn.right or drawn.right == 0:
        drawn.include(x)
        return
    arrow, down, side = ("↑", -4, "top") if frame.is_over_coverage else ("→", 6, "bottom")
    look = {"textcoords": "offset points", "color": color, "fontsize": style.text_size(ax)}
    words, place = f"as supplied: {x:.3g} {arrow}", frame.place(drawn.right, y)
    ax.annotate(words, place, (-6, down), ha="right", va=side, **look)


def draw_optimum(ax: Any, drawn: Drawn, point: OperatingPoint, cost: float, words: str, color: str) -> None:
    """Mark the cheapest operating point, and draw the line of equal cost through it."""
    x, y = drawn.frame.costs(point)
    drawn.include(x)
    total, highest = cost * x + (1 - cost) * y, 1.0 if drawn.frame.y == "miss_rate" else drawn.top
    if cost == 0:
        xs, ys = np.array([0.0, 10 * max(x, drawn.right)]), np.full(2, y)
    else:
        end = highest if cost == 1 else min(highest, total / (1 - cost))
        ys = end * np.linspace(0, 1, 101) ** 2  # closest where the axis of coverage is stretched
        xs = (total - (1 - cost) * ys) / cost
    line = {"color": color, "linewidth": 0.9, "alpha": 0.8, "linestyle": (0, (8, 3, 2, 3))}
    ax.plot(*drawn.frame.place(xs, ys), gid="equal cost", **line)
    mark = {"marker": "*", "markersize": 15 * scale_of(ax), "markeredgecolor": "white", "zorder": 4.2}
    (star,) = ax.plot(*drawn.frame.place(x, y), color=color, linestyle="none", **mark)
    drawn.remember("optimum", star, words)


def draw_points(
    ax: Any, drawn: Drawn, points: Sequence[tuple[str, float, OperatingPoint]], color: str
) -> None:
    """Mark the points of some coverages, with a line down to the axis where that is one of coverage."""
    for name, coverage, point in points:
        x, y = drawn.frame.costs(point)
        drawn.include(x)
        if drawn.frame.is_over_coverage:
            ax.vlines(coverage, 0, x, color=QUIET, linewidth=0.8, linestyle=":", zorder=1)
            drawn.marks[coverage] = name
        elif drawn.is_first(("point", coverage)):
            ground = {"facecolor": style.ground_of(ax), "alpha": 0.8, "linewidth": 0, "pad": 0.8}
            look = {"textcoords": "offset points", "color": color, "fontsize": style.text_size(ax)}
            ax.annotate(name or style.format_share(coverage), (x, y), (6, 5), bbox=ground, zorder=5, **look)
        dot = {"marker": "o", "markersize": 7 * scale_of(ax), "markeredgecolor": "white", "zorder": 4.5}
        ax.plot(*drawn.frame.place(x, y), color=color, linestyle="none", gid="point", **dot)


def describe_move(point: OperatingPoint, vary: str, unit: str = "") -> str:
    """Say what moves the bands to a point: "×1.63", "+0.200 kWh", "87% interval"."""
    if vary == "shift":
        unit = f" {style.escape_text(unit)}" if unit else ""
        return f"{point.parameter:+#.3g}".rstrip(".").replace("-", "−") + unit
    if vary == "level" and point.nominal is not None:
        return f"{100 * point.nominal:.3g}% interval"
    return f"{'outermost ' if vary == 'level' else ''}×{f'{point.parameter:#.3g}'.rstrip('.')}"
