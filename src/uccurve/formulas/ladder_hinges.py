r"""Excess and deficit of nested pairs as sums of hinges.

With A and P the bands facing the observation and facing away, a row has the deficit
:math:`(|e| - A(t))^+` and the excess :math:`(A(t) - |e|)^+ - (A(t) - P(t) - 2|e|)^+`: the second term is how
much nearer the far bound is, where it is. All of them bend at the critical value, at the knots that all
rows share, and where the nearer bound changes, at most once in each segment.
"""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

from . import ladders
from .hinges import Hinges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .ladders import Ladder
    from .rows import Rows

Array = Any

_COSTS = ("bandwidth", "excess", "deficit", "pulse")
_BLOCK = 1 << 14
"""Rows at once, so that what is computed of them stays in a CPU cache."""


def hinges(
    xp: Any, rows: Rows, ladder: Ladder, critical: Array, index: Array | None, *, tails: bool
) -> Hinges:
    """Return the costs as sums of hinges; critical values come first.

    Without ``index`` what rows have in common is added up, block by block: few knots beside the critical
    values. With it every row has knots of its own, for sums under other weights.
    """
    found = _Knots(xp, index)
    n = rows.abs_error.shape[0]
    size = n if index is not None else _BLOCK
    for begin in range(0, n, size):
        part = slice(begin, min(begin + size, n))
        error, held = rows.abs_error[part], ladder.select(part)
        found.weight = xp.ones_like(error) if rows.weight is None else rows.weight[part]
        _own_bends(found, held, critical[part], tails=tails)
        if index is not None:  # otherwise the mean half widths at the knots say it
            for place, change in _bandwidth_bends(held, tails=tails):
                found.share(place, bandwidth=change)
        _far_bound_bends(found, error, held, tails=tails)
    return found.hinges()


def _own_bends(found: _Knots, ladder: Ladder, critical: Array, *, tails: bool) -> None:
    """Add the bends of the band facing the observation: at its critical value, and at knots beside it."""
    xp = found.xp
    rising, falling = xp.zeros_like(critical), xp.zeros_like(critical)
    before = None
    for begin, end, slope in ladders.segments(ladder.knots, ladder.active, tails=tails):
        rising = xp.where((critical >= begin) & (critical < end), slope, rising)
        falling = xp.where((critical > begin) & (critical <= end) & xp.isfinite(critical), slope, falling)
        if before is not None:
            zero = xp.zeros_like(slope)
            change = slope - before
            found.share(
                begin,
                excess=xp.where(critical < begin, change, zero),
                deficit=xp.where(critical > begin, -change, zero),
            )
        before = slope
    found.own(critical, rising, falling)


def _bandwidth_bends(ladder: Ladder, *, tails: bool) -> Iterator[tuple[float, Array]]:
    """Yield the knots at which half widths bend, and by how much."""
    before = None
    sides = (ladders.segments(ladder.knots, side, tails=tails) for side in (ladder.active, ladder.passive))
    for (begin, _, active), (_, _, passive) in zip(*sides, strict=True):
        slope = active / 2 + passive / 2
        yield begin, slope if before is None else slope - before
        before = slope


def _far_bound_bends(found: _Knots, abs_error: Array, ladder: Ladder, *, tails: bool) -> None:
    """Add the bends of what the far bound takes from the excess."""
    xp = found.xp
    nearer = -2 * abs_error
    before = xp.zeros_like(abs_error)
    sides = [
        list(ladders.segments(ladder.knots, side, tails=tails)) for side in (ladder.active, ladder.passive)
    ]
    for (begin, end, active), (_, _, passive) in zip(*sides, strict=True):
        slope = active - passive
        if math.isinf(end):
            behind = xp.where(slope > 0, xp.ones_like(slope), xp.zeros_like(slope) + nearer)
        else:
            place = ladder.knots.index(end)
            behind = ladder.active[place] - ladder.passive[place] - 2 * abs_error
        zero = xp.zeros_like(slope)
        first = xp.where((nearer > 0) | ((nearer == 0) & (behind > 0)), slope, zero)
        last = xp.where((behind > 0) | ((behind == 0) & (nearer > 0)), slope, zero)
        found.share(begin, pulse=before - first)
        crossing = ((nearer < 0) & (behind > 0)) | ((nearer > 0) & (behind < 0))
        if bool(xp.any(crossing)):
            at = begin - nearer[crossing] / slope[crossing]
            found.switch(xp.clip(at, begin, end), (first - last)[crossing], crossing)
        nearer, before = behind, last


class _Knots:
    """Knots with changes of slope: of rows on their own, shared ones added up, or each row's."""

    def __init__(self, xp: Any, index: Array | None) -> None:
        self.xp, self.index = xp, index
        self.weight: Array = None
        """The weights of the block that is added."""
        self._own: list[dict[str, Array]] = []
        self._others: list[dict[str, Array]] = []
        self._shared: dict[float, dict[str, float]] = {}

    def own(self, critical: Array, rising: Array, falling: Array) -> None:
        """Add critical values; those that are infinite make no knot."""
        finite = self.xp.isfinite(critical)
        weight = self.weight[finite]
        columns = {"excess": rising[finite] * weight, "deficit": falling[finite] * weight}
        self._own.append(self._filled(critical[finite], columns, finite))

    def share(self, knot: float, **changes: Array) -> None:
        """Add changes at a knot that all rows have."""
        xp = self.xp
        if self.index is None:
            sums = self._shared.setdefault(knot, dict.fromkeys(_COSTS, 0.0))
            for name, change in changes.items():
                sums[name] += float(xp.sum(change * self.weight))
            return
        bending = reduce(operator.or_, (change != 0 for change in changes.values()))
        columns = {name: (change * self.weight)[bending] for name, change in changes.items()}
        self._others.append(self._filled(xp.full_like(self.weight[bending], knot), columns, bending))

    def switch(self, knots: Array, changes: Array, mask: Array) -> None:
        """Add knots of some rows, where the nearer bound changes."""
        part = self._filled(knots, {"pulse": changes * self.weight[mask]}, mask)
        finite = self.xp.isfinite(knots)  # others are beyond what float64 holds
        self._others.append({name: column[finite] for name, column in part.items()})

    def _filled(self, knots: Array, columns: dict[str, Array], mask: Array) -> dict[str, Array]:
        zero = self.xp.zeros_like(knots)
        part = {"knots": knots, **{name: columns.get(name, zero) for name in _COSTS}}
        return part if self.index is None else {**part, "row": self.index[mask]}

    def hinges(self) -> Hinges:
        """Lay everything end to end."""
        xp, first = self.xp, self._own[0]["knots"]

        def column(values: list[float]) -> Array:
            return xp.asarray(values, dtype=first.dtype, device=first.device)

        shared = {"knots": column(list(self._shared))} if self._shared else {}
        shared |= {name: column([sums[name] for sums in self._shared.values()]) for name in _COSTS if shared}
        parts = [*self._own, *([shared] if shared else []), *self._others]
        columns = {name: xp.concat([part[name] for part in parts]) for name in parts[0]}
        return Hinges(**columns) if self.index is not None else Hinges(**{**columns, "bandwidth": None})
