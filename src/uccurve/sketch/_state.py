"""What a sketch keeps: sums by bin, and a few numbers about all rows. States add."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._kernels import bins
from uccurve._kernels.bins import ZERO, BinTable
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from uccurve._base.type_aliases import Side

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
CLOSE = 1e-9
"""Relative difference between sums of the same numbers in another order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """Sums over all rows, extremes, and a unit."""

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
    """Of the squared residuals, in squares of the unit."""
    moment: float = 0.0
    """Of absolute residual in the unit times critical scale, where the latter is finite."""
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
    exponent: int = 0
    """The unit is 2 to this power: 1, unless squares of residuals could leave float64."""


_LOWEST = frozenset({"narrowest", "lightest"})
_HIGHEST = frozenset({"widest", "heaviest", "asymmetry"})
NAMES = tuple(field.name for field in fields(Totals) if field.name != "exponent")
"""The sums and extremes."""


class Output(NamedTuple):
    """What is kept of one output where there are several: what its constant band and its ceiling need."""

    error: BinTable
    """Its rows by absolute residual."""
    width: float
    """Sum of the half widths."""
    root: float
    """Sum of the roots of the absolute residuals."""
    square: float
    """Sum of the squared residuals, in squares of the unit of the totals."""
    narrowest: float
    widest: float


OUTPUT_NAMES = ("width", "root", "square", "narrowest", "widest")
"""The numbers of an `Output`."""


class State(NamedTuple):
    """Tables by bin, and totals."""

    scale: BinTable
    switch: BinTable
    error: BinTable
    """Of all outputs."""
    totals: Totals
    outputs: tuple[Output, ...] = ()
    """Each of several outputs. Empty for one output, of which tables and totals tell everything."""
    side: Side = "both"
    """Where the intervals have a bound. Residuals of a one-sided limit are the parts that point to it."""

    @property
    def n_outputs(self) -> float:
        """Number of outputs; a fraction where early sketches of different numbers were added."""
        return self.totals.elements / self.totals.rows if self.totals.rows else 1.0

    @property
    def knows_outputs(self) -> bool:
        """Whether outputs can be told apart: not so in early sketches of several."""
        return self.n_outputs == max(len(self.outputs), 1)

    @property
    def tables(self) -> list[BinTable]:
        """The tables that are kept; where outputs have their own, that of all outputs follows from them."""
        errors = [output.error for output in self.outputs] or [self.error]
        return [self.scale, self.switch, *errors]


def nothing() -> State:
    """Return the state of no rows."""
    scale, switch, error = (bins.empty(len(columns)) for columns in TABLES.values())
    return State(scale, switch, error, Totals())


def combined(parts: Iterable[Totals]) -> Totals:
    """Add sums up, and take the outermost extremes."""
    parts = list(parts)
    exponent = _coarsest(parts)
    parts = [_in_unit(part, exponent) for part in parts]
    columns = {name: [getattr(part, name) for part in parts] for name in NAMES} if parts else {}
    join = {name: min if name in _LOWEST else max if name in _HIGHEST else sum for name in NAMES}
    return Totals(**{name: float(join[name](values)) for name, values in columns.items()}, exponent=exponent)


def _coarsest(parts: Sequence[Totals]) -> int:
    """Return the largest unit among totals; squares that vanish in it do not matter."""
    return max((part.exponent for part in parts if part.square > 0), default=0)


def _in_unit(totals: Totals, exponent: int) -> Totals:
    """Express squares and moments in another unit."""
    step = totals.exponent - exponent
    if step == 0:
        return totals
    square, moment = math.ldexp(totals.square, 2 * step), math.ldexp(totals.moment, step)
    return replace(totals, square=square, moment=moment, exponent=exponent)


def times_power(number: float, exponent: int) -> float:
    """Return a number times 2 to a power, infinite beyond float64."""
    try:
        return math.ldexp(number, exponent)
    except OverflowError:
        return math.inf


def merged(states: Iterable[State]) -> State:
    """Add states up. Outputs stay apart where all states tell them apart.

    Raises
    ------
    ArgumentError
        If states are of different numbers of outputs, or of limits on different sides.
    """
    states = list(states)
    filled = [state for state in states if state.totals.rows]
    _check_outputs(filled)
    side = _one_side(filled)
    totals = combined(state.totals for state in states)
    tables = {name: bins.merged([getattr(state, name) for state in states]) for name in TABLES}
    if not all(state.outputs for state in filled):
        return State(**tables, totals=totals, outputs=(), side=side)
    steps = [2 * (state.totals.exponent - totals.exponent) for state in filled]
    outputs = tuple(_merged_output(some, steps) for some in zip(*(s.outputs for s in filled), strict=True))
    if outputs:
        tables["error"] = bins.merged([output.error for output in outputs])
    return State(**tables, totals=totals, outputs=outputs, side=side)


def _one_side(states: Sequence[State]) -> Side:
    sides = sorted({state.side for state in states})
    if len(sides) > 1:
        raise ArgumentError(
            "sketches must have bounds on the same side to be added", got=f"{sides[0]!r} and {sides[1]!r}"
        )
    return sides[0] if sides else "both"


def _check_outputs(states: Sequence[State]) -> None:
    numbers = sorted({int(state.n_outputs) for state in states if state.n_outputs.is_integer()})
    if len(numbers) > 1:
        raise ArgumentError(
            "sketches must have the same number of outputs to be added", got=f"{numbers[0]} and {numbers[-1]}"
        )


def _merged_output(parts: Sequence[Output], steps: Sequence[int]) -> Output:
    squares = (math.ldexp(part.square, step) for part, step in zip(parts, steps, strict=True))
    return Output(
        error=bins.merged([part.error for part in parts]),
        width=sum(part.width for part in parts),
        root=sum(part.root for part in parts),
        square=sum(squares),
        narrowest=min(part.narrowest for part in parts),
        widest=max(part.widest for part in parts),
    )


def rescaled(state: State, exponent: int) -> State:
    """Express a state in another unit of y: residuals and bands times 2 to the power of ``exponent``."""
    factor, root = math.ldexp(1.0, exponent), 2.0 ** (exponent / 2)

    def errors(table: BinTable) -> BinTable:
        shifted = np.where(table.bins == ZERO, ZERO, table.bins + exponent * bins.PER_OCTAVE)
        return BinTable(shifted, table.largest * factor, table.sums * [[1.0], [factor]])

    scale, switch, error, totals, outputs, side = state
    with np.errstate(over="ignore"):
        return State(
            scale._replace(sums=scale.sums * [[1.0], [factor], [factor], [1.0]]),
            switch._replace(sums=switch.sums * factor),
            errors(error),
            replace(
                totals,
                **{name: getattr(totals, name) * factor for name in ("width", "narrowest", "widest")},
                asymmetry=totals.asymmetry * factor,
                root=totals.root * root,
                exponent=totals.exponent + exponent,
            ),
            tuple(
                Output(
                    errors(o.error),
                    o.width * factor,
                    o.root * root,
                    o.square,
                    *(band * factor for band in (o.narrowest, o.widest)),
                )
                for o in outputs
            ),
            side,
        )


def same(mine: State, theirs: State) -> bool:
    """Whether two states are of the same rows, up to the order in which sums were added."""
    exponent = _coarsest([mine.totals, theirs.totals])
    totals = [_in_unit(state.totals, exponent) for state in (mine, theirs)]
    outputs = [
        [
            output._replace(square=math.ldexp(output.square, 2 * (state.totals.exponent - exponent)))
            for output in state.outputs
        ]
        for state in (mine, theirs)
    ]
    return (
        mine.side == theirs.side
        and mine.knows_outputs == theirs.knows_outputs
        and len(mine.outputs) == len(theirs.outputs)
        and all(map(same_table, mine.tables, theirs.tables))
        and _alike(totals, NAMES)
        and all(_alike(pair, OUTPUT_NAMES) for pair in zip(*outputs, strict=True))
    )


def _alike(pair: Sequence[object], names: Iterable[str]) -> bool:
    a, b = pair
    return all(math.isclose(getattr(a, name), getattr(b, name), rel_tol=CLOSE) for name in names)


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
