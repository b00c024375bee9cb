"""Sums over rows that come part by part, and never are in memory all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve.formulas.bins import Tally
from uccurve.formulas.rows import select, total
from uccurve.sketch._state import ERROR_OCTAVES, SCALE_OCTAVES, TABLES, State, Totals, combined
from uccurve.sketch._summing import add_rows

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side
    from uccurve.formulas.rows import Rows


class RowSums:
    """The state of a sketch in the making."""

    def __init__(self, side: Side) -> None:
        self._side = side
        octaves = {"scale": SCALE_OCTAVES, "switch": SCALE_OCTAVES, "error": ERROR_OCTAVES}
        self._tallies = {name: Tally(octaves[name], len(columns)) for name, columns in TABLES.items()}
        self._totals = Totals()

    def add(self, rows: Rows) -> None:
        """Add rows of NumPy, few enough for a CPU cache; those without weight are only counted."""
        count = float(rows.abs_error.shape[0])
        if rows.weight is not None and not bool(np.all(rows.weight > 0)):
            rows = select(rows, rows.weight > 0)
        added = add_rows(np, self._tallies, rows)
        self._totals = combined([self._totals, added, _about(rows, count)])

    @property
    def room(self) -> int:
        """The number of bins that are in memory, with or without rows."""
        return sum(tally.room for tally in self._tallies.values())

    def settle(self) -> None:
        """Keep only the bins that occur."""
        for tally in self._tallies.values():
            tally.settle()

    def state(self) -> State:
        """Return what was added so far."""
        scale, switch, error = (self._tallies[name].table() for name in ("scale", "switch", "error"))
        return State(scale, switch, error, self._totals, side=self._side)


def _about(rows: Rows, count: float) -> Totals:
    """Return the totals that do not follow from critical scales."""
    _, active, passive, weight, _ = rows
    half_width = active if passive is None else (active + passive) / 2
    bands = (active,) if passive is None else (active, passive)
    return Totals(
        rows=count,
        weight_squares=count if weight is None else total(np, weight, weight),
        width=total(np, half_width, weight),
        narrowest=min(float(band.min(initial=np.inf)) for band in bands),
        widest=max(float(band.max(initial=0.0)) for band in bands),
        lightest=1.0 if weight is None else float(weight.min(initial=np.inf)),
        heaviest=1.0 if weight is None else float(weight.max(initial=0.0)),
    )
