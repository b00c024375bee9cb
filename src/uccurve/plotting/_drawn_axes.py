"""What is on a pair of axes already, so that several models can share them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.text import limits
from uccurve.exceptions import ArgumentError
from uccurve.plotting._direct_labels import DirectLabel, place_labels, remove_label
from uccurve.plotting._fitted_words import fit_axis_words
from uccurve.plotting._legend_entries import Entry, show_entries
from uccurve.plotting._style import thin

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side, X, Y
    from uccurve.curve import Curve

# The order of the legend: models first, then their points, then what they are held against.
RANKS = ("model", "unnamed", "original", "optimum", "area", "band", "range", "constant", "limit")
_OPTIONAL = frozenset({"original", "constant", "limit", "unnamed"})
"""Labels that are left out where there is no room."""


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
    _entries: list[tuple[int, Entry]] = field(default_factory=list)
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
            raise ArgumentError(argument="ax", rule=f"not show {shown}", hint=f"Draw {wanted} on other axes.")
        if drawn.side != side:  # the widths of the two do not compare
            shown, wanted = (limits(kind) or "intervals" for kind in (drawn.side, side))
            raise ArgumentError(argument="ax", rule=f"not show {shown}", hint=f"Draw {wanted} on other axes.")
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
        entry = Entry(artist, short, at, optional=kind in _OPTIONAL)
        self._entries.append((RANKS.index(kind), entry))

    def show(self, ax: Any, *, legend: bool) -> None:
        """Set the view, with room for marks at zero, and the legend; entries that are not ours come last."""
        for set_limits, end, room in ((ax.set_xlim, self.right, 0.012), (ax.set_ylim, self.top, 0.018)):
            if 0 < end < float("inf"):
                set_limits(-room * end, end)
        for label in [*self.names, *self.labels]:
            remove_label(ax, label)
        fit_axis_words(ax)
        self.names = self._legend(ax) if legend else []
        if not place_labels(ax, [*self.labels, *self.names]) and legend and not self.names:
            self.names = self._legend(ax, crowded=True)
            place_labels(ax, [*self.labels, *self.names])

    def _legend(self, ax: Any, *, crowded: bool = False) -> list[DirectLabel]:
        """Show the legend, or return the names to write instead of it."""
        entries = [entry for _, entry in sorted(self._entries, key=lambda ranked: ranked[0])]
        ours = [entry.artist for entry in entries]
        others = [handle for handle in ax.get_legend_handles_labels()[0] if handle not in ours]
        return show_entries(ax, entries, others, corners=["upper right"], crowded=crowded)

    def _cleared(self, ax: Any) -> bool:
        return bool(self._entries) and self._entries[0][1].artist not in ax.get_children()
