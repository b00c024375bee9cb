"""Rows with their intervals, at an operating point, as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.curve import OperatingPoint, ranges
from uccurve.exceptions import ArgumentError
from uccurve.plotting._point_words import moved_by
from uccurve.plotting._row_view import (
    RowView,
    checked_intervals,
    draw_observations,
    label_rows,
    legend_above_rows,
    name_of,
    places_of,
    row_view,
    shown_rows,
)
from uccurve.plotting._style import QUIET, in_unit, new_axes
from uccurve.plotting._text_sizes import scale

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Side, Vary
    from uccurve.curve import UCC
    from uccurve.intervals import Intervals


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
    nominal: float | None = None,
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
    vary : {"scale", "shift", "level"}
        What moves the operating point. By "level" the intervals are those of quantiles, around their center.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legend.
    miss_rate, coverage, bandwidth, excess, deficit, parameter, nominal : float, optional
        The operating point by one of these, as in `UCC.at`; not together with ``at``.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_intervals
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> ax = plot_intervals(intervals, miss_rate=0.25, unit="kWh")
    >>> ax.get_legend().get_title().get_text()
    'bands × 1.5: miss rate 25.0%, bandwidth 3 kWh'
    >>> ax.figure.clear()
    """
    curve = checked_intervals(intervals).ucc(vary=vary)
    target = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    target |= {} if nominal is None else {"nominal": nominal}
    point = _operating_point(curve, at, target)
    shown, places = shown_rows(intervals, rows), places_of(intervals, against)
    view = row_view(curve, point.parameter, places, shown)
    ax = new_axes() if ax is None else ax
    handles = _draw(ax, view, intervals.side, "center" if vary == "level" else "predicted")
    some = f" ({shown.size} of {intervals.n} shown)" if shown.size < intervals.n else ""
    label_rows(ax, name_of(against) + some, unit)
    if legend:
        title = _title(point, vary, unit, intervals.side) + (", of all rows" if some else "")
        legend_above_rows(ax, handles, title=title, ncols=4)
    return ax


def _draw(ax: Any, view: RowView, side: Side, middle: str) -> list[Any]:
    ax.plot(view.place, view.y_true, linestyle="none")  # lets matplotlib know about dates and names
    handles, bars = draw_observations(ax, view), []
    for mask, observed in zip((view.hit, ~view.hit), handles, strict=True):
        part = view.where(mask)
        style = {"color": observed.get_color(), "alpha": 0.45, "linewidth": 1.1 * scale(ax)}
        bars.append(ax.vlines(part.place, part.lower, part.upper, **style))
    dash = {"marker": "_", "markersize": 5 * scale(ax), "markeredgewidth": 1.0, "linestyle": "none"}
    handles += ax.plot(view.place, view.y_pred, color=QUIET, label=middle, zorder=2.5, **dash)
    bars[0 if view.hit.any() else 1].set_label("interval" if side == "both" else f"{side} limit")
    return [*handles, bars[0 if view.hit.any() else 1]]


def _operating_point(curve: UCC, at: OperatingPoint | None, target: dict[str, float]) -> OperatingPoint:
    if at is None:
        return curve.at(**target) if target else curve.original
    arguments.instance("at", at, OperatingPoint)
    if target:
        raise ArgumentError(
            argument="at", rule=f"not be passed beside `{next(iter(target))}`: pass one of them"
        )
    return curve.at(parameter=at.parameter)  # of these rows, wherever the point was found


def _title(point: OperatingPoint, vary: Vary, unit: str, side: Side) -> str:
    width = "bandwidth" if side == "both" else "mean distance"
    costs = f"miss rate {100 * point.miss_rate:.1f}%, {width} {point.bandwidth:.3g} {in_unit(unit)}"
    return f"{moved_by(point, vary, side)}: {costs}"
