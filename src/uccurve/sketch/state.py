"""What a sketch keeps of each output: sums by bin, and totals over all rows. States add."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.exceptions import ArgumentError
from uccurve.formulas import bins
from uccurve.formulas.bands import SCALE
from uccurve.formulas.bins import BinTable
from uccurve.formulas.rows import select, taken, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from uccurve._base.type_aliases import Side
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals

SCALE_OCTAVES = 40
"""Critical scales beyond 2^±40 share a bin at either end."""
ERROR_OCTAVES = 400
"""Residuals are within 2^±400: so are differences of numbers between 1e-100 and 1e100 in size."""
TABLES: dict[str, tuple[str, ...]] = {
    "scale": ("weight", "active", "error", "scale"),
    "switch": ("drop", "error"),
    "error": ("weight", "error"),
}
"""Rows by critical scale, by the scale at which their nearer bound changes, and by absolute residual; with
the sums that are kept of each."""
_OCTAVES = {"scale": SCALE_OCTAVES, "switch": SCALE_OCTAVES, "error": ERROR_OCTAVES}
_CLOSE = 1e-9
"""Relative difference between sums of the same numbers in another order."""
_CHUNK = 1 << 17
"""Rows that fit a CPU cache with most of what is computed of them."""
_MANY_STATES = 64
"""So many states of chunks are added up before there are more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """Sums over all rows, and extremes.

    Attributes
    ----------
    rows : float
        The number of rows, those without weight included.
    weight_squares, width, root, square : float
        Sums of the squared weights; and, with weights, of the half-widths, of the roots of the absolute
        residuals, and of their squares.
    moment : float
        Sum of absolute residual times critical scale, where the latter is finite.
    touching : float
        Weight of the rows right on a bound as supplied, which the bins cannot tell from missed ones.
    narrowest, widest : float
        The smallest and the largest single band.
    lightest, heaviest : float
        The smallest weight above 0, and the largest.
    asymmetry : float
        The largest difference between the two bands of a row.
    """

    rows: float = 0.0
    weight_squares: float = 0.0
    width: float = 0.0
    root: float = 0.0
    square: float = 0.0
    moment: float = 0.0
    touching: float = 0.0
    narrowest: float = math.inf
    widest: float = 0.0
    lightest: float = math.inf
    heaviest: float = 0.0
    asymmetry: float = 0.0


_EXTREMES = {"narrowest": min, "widest": max, "lightest": min, "heaviest": max, "asymmetry": max}
TOTALS = tuple(field.name for field in fields(Totals))
"""The names of the totals."""


class State(NamedTuple):
    """What is kept of one output, or of several outputs together.

    Attributes
    ----------
    scale, switch, error : BinTable
        Sums by bin, as `TABLES` names them.
    totals : Totals
        Sums over all rows, and extremes.
    side : {"both", "upper", "lower"}
        Where the intervals have a bound. Residuals of a one-sided limit are the parts that point to it.
    """

    scale: BinTable
    switch: BinTable
    error: BinTable
    totals: Totals
    side: Side = "both"

    @property
    def tables(self) -> tuple[BinTable, BinTable, BinTable]:
        """The tables, in the order of `TABLES`."""
        return self.scale, self.switch, self.error

    @property
    def weight(self) -> float:
        """The sum of the weights."""
        return float(self.error.sums[0].sum())

    @property
    def mean_width(self) -> float:
        """The mean half-width; the mean of a constant is exactly that constant."""
        mean = self.totals.width / self.weight
        return min(max(mean, self.totals.narrowest), self.totals.widest)


_SCALE, _SWITCH, _ERROR = (
    BinTable(np.empty(0, dtype=np.int64), np.empty(0), np.empty((len(columns), 0)))
    for columns in TABLES.values()
)
EMPTY = State(_SCALE, _SWITCH, _ERROR, Totals())
"""The state of no rows."""


def add_states(states: Iterable[State]) -> State:
    """Add up states.

    Raises
    ------
    ArgumentError
        If states are of limits on different sides.
    """
    states = list(states)
    if len(states) == 1:
        return states[0]
    sides = sorted({state.side for state in states if state.totals.rows})
    if len(sides) > 1:
        raise ArgumentError(
            "sketches must have bounds on the same side to be added", got=f"{sides[0]!r} and {sides[1]!r}"
        )
    scale, switch, error = (bins.merge(getattr(state, name) for state in [EMPTY, *states]) for name in TABLES)
    columns = {name: [getattr(state.totals, name) for state in [EMPTY, *states]] for name in TOTALS}
    totals = Totals(**{name: _EXTREMES.get(name, sum)(column) for name, column in columns.items()})
    return State(scale, switch, error, totals, sides[0] if sides else "both")


def pool(outputs: Sequence[State]) -> State:
    """Return the state of all outputs together, which counts a row and its weight once."""
    whole, first = add_states(outputs), next(iter(outputs), EMPTY).totals
    once = replace(whole.totals, rows=first.rows, weight_squares=first.weight_squares)
    return whole._replace(totals=once)


def are_same(mine: State, theirs: State) -> bool:
    """Whether two states are of the same rows, up to the order in which sums were added."""
    return (
        mine.side == theirs.side
        and all(map(are_same_tables, mine.tables, theirs.tables))
        and all(
            math.isclose(getattr(mine.totals, name), getattr(theirs.totals, name), rel_tol=_CLOSE)
            for name in TOTALS
        )
    )


def are_same_tables(mine: BinTable, theirs: BinTable) -> bool:
    """Whether two tables are of the same rows, up to the order in which sums were added."""
    return (
        np.array_equal(mine.bins, theirs.bins)
        and np.array_equal(mine.largest, theirs.largest)
        and bool(np.allclose(mine.sums, theirs.sums, rtol=_CLOSE, atol=0))
    )


def summarize_outputs(intervals: Intervals) -> tuple[State, ...]:
    """Return the state of each output, in one pass and chunk by chunk.

    This is done on the CPU and without BLAS, whose threads would be waited for in every chunk.
    """
    weight = None if intervals.sample_weight is None else to_numpy(intervals.sample_weight)
    outputs = []
    for output in intervals.outputs():
        columns = output.rows.columns._replace(nested=None).map(to_numpy)._replace(weight=weight)
        states: list[State] = []
        for begin in range(0, output.n, _CHUNK):
            chunk = columns.map(itemgetter(slice(begin, begin + _CHUNK)))
            states.append(summarize_rows(chunk.as_kernel_rows(np), intervals.side))
            if len(states) == _MANY_STATES:
                states = [add_states(states)]
        outputs.append(add_states(states))
    return tuple(outputs)


def summarize_rows(rows: Rows, side: Side) -> State:
    """Return the state of rows of NumPy, few enough for a CPU cache; those without weight are only counted."""
    count = float(rows.abs_error.shape[0])
    if rows.weight is not None and not np.all(rows.weight > 0):
        rows = select(rows, rows.weight > 0)
    error, active, passive, weight, _ = rows
    if not error.size:
        return EMPTY._replace(totals=Totals(rows=count), side=side)
    critical = SCALE.critical(np, rows)
    known = critical if math.isfinite(critical.max()) else np.where(np.isinf(critical), 0.0, critical)
    weighted = [active, error, known] if weight is None else [weight * c for c in (active, error, known)]
    drop = None if passive is None else active - passive
    touching = critical == 1
    bands = (active,) if passive is None else (active, passive)
    totals = Totals(
        rows=count,
        weight_squares=float(error.size) if weight is None else total(np, weight, weight),
        width=sum(total(np, band, weight) for band in bands) / len(bands),
        root=total(np, np.sqrt(error), weight),
        square=total(np, weighted[1], error),
        moment=total(np, weighted[1], known),
        touching=float(np.count_nonzero(touching) if weight is None else weight[touching].sum()),
        narrowest=min(float(band.min()) for band in bands),
        widest=max(float(band.max()) for band in bands),
        lightest=1.0 if weight is None else float(weight.min()),
        heaviest=1.0 if weight is None else float(weight.max()),
        asymmetry=0.0 if drop is None else float(np.abs(drop).max()),
    )
    return State(
        _tabulate("scale", critical, [weight, *weighted]),
        EMPTY.switch if drop is None else _tabulate("switch", *_switches(error, drop, weight)),
        _tabulate("error", error, [weight, weighted[1]]),
        totals,
        side,
    )


def _tabulate(name: str, values: np.ndarray, columns: Sequence[np.ndarray | None]) -> BinTable:
    return bins.add_up(bins.bin_of(values, _OCTAVES[name]), values, columns)


def _switches(
    error: np.ndarray, drop: np.ndarray, weight: np.ndarray | None
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the scales 2|e| / (a - p) from which on the other bound is nearer, up to the last bin; and sums."""
    steeper = np.flatnonzero(drop > 0)
    size, drop = 2 * taken(np, error, steeper), taken(np, drop, steeper)
    switch = size / drop
    near = switch < 2.0**SCALE_OCTAVES
    if not near.all():
        steeper, size, drop, switch = (column[near] for column in (steeper, size, drop, switch))
    sums = [drop, size]
    if weight is not None:
        sums = [column * taken(np, weight, steeper) for column in sums]
    return switch, sums
