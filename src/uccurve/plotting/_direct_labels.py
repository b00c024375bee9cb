"""Labels beside what they name, placed where they cover neither lines nor each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DISTANCES = (9, 16, 25, 36, 50, 68, 90, 120, 155, 195)
"""From the mark to its label, in points."""
_ANGLES = (45, 25, 65, 5, 85, 55, 35, 15, 75, -25, -50, 115, 155, 180, 205, 235, -80)
"""Above and to the right first: a falling curve leaves that side free."""
_PADDING = 2.5
_STEP = 2.0
"""How close the places are at which a line is looked at, in pixels."""
_ON_LABEL, _OUTSIDE, _ON_LEGEND, _ON_LINE, _LEADER, _FAR = 4000.0, 2000.0, 1500.0, 500.0, 200.0, 0.6
"""What speaks against a place: labels under it, and so on, down to each point of distance."""


@dataclass(eq=False)
class DirectLabel:
    """The words beside a mark."""

    words: str
    anchors: Sequence[tuple[float, float]]
    """Places that the label may stand at, in data coordinates; for a mark, the one of the mark."""
    color: str
    leader: bool = True
    """Draw a thin line from the label to its place."""
    artist: Any = None


def place_labels(ax: Any, labels: Sequence[DirectLabel]) -> None:
    """Draw the labels, or move those that are there, after everything else on the axes is in place."""
    if not labels:
        return
    for label in labels:
        if label.artist in ax.texts:  # unless somebody removed it
            label.artist.remove()
        label.artist = None
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    scale = ax.figure.dpi / 72
    lines = _line_points(ax)
    legend = ax.get_legend()
    taken: list[np.ndarray] = []
    for label in sorted(labels, key=lambda one: -max(x for x, _ in one.anchors)):
        size = _size(ax, label)
        spots = list(_spots(ax, label, size, scale))
        costs = _costs(ax, spots, lines, taken, None if legend is None else legend.get_window_extent())
        best = spots[int(np.argmin(costs))]
        label.artist = _draw(ax, label, best)
        taken.append(best.box)


@dataclass(frozen=True, slots=True)
class _Spot:
    """One place for a label: its box in pixels, and how it is drawn there."""

    anchor: tuple[float, float]
    pixel: np.ndarray
    offset: tuple[float, float]
    """From the anchor, in points."""
    box: np.ndarray
    """Left, bottom, right and top."""
    distance: float

    @property
    def left_aligned(self) -> bool:
        return self.offset[0] >= 0


def _spots(ax: Any, label: DirectLabel, size: np.ndarray, scale: float) -> Iterable[_Spot]:
    for anchor in label.anchors:
        pixel = ax.transData.transform(anchor)
        for distance in _DISTANCES if label.leader else _DISTANCES[:3]:
            for angle in _ANGLES:
                offset = distance * math.cos(math.radians(angle)), distance * math.sin(math.radians(angle))
                x, y = pixel + scale * np.array(offset)
                left = x if offset[0] >= 0 else x - size[0]
                box = np.array([left, y - size[1] / 2, left + size[0], y + size[1] / 2])
                yield _Spot(anchor, pixel, offset, box, distance)


def _costs(
    ax: Any, spots: Sequence[_Spot], lines: np.ndarray, taken: Sequence[np.ndarray], legend: Any
) -> list[float]:
    """Say how bad each spot is: what it covers, what its leader crosses, how far away it is."""
    frame = ax.get_window_extent()
    legend_box = None if legend is None else np.array(legend.extents)
    costs = []
    for spot in spots:
        padded = spot.box + _PADDING * np.array([-1, -1, 1, 1])
        on_line = _inside(lines, padded)
        cost = _FAR * spot.distance + (_ON_LINE + on_line if on_line else 0)
        cost += sum(_ON_LABEL for box in taken if _overlap(padded, box))
        leader = np.linspace(spot.pixel, _nearest(spot), 20)
        cost += sum(_LEADER for box in taken if _inside(leader, box))
        if spot.box[0] < frame.x0 or spot.box[2] > frame.x1:
            cost += _OUTSIDE
        if spot.box[1] < frame.y0 or spot.box[3] > frame.y1:
            cost += _OUTSIDE
        if legend_box is not None and _overlap(padded, legend_box):
            cost += _ON_LEGEND
        costs.append(cost)
    return costs


def _nearest(spot: _Spot) -> np.ndarray:
    """Return where the leader meets the label."""
    side = spot.box[0] if spot.left_aligned else spot.box[2]
    return np.array([side, (spot.box[1] + spot.box[3]) / 2])


def _draw(ax: Any, label: DirectLabel, spot: _Spot) -> Any:
    leader = {
        "arrowstyle": "-",
        "color": label.color,
        "linewidth": 0.8,
        "alpha": 0.7,
        "shrinkA": 1,
        "shrinkB": 3,
        "relpos": (0 if spot.left_aligned else 1, 0.5),
    }
    artist = ax.annotate(
        label.words,
        spot.anchor,
        spot.offset,
        textcoords="offset points",
        ha="left" if spot.left_aligned else "right",
        va="center",
        color=label.color,
        fontsize="small",
        arrowprops=leader if label.leader else None,
        gid="label",
        zorder=5,
    )
    artist.set_in_layout(False)
    return artist


def _size(ax: Any, label: DirectLabel) -> np.ndarray:
    """Measure the words, in pixels."""
    trial = ax.annotate(label.words, label.anchors[0], fontsize="small")
    box = trial.get_window_extent()
    trial.remove()
    return np.array([box.width, box.height])


def _line_points(ax: Any) -> np.ndarray:
    """Return places along all lines on the axes, a few pixels apart, and all marks."""
    frame = ax.get_window_extent()
    points = [np.empty((0, 2))]
    for line in ax.lines:
        path = line.get_transform().transform(_corners(line))
        path = path[np.isfinite(path).all(axis=1)]
        if len(path) and line.get_visible():
            path = np.clip(path, frame.min - 50, frame.max + 50)  # what is far outside has no places
            points.append(path if line.get_linestyle() == "None" else _dense(path))
    return np.concatenate(points)


def _corners(line: Any) -> np.ndarray:
    """Return the corners of a line; those of steps are not among its data."""
    xy = np.column_stack([np.asarray(values, dtype=float) for values in line.get_data(orig=False)])
    if line.get_drawstyle() != "steps-post" or len(xy) < 2:  # noqa: PLR2004 - one step
        return xy
    return np.column_stack([np.repeat(xy[:, 0], 2)[1:], np.repeat(xy[:, 1], 2)[:-1]])


def _dense(path: np.ndarray) -> np.ndarray:
    """Interpolate a path in even steps."""
    lengths = np.r_[0, np.cumsum(np.hypot(*np.diff(path, axis=0).T))]
    places = np.arange(0, lengths[-1] + _STEP, _STEP)
    return np.column_stack([np.interp(places, lengths, path[:, axis]) for axis in (0, 1)])


def _inside(points: np.ndarray, box: np.ndarray) -> int:
    """Count points in a box."""
    return int(((points > box[:2]) & (points < box[2:])).all(axis=1).sum())


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])
