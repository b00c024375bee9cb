"""Sizes that follow the axes: smaller words, lines and marks on axes of one column of a paper."""

from __future__ import annotations

from typing import Any

_FULL, _LEAST = 4.0, 2.6
"""Widths of axes in inches: from the first on nothing is shrunk, below the second nothing shrinks further."""
_SMALLEST = 0.75
"""The scale of the smallest axes: 10 points become 7.5."""
_READABLE = {"medium": 7.0, "small": 6.0}
"""Points that words are never shrunk below; smaller ones are left as they are."""
_FLAT = 2.0
"""Height in inches below which axes are small, however wide."""
_SMALL = 3.2


def scale(ax: Any) -> float:
    """Return by how much lines, marks and words are smaller than on axes of the usual size."""
    width, _ = _inches(ax)
    share = (width - _LEAST) / (_FULL - _LEAST)
    return _SMALLEST + (1 - _SMALLEST) * min(max(share, 0.0), 1.0)


def is_small(ax: Any) -> bool:
    """Whether the axes are too small for a legend of several lines."""
    width, height = _inches(ax)
    return width < _SMALL or height < _FLAT


def text_size(ax: Any, name: str) -> float:
    """Return the size of "small" or "medium" words in points: matplotlib's, shrunk with the axes."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    return _shrunk(ax, FontProperties(size=name).get_size_in_points(), _READABLE[name])


def shrink_words(ax: Any) -> None:
    """Shrink the words on both axes, unless somebody chose a size for them."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    if scale(ax) == 1:
        return
    settings: Any = mpl.rcParams
    for axis in (ax.xaxis, ax.yaxis):
        tick_size = settings[f"{axis.axis_name}tick.labelsize"]
        words, ticks = (
            FontProperties(size=size).get_size_in_points() for size in (settings["axes.labelsize"], tick_size)
        )
        if axis.label.get_fontsize() == words:
            axis.label.set_fontsize(_shrunk(ax, words, _READABLE["medium"]))
        if axis.get_tick_params().get("labelsize", tick_size) == tick_size:
            axis.set_tick_params(labelsize=_shrunk(ax, ticks, _READABLE["small"]))


def _shrunk(ax: Any, points: float, readable: float) -> float:
    return max(points * scale(ax), min(points, readable))


def _inches(ax: Any) -> tuple[float, float]:
    """Return the size of the axes in inches, before any layout: it is the same for each call."""
    grid = ax.get_subplotspec()
    box = ax.get_position(original=True) if grid is None else grid.get_position(ax.figure)
    root = ax.figure.bbox  # of a part of a figure, its own
    dpi = ax.figure.dpi
    return float(box.width * root.width / dpi), float(box.height * root.height / dpi)
