"""What a sketch keeps: sums by bin, and a few numbers about all rows. States add."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._kernels import bins
from uccurve._kernels.bins import BinTable, Tally
from uccurve._kernels.rows import make as rows_of
from uccurve.curve.families import SCALE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve._kernels.rows import Rows
    from uccurve.intervals import Intervals

SCALE_OCTAVES = 40
"""Critical scales beyond 2^±40 share a bin at either end."""
ERROR_OCTAVES = 1000
TABLES: dict[str, tuple[str, ...]] = {
    "scale": ("weight", "active", "error", "scale"),
    "switch": ("drop", "error"),
    "error": ("weight", "error"),
}
"""Rows by critical scale, by the scale at which their nearer bound changes, and by absolute residual; with
the sums that are kept of each."""
_CHUNK = 1 << 16
CLOSE = 1e-9
"""Relative difference between sums of the same numbers in another order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """Sums over all rows; the last four are extremes."""

    rows: float = 0.0
    elements: float = 0.0
    """Rows times outputs."""
    weight_squares: float = 0.0
    """Of the rows, not of the elements."""
    width: float = 0.0
    """Of the half widths."""
    root: float = 0.0
    """Of the roots of the absolute residuals."""
    square: float = 0.0
    """Of the squared residuals."""
    moment: float = 0.0
    """Of absolute residual times critical scale, where the latter is finite."""
    touching: float = 0.0
    """Of the weights of rows right on a bound as given, which the bins cannot tell from missed ones."""
    narrowest: float = np.inf
    """The smallest single band."""
    widest: float = 0.0
    lightest: float = np.inf
    """The smallest weight above 0."""
    heaviest: float = 0.0
    asymmetry: float = 0.0
    """The largest difference between the two bands of a row."""


_LOWEST = frozenset({"narrowest", "lightest"})
_HIGHEST = frozenset({"widest", "heaviest", "asymmetry"})
NAMES = tuple(field.name for field in fields(Totals))


class State(NamedTuple):
    """Tables by bin, and totals."""

    scale: BinTable
    switch: BinTable
    error: BinTable
    totals: Totals


def nothing() -> State:
    """Return the state of no rows."""
    return State(**{name: bins.empty(len(columns)) for name, columns in TABLES.items()}, totals=Totals())


def combined(parts: Iterable[Totals]) -> Totals:
    """Add sums up, and take the outermost extremes."""
    columns = (
        {name: [getattr(part, name) for part in parts] for name in NAMES} if (parts := list(parts)) else {}
    )
    join = {name: min if name in _LOWEST else max if name in _HIGHEST else sum for name in NAMES}
    return Totals(**{name: float(join[name](values)) for name, values in columns.items()})


def merged(states: Iterable[State]) -> State:
    """Add states up."""
    states = list(states)
    tables = {name: bins.merged([getattr(state, name) for state in states]) for name in TABLES}
    return State(**tables, totals=combined(state.totals for state in states))


def of(intervals: Intervals) -> State:
    """Summarize intervals in one pass, chunk by chunk."""
    columns = intervals._columns.map(to_numpy)
    whole = next(columns.blocks(whole=True))
    tallies = {
        name: Tally(ERROR_OCTAVES if name == "error" else SCALE_OCTAVES, len(sums))
        for name, sums in TABLES.items()
    }
    totals = []
    for begin in range(0, whole.y_true.size, _CHUNK):
        part = slice(begin, begin + _CHUNK)
        chunk = whole.map(itemgetter(part))
        totals.append(_add(tallies, rows_of(np, *chunk[:5])))
    weight, summary = columns.weight, intervals._summary
    about = Totals(
        rows=float(intervals.n),
        elements=float(whole.y_true.size),
        width=summary.width * (whole.y_true.size if weight is None else float(whole.weight.sum())),
        weight_squares=float(intervals.n if weight is None else weight @ weight),
        narrowest=float(summary.narrowest),
        widest=float(summary.widest),
        lightest=1.0 if weight is None else float(weight[weight > 0].min()),
        heaviest=1.0 if weight is None else float(weight.max()),
    )
    tables = {name: tally.table() for name, tally in tallies.items()}
    return State(**tables, totals=combined([about, *totals]))


def _add(tallies: dict[str, Tally], rows: Rows) -> Totals:
    """Add a chunk of rows to the bins, and return its totals."""
    error, active, passive, weight = rows
    if weight is not None and not weight.all():
        return _add(tallies, type(rows)(*(None if c is None else c[weight > 0] for c in rows)))
    if not error.size:
        return Totals()
    critical = SCALE.critical(np, rows)
    known = critical
    if not math.isfinite(critical.max()):
        known = np.where(np.isfinite(critical), critical, 0.0)
    weighted = [active, error, known] if weight is None else [weight * c for c in (active, error, known)]
    tallies["scale"].add(critical, [weight, *weighted])
    tallies["error"].add(error, [weight, weighted[1]])
    if passive is not None:
        _add_switches(tallies["switch"], error, active - passive, weight)
    touching = critical == 1
    with np.errstate(over="ignore"):
        return Totals(
            root=_sum(np.sqrt(error), weight),
            square=float(weighted[1] @ error),
            moment=float(weighted[1] @ known),
            touching=float(np.count_nonzero(touching)) if weight is None else float(weight[touching].sum()),
            asymmetry=0.0 if passive is None else float(np.abs(active - passive).max()),
        )


def _sum(column: np.ndarray, weight: np.ndarray | None) -> float:
    return float(column.sum() if weight is None else column @ weight)


def _add_switches(tally: Tally, size: np.ndarray, drop: np.ndarray, weight: np.ndarray | None) -> None:
    """Add the scales 2|e| / (a - p) from which on the other bound is nearer, up to the last bin."""
    steeper = drop > 0
    size, drop = 2 * size[steeper], drop[steeper]
    with np.errstate(over="ignore"):
        switch = size / drop
    near = switch < 2.0**SCALE_OCTAVES
    sums = [drop, size] if weight is None else [column * weight[steeper] for column in (drop, size)]
    tally.add(switch[near], [column[near] for column in sums])


def same_table(mine: BinTable, theirs: BinTable) -> bool:
    """Whether two tables are of the same rows, up to the order in which sums were added."""
    return (
        np.array_equal(mine.bins, theirs.bins)
        and np.array_equal(mine.largest, theirs.largest)
        and bool(np.allclose(mine.sums, theirs.sums, rtol=CLOSE, atol=0))
    )


def weight_in(table: BinTable, bin_: int) -> float:
    """Return the weight of the rows of one bin."""
    return float(table.sums[0, table.bins == bin_].sum())
