"""The curve as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.curve import ranges
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.plotting import _beside_the_curve
from uccurve.plotting._drawn_axes import Drawn
from uccurve.plotting._marked_points import draw_points, marked_points
from uccurve.plotting._plot_reliability import checked_curve
from uccurve.plotting._shaded_area import draw_area, shaded_area
from uccurve.plotting._style import (
    axis_label,
    checked_line_style,
    literal,
    model_style,
    percent,
    sized_axes,
    thin,
)
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import X, Y
    from uccurve.curve import Curve
    from uccurve.intervals import Intervals
    from uccurve.plotting._plot_options import Coverages

_FARTHEST = 2.5
"""How far out, as a multiple of the view, the intervals as given may draw its right end."""
_ROOM = 1.04


def plot_ucc(
    curve: Curve | Intervals,
    ax: Any = None,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    label: str | None = None,
    color: str | None = None,
    reference: bool = True,
    frontier: bool = True,
    confidence: float | None = None,
    original: bool = True,
    cost: float | None = None,
    miss_rate: tuple[float, float] | None = None,
    points: Coverages | None = None,
    area: bool | tuple[float, float] = False,
    unit: str = "",
    legend: bool = True,
    width: float | None = None,
    height: float | None = None,
) -> Any:
    """Draw a curve on matplotlib axes and return them.

    Parameters
    ----------
    curve : UCC or Intervals
        The curve; intervals stand for theirs, with ``vary="scale"``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given. Several curves may share axes.
    x, y : str
        The two costs.
    label : str, optional
        Name in the legend, in front of area and gain.
    color : str, optional
        Color of the curve; by default the next of a series that is safe for color-blind eyes.
    reference : bool
        Draw the constant band. Curves around the same predictions share one.
    frontier : bool
        Draw the limit line on the bandwidth axis: that of symmetric bands, or of asymmetric ones if
        the curve's are.
    confidence : float, optional
        Confidence level, such as 0.95: draw the simultaneous confidence band of the miss rate.
    original : bool
        Mark the operating point of the intervals as given.
    cost : float, optional
        The c of ``c * x + (1 - c) * y``: marks the cheapest operating point and draws the line of
        equal cost through it.
    miss_rate : pair of float, optional
        Shade these miss rates, and name both partial gains over them.
    points : sequence of float, or mapping of name to float, optional
        Coverages, such as ``[0.9, 0.95]``: mark their operating points, each with a label that says what
        moves the bands there.
    area : bool or pair of float
        Shade the area under the curve; or, given a pair of coverages such as ``(0.8, 0.95)``, its part over
        them, of which the legend says the mean bandwidth.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend. On small axes, where it would be in the way, names stand beside the lines instead.
    width, height : float, optional
        Size of the new figure in inches, such as 3.3 for one column of a paper; not together with ``ax``.
        The height follows the width if not given.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> ax = curve.plot(label="mine", unit="kWh")
    >>> ax.get_xlabel()
    'bandwidth: mean half-width (kWh)'
    >>> ax.get_legend().get_texts()[0].get_text()
    'mine: area 2.75, gain −10.0%'
    >>> ax.figure.clear()

    Operating points are marked by their coverage:

    >>> ax = curve.plot(points=[0.5, 0.75])
    >>> [text.get_text() for text in ax.texts]
    ['50%: ×1', '75%: ×1.5']
    >>> ax.figure.clear()
    """
    line = draw_ucc(
        checked_curve("curve", curve),
        ax,
        x=x,
        y=y,
        label=label,
        line_style={"color": color},
        reference=reference,
        frontier=frontier,
        confidence=confidence,
        original=original,
        cost=cost,
        miss_rate=miss_rate,
        points=points,
        area=area,
        unit=unit,
        legend=legend,
        width=width,
        height=height,
    )
    return line.axes


def draw_ucc(
    curve: Curve,
    ax: Any,
    *,
    x: X,
    y: Y,
    label: str | None,
    line_style: Mapping[str, Any],
    reference: bool,
    frontier: bool,
    confidence: float | None,
    original: bool,
    cost: float | None,
    miss_rate: tuple[float, float] | None,
    points: Coverages | None,
    area: bool | tuple[float, float],
    unit: str,
    legend: bool,
    width: float | None = None,
    height: float | None = None,
) -> Any:
    """Draw a curve and what goes with it, and return its line; everything is checked before."""
    ranges.check_axes(x, y)
    if y != "miss_rate" and (confidence is not None or miss_rate is not None):
        name = "confidence" if confidence is not None else "miss_rate"
        raise ArgumentError(
            argument=name, rule="be passed with the miss rate on the vertical axis only", got=f"y={y!r}"
        )
    name = literal(label) if label else ""
    text = _name_and_numbers(curve, x, y, name, miss_rate)
    extras = _beside_the_curve.prepare(curve, x, y, confidence=confidence, cost=cost)
    marked = [] if points is None else marked_points(curve, points, unit)
    shaded = shaded_area(curve, area, x, y, name, unit)
    given_style = checked_line_style(line_style)
    ax = _checked_axes(ax, width, height)
    drawn = Drawn.on(ax, x, y, curve.side)
    steps = {"drawstyle": "steps-post" if y == "miss_rate" else "default"}
    style = steps | {"linewidth": 1.8 * scale(ax)} | model_style(drawn.curves) | given_style
    predictions = drawn.predictions(curve)
    if reference:
        _beside_the_curve.draw_constant(ax, drawn, curve.reference, predictions, style["color"])
    if frontier and x == "bandwidth":
        _beside_the_curve.draw_limit(ax, drawn, curve, predictions, style["color"])
    if miss_rate is not None:
        _beside_the_curve.draw_range(ax, drawn, miss_rate)
    if shaded is not None:
        draw_area(ax, drawn, curve, shaded, style["color"])
    if extras.band is not None:
        _beside_the_curve.draw_band(ax, drawn, curve, extras.band, style["color"])
    (line,) = ax.plot(thin(getattr(curve, x)), thin(getattr(curve, y)), label=text, **style)
    drawn.remember("model" if name else "unnamed", line, name.strip() or text)
    drawn.right = max(drawn.right, _ROOM * max(_tail(curve, x, y), _tail(curve.reference, x, y)))
    drawn.top = max(drawn.top, 1.05 * float(getattr(curve, y)[0]))
    if original:
        given = float(getattr(curve.original, x))
        if given <= _FARTHEST * drawn.right:  # farther out it would squeeze the curves
            drawn.right = max(drawn.right, _ROOM * given)
        _beside_the_curve.draw_original(ax, drawn, curve.original, style["color"])
    if extras.optimum is not None and cost is not None:
        drawn.right = max(drawn.right, _ROOM * float(getattr(extras.optimum, x)))
        words = _beside_the_curve.optimum_words(curve, extras.optimum, cost, name, unit)
        _beside_the_curve.draw_optimum(ax, drawn, extras.optimum, cost, words, style["color"])
    draw_points(ax, drawn, marked, style["color"])
    drawn.curves += 1
    ax.set(xlabel=axis_label(x, unit, curve.side), ylabel=axis_label(y, unit, curve.side))
    ax.grid(visible=True, alpha=0.25)
    drawn.show(ax, legend=legend)
    return line


def _checked_axes(ax: Any, width: float | None, height: float | None) -> Any:
    """Return the axes that are given, or new ones of the size that is given."""
    if ax is None:
        return sized_axes(width, height)
    if width is not None or height is not None:
        name = "height" if width is None else "width"
        raise ArgumentError(argument=name, rule="not be passed beside `ax`: it is the size of a new figure")
    return ax


def _name_and_numbers(curve: Curve, x: X, y: Y, name: str, miss_rate: tuple[float, float] | None) -> str:
    """Say what the legend says about a curve: its name, area and gains."""
    name = f"{name}: " if name else ""
    try:
        text = f"{name}area {curve.area(x=x, y=y):.3g}, gain {percent(curve.gain(x=x, y=y))}"
    except UnreachableError:
        text = f"{name}down to a miss rate of {float(curve.miss_rate[-1]):.3g}"
    if miss_rate is None:
        return text
    try:
        mean, strip = (
            percent(curve.gain(x=x, y=y, partial="mean", miss_rate=miss_rate)),
            percent(curve.gain(x=x, y=y, partial="strip", miss_rate=miss_rate)),
        )
    except UnreachableError:
        return f"{text}\nshaded: not reached"
    return f"{text}\nshaded: mean gain {mean}, strip gain {strip}"


def _tail(curve: Curve, x: X, y: Y) -> float:
    """Return the x behind which the curve has come down to a hundredth: the rest is left out of view."""
    values = to_numpy(getattr(curve, y))
    return float(to_numpy(getattr(curve, x))[int(np.argmax(values <= max(values[0] / 100, values[-1])))])
