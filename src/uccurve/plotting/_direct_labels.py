"""Labels beside what they name, placed where they cover neither lines nor each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.plotting._label_spots import COVERS, Spots, obstacles_on, spots
from uccurve.plotting._text_sizes import text_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.plotting._label_spots import Obstacles

_ROUNDS = 3
"""How often labels look for a better place when all have one."""


@dataclass(eq=False)
class DirectLabel:
    """The words beside a mark."""

    words: str
    anchors: Sequence[tuple[float, float]]
    """Places that the label may stand at, in data coordinates; for a mark, the one of the mark."""
    color: str
    leader: bool = True
    """Draw a thin line from the label to its place."""
    short: str = ""
    """What to say where there is no room for the words."""
    optional: bool = False
    """Leave it out where it would cover something."""
    line: Any = None
    """The line that the words name, if they name one."""
    artist: Any = None


def place_labels(ax: Any, labels: Sequence[DirectLabel]) -> bool:
    """Draw the labels, or move those that are there, after everything else on the axes is in place.

    Returns whether there was room for all of them.
    """
    if not labels:
        return True
    for label in labels:
        remove_label(ax, label)
    ax.figure.canvas.figure.draw_without_rendering()  # the layout gives the axes their size
    obstacles = obstacles_on(ax, ax.get_legend())
    words = [label.words for label in labels]
    placed = _arranged(ax, labels, words, obstacles)
    if placed.covers:
        short = [label.short or label.words for label in labels]
        trial = _arranged(ax, labels, short, obstacles) if short != words else placed
        if trial.costs.sum() < placed.costs.sum():
            placed, words = trial, short
    for place, label in enumerate(labels):
        if placed.costs[place] < COVERS or not label.optional:
            label.artist = _draw(ax, label, words[place], placed.found[place], placed.chosen[place])
    return not placed.covers


def remove_label(ax: Any, label: DirectLabel) -> None:
    """Take a label off the axes, unless somebody did already."""
    if label.artist in ax.texts:
        label.artist.remove()
    label.artist = None


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """Which place each label got, and what it costs there."""

    found: Sequence[Spots]
    chosen: Mapping[int, int]
    costs: np.ndarray

    @property
    def covers(self) -> bool:
        return bool((self.costs >= COVERS).any())


def _arranged(
    ax: Any, labels: Sequence[DirectLabel], words: Sequence[str], obstacles: Obstacles
) -> _Arrangement:
    """Give each label the best place that is left, marks before lines, and then better ones in turn."""
    found = [
        spots(ax, label.anchors, _size(ax, text), obstacles, leader=label.leader, line=label.line)
        for label, text in zip(labels, words, strict=True)
    ]

    def costs(label: int) -> np.ndarray:
        others = (found[label].beside(found[other], chosen[other]) for other in chosen if other != label)
        return np.asarray(found[label].costs + sum(others))

    order = sorted(
        range(len(labels)),
        key=lambda at: (len(labels[at].anchors) > 1, -max(x for x, _ in labels[at].anchors)),
    )
    chosen: dict[int, int] = {}
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for label in order:
            chosen[label] = int(np.argmin(costs(label)))
        if chosen == before:
            break
    return _Arrangement(
        found, chosen, np.array([costs(label)[chosen[label]] for label in range(len(labels))])
    )


def _draw(ax: Any, label: DirectLabel, words: str, found: Spots, spot: int) -> Any:
    offset = found.offsets[spot]
    left_aligned = offset[0] >= 0
    leader = {
        "arrowstyle": "-",
        "color": label.color,
        "linewidth": 0.8,
        "alpha": 0.7,
        "shrinkA": 1,
        "shrinkB": 3,
        "relpos": (0 if left_aligned else 1, 0.5),
    }
    artist = ax.annotate(
        words,
        found.anchors[spot],
        offset,
        textcoords="offset points",
        ha="left" if left_aligned else "right",
        va="center",
        color=label.color,
        fontsize=text_size(ax, "small"),
        arrowprops=leader if label.leader else None,
        gid="label",
        zorder=5,
    )
    artist.set_in_layout(False)
    return artist


def _size(ax: Any, words: str) -> np.ndarray:
    """Measure the words, in pixels."""
    trial = ax.text(0, 0, words, fontsize=text_size(ax, "small"))
    box = trial.get_window_extent()
    trial.remove()
    return np.array([box.width, box.height])
