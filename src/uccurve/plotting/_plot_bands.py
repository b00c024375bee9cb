"""Bands at several coverages over time or another axis, as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.plotting._point_words import moved_by_in_short
from uccurve.plotting._row_view import (
    RowView,
    checked_intervals,
    label_rows,
    legend_above_rows,
    name_of,
    places_of,
    row_view,
    shown_rows,
)
from uccurve.plotting._style import COLORS, QUIET, mixed_with_white, new_axes, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.intervals import Intervals

_PALEST, _DARKEST = 0.84, 0.45
"""How much white the widest band has, and the narrowest of several."""
_OBSERVED: dict[str, Any] = {"marker": ".", "markersize": 5, "markeredgewidth": 0, "linestyle": "none"}


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
    """Draw filled bands at several coverages on matplotlib axes and return them.

    The curve moves the intervals to each coverage; the legend says by how much. Rows are drawn in the order
    of their places.

    Parameters
    ----------
    intervals : Intervals
        The intervals as given, of one output.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes if not given.
    against : array of shape (n,), optional
        Places on the horizontal axis: numbers, dates or names; the number of the row if not given.
        A column of a frame brings its name along.
    coverages : sequence of float
        The coverages, each the share of all rows inside its band.
    rows : array of row numbers or of booleans, or slice, optional
        Which rows to draw; 200 evenly spaced ones if not given. Coverages are those of all rows.
    vary : {"scale", "shift", "level"}
        What moves the bands. By "level" they are those of quantiles, around their center.
    observed : bool
        Draw the observations.
    color : str, optional
        Any color that matplotlib knows; the bands are tints of it.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_bands
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> ax = plot_bands(intervals, against=[10, 20, 30, 40], coverages=[0.5, 0.75], observed=False)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['50%: ×1', '75%: ×1.5', 'predicted']
    >>> ax.figure.clear()
    """
    curve = checked_intervals(intervals).ucc(vary=vary)
    wanted = sorted(
        {arguments.number("coverages", c, 0, 1) for c in arguments.sequence("coverages", coverages)}
    )
    if not wanted:
        raise ArgumentError(argument="coverages", rule="have at least one coverage, such as 0.9")
    points = [curve.at(coverage=coverage) for coverage in wanted]
    shown, places = shown_rows(intervals, rows), places_of(intervals, against)
    views = [in_order(row_view(curve, point.parameter, places, shown)) for point in points]
    color = color or COLORS[0]
    tints = [mixed_with_white(color, white) for white in np.linspace(_DARKEST, _PALEST, len(views) + 1)[1:]]
    ax = new_axes() if ax is None else ax
    ax.plot(views[0].place, views[0].y_true, linestyle="none")  # lets matplotlib know about dates and names
    bands = [
        draw_band(ax, view, tint, f"{share(coverage)}: {moved_by_in_short(point, vary, unit)}")
        for view, tint, coverage, point in reversed(list(zip(views, tints, wanted, points, strict=True)))
    ]
    handles = bands[::-1] + draw_predictions(
        ax, views[0], color, "center" if vary == "level" else "predicted"
    )
    if observed:
        handles += ax.plot(
            views[0].place, views[0].y_true, color=QUIET, label="observed", zorder=3, **_OBSERVED
        )
    some = f" ({shown.size} of {intervals.n} shown)" if shown.size < intervals.n else ""
    label_rows(ax, name_of(against) + some, unit)
    if legend:
        title = "coverage" + (" of all rows" if some else "") + ", and what moves the bands there"
        legend_above_rows(ax, handles, title=title, ncols=3)
    return ax


def in_order(view: RowView) -> RowView:
    """Sort rows by their places, from left to right; names keep the order of the rows."""
    if view.place.dtype.kind in "UST" or any(isinstance(place, str) for place in view.place[:1]):
        return view
    try:
        return view.where(np.argsort(view.place, kind="stable"))
    except TypeError as error:
        raise ArgumentTypeError(
            argument="against", rule=f"have values that can be put in order: {error}"
        ) from error


def draw_band(ax: Any, view: RowView, tint: Any, words: str) -> Any:
    """Fill the space between the bounds."""
    return ax.fill_between(
        view.place, view.lower, view.upper, facecolor=tint, linewidth=0, label=words, zorder=1.5, gid="band"
    )


def draw_predictions(ax: Any, view: RowView, color: str, words: str) -> list[Any]:
    """Draw the line of predictions."""
    return list(ax.plot(view.place, view.y_pred, color=color, linewidth=1.3, label=words, zorder=2.5))
