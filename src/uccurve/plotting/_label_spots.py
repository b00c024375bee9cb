"""Places that a label may stand at, and what speaks against each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DISTANCES = (9, 16, 25, 36, 50, 68, 90, 120, 155, 195)
"""From the mark to its label, in points."""
_WITHOUT_LEADER = 3
"""So many of the distances are near enough to do without a leader."""
_ANGLES = (45, 25, 65, 5, 85, 55, 35, 15, 75, -25, -50, 115, 155, 180, 205, 235, -80)
"""Above and to the right first: a falling curve leaves that side free."""
_PADDING = 2.5
_APART = 25.0
"""Pixels to the next line, from which on a name is clearly that of its own line."""
_STEP = 2.0
"""How close the places are at which a line is looked at, in pixels."""
_ON_LABEL, _OUTSIDE, _ON_LEGEND, _ON_LINE = 4000.0, 2000.0, 1500.0, 500.0
_NEARER_OTHER, _LEADER_ON_LABEL, _LEADERS_CROSS, _LEADER_ON_MARK, _FAR = 250.0, 200.0, 150.0, 60.0, 0.6
"""What speaks against a place: labels under it, and so on, down to each point of distance."""
COVERS = _ON_LEGEND
"""From this cost on a label covers another one, the legend or the frame."""


_MUCH = 1 / 8
"""Share of its axes from which on a legend is in the way."""
_ANCHORS = 15
"""How many places along a line its name may stand at."""


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What labels keep clear of, in pixels."""

    frame: np.ndarray
    """Left, bottom, right and top of the axes, as all boxes."""
    paths: Mapping[Any, np.ndarray]
    """Places along each line."""
    lines: np.ndarray
    """Places along all lines and around all marks."""
    marks: np.ndarray
    """The centers of the marks."""
    legend: np.ndarray | None
    texts: Sequence[np.ndarray]
    """Boxes of words that somebody else wrote on the axes."""


@dataclass(frozen=True, slots=True)
class Spots:
    """All places of one label, and what each costs before other labels come."""

    anchors: np.ndarray
    """In data coordinates."""
    offsets: np.ndarray
    """From the anchor, in points."""
    boxes: np.ndarray
    leaders: np.ndarray
    """Places along each leader, from the mark to the label: of shape (spots, places, 2)."""
    costs: np.ndarray

    def beside(self, other: Spots, spot: int) -> np.ndarray:
        """Say what a place of another label adds to the costs."""
        box, leader = other.boxes[spot], other.leaders[spot]
        padded = self.boxes + _PADDING * np.array([-1, -1, 1, 1])
        cost = _ON_LABEL * overlap(padded, box)
        cost += _LEADER_ON_LABEL * _inside(self.leaders, box).any(axis=-1)
        cost += _LEADER_ON_LABEL * _inside(leader, self.boxes[:, None, :]).any(axis=-1)
        return np.asarray(cost + _LEADERS_CROSS * _cross(self.leaders, leader))


def spots(
    ax: Any,
    anchors: Sequence[tuple[float, float]],
    size: np.ndarray,
    obstacles: Obstacles,
    *,
    leader: bool,
    line: Any = None,
) -> Spots:
    """List the places around the anchors of a label of this size in pixels; it may be the name of a line."""
    distances = np.array(_DISTANCES if leader else _DISTANCES[:_WITHOUT_LEADER], dtype=float)
    turns = np.array([[math.cos(math.radians(a)), math.sin(math.radians(a))] for a in _ANGLES])
    around = (distances[:, None, None] * turns).reshape(-1, 2)
    given = np.asarray(anchors, dtype=float)
    pixels = np.repeat(ax.transData.transform(given), len(around), axis=0)
    offsets = np.tile(around, (len(given), 1))
    ends = pixels + ax.figure.dpi / 72 * offsets
    left = np.where(offsets[:, 0] >= 0, ends[:, 0], ends[:, 0] - size[0])
    low = ends[:, 1] - size[1] / 2
    boxes = np.column_stack([left, low, left + size[0], low + size[1]])
    along = np.linspace(0, 1, 15)[:, None]
    leaders = pixels[:, None, :] * (1 - along) + ends[:, None, :] * along
    costs = _FAR * np.hypot(*offsets.T) + _against(obstacles, boxes, leaders if leader else None)
    if line in obstacles.paths:
        costs += _mistakable(obstacles, line, boxes, pixels)
    if not leader:
        leaders = np.repeat(ends[:, None, :], 2, axis=1)  # it has no length, and crosses nothing
    return Spots(np.repeat(given, len(around), axis=0), offsets, boxes, leaders, costs)


def obstacles_on(ax: Any, legend: Any) -> Obstacles:
    """Look at what is on the axes: lines, marks, the legend and words."""
    extent = ax.get_window_extent()
    paths: dict[Any, np.ndarray] = {}
    lines, marks = [np.empty((0, 2))], [np.empty((0, 2))]
    for line in ax.lines:
        path = line.get_transform().transform(corners(line))
        path = path[np.isfinite(path).all(axis=1)]
        if not len(path) or not line.get_visible():
            continue
        path = np.clip(path, extent.min - 50, extent.max + 50)  # what is far outside has no places
        if line.get_linestyle() == "None":
            lines += [path, *_rings(path, line.get_markersize() / 2 * ax.figure.dpi / 72)]
            marks.append(path)
        else:
            paths[line] = dense(path)
    return Obstacles(
        frame=np.array(extent.extents),
        paths=paths,
        lines=np.concatenate([*lines, *paths.values()]),
        marks=np.concatenate(marks),
        legend=None if legend is None else np.array(legend.get_window_extent().extents),
        texts=[np.array(text.get_window_extent().extents) for text in ax.texts if text.get_visible()],
    )


def in_the_way(ax: Any, legend: Any) -> bool:
    """Whether a legend takes much of its axes, covers a line or a mark, or leaves the frame."""
    seen = obstacles_on(ax, legend)
    box = np.array(legend.get_window_extent().extents)
    width, height = box[2:] - box[:2]
    much = width * height > _MUCH * np.prod(seen.frame[2:] - seen.frame[:2])
    outside = (box[:2] < seen.frame[:2]).any() or (box[2:] > seen.frame[2:]).any()
    return bool(much or outside or _inside(seen.lines, box).any())


def along_line(ax: Any, line: Any) -> list[tuple[float, float]]:
    """Choose places along the visible part of a line, in data coordinates, where its name may stand."""
    path = dense(line.get_transform().transform(corners(line)))
    seen = path[_inside(path, np.array(ax.get_window_extent().extents))]
    if not len(seen):
        return [tuple(ax.transData.inverted().transform(path[0]))]
    chosen = seen[np.linspace(0, len(seen) - 1, _ANCHORS).round().astype(int)]
    return [(float(x), float(y)) for x, y in ax.transData.inverted().transform(chosen)]


def corners(line: Any) -> np.ndarray:
    """Return the corners of a line; those of steps are not among its data."""
    xy = np.column_stack([np.asarray(values, dtype=float) for values in line.get_data(orig=False)])
    if line.get_drawstyle() != "steps-post" or len(xy) < 2:  # noqa: PLR2004 - one step
        return xy
    return np.column_stack([np.repeat(xy[:, 0], 2)[1:], np.repeat(xy[:, 1], 2)[:-1]])


def dense(path: np.ndarray, step: float = _STEP) -> np.ndarray:
    """Interpolate a path in even steps."""
    lengths = np.r_[0, np.cumsum(np.hypot(*np.diff(path, axis=0).T))]
    places = np.arange(0, lengths[-1] + step, step)
    return np.column_stack([np.interp(places, lengths, path[:, axis]) for axis in (0, 1)])


def overlap(boxes: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Say which boxes overlap another one."""
    return np.asarray((boxes[..., :2] < other[..., 2:]).all(-1) & (other[..., :2] < boxes[..., 2:]).all(-1))


def _against(obstacles: Obstacles, boxes: np.ndarray, leaders: np.ndarray | None) -> np.ndarray:
    """Say what the axes have against each place."""
    padded = boxes + _PADDING * np.array([-1, -1, 1, 1])
    on_line = np.array([_inside(obstacles.lines, box).sum() for box in padded])
    costs = np.where(on_line > 0, _ON_LINE + on_line, 0.0)
    outside = (boxes[:, :2] < obstacles.frame[:2]) | (boxes[:, 2:] > obstacles.frame[2:])
    costs += _OUTSIDE * outside.sum(axis=1)
    if obstacles.legend is not None:
        costs += _ON_LEGEND * overlap(padded, obstacles.legend)
    for text in obstacles.texts:
        costs += _ON_LABEL * overlap(padded, text)
    if leaders is not None and len(obstacles.marks):
        gaps = np.linalg.norm(leaders[:, 3:, None, :] - obstacles.marks, axis=-1).min(axis=1)
        costs += _LEADER_ON_MARK * (gaps < 2 * _PADDING).sum(axis=1)
    return costs


def _mistakable(obstacles: Obstacles, line: Any, boxes: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """Say where the name of a line could be taken for that of another one."""
    others = [path[::2] for other, path in obstacles.paths.items() if other is not line]
    if not others:
        return np.zeros(len(boxes))
    rest = np.concatenate(others)
    centers = (boxes[:, :2] + boxes[:, 2:]) / 2
    nearer = _gaps(centers, rest) < _gaps(centers, obstacles.paths[line][::2])
    return np.asarray(_NEARER_OTHER * nearer + np.maximum(0, _APART - _gaps(pixels, rest)))


def _gaps(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return how far the nearest of the other points is, in pixels."""
    return np.array([np.hypot(*(others - point).T).min() for point in points])


def _rings(centers: np.ndarray, radius: float) -> list[np.ndarray]:
    """Return places around marks."""
    turns = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    return [centers + radius * np.array([math.cos(turn), math.sin(turn)]) for turn in turns]


def _inside(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Say which points lie in a box."""
    return np.asarray(((points > box[..., :2]) & (points < box[..., 2:])).all(axis=-1))


def _cross(leaders: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Say which leaders cross another one."""
    start, end, a, b = leaders[:, 0], leaders[:, -1], other[0], other[-1]
    return np.asarray(
        (_turn(start, end, a) * _turn(start, end, b) < 0) & (_turn(a, b, start) * _turn(a, b, end) < 0)
    )


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Say on which side of a line through two points a third one is, by sign."""
    u, v = b - a, c - a
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])
