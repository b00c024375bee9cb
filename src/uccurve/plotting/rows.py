"""Rows with their intervals: at one operating point, and at several coverages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import percent
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.intervals import Intervals, choose_rows, match_rows
from uccurve.plotting import style
from uccurve.plotting.layers import describe_move
from uccurve.plotting.style import COLORS, QUIET, escape_text, scale_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.curve import UCC, OperatingPoint

_MOST_ROWS = 200
_MOVED = {"scale": "scaled ", "shift": "shifted ", "level": ""}
# Shares of the ground in the color of bands, from narrow to wide ones: thin bars need more color.
_BAND_GROUND, _BAR_GROUND = (0.45, 0.84), (0.1, 0.7)
_INSIDE: dict[str, Any] = {"color": COLORS[0], "marker": "o", "markersize": 4, "markeredgewidth": 0}
_MISSED: dict[str, Any] = {"color": COLORS[1], "marker": "x", "markersize": 6, "markeredgewidth": 1.6}
_OBSERVED: dict[str, Any] = {"color": QUIET, "marker": ".", "markersize": 5, "markeredgewidth": 0}


def plot_intervals(
    intervals: Intervals,
    ax: Any = None,
    *,
    against: ArrayLike | None = None,
    rows: ArrayLike | slice | None = None,
    vary: Vary = "scale",
    unit: str = "",
    legend: bool = True,
    coverage: float | None = None,
    miss_rate: float | None = None,
    parameter: float | None = None,
    nominal: float | None = None,
) -> Any:
    """Draw observations, predictions and intervals on matplotlib axes and return them.

    Observations inside their interval are circles, those that are missed are crosses. The curve decides
    which is which: by rank, as everywhere in the library.

    Parameters
    ----------
    intervals : Intervals
        The intervals as supplied, of one output.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    against : array of shape (n,), optional
        Places on the horizontal axis: numbers, dates or names; the number of the row if not passed.
        A column of a frame brings its name along.
    rows : array of row numbers or of booleans, or slice, optional
        Which rows to draw; 200 evenly spaced ones if not passed. The legend's coverage and half-width are
        those of all rows, whichever are drawn.
    vary : {"scale", "shift", "level"}
        What moves the operating point. By "level" the intervals are those of quantiles, around their center.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend.
    coverage, miss_rate, parameter, nominal : float, optional
        The operating point by one of these, as in `UCC.at`. Without it the intervals are drawn as supplied.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        If there are several outputs, the operating point is given twice, or an option has a value outside its
        rule.
    ShapeError
        If ``against`` does not have one value per row.
    UnreachableError
        If scaling does not reach the operating point, because rows have zero bands.
    ArgumentTypeError
        If ``intervals`` are not `Intervals`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    plot_bands : At several coverages.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_intervals
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> ax = plot_intervals(intervals, coverage=0.75, unit="kWh")
    >>> ax.get_legend().get_title().get_text()
    'scaled ×1.50: coverage 75.0%, mean half-width 3 kWh'
    >>> ax.figure.clear()
    """
    curve = _check_intervals(intervals).ucc(vary=vary)
    at = {"coverage": coverage, "miss_rate": miss_rate, "parameter": parameter, "nominal": nominal}
    point = curve.at(**at) if any(value is not None for value in at.values()) else curve.original
    shown, places = _choose_rows(intervals, rows, against)
    view = _view_rows(curve, point.parameter, places, shown)
    ax = style.choose_axes(ax)
    size, handles, bars = scale_of(ax), [], []
    ax.plot(view.place, view.y_true, linestyle="none")  # lets matplotlib know about dates and names
    for words, mark, mask in (("inside", _INSIDE, view.is_inside), ("missed", _MISSED, ~view.is_inside)):
        part, look = view.where(mask), {"color": mark["color"], "alpha": 0.45, "linewidth": 1.1 * size}
        scaled = mark | {"markersize": size * mark["markersize"]}
        handles += ax.plot(part.place, part.y_true, label=words, linestyle="none", zorder=3, **scaled)
        bars.append(ax.vlines(part.place, part.lower, part.upper, **look))
    dash = {"marker": "_", "markersize": 5 * size, "linestyle": "none", "color": QUIET, "zorder": 2.5}
    handles += ax.plot(view.place, view.y_pred, label=_name_middle(vary), **dash)
    bar = bars[0 if view.is_inside.any() else 1]
    bar.set_label("interval" if intervals.side == "both" else f"{intervals.side} limit")
    _label_rows(ax, intervals, view, against, unit)
    if legend:
        title = _describe_point(curve, point, unit) + (", of all rows" if shown.size < intervals.n else "")
        style.show_legend(ax, [*handles, bar], title=title, columns=4)
    return ax


def plot_bands(
    intervals: Intervals,
    ax: Any = None,
    *,
    against: ArrayLike | None = None,
    coverages: Sequence[float] = (0.5, 0.8, 0.95),
    rows: ArrayLike | slice | None = None,
    vary: Vary = "scale",
    observed: bool = True,
    color: str | None = None,
    unit: str = "",
    legend: bool = True,
) -> Any:
    """Draw bands at several coverages on matplotlib axes and return them.

    The curve moves the intervals to each coverage; the legend says by how much. With ``against``, rows are
    drawn in the order of their places, in filled bands. Rows without an order have intervals of their own.

    Parameters
    ----------
    intervals : Intervals
        The intervals as supplied, of one output.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not passed.
    against : array of shape (n,), optional
        Places on the horizontal axis: numbers, dates or names; the number of the row if not passed.
        A column of a frame brings its name along.
    coverages : sequence of float
        The coverages, each the share of all rows inside its band.
    rows : array of row numbers or of booleans, or slice, optional
        Which rows to draw; 200 evenly spaced ones if not passed. Coverages are those of all rows.
    vary : {"scale", "shift", "level"}
        What moves the bands. By "level" they are those of quantiles, around their center.
    observed : bool
        Draw the observations.
    color : str, optional
        Any matplotlib color; the bands are tints of it.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        If there are several outputs, or an option has a value outside its rule.
    ShapeError
        If ``against`` does not have one value per row.
    UnreachableError
        If scaling does not reach a coverage, because rows have zero bands.
    ArgumentTypeError
        If ``intervals`` are not `Intervals`, or ``ax`` is not matplotlib axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    plot_intervals : With hits and misses.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_bands
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> ax = plot_bands(intervals, against=[10, 20, 30, 40], coverages=[0.5, 0.75], observed=False)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['50%: ×1.00', '75%: ×1.50', 'predicted']
    >>> ax.figure.clear()
    """
    curve = _check_intervals(intervals).ucc(vary=vary)
    passed = arguments.sequence("coverages", coverages)
    wanted = sorted({arguments.number("coverages", coverage, 0, 1) for coverage in passed})
    if not wanted:
        raise ArgumentError(argument="coverages", rule="have at least one coverage, such as 0.9")
    points = [curve.at(coverage=coverage) for coverage in wanted]
    shown, places = _choose_rows(intervals, rows, against)
    views = [_sort_rows(_view_rows(curve, point.parameter, places, shown)) for point in points]
    color = color or COLORS[0]
    ax = style.choose_axes(ax)
    width, middle = np.clip(200 / shown.size, 1, 7) * scale_of(ax), dict[str, Any](linewidth=1.3)
    is_filled = against is not None and not views[0].has_names
    if not is_filled:
        middle = {"linestyle": "none", "marker": "_", "markersize": 5 * scale_of(ax)}
    ax.plot(views[0].place, views[0].y_true, linestyle="none")  # lets matplotlib know about dates and names
    bands = []
    shares = np.linspace(*(_BAND_GROUND if is_filled else _BAR_GROUND), len(views) + 1)[1:]
    for view, share, coverage, point in reversed(list(zip(views, shares, wanted, points, strict=True))):
        label = f"{style.format_share(coverage)}: {describe_move(point, vary, unit)}"
        band: dict[str, Any] = {"color": _tint(ax, color, share), "zorder": 1.5, "gid": "band"}
        if is_filled:
            bands.append(
                ax.fill_between(view.place, view.lower, view.upper, label=label, linewidth=0, **band)
            )
        else:
            bands.append(ax.vlines(view.place, view.lower, view.upper, label=label, linewidth=width, **band))
    view = views[0]
    line = ax.plot(view.place, view.y_pred, color=color, label=_name_middle(vary), zorder=2.5, **middle)
    handles = [*bands[::-1], *line]
    if observed:
        handles += ax.plot(view.place, view.y_true, label="observed", linestyle="none", zorder=3, **_OBSERVED)
    _label_rows(ax, intervals, view, against, unit)
    if legend:
        of_all = " of all rows" if shown.size < intervals.n else ""
        title = f"coverage{of_all}, and what moves the bands there"
        style.show_legend(ax, handles, title=title, columns=3)
    return ax


def _tint(ax: Any, color: Any, share: float) -> tuple[float, ...]:
    """Mix a color with the ground: the tint covers what lies below it, and looks the same everywhere."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    ground = np.array(style.ground_of(ax))
    share **= 2 - ground.mean()  # on dark ground more color is needed
    return tuple((share * ground + (1 - share) * np.array(to_rgb(color))).tolist())


# -- which rows, and where ----------------------------------------------------------------------


class _RowView(NamedTuple):
    """The rows that are drawn."""

    place: np.ndarray
    y_true: np.ndarray
    y_pred: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    is_inside: np.ndarray

    @property
    def has_names(self) -> bool:
        """Whether places are names, which have no order."""
        return self.place.dtype.kind in "UST" or any(isinstance(place, str) for place in self.place[:1])

    def where(self, mask: np.ndarray) -> _RowView:
        """Return some of the rows."""
        return _RowView(*(column[mask] for column in self))


def _view_rows(curve: UCC, parameter: float, places: np.ndarray, shown: np.ndarray) -> _RowView:
    """Move the bands; a row is inside where its critical value is at most the parameter."""
    supplied, moved = curve.source, curve.source
    if parameter != curve.original.parameter:
        moved = curve.moved_to(parameter)
    reached = max(parameter, curve.data.start)
    columns = (
        supplied.y_true,
        supplied.y_pred,
        supplied.y_pred if supplied.side == "upper" else moved.lower,
        supplied.y_pred if supplied.side == "lower" else moved.upper,
        supplied.critical(vary=curve.vary) <= reached,
    )
    return _RowView(places[shown], *(to_numpy(column)[shown] for column in columns))


def _sort_rows(view: _RowView) -> _RowView:
    """Sort rows by their places, from left to right; names keep the order of the rows."""
    if view.has_names:
        return view
    try:
        return view.where(np.argsort(view.place, kind="stable"))
    except TypeError as error:
        rule = f"have values that can be put in order: {error}"
        raise ArgumentTypeError(argument="against", rule=rule) from error


def _choose_rows(intervals: Intervals, rows: Any, against: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the rows to draw, those asked for or 200 evenly spaced ones, and all places."""
    n, every = intervals.n, np.arange(intervals.n)
    places = every if against is None else match_rows(to_numpy(against), n, "against", intervals.kept)
    if rows is None:
        return np.linspace(0, n - 1, min(n, _MOST_ROWS)).round().astype(int), places
    return every[choose_rows(list(rows) if isinstance(rows, tuple) else rows, n)], places


def _check_intervals(intervals: Any) -> Intervals:
    """Check intervals of one output."""
    arguments.instance("intervals", intervals, Intervals)
    if intervals.y_true.ndim > 1:
        raise ArgumentError(argument="intervals", rule="have one output", hint="Draw one of .outputs().")
    return cast("Intervals", intervals)


# -- words --------------------------------------------------------------------------------------


def _label_rows(ax: Any, intervals: Intervals, view: _RowView, against: Any, unit: str) -> None:
    """Name both axes, with short labels of dates, and names that have room."""
    from matplotlib import dates  # noqa: PLC0415

    name = "row" if against is None else getattr(against, "name", None)
    x = escape_text(name) if isinstance(name, str) else ""
    if view.place.size < intervals.n:
        x = f"{x} ({view.place.size:,} of {intervals.n:,} shown)".strip()
    style.label_axes(ax, x, f"y ({escape_text(unit)})" if unit else "y")
    if against is None:
        ax.xaxis.set_major_formatter("{x:,.10g}")
    elif view.has_names:
        style.show_names(ax, view.place.astype(str))
    concise: Any = dates.ConciseDateFormatter
    locator = ax.xaxis.get_major_locator()
    if isinstance(ax.xaxis.get_major_formatter(), dates.AutoDateFormatter):  # nobody chose another
        ax.xaxis.set_major_formatter(concise(locator, locator.tz))


def _describe_point(curve: UCC, point: OperatingPoint, unit: str) -> str:
    """Say what moved the intervals, and what they cost there."""
    move = _MOVED[curve.vary] + describe_move(point, curve.vary, unit)
    if point.parameter == curve.original.parameter:
        move = "as supplied" if point.nominal is None else f"{move}, as supplied"
    width = "half-width" if curve.side == "both" else "distance"
    costs = f"mean {width} {point.bandwidth:.3g} {style.in_unit(unit)}"
    return f"{move}: coverage {percent(point.coverage)}, {costs}"


def _name_middle(vary: Vary) -> str:
    return "center" if vary == "level" else "predicted"
