"""A curve with marked operating points, and the intervals at each of them: the paper's figure."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve.exceptions import ArgumentError
from uccurve.plotting._fitted_words import fit_axis_words
from uccurve.plotting._plot_bands import draw_band, draw_predictions, in_order
from uccurve.plotting._plot_ucc import plot_ucc
from uccurve.plotting._point_words import moved_by
from uccurve.plotting._row_view import (
    checked_intervals,
    draw_observations,
    label_rows,
    legend_above_rows,
    name_of,
    places_of,
    row_view,
    shown_rows,
)
from uccurve.plotting._style import COLORS, mixed_with_white, share
from uccurve.plotting._text_sizes import text_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.intervals import Intervals

_MISS_RATES = (0.7, 0.2)
_MOST_POINTS = 6
_WHITE = 0.7
"""How much white the bands have."""


def plot_operating_points(
    intervals: Intervals,
    axes: Any = None,
    *,
    against: ArrayLike | None = None,
    miss_rates: Sequence[float] | None = None,
    coverages: Sequence[float] | None = None,
    rows: ArrayLike | slice | None = None,
    vary: Vary = "scale",
    label: str | None = None,
    unit: str = "",
    legend: bool = True,
) -> np.ndarray:
    """Draw a curve with marked operating points, and the intervals at each in a panel of its own.

    The points are A, B and so on, on the curve and in the titles of the panels. All panels of rows have the
    same vertical axis, so that their bands can be compared by eye.

    Parameters
    ----------
    intervals : Intervals
        The intervals as given, of one output.
    axes : sequence of matplotlib.axes.Axes, optional
        Where to draw: one for the curve and one for each point; a new figure if not given.
    against : array of shape (n,), optional
        Places of the rows on the horizontal axis: numbers, dates or names; the number of the row if not
        given.
    miss_rates : sequence of float, optional
        The points by their miss rates, one to six of them; 0.7 and 0.2 if neither these nor ``coverages``
        are given.
    coverages : sequence of float, optional
        The points by their coverages, instead.
    rows : array of row numbers or of booleans, or slice, optional
        Which rows to draw; 200 evenly spaced ones if not given. The curve is that of all rows.
    vary : {"scale", "shift", "level"}
        What moves the operating point. By "level" the intervals are those of quantiles, around their center.
    label : str, optional
        Name of the curve in the legend.
    unit : str
        The unit of y, for the labels.
    legend : bool
        Show the legends.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes
        The axes: of the curve first, then of the points.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.plotting import plot_operating_points
    >>> intervals = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4])
    >>> panels = plot_operating_points(intervals, miss_rates=(0.5, 0.25))
    >>> [panel.get_title() for panel in panels[1:]]
    ['A: 50% coverage, as supplied', 'B: 75% coverage, bands × 1.5']
    >>> panels[0].figure.clear()
    """
    curve = checked_intervals(intervals).ucc(vary=vary)
    wanted = dict(zip(ascii_uppercase, _checked_coverages(coverages, miss_rates), strict=False))
    points = {letter: curve.at(coverage=coverage) for letter, coverage in wanted.items()}
    shown, places = shown_rows(intervals, rows), places_of(intervals, against)
    views = {name: in_order(row_view(curve, at.parameter, places, shown)) for name, at in points.items()}
    left, *panels = _checked_panels(axes, 1 + len(points))
    some = f" ({shown.size} of {intervals.n} shown)" if shown.size < intervals.n else ""
    for panel, (letter, view) in zip(panels, views.items(), strict=True):
        panel.plot(view.place, view.y_true, linestyle="none")  # lets matplotlib know about dates and names
        band = draw_band(panel, view, mixed_with_white(COLORS[0], _WHITE), _interval(intervals.side))
        (line,) = draw_predictions(panel, view, COLORS[0], "center" if vary == "level" else "predicted")
        handles = [*draw_observations(panel, view), line, band]
        label_rows(panel, name_of(against) + some, unit)
        panel.set_title(f"{letter}: {share(wanted[letter])} coverage, {moved_by(points[letter], vary)}")
        panel.title.set_fontsize(text_size(panel, "medium"))
        fit_axis_words(panel)
    for panel in panels[1:]:
        panel.set_ylabel("")
    _share_height(panels)
    if legend:
        legend_above_rows(panels[0], handles, title="", ncols=2)
        for panel in panels[1:]:
            panel.set_ylim(panels[0].get_ylim())
    # last, since the labels on the curve stay clear of each other where the axes keep their size
    plot_ucc(
        curve, left, label=label, original=False, frontier=False, points=wanted, unit=unit, legend=legend
    )
    return np.array([left, *panels])


def _checked_coverages(coverages: Any, miss_rates: Any) -> list[float]:
    if coverages is not None and miss_rates is not None:
        raise ArgumentError(argument="coverages", rule="not be passed beside `miss_rates`: pass one of them")
    name, given = ("coverages", coverages) if coverages is not None else ("miss_rates", miss_rates)
    shares = [
        arguments.number(name, value, 0, 1)
        for value in arguments.sequence(name, _MISS_RATES if given is None else given)
    ]
    if not 1 <= len(shares) <= _MOST_POINTS:
        raise ArgumentError(argument=name, rule=f"have 1 to {_MOST_POINTS} values", got=len(shares))
    return shares if name == "coverages" else [arguments.complement(share) for share in shares]


def _checked_panels(axes: Any, count: int) -> list[Any]:
    """Return the axes that are given, or those of a new figure."""
    if axes is None:
        with needed("matplotlib", extra="plot"):
            from matplotlib import pyplot as plt  # noqa: PLC0415
        return list(plt.subplots(1, count, figsize=(3.9 * count, 3.9), layout="constrained")[1])
    panels = list(np.ravel(axes))
    if len(panels) != count:
        words = "one for the curve and one for each point"
        raise ArgumentError(argument="axes", rule=f"be {count} axes, {words}", got=len(panels))
    return panels


def _interval(side: str) -> str:
    return "interval" if side == "both" else f"{side} limit"


def _share_height(panels: Sequence[Any]) -> None:
    """Give all panels the view that holds the rows of each."""
    ends = np.array([panel.get_ylim() for panel in panels])
    for panel in panels:
        panel.set_ylim(ends[:, 0].min(), ends[:, 1].max())
