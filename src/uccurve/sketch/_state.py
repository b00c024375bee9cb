"""What a sketch keeps: sums by bin, and a few numbers about all rows. States add."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve.exceptions import ArgumentError
from uccurve.formulas import bins

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from uccurve._base.type_aliases import Side
    from uccurve.formulas.bins import BinTable

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
CLOSE = 1e-9
"""Relative difference between sums of the same numbers in another order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """Sums over all rows, and extremes."""

    rows: float = 0.0
    weight_squares: float = 0.0
    """Of the rows: several outputs of a row count once."""
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
    """Sum of the squared residuals."""
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
    def n_outputs(self) -> int:
        """Number of outputs."""
        return max(len(self.outputs), 1)

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
    columns = {name: [getattr(part, name) for part in parts] for name in NAMES} if parts else {}
    join = {name: min if name in _LOWEST else max if name in _HIGHEST else sum for name in NAMES}
    return Totals(**{name: float(join[name](values)) for name, values in columns.items()})


def merged(states: Iterable[State]) -> State:
    """Add states up, output by output.

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
    outputs = tuple(map(_merged_output, zip(*(state.outputs for state in filled), strict=True)))
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
    numbers = sorted({state.n_outputs for state in states})
    if len(numbers) > 1:
        raise ArgumentError(
            "sketches must have the same number of outputs to be added", got=f"{numbers[0]} and {numbers[-1]}"
        )


def _merged_output(parts: Sequence[Output]) -> Output:
    return Output(
        error=bins.merged([part.error for part in parts]),
        width=sum(part.width for part in parts),
        root=sum(part.root for part in parts),
        square=sum(part.square for part in parts),
        narrowest=min(part.narrowest for part in parts),
        widest=max(part.widest for part in parts),
    )


def same(mine: State, theirs: State) -> bool:
    """Whether two states are of the same rows, up to the order in which sums were added."""
    return (
        mine.side == theirs.side
        and len(mine.outputs) == len(theirs.outputs)
        and all(map(same_table, mine.tables, theirs.tables))
        and _alike((mine.totals, theirs.totals), NAMES)
        and all(_alike(pair, OUTPUT_NAMES) for pair in zip(mine.outputs, theirs.outputs, strict=True))
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
