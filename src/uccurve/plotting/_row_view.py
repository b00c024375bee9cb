"""Rows as figures show them: which ones, where they stand, and their bounds at an operating point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals
from uccurve.plotting._fitted_words import fit_axis_words, fitted_legend
from uccurve.plotting._style import COLORS, evenly, literal
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike
    from uccurve.curve import UCC

_MOST_ROWS = 200
_HIT: dict[str, Any] = {"color": COLORS[0], "marker": "o", "markersize": 4, "markeredgewidth": 0}
_MISS: dict[str, Any] = {"color": COLORS[1], "marker": "x", "markersize": 6, "markeredgewidth": 1.6}
_GAP = 0.02
"""Share of the height between the legend and the rows below it."""
_MOST_HEADROOM = 0.6


def checked_intervals(intervals: Any) -> Intervals:
    """Check intervals of one output."""
    arguments.instance("intervals", intervals, Intervals)
    if intervals.y_true.ndim > 1:
        raise ArgumentError(
            argument="intervals", rule="have one output", hint="Draw one of intervals.outputs()."
        )
    checked: Intervals = intervals
    return checked


class RowView(NamedTuple):
    """The rows that are drawn."""

    place: np.ndarray
    y_true: np.ndarray
    y_pred: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    hit: np.ndarray

    def where(self, mask: np.ndarray) -> RowView:
        """Return some of the rows."""
        return RowView(*(column[mask] for column in self))


def row_view(curve: UCC, parameter: float, places: np.ndarray, shown: np.ndarray) -> RowView:
    """Move the bands; a row is hit where its critical value is at most the parameter."""
    given, moved = curve.source, curve.source
    if parameter != curve.original.parameter:
        moved = curve.moved_to(parameter)
    reached = max(parameter, curve.data.start)
    columns = (
        given.y_true,
        given.y_pred,
        given.y_pred if given.side == "upper" else moved.lower,
        given.y_pred if given.side == "lower" else moved.upper,
        given.critical(vary=curve.vary) <= reached,
    )
    return RowView(places[shown], *(to_numpy(column)[shown] for column in columns))


def shown_rows(intervals: Intervals, rows: ArrayLike | slice | None) -> np.ndarray:
    """Return the numbers of the rows to draw: those asked for, or 200 evenly spaced ones."""
    every = np.arange(intervals.n)
    if rows is None:
        return evenly(intervals.n, _MOST_ROWS)
    chosen = rows if isinstance(rows, slice) else to_numpy(rows)
    try:
        shown = every[chosen]
    except IndexError as error:
        raise ArgumentError(argument="rows", rule=f"choose among {intervals.n} rows: {error}") from error
    if shown.ndim != 1 or shown.size == 0:
        raise ArgumentError(
            argument="rows", rule=f"choose at least one of {intervals.n} rows, by number or by yes and no"
        )
    return np.asarray(shown)


def places_of(intervals: Intervals, against: ArrayLike | None) -> np.ndarray:
    """Return the place of each row on the horizontal axis."""
    if against is None:
        return np.arange(intervals.n)
    places = to_numpy(against)
    if intervals.kept is not None and places.ndim == 1 and places.shape != (intervals.n,):
        kept = to_numpy(intervals.kept)
        places = places[kept] if places.shape[0] > kept.max() else places
    if places.shape != (intervals.n,):
        raise ShapeError(argument="against", rule=f"have the shape ({intervals.n},)", got=places.shape)
    return places


def name_of(against: Any) -> str:
    """Return the name of a column, to label its axis."""
    name = "row" if against is None else getattr(against, "name", None)
    return literal(name) if isinstance(name, str) else ""


def draw_observations(ax: Any, view: RowView) -> list[Any]:
    """Draw observations, circles inside their interval and crosses outside."""
    return [
        ax.plot(
            view.place[mask],
            view.y_true[mask],
            label=f"observed, {where}",
            linestyle="none",
            zorder=3,
            **mark | {"markersize": scale(ax) * mark["markersize"]},
        )[0]
        for mask, where, mark in ((view.hit, "inside", _HIT), (~view.hit, "outside", _MISS))
    ]


def label_rows(ax: Any, name: str, unit: str) -> None:
    """Name both axes, with short labels of dates."""
    ax.set(xlabel=name, ylabel=f"y ({literal(unit)})" if unit else "y")
    ax.grid(visible=True, alpha=0.25)
    _show_dates(ax)
    fit_axis_words(ax)


def legend_above_rows(ax: Any, handles: list[Any], *, title: str, ncols: int) -> None:
    """Make room above the rows, and show the legend there."""
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    frame = ax.get_window_extent()
    legend = fitted_legend(
        ax,
        handles,
        room=frame.width,
        ncols=ncols,
        read_by_rows=True,
        loc="upper left",
        title=title,
        alignment="left",
        borderaxespad=0.2,
    )
    room = min(legend.get_window_extent().height / frame.height + _GAP, _MOST_HEADROOM)
    bottom, top = ax.get_ylim()
    ax.set_ylim(bottom, top + room / (1 - room) * (top - bottom))


def _show_dates(ax: Any) -> None:
    """Label dates and times shortly, so that they do not run into each other."""
    from matplotlib import dates  # noqa: PLC0415

    concise: Any = dates.ConciseDateFormatter
    locator = ax.xaxis.get_major_locator()
    if isinstance(ax.xaxis.get_major_formatter(), dates.AutoDateFormatter):  # nobody chose another
        ax.xaxis.set_major_formatter(concise(locator, locator.tz))
