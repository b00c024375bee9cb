"""Rows with their intervals, at an operating point, as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve._ranges import on_axes
from uccurve.curve._results import OperatingPoint
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals
from uccurve.plotting._style import COLORS, QUIET, evenly, in_unit, literal, new_axes, show_legend

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Side, Vary
    from uccurve.curve import UCC

_MOST_ROWS = 200
_HIT, _MISS = COLORS[0], COLORS[1]
_HEADROOM = 0.17
"""Share of the height that the legend gets for itself, above the rows."""


def plot_intervals(
    intervals: Intervals,
    ax: Any = None,
    *,
    at: OperatingPoint | None = None,
    against: ArrayLike | None = None,
    rows: ArrayLike | slice | None = None,
    vary: Vary = "scale",
    unit: str = "",
    legend: bool = True,
    miss_rate: float | None = None,
    coverage: float | None = None,
    bandwidth: float | None = None,
    excess: float | None = None,
    deficit: float | None = None,
    parameter: float | None = None,
) -> Any:
    """Draw observations, predictions and intervals on matplotlib axes and return them.

    Observations inside their interval are circles, those outside are crosses. The curve decides
    which is which: by rank, as everywhere in the library.

    Parameters
    ----------
    intervals : Intervals
        The intervals as given, of one output.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    at : OperatingPoint, optional
        The operating point, of a curve with the same ``vary``. Without it and without one of the
        values below the intervals are drawn as given.
    against : array of shape (n,), optional
        Places on the horizontal axis: numbers, dates or names; the number of the row if not given.
        A column of a frame brings its name along.
    rows : array of row numbers or of booleans, or slice, optional
        Which rows to draw; 200 evenly spaced ones if not given. The legend's miss rate and
        bandwidth are those of all rows, whichever are drawn.
    vary : {"scale", "shift"}
        What moves the operating point.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend.
    miss_rate, coverage, bandwidth, excess, deficit, parameter : float, optional
        The operating point by one of these, as in `UCC.at`; not together with ``at``.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_intervals
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> ax = plot_intervals(intervals, miss_rate=0.25, unit="kWh")
    >>> ax.get_legend().get_title().get_text()
    'bands × 1.5: miss rate 25.0 %, bandwidth 3 kWh'
    >>> ax.figure.clear()
    """
    arguments.instance("intervals", intervals, Intervals)
    if intervals.y_true.ndim > 1:
        raise ArgumentError("`intervals` must have one output: draw one of intervals.outputs().")
    curve = intervals.ucc(vary=vary)
    target = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    point = _operating_point(curve, at, target)
    shown, places = _rows(intervals, rows), _places(intervals, against)
    view = _view(curve, point.parameter, places, shown)
    ax = new_axes() if ax is None else ax
    handles = _draw(ax, view, intervals.side)
    some = f" ({shown.size} of {intervals.n} shown)" if shown.size < intervals.n else ""
    ax.set(xlabel=_name(against) + some, ylabel=f"y ({literal(unit)})" if unit else "y")
    ax.grid(visible=True, alpha=0.25)
    _show_dates(ax)
    if legend:
        bottom, top = ax.get_ylim()
        ax.set_ylim(bottom, top + _HEADROOM / (1 - _HEADROOM) * (top - bottom))
        title = _title(point, vary, unit, intervals.side) + (", of all rows" if some else "")
        show_legend(ax, handles, loc="upper left", ncols=4, title=title, alignment="left")
    return ax


class _View(NamedTuple):
    """The rows that are drawn."""

    place: np.ndarray
    y_true: np.ndarray
    y_pred: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    hit: np.ndarray

    def where(self, mask: np.ndarray) -> _View:
        return _View(*(column[mask] for column in self))


def _view(curve: UCC, parameter: float, places: np.ndarray, shown: np.ndarray) -> _View:
    """Move the bands; a row is hit where its critical value is at most the parameter."""
    given, moved = curve.intervals, curve.intervals
    if parameter != curve.original.parameter:
        moved = curve._data.family.moved(given, parameter)
    reached = max(parameter, curve._data.start)
    columns = (
        given.y_true,
        given.y_pred,
        given.y_pred if given.side == "upper" else moved.lower,
        given.y_pred if given.side == "lower" else moved.upper,
        given.critical(vary=curve.vary) <= reached,
    )
    return _View(places[shown], *(to_numpy(column)[shown] for column in columns))


def _draw(ax: Any, view: _View, side: Side) -> list[Any]:
    handles, bars = [], []
    ax.plot(view.place, view.y_true, linestyle="none")  # lets matplotlib know about dates and names
    for mask, color, words, mark in (
        (view.hit, _HIT, "observed, inside", {"marker": "o", "markersize": 4, "markeredgewidth": 0}),
        (~view.hit, _MISS, "observed, outside", {"marker": "x", "markersize": 6, "markeredgewidth": 1.6}),
    ):
        part = view.where(mask)
        bars.append(ax.vlines(part.place, part.lower, part.upper, color=color, alpha=0.45, linewidth=1.1))
        handles += ax.plot(
            part.place, part.y_true, linestyle="none", color=color, label=words, zorder=3, **mark
        )
    dash = {"marker": "_", "markersize": 5, "markeredgewidth": 1.0, "linestyle": "none"}
    handles += ax.plot(view.place, view.y_pred, color=QUIET, label="predicted", zorder=2.5, **dash)
    bars[0 if view.hit.any() else 1].set_label("interval" if side == "both" else f"{side} limit")
    return [*handles, bars[0 if view.hit.any() else 1]]


def _show_dates(ax: Any) -> None:
    """Label dates and times shortly, so that they do not run into each other."""
    from matplotlib import dates  # noqa: PLC0415

    concise: Any = dates.ConciseDateFormatter
    locator = ax.xaxis.get_major_locator()
    if isinstance(ax.xaxis.get_major_formatter(), dates.AutoDateFormatter):  # nobody chose another
        ax.xaxis.set_major_formatter(concise(locator, locator.tz))


def _operating_point(curve: UCC, at: OperatingPoint | None, target: dict[str, float]) -> OperatingPoint:
    if at is None:
        return curve.at(**target) if target else curve.original
    arguments.instance("at", at, OperatingPoint)
    if target:
        raise ArgumentError(f"give `at` or `{next(iter(target))}`, not both.")
    return curve.at(parameter=at.parameter)  # of these rows, wherever the point was found


def _rows(intervals: Intervals, rows: ArrayLike | slice | None) -> np.ndarray:
    every = np.arange(intervals.n)
    if rows is None:
        return evenly(intervals.n, _MOST_ROWS)
    chosen = rows if isinstance(rows, slice) else to_numpy(rows)
    try:
        shown = every[chosen]
    except IndexError as error:
        raise ArgumentError(f"`rows` must choose among {intervals.n} rows: {error}.") from error
    if shown.ndim != 1 or shown.size == 0:
        raise ArgumentError(
            f"`rows` must choose at least one of {intervals.n} rows, by number or by yes and no."
        )
    return np.asarray(shown)


def _places(intervals: Intervals, against: ArrayLike | None) -> np.ndarray:
    if against is None:
        return np.arange(intervals.n)
    places = to_numpy(against)
    if intervals.kept is not None and places.shape[:1] != (intervals.n,):
        kept = to_numpy(intervals.kept)
        places = places[kept] if places.shape[0] > kept.max() else places
    if places.shape != (intervals.n,):
        raise ShapeError(f"`against` must have the shape ({intervals.n},), got {places.shape}.")
    return places


def _name(against: Any) -> str:
    name = "row" if against is None else getattr(against, "name", None)
    return literal(name) if isinstance(name, str) else ""


def _title(point: OperatingPoint, vary: Vary, unit: str, side: Side) -> str:
    by = point.parameter
    bands, width = ("bands", "bandwidth") if side == "both" else ("distances to the limit", "mean distance")
    if vary == "scale":
        how = "as given" if by == 1 else f"{bands} × {by:.3g}"
    else:
        how = "as given" if by == 0 else f"{bands} {'+' if by > 0 else '−'} {abs(by):.3g}"
    return f"{how}: miss rate {100 * point.miss_rate:.1f} %, {width} {point.bandwidth:.3g} {in_unit(unit)}"
