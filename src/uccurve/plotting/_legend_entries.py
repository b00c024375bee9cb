"""The legend; on small axes, where it would be in the way, names beside the lines and marks instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve.plotting._direct_labels import DirectLabel
from uccurve.plotting._fitted_words import fitted_legend
from uccurve.plotting._label_spots import along_line, in_the_way
from uccurve.plotting._style import show_legend
from uccurve.plotting._text_sizes import is_small

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOM = 0.7
"""Share of the width that a legend beside direct labels may have."""


class Entry(NamedTuple):
    """A line of the legend, and what takes its place on small axes."""

    artist: Any
    short: str = ""
    """The words beside the line or the mark; without them it stays in the legend."""
    at: tuple[float, float] | None = None
    """Where the mark is; None for a line."""
    optional: bool = False
    """Leave the words out where there is no room for them."""
    color: Any = None
    """The color of the words; that of the line or mark if not given."""


def show_entries(
    ax: Any,
    entries: Sequence[Entry],
    others: Sequence[Any] = (),
    *,
    corners: Sequence[str],
    crowded: bool = False,
) -> list[DirectLabel]:
    """Show the legend, or return the labels to place instead of it.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to show it.
    entries : sequence of Entry
        What the legend names.
    others : sequence of matplotlib.artist.Artist
        What somebody else wants in the legend.
    corners : sequence of str
        Where the legend goes; beside direct labels, the first of these where it covers no line.
    crowded : bool
        The legend is known to be in the way, such as of other labels.
    """
    shown = show_legend(ax, [*(entry.artist for entry in entries), *others], loc=corners[0])
    if not is_small(ax) or not (crowded or in_the_way(ax, shown)):
        return []
    shown.remove()
    rest = [*(entry.artist for entry in entries if not entry.short), *others]
    for corner in corners if rest else ():
        shown = fitted_legend(ax, rest, room=_ROOM * ax.get_window_extent().width, loc=corner)
        if not in_the_way(ax, shown):
            break
    return [_beside(ax, entry) for entry in entries if entry.short]


def _beside(ax: Any, entry: Entry) -> DirectLabel:
    on_line = entry.at is None
    return DirectLabel(
        entry.short,
        along_line(ax, entry.artist) if entry.at is None else [entry.at],
        entry.color or entry.artist.get_color(),
        leader=not on_line,
        optional=entry.optional,
        line=entry.artist if on_line else None,
    )
