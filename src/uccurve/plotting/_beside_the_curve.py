"""What is drawn beside a curve: references, confidence band, shaded range, operating points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.plotting._point_words import moved_by_in_short
from uccurve.plotting._style import QUIET, literal, original_mark, thin, typographic
from uccurve.plotting._text_sizes import scale, text_size

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve import Curve, CurveBand, OperatingPoint
    from uccurve.plotting._drawn_axes import Drawn

_OPTIMUM: dict[str, Any] = {
    "marker": "*",
    "markeredgecolor": "white",
    "linestyle": "none",
    "zorder": 3,
}


class Extras(NamedTuple):
    """Results to draw beside a curve, where they were asked for."""

    band: CurveBand | None
    optimum: OperatingPoint | None


def prepare(curve: Curve, x: X, y: Y, *, confidence: float | None, cost: float | None) -> Extras:
    """Check the two options, and ask the curve for what is to be drawn."""
    if confidence is not None:
        confidence = arguments.number("confidence", confidence, 0, 1, open_=True)
    if cost is not None:
        cost = arguments.number("cost", cost, 0, 1)
    return Extras(
        None if confidence is None else curve.confidence_band(confidence_level=confidence),
        None if cost is None else curve.minimize_cost(cost, x=x, y=y).point,
    )


def draw_constant(ax: Any, drawn: Drawn, constant: Curve, predictions: int, color: str) -> None:
    """Draw the constant band around these predictions, once: gray, further ones in their model's color."""
    if not drawn.first(("constant", predictions)):
        return
    x, y = drawn.axes
    (line,) = ax.plot(
        thin(getattr(constant, x)),
        thin(getattr(constant, y)),
        drawstyle="steps-post" if y == "miss_rate" else "default",
        color=color if predictions else QUIET,
        linestyle="--",
        linewidth=1.2 * scale(ax),
    )
    drawn.top = max(drawn.top, 1.05 * float(getattr(constant, y)[0]))
    _name_once(drawn, "constant", line, "constant width", predictions)


def draw_limit(ax: Any, drawn: Drawn, curve: Curve, predictions: int, color: str) -> None:
    """Draw the limit line for the kind of bands that the curve has, once for the same predictions."""
    sides = "symmetric" if curve.symmetric else "asymmetric"
    if not drawn.first(("limit", predictions, sides)):
        return
    limit = curve.frontier
    width = limit.bandwidth if sides == "symmetric" else limit.asymmetric_bandwidth
    (line,) = ax.plot(
        thin(width),
        thin(getattr(limit, drawn.axes[1])),
        color=color if predictions else QUIET,
        linestyle=":" if sides == "symmetric" else (0, (1, 3)),
        linewidth=1.4 * scale(ax),
    )
    words = f"limit, {sides} bands" if curve.side == "both" else "limit in hindsight"
    _name_once(drawn, "limit", line, words, predictions)


def draw_range(ax: Any, drawn: Drawn, miss_rate: tuple[float, float]) -> None:
    """Shade the miss rates of a partial gain, once."""
    low, high = (float(end) for end in miss_rate)
    if drawn.first(("range", low, high)):
        patch = ax.axhspan(
            low, high, facecolor="0.9", edgecolor="0.7", zorder=0, label=f"miss rates {low:g} to {high:g}"
        )
        drawn.remember("range", patch)


def draw_band(ax: Any, drawn: Drawn, curve: Curve, band: CurveBand, color: str) -> None:
    """Shade where the true miss rate may lie, between thin edges that show in gray."""
    x = thin(getattr(curve, drawn.axes[0]))
    low, high = thin(band.low), thin(band.high)
    shade = ax.fill_between(x, low, high, step="post", color=color, alpha=0.2, linewidth=0)
    for edge in (low, high):
        ax.plot(x, edge, drawstyle="steps-post", color=color, alpha=0.5, linewidth=0.6)
    if drawn.first(("band", band.confidence_level)):
        shade.set_label(f"{100 * band.confidence_level:g}% band, whole curve at once")
        drawn.remember("band", shade)


def draw_original(ax: Any, drawn: Drawn, point: OperatingPoint, color: str) -> None:
    """Mark the intervals as given; far outside the view, say where they are."""
    x, y = (float(getattr(point, axis)) for axis in drawn.axes)
    if drawn.first("original"):
        (entry,) = ax.plot([], [], label="as supplied", **original_mark(QUIET, scale(ax)))
        drawn.remember("original", entry, "as supplied", (x, y))
    ax.plot(x, y, **original_mark(color, scale(ax)))
    if x > drawn.right > 0:
        ax.annotate(
            f"as supplied: {x:.3g} →",
            (1, y),
            (-6, 6),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right",
            color=color,
            fontsize=text_size(ax, "small"),
            gid="as supplied",
        )


def optimum_words(curve: Curve, point: OperatingPoint, cost: float, name: str, unit: str) -> tuple[str, str]:
    """Say how to get to the optimum, in the legend and beside the mark."""
    family = curve.data.family
    verb = (
        "add"
        if family.in_units_of_y
        else "multiply the outermost pair by"
        if family.nested
        else "multiply by"
    )
    move = typographic(f"{verb} {point.parameter:.3g}")
    if unit and family.in_units_of_y:
        move += f" {literal(unit)}"
    if point.nominal is not None:
        move = f"take the {100 * point.nominal:.3g}% interval"
    words = f"optimum at c = {cost:g}: {move}" + (f" ({name.strip()})" if name else "")
    return words, f"optimum: {moved_by_in_short(point, family.name, unit)}"


def draw_optimum(
    ax: Any, drawn: Drawn, point: OperatingPoint, cost: float, words: tuple[str, str], color: str
) -> None:
    """Mark the cheapest operating point, and draw the line of equal cost: slope -c / (1 - c)."""
    x, y = (float(getattr(point, axis)) for axis in drawn.axes)
    line = {"color": color, "linewidth": 0.9, "alpha": 0.8, "linestyle": (0, (8, 3, 2, 3))}
    if cost < 1:
        ax.axline((x, y), slope=-cost / (1 - cost), **line)
    else:
        ax.axvline(x, **line)
    size = {"markersize": 16 * scale(ax)}
    (mark,) = ax.plot(x, y, color=color, label=words[0], **_OPTIMUM | size)
    drawn.remember("optimum", mark, words[1], (x, y))


def _name_once(drawn: Drawn, kind: str, line: Any, words: str, predictions: int) -> None:
    """Name a line in the legend; one entry serves all further predictions, told apart by color."""
    short = words.partition(",")[0]
    words += ", other predictions" if predictions else ""
    if drawn.first(words):
        line.set_label(words)
        drawn.remember(kind, line, short)
