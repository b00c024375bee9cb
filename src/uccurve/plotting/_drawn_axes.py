"""What is on a pair of axes already, so that several models can share them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.text import limits
from uccurve.exceptions import ArgumentError
from uccurve.plotting._direct_labels import DirectLabel, place_labels, remove_label
from uccurve.plotting._fitted_words import fit_axis_words, fitted_legend
from uccurve.plotting._label_spots import along_line, in_the_way
from uccurve.plotting._style import show_legend, thin
from uccurve.plotting._text_sizes import is_small

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side, X, Y
    from uccurve.curve._curve import Curve

# The order of the legend: models first, then their points, then what they are held against.
RANKS = ("model", "original", "optimum", "area", "band", "range", "constant", "limit")
_OPTIONAL = frozenset({"original", "constant", "limit"})
"""Labels that are left out where there is no room: the caption says what these are."""


class Entry(NamedTuple):
    """A line of the legend, and what takes its place on small axes."""

    kind: str
    artist: Any
    short: str
    """The words beside the line or the mark; without them it stays in the legend."""
    at: tuple[float, float] | None
    """Where the mark is; None for a line."""

    @property
    def rank(self) -> int:
        return RANKS.index(self.kind)


@dataclass(eq=False)
class Drawn:
    """The curves on a pair of axes, and what was drawn with them."""

    axes: tuple[X, Y]
    side: Side = "both"
    curves: int = 0
    right: float = 0.0
    """The right end of the view."""
    top: float = 0.0
    """The top of the view."""
    labels: list[DirectLabel] = field(default_factory=list)
    """Words beside marks, placed when all is drawn."""
    names: list[DirectLabel] = field(default_factory=list)
    """Words beside lines and marks, in place of the legend."""
    _entries: list[Entry] = field(default_factory=list)
    _once: set[Any] = field(default_factory=set)
    _residuals: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    @classmethod
    def on(cls, ax: Any, x: X, y: Y, side: Side) -> Drawn:
        """Return what is on the axes; nothing, if they were cleared since."""
        drawn: Drawn | None = getattr(ax, "_uccurve", None)
        if drawn is None or drawn._cleared(ax):
            ax._uccurve = drawn = cls((x, y), side)
        if drawn.axes != (x, y):
            shown, wanted = (" and ".join(axes).replace("_", " ") for axes in (drawn.axes, (x, y)))
            raise ArgumentError(f"`ax` shows {shown}: draw {wanted} on other axes.")
        if drawn.side != side:  # the widths of the two do not compare
            shown, wanted = (limits(kind) or "intervals" for kind in (drawn.side, side))
            raise ArgumentError(f"`ax` shows {shown}: draw {wanted} on other axes.")
        return drawn

    def first(self, what: Any) -> bool:
        """Whether something that is drawn once is to be drawn now."""
        new = what not in self._once
        self._once.add(what)
        return new

    def predictions(self, curve: Curve) -> int:
        """Return the number of the predictions, told apart by the residuals they leave.

        The limit line depends on nothing but the residuals and their weights.
        """
        mine = thin(curve.frontier.bandwidth), thin(curve.frontier.miss_rate)
        for place, other in enumerate(self._residuals):
            same = (
                a.shape == b.shape and np.allclose(a, b, 1e-9, 0) for a, b in zip(mine, other, strict=True)
            )
            if all(same):
                return place
        self._residuals.append(mine)
        return len(self._residuals) - 1

    def remember(
        self, kind: str, artist: Any, short: str = "", at: tuple[float, float] | None = None
    ) -> None:
        """Give an artist its place in the legend, and the short words beside it on small axes."""
        self._entries.append(Entry(kind, artist, short, at))

    def show(self, ax: Any, *, legend: bool) -> None:
        """Set the view, with room for marks at zero, and the legend; entries that are not ours come last."""
        for set_limits, end, room in ((ax.set_xlim, self.right, 0.012), (ax.set_ylim, self.top, 0.018)):
            if 0 < end < float("inf"):
                set_limits(-room * end, end)
        for label in [*self.names, *self.labels]:
            remove_label(ax, label)
        fit_axis_words(ax)
        self.names = []
        if legend:
            self._show_legend(ax)
        place_labels(ax, [*self.labels, *self.names])

    def _show_legend(self, ax: Any) -> None:
        """Show the legend; on small axes, where it would be in the way, write names beside the lines."""
        entries = sorted(self._entries, key=lambda entry: entry.rank)
        ours = [entry.artist for entry in entries]
        others = [handle for handle in ax.get_legend_handles_labels()[0] if handle not in ours]
        shown = show_legend(ax, ours + others, loc="upper right")
        if not is_small(ax) or not in_the_way(ax, shown):
            return
        shown.remove()
        self.names = [_name(ax, entry) for entry in entries if entry.short]
        rest = [entry.artist for entry in entries if not entry.short] + others
        if rest:
            fitted_legend(ax, rest, room=0.7 * ax.get_window_extent().width, loc="upper right")

    def _cleared(self, ax: Any) -> bool:
        return bool(self._entries) and self._entries[0].artist not in ax.get_children()


def _name(ax: Any, entry: Entry) -> DirectLabel:
    anchors = along_line(ax, entry.artist) if entry.at is None else [entry.at]
    return DirectLabel(
        entry.short,
        anchors,
        entry.artist.get_color(),
        leader=entry.at is not None,
        optional=entry.kind in _OPTIONAL,
        line=entry.artist if entry.at is None else None,
    )
