"""Words that are broken into lines where the axes are too short for them."""

from __future__ import annotations

import textwrap
from typing import Any

from uccurve.plotting._style import show_legend
from uccurve.plotting._text_sizes import is_small, shrink_words

_FEWEST_LETTERS = 12
"""Lines are not broken shorter than this."""
_MOST_OF_IT = 0.75
"""Share of the height of a figure from which on the name of an axis may stick out of it."""
_INSIDE = 0.95
"""Share of the width of the axes that a legend above them may have."""


def fit_axis_words(ax: Any) -> None:
    """Shrink the words on small axes, and break names of axes that are longer than their axis."""
    shrink_words(ax)
    small, whole = is_small(ax), ax.figure.bbox
    if not small and _length(ax.yaxis.label, upright=True) < _MOST_OF_IT * whole.height:
        return
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    frame = ax.get_window_extent()
    middle = (frame.y0 + frame.y1) / 2
    room = frame.height if small else 2 * min(middle - whole.y0, whole.y1 - middle)
    fit_text(ax.yaxis.label, room, upright=True)
    if small:
        fit_text(ax.xaxis.label, frame.width)
        fit_text(ax.title, frame.width)


def fit_text(text: Any, room: float, *, upright: bool = False) -> None:
    """Break a text into lines that are no longer than the room in pixels."""
    words = text.get_text().replace("\n", " ")
    letters = len(words)
    while letters > _FEWEST_LETTERS and _length(text, upright=upright) > room:
        letters = min(letters - 1, int(letters * room / _length(text, upright=upright)))
        text.set_text("\n".join(_lines(words, max(letters, _FEWEST_LETTERS))))


def _lines(words: str, letters: int) -> list[str]:
    """Break words into as few lines as that length allows, and these as evenly as possible."""
    lines = textwrap.wrap(words, letters, break_long_words=False)
    while letters > _FEWEST_LETTERS:
        letters -= 1
        narrower = textwrap.wrap(words, letters, break_long_words=False)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return lines


def fitted_legend(
    ax: Any, handles: list[Any], *, room: float, ncols: int = 1, read_by_rows: bool = False, **options: Any
) -> Any:
    """Show a legend that is no wider than the room in pixels: with fewer columns, then with broken lines."""
    for columns in range(min(ncols, len(handles)), 0, -1):
        ordered = by_rows(handles, columns) if read_by_rows else handles
        legend = show_legend(ax, ordered, ncols=columns, **options)
        fit_text(legend.get_title(), 0.95 * room)
        excess = legend.get_window_extent().width - room
        if excess <= 0:
            return legend
    texts = legend.get_texts()
    longest = max(_length(text) for text in texts)
    for text in texts:
        fit_text(text, longest - excess)
    return legend


def legend_above(ax: Any, handles: list[Any], **options: Any) -> None:
    """Show a legend above the axes, no wider than they are."""
    fit_axis_words(ax)
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    room = _INSIDE * ax.get_window_extent().width  # what sticks out would squeeze the axes at each drawing
    place: dict[str, Any] = {
        "loc": "lower left",
        "bbox_to_anchor": (0, 1),
        "alignment": "left",
        "borderaxespad": 0.2,
    }
    fitted_legend(ax, handles, room=room, **place, **options)


def by_rows(handles: list[Any], ncols: int) -> list[Any]:
    """Order entries so that a legend, which is filled by columns, reads by rows."""
    return [handle for column in range(ncols) for handle in handles[column::ncols]]


def _length(text: Any, *, upright: bool = False) -> float:
    box = text.get_window_extent()
    return float(box.height if upright else box.width)
