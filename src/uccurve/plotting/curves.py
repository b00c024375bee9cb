"""Curves as a figure: what each coverage costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import limits, percent
from uccurve.curve import Curve, choose_miss_rate, ranges
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.intervals import Intervals
from uccurve.plotting import layers, style
from uccurve.plotting.layers import Drawn, Frame

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve import CurveBand, OperatingPoint


@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """What goes with curves on their figure: options of `plot_ucc`, of `UCCDisplay` and of each ``plot``.

    Attributes
    ----------
    paper : bool
        Draw the paper's axes: half-width (or excess) along x, miss rate along y.
    stretch : bool
        Stretch the axis of coverage toward 100%, where intervals are used.
    reference : bool
        Draw constant width. Curves around the same predictions share one.
    frontier : bool
        Draw the limit line of half-widths: that of symmetric intervals, or of asymmetric ones
        if the curve's are.
    original : bool
        Mark the operating point of the intervals as supplied.
    confidence : float, optional
        Confidence level, such as 0.95: draw the simultaneous confidence band of the coverage.
    cost : float, optional
        The c of ``c * x + (1 - c) * y``: marks the cheapest operating point and draws the line of equal cost
        through it.
    points : sequence of float, or mapping of name to float, optional
        Coverages, such as ``[0.9, 0.95]``: mark their operating points. The legend says what moves the bands
        there.
    area : pair of float, optional
        Coverages, such as ``(0.8, 0.95)``: hatch what lies under the curve between them. The legend says the
        mean over them.
    highlight : sequence of str, optional
        Names of the curves in color; the others are gray. By default all of up to four curves. Of more,
        the two with the best interval score at the coverage that all claim, else at 90%.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend. On axes of less than 3.2 inches it says names only.
    width, height : float, optional
        Size of the new figure in inches, such as 3.3 for one column of a paper; not together with ``ax``.
        The height follows the width if not passed, and is larger where a long legend would hide the curves.

    Raises
    ------
    ArgumentError
        If ``confidence``, ``cost``, ``points`` or ``area`` are not shares, or ``area`` is not a rising pair.

    See Also
    --------
    plot_ucc : Takes them by name.

    Examples
    --------
    >>> from uccurve.plotting import PlotOptions
    >>> PlotOptions(unit="kWh", frontier=False).unit
    'kWh'
    """

    paper: bool = False
    stretch: bool = True
    reference: bool = True
    frontier: bool = True
    original: bool = True
    confidence: float | None = None
    cost: float | None = None
    points: Sequence[float] | Mapping[str, float] | None = None
    area: tuple[float, float] | None = None
    highlight: Sequence[str] | None = None
    unit: str = ""
    legend: bool = True
    width: float | None = None
    height: float | None = None

    def __post_init__(self) -> None:
        """Check the options that stand for numbers."""
        if self.confidence is not None:
            arguments.number("confidence", self.confidence, 0, 1, open_=True)
        if self.cost is not None:
            arguments.number("cost", self.cost, 0, 1)
        if self.area is not None:
            ends = [arguments.number("area", end, 0, 1) for end in arguments.sequence("area", self.area)]
            if len(ends) != 2 or ends[0] >= ends[1]:  # noqa: PLR2004 - a pair
                rule = "be a pair of coverages like (0.8, 0.95)"
                raise ArgumentError(argument="area", rule=rule, got=repr(self.area))
        _ = self.named_points

    @property
    def named_points(self) -> list[tuple[str, float]]:
        """The coverages of ``points`` with their names, which may be empty."""
        if isinstance(self.points, Mapping):
            named = [(style.escape_text(str(name)).strip(), value) for name, value in self.points.items()]
        else:
            named = [("", value) for value in arguments.sequence("points", self.points or ())]
        return [(name, arguments.number("points", value, 0, 1)) for name, value in named]


class _Extras(NamedTuple):
    """What is drawn beside a curve: results, and words for a hatched area."""

    band: CurveBand | None = None
    optimum: OperatingPoint | None = None
    points: Sequence[tuple[str, float, OperatingPoint]] = ()
    area: str = ""


def plot_ucc(
    curve: Curve | Intervals,
    ax: Any = None,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    label: str | None = None,
    color: str | None = None,
    **options: Any,
) -> Any:
    """Draw a curve on matplotlib axes and return them.

    Parameters
    ----------
    curve : UCC or Intervals
        The curve; intervals stand for theirs, with ``vary="scale"``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed. Several curves may share axes.
    x, y : str
        The two costs. With the miss rate as y, the figure shows x over coverage; with the deficit, the
        deficit over x.
    label : str, optional
        Name in the legend, in front of area and gain.
    color : str, optional
        Color of the curve; by default the next of a series that is safe for color-blind eyes.
    **options
        Those of `PlotOptions`. Further ones are keywords of ``matplotlib.lines.Line2D`` for the line, such as
        ``linewidth``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentTypeError
        If ``curve`` is neither a `UCC` nor `Intervals`.
    MissingDependencyError
        If matplotlib is not installed.
    ArgumentError
        If an option has a value outside its rule, or the axes show other costs.
    TypeError
        If a keyword is neither an option nor one of ``Line2D``.
    UnreachableError
        If scaling does not reach a coverage of ``points``, because rows have zero bands.

    See Also
    --------
    uccurve.UCCDisplay : Draws several models.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> ax = curve.plot(label="mine", unit="kWh")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('coverage, stretched toward 100%', 'mean half-width (kWh)')
    >>> ax.get_legend().get_texts()[0].get_text()
    'mine: area 2.75, gain −10.0%'
    >>> ax.figure.clear()

    The legend says what moves the bands to some coverages:

    >>> ax = curve.plot(label="mine", points=[0.5, 0.75])
    >>> ax.get_legend().get_texts()[0].get_text().splitlines()[1]
    '50%: ×1.00, 75%: ×1.50'
    >>> ax.figure.clear()
    """
    named = {label or "": check_curve("curve", curve)}
    (line,) = draw_curves(named, ax, x, y, options | {"color": color}).values()
    return line.axes


def draw_curves(
    curves: Mapping[str, Curve], ax: Any, x: X, y: Y, passed: Mapping[str, Any]
) -> dict[str, Any]:
    """Draw curves and what goes with them, and return their lines; everything is checked before.

    What is passed are options, and keywords of the lines.
    """
    chosen = {option.name: passed[option.name] for option in fields(PlotOptions) if option.name in passed}
    options = PlotOptions(**chosen)
    look = _check_line_style({name: one for name, one in passed.items() if name not in chosen})
    ranges.check_axes(x, y)
    _check_use(options, ax, y)
    sides = {curve.side for curve in curves.values()}
    if len(sides) > 1:
        kinds = " and ".join(limits(side) or "intervals" for side in sorted(sides))
        raise ArgumentError(argument="curves", rule=f"not mix {kinds}", hint="Their widths do not compare.")
    colored = _choose_in_color(curves, options)
    extras = dict.fromkeys(curves, _Extras())  # models in gray have none
    shown = dict(zip(curves, style.escape_names(curves), strict=True))
    extras |= {name: _prepare(curves[name], x, y, shown[name], options) for name in curves if name in colored}
    may_grow = ax is None and options.height is None
    ax = style.choose_axes(ax, options.width, options.height)
    drawn = Drawn.on(ax, Frame(x, y, sides.pop(), options.paper, options.stretch))
    lines = {}
    for name, curve in curves.items():
        is_gray = name not in colored
        own = style.model_style(drawn.curves, is_gray=is_gray) | {"zorder": 1.9 if is_gray else 2.1} | look
        more, color = extras[name], own["color"]
        layers.draw_references(ax, drawn, curve, color, constant=options.reference, limit=options.frontier)
        if options.area is not None and more.area:
            layers.draw_area(ax, drawn, curve, options.area, more.area, color)
        if more.band is not None:
            layers.draw_band(ax, drawn, curve, more.band, color)
        settings = {"drawstyle": drawn.frame.drawstyle, "linewidth": 1.8 * style.scale_of(ax)} | own
        (lines[name],) = ax.plot(*drawn.frame.path(curve), **settings)
        drawn.remember("model", lines[name], _label(ax, curve, shown[name], more, drawn.frame))
        drawn.include(max(_tail(one, x, y) for one in (curve, curve.reference)))
        drawn.include(0, float(getattr(curve, y)[0]))
        drawn.curves += 1
    for name, curve in curves.items():
        more, color = extras[name], lines[name].get_color()
        if options.original:
            layers.draw_original(ax, drawn, curve.original, color)
        if more.optimum is not None and options.cost is not None:
            move = layers.describe_move(more.optimum, curve.vary, options.unit)
            words = f"cheapest at c = {options.cost:g}: {f'{shown[name]} {move}'.strip()}"
            layers.draw_optimum(ax, drawn, more.optimum, options.cost, words, color)
        layers.draw_points(ax, drawn, more.points, color)
    drawn.finish(ax, options.unit, legend=options.legend, may_grow=may_grow)
    return lines


def _check_use(options: PlotOptions, ax: Any, y: Y) -> None:
    """Check that options suit the axes."""
    for name in ("confidence", "area"):
        if y != "miss_rate" and getattr(options, name) is not None:
            raise ArgumentError(argument=name, rule="be passed with the miss rate as y only", got=f"y={y!r}")
    for name in ("width", "height"):
        if ax is not None and getattr(options, name) is not None:
            raise ArgumentError(argument=name, rule="be passed without `ax`: it is the size of a new figure")


def _prepare(curve: Curve, x: X, y: Y, name: str, options: PlotOptions) -> _Extras:
    """Ask the curve for what is to be drawn beside it."""
    confidence, cost, area = options.confidence, options.cost, ""
    if options.area is not None:
        low, high = options.area
        measure = x if x == "excess" else ("half-width" if curve.side == "both" else "distance")
        try:
            mean = curve.area(x=x, coverage=options.area)
            area = f"mean {measure} {mean:.3g} {style.in_unit(options.unit)}"
        except UnreachableError:
            area = "not reached"
        area = f"{name}, {style.format_share(low)} to {style.format_share(high)}: {area}".removeprefix(", ")
    return _Extras(
        None if confidence is None else curve.confidence_band(confidence_level=confidence),
        None if cost is None else curve.minimize_cost(cost, x=x, y=y).point,
        [(point, coverage, curve.at(coverage=coverage)) for point, coverage in options.named_points],
        area,
    )


def _choose_in_color(curves: Mapping[str, Curve], options: PlotOptions) -> set[str]:
    """Return the names of the curves in color: of more than four, the best two."""
    if options.highlight is not None:
        return {str(name) for name in arguments.sequence("highlight", options.highlight)}
    if len(curves) <= style.MOST_IN_COLOR:
        return set(curves)
    rate = choose_miss_rate(curves)
    reached = [name for name, curve in curves.items() if float(curve.miss_rate[-1]) <= rate]
    return set(sorted(reached, key=lambda name: curves[name].score_at(miss_rate=rate))[:2])


def _check_line_style(passed: Mapping[str, Any]) -> dict[str, Any]:
    """Return matplotlib's keywords for a line under their long names; None stands for the default."""
    with arguments.needed("matplotlib", extra="plot"):
        from matplotlib import cbook  # noqa: PLC0415
        from matplotlib.lines import Line2D  # noqa: PLC0415
    look = cbook.normalize_kwargs({name: one for name, one in passed.items() if one is not None}, Line2D)
    unknown = [name for name in look if name == "label" or not hasattr(Line2D, f"set_{name}")]
    if unknown:  # the legend shows the names of the curves
        raise TypeError(f"plot() got an unexpected keyword argument {unknown[0]!r}")
    Line2D([], [], **look)  # raises for a value that no line can have
    return look


def _label(ax: Any, curve: Curve, name: str, extras: _Extras, frame: Frame) -> str:
    """Say what the legend says about a curve: its name, area and gain, and what moves it to its points."""
    try:
        area, gain = curve.area(x=frame.x, y=frame.y), curve.gain(x=frame.x, y=frame.y)
        digits = f"{area:#.3g}".rstrip(".")  # with final zeros: 0.900 beside 0.904
        numbers = f"area {digits}, gain {percent(gain)}"
    except UnreachableError:
        numbers = f"up to {style.format_share(1 - float(curve.miss_rate[-1]))} coverage"
    shown = name or numbers
    if name and style.size_in_inches(ax)[0] >= style.SMALL:
        shown += f": {numbers}"
    parts = [
        f"{f'{title}, ' if title else ''}{style.format_share(coverage)}: "
        + layers.describe_move(point, curve.vary)
        for title, coverage, point in extras.points
    ]
    return "\n".join([shown, *(", ".join(parts[some : some + 2]) for some in range(0, len(parts), 2))])


def _tail(curve: Curve, x: X, y: Y) -> float:
    """Return the x behind which the curve has come down to a hundredth: the rest is left out of view."""
    values = to_numpy(getattr(curve, y))
    return float(to_numpy(getattr(curve, x))[int(np.argmax(values <= max(values[0] / 100, values[-1])))])


def check_curves(curves: Any, *, by_level: bool = False) -> dict[str, Curve]:
    """Check a mapping of names to curves; intervals become theirs."""
    if not isinstance(curves, Mapping) or not curves:
        rule = "be a mapping of names to UCC or Intervals, with at least one curve"
        raise ArgumentError(argument="curves", rule=rule)
    return {
        str(name): check_curve(f"curves[{name!r}]", curve, by_level=by_level)
        for name, curve in curves.items()
    }


def check_curve(name: str, curve: Any, *, by_level: bool = False) -> Curve:
    """Check a curve; intervals become theirs, of several pairs of quantiles by level if asked for."""
    if isinstance(curve, Intervals):
        nested = curve.rows.columns.nested
        return curve.ucc(vary="level" if by_level and nested and len(nested.levels) > 1 else "scale")
    arguments.instance(name, curve, Curve, "UCC or Intervals")
    return cast("Curve", curve)
