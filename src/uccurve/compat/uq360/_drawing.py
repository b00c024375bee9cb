"""UQ360's figure: curves with their areas, and a ring at each operating point. It computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.extras import needed
from uccurve.plotting._style import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_POINTS = 4000
"""Of a longer path no more points are drawn, and so many at each end: more than a figure shows."""
_AT_ENDS = 500


class Shown(NamedTuple):
    """What to show, and where."""

    title: str
    xlim: tuple[float, float] | None
    ylim: tuple[float, float] | None
    file: Any


def pyplot() -> Any:
    """Return matplotlib's pyplot."""
    with needed("matplotlib", extra="plot"):
        from matplotlib import pyplot as plt  # noqa: PLC0415
    return plt


def draw(
    *,
    paths: Sequence[tuple[np.ndarray, np.ndarray]],
    areas: Sequence[float],
    points: Sequence[tuple[float, float, float, float]],
    labels: Sequence[str],
    markers: Sequence[str | None],
    words: Sequence[str],
    view: Shown,
    line: dict[str, Any],
) -> None:
    """Draw on a new figure, and save or show it."""
    plt = pyplot()
    figure, ax = plt.subplots()
    for place, (path, area, point) in enumerate(zip(paths, areas, points, strict=True)):
        style = {"marker": markers[place], "label": f"{literal(str(labels[place]))} (AUC={area:.3f})"} | line
        (drawn,) = ax.plot(*_seen(*path), **style)
        ring = {"markerfacecolor": "w", "markeredgewidth": 1.5, "linestyle": "none"}
        label = "OP" if place + 1 == len(paths) else None
        ax.plot(point[0], point[1], marker="o", color=drawn.get_color(), label=label, **ring)
    ax.set(xlabel=words[0], ylabel=words[1], title=literal(str(view.title)))
    if view.xlim is not None:
        ax.set_xlim(view.xlim)
    if view.ylim is not None:
        ax.set_ylim(view.ylim)
    ax.legend()
    ax.grid()
    if view.file is not None:
        figure.savefig(view.file)
        plt.close(figure)
    elif _can_show(plt):
        plt.show()


def _seen(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Take evenly spaced points of a long path, and all of them near its ends, where rows are far apart."""
    if x.size <= _MOST_POINTS:
        return x, y
    ends = np.arange(_AT_ENDS)
    evenly = np.linspace(0, x.size - 1, _MOST_POINTS).round().astype(int)
    kept = np.unique(np.concatenate([ends, evenly, x.size - 1 - ends]))
    return x[kept], y[kept]


def _can_show(plt: Any) -> bool:
    """Whether figures appear anywhere: backends that only write files would warn."""
    return bool(plt.get_backend().lower() not in ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template"))
