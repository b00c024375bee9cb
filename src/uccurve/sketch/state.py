"""What a sketch keeps of each output: sums by bin (`formulas.bins`), and totals over all rows. States add."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.formulas import bins
from uccurve.formulas.bands import SCALE
from uccurve.formulas.bins import BinTable
from uccurve.formulas.rows import gather, select, total
from uccurve.formulas.tolerances import SAME_SUM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve._base.type_aliases import Side
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals

# Critical scales beyond 2^±40 share a bin at either end.
SCALE_OCTAVES = 40
# Residuals are within 2^±400: so are differences of numbers between 1e-100 and 1e100 in size.
ERROR_OCTAVES = 400
# Rows by critical scale, by the scale at which their nearer bound changes, and by absolute residual; with
# the sums that are kept of each.
TABLES: dict[str, tuple[str, ...]] = {
    "scale": ("weight", "active", "error", "scale"),
    "switch": ("drop", "error"),
    "error": ("weight", "error"),
}
# Rows that fit a CPU cache with most of what is computed of them.
_CHUNK = 1 << 17
# So many states of chunks are added up before there are more.
_MANY_STATES = 64


class Totals(NamedTuple):
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
# The state of no rows.
EMPTY = State(_SCALE, _SWITCH, _ERROR, Totals())


def add_states(states: Iterable[State]) -> State:
    """Add up states, which have bounds on the same side."""
    states = list(states)
    if len(states) == 1:
        return states[0]
    side: Side = next((state.side for state in states if state.totals.rows), "both")
    states = [EMPTY, *states]
    scale, switch, error = (bins.merge(getattr(state, name) for state in states) for name in TABLES)
    columns = {name: [getattr(state.totals, name) for state in states] for name in Totals._fields}
    totals = Totals(**{name: _EXTREMES.get(name, sum)(column) for name, column in columns.items()})
    return State(scale, switch, error, totals, side)


def coarsen(state: State, per_octave: int) -> State:
    """Return the state with fewer bins in each octave."""
    return state._replace(
        scale=bins.coarsen(state.scale, SCALE_OCTAVES, per_octave),
        switch=bins.coarsen(state.switch, SCALE_OCTAVES, per_octave),
        error=bins.coarsen(state.error, ERROR_OCTAVES, per_octave),
    )


def are_same(mine: State, theirs: State) -> bool:
    """Whether two states are of the same rows, up to the order in which sums were added."""
    return (
        mine.side == theirs.side
        and all(map(are_same_tables, mine.tables, theirs.tables))
        and np.allclose(mine.totals, theirs.totals, rtol=SAME_SUM, atol=0)
    )


def are_same_tables(mine: BinTable, theirs: BinTable) -> bool:
    """Whether two tables are of the same rows, up to the order in which sums were added."""
    return (
        np.array_equal(mine.bins, theirs.bins)
        and np.array_equal(mine.largest, theirs.largest)
        and np.allclose(mine.sums, theirs.sums, rtol=SAME_SUM, atol=0)
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
            states.append(summarize_rows(chunk.as_kernel_rows(), intervals.side))
            if len(states) == _MANY_STATES:
                states = [add_states(states)]
        outputs.append(add_states(states))
    return tuple(outputs)


def summarize_rows(rows: Rows, side: Side) -> State:
    """Return the state of rows of NumPy, best few enough for a CPU cache; without weight they only count."""
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
    by_scale = bins.tabulate(critical, SCALE_OCTAVES, [weight, *weighted])
    by_error = bins.tabulate(error, ERROR_OCTAVES, [weight, weighted[1]])
    by_switch = EMPTY.switch if drop is None else _tabulate_switches(error, drop, weight)
    return State(by_scale, by_switch, by_error, totals, side)


def _tabulate_switches(error: np.ndarray, drop: np.ndarray, weight: np.ndarray | None) -> BinTable:
    """Return a - p and 2|e| by the scale 2|e| / (a - p) from which on the other bound is nearer.

    Scales beyond the last bin are left out.
    """
    places = np.flatnonzero(drop > 0)
    drop, size = gather(np, drop, places), 2 * gather(np, error, places)
    switch = size / drop
    near = switch < 2.0**SCALE_OCTAVES
    if not near.all():
        places, drop, size, switch = (column[near] for column in (places, drop, size, switch))
    sums = [drop, size]
    if weight is not None:
        sums = [column * gather(np, weight, places) for column in sums]
    return bins.tabulate(switch, SCALE_OCTAVES, sums)
