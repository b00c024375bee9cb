"""From rows to a state, in one pass and chunk by chunk."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import namespace, to_numpy
from uccurve._cuda import bin_tables
from uccurve._kernels import bins
from uccurve._kernels.bins import Tally
from uccurve._kernels.rows import select, taken, total
from uccurve.curve._ranges import unit_factor
from uccurve.curve.families import SCALE
from uccurve.exceptions import ArgumentError
from uccurve.intervals._row_arrays import is_fusible
from uccurve.sketch._state import ERROR_OCTAVES, SCALE_OCTAVES, TABLES, Output, State, Totals, combined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, Namespace
    from uccurve._kernels.rows import Rows
    from uccurve.intervals import Intervals

_CHUNK = 1 << 16
_SMALLEST = 2.0**-960
WEIGHT_OCTAVES = 300
"""The largest weight of intervals that are sketched lies between 2^±300: sums stay within float64."""


def state_of(intervals: Intervals) -> State:
    """Summarize intervals, output by output."""
    weight = _weights(intervals)
    made = bin_tables.CardTally if _stays_on_card(intervals) else Tally
    tallies = {name: made(SCALE_OCTAVES, len(TABLES[name])) for name in ("scale", "switch")}
    each, tables = [], []
    with np.errstate(over="ignore", invalid="ignore"):
        for output in intervals.outputs():
            tallies["error"] = made(ERROR_OCTAVES, len(TABLES["error"]))
            each.append(_add_output(tallies, output, weight))
            tables.append(tallies["error"].table())
    about = Totals(
        rows=float(intervals.n),
        elements=float(intervals.n * intervals.n_outputs),
        weight_squares=float(intervals.n) if weight is None else total(np, weight, weight),
        lightest=1.0 if weight is None else float(weight[weight > 0].min()),
        heaviest=1.0 if weight is None else float(weight.max()),
    )
    totals = combined([about, *each])
    scale, switch = (tallies[name].table() for name in ("scale", "switch"))
    error = bins.merged(tables)
    if not all(np.isfinite(sums).all() for sums in (scale.sums[:3], switch.sums, error.sums, totals.width)):
        raise arguments.overflow()
    if weight is not None:
        _check_products(totals.width, totals.widest)
        _check_products(float(error.sums[1].sum()), float(error.largest.max()))
    return State(
        scale=scale,
        switch=switch,
        error=error,
        totals=totals,
        side=intervals.side,
        outputs=tuple(
            Output(
                table,
                part.width,
                part.root,
                math.ldexp(part.square, 2 * (part.exponent - totals.exponent)),
                part.narrowest,
                part.widest,
            )
            for table, part in zip(tables, each, strict=True)
        )
        if len(each) > 1
        else (),
    )


def _check_products(added: float, largest: float) -> None:
    """Refuse sums of weights times numbers that are too small to have all their digits."""
    if largest > 0 and added < _SMALLEST:
        raise arguments.overflow()


def _weights(intervals: Intervals) -> np.ndarray | None:
    """Return the weights as they were given: those of other intervals may be added to them."""
    if intervals.sample_weight is None:
        return None
    weight: np.ndarray = to_numpy(intervals.sample_weight)
    exponent = intervals._weight_exponent
    if exponent == 0:
        return weight
    top = math.frexp(float(weight.max()))[1] + exponent
    if abs(top) > WEIGHT_OCTAVES:
        raise ArgumentError(
            argument="sample_weight",
            rule=f"have its largest value between 2^-{WEIGHT_OCTAVES} and 2^{WEIGHT_OCTAVES} for a sketch",
            got=f"about 2^{top}",
            hint="Divide the weights of all intervals by the same number.",
        )
    return np.asarray(np.ldexp(weight, exponent))


def _add_output(tallies: Mapping[str, Tally], output: Intervals, weight: np.ndarray | None) -> Totals:
    """Add the rows of one output to the bins, and return its totals."""
    if weight is None and output._one_band and is_fusible(output._columns):
        totals = [_add_fused(tallies, output)]
    elif _stays_on_card(output):
        totals = [add_rows(namespace(output.y_true), tallies, block) for block in output._blocks()]
    else:
        totals = _add_in_chunks(tallies, output, weight)
    summary = output._summary
    about = Totals(
        width=summary.width * (output.n if weight is None else float(weight.sum())),
        narrowest=float(summary.narrowest),
        widest=float(summary.widest),
    )
    return combined([about, *totals])


def _stays_on_card(rows: Intervals) -> bool:
    """Whether rows are added up on a card; those with weights, which add as they were given, are not."""
    return rows.sample_weight is None and bin_tables.is_on_card(rows.y_true)


def _add_in_chunks(
    tallies: Mapping[str, Tally], output: Intervals, weight: np.ndarray | None
) -> list[Totals]:
    """Add chunks of rows, on the CPU and without BLAS, whose threads would be waited for in every chunk."""
    columns = output._columns._replace(nested=None).map(to_numpy)._replace(weight=weight)
    chunks = (columns.map(itemgetter(slice(begin, begin + _CHUNK))) for begin in range(0, output.n, _CHUNK))
    return [add_rows(np, tallies, chunk.as_kernel_rows(np)) for chunk in chunks]


def _add_fused(tallies: Mapping[str, Tally], output: Intervals) -> Totals:
    """Add all rows to the bins in one read, on the card that holds them; return their totals."""
    factor = unit_factor(float(output._summary.error))
    columns = output._columns[:3]
    found = bin_tables.row_tables(*columns, factor, SCALE_OCTAVES, ERROR_OCTAVES)
    tallies["scale"].include(found.scale)
    tallies["error"].include(found.error)
    return Totals(
        root=found.root,
        square=found.square,
        moment=found.moment,
        touching=found.touching,
        exponent=1 - math.frexp(factor)[1],
    )


def add_rows(xp: Namespace, tallies: Mapping[str, Tally], rows: Rows) -> Totals:
    """Add rows to the bins, and return their totals."""
    error, active, passive, weight, _ = rows
    if weight is not None and not bool(xp.all(weight > 0)):
        return add_rows(xp, tallies, select(rows, weight > 0))
    if not error.shape[0]:
        return Totals()
    critical = SCALE.critical(xp, rows)
    known = critical
    if not math.isfinite(xp.max(critical)):
        known = xp.where(xp.isfinite(critical), critical, xp.zeros_like(critical))
    weighted = [active, error, known] if weight is None else [weight * c for c in (active, error, known)]
    tallies["scale"].add(critical, [weight, *weighted])
    tallies["error"].add(error, [weight, weighted[1]])
    if passive is not None:
        _add_switches(xp, tallies["switch"], error, active - passive, weight)
    touching = critical == 1
    factor = unit_factor(float(xp.max(error)))  # keeps squares within float64
    in_unit = weighted[1] if factor == 1 else weighted[1] * factor
    return Totals(
        root=total(xp, xp.sqrt(error), weight),
        square=total(xp, in_unit, error if factor == 1 else error * factor),
        moment=total(xp, in_unit, known),
        touching=float(xp.count_nonzero(touching)) if weight is None else float(xp.sum(weight[touching])),
        asymmetry=0.0 if passive is None else float(xp.max(xp.abs(active - passive))),
        exponent=1 - math.frexp(factor)[1],
    )


def _add_switches(xp: Namespace, tally: Tally, size: Array, drop: Array, weight: Array | None) -> None:
    """Add the scales 2|e| / (a - p) from which on the other bound is nearer, up to the last bin."""
    (steeper,) = xp.nonzero(drop > 0)
    size, drop = 2 * taken(xp, size, steeper), taken(xp, drop, steeper)
    switch = size / drop
    near = switch < 2.0**SCALE_OCTAVES
    if not bool(xp.all(near)):
        (some,) = xp.nonzero(near)
        steeper, size, drop, switch = (taken(xp, column, some) for column in (steeper, size, drop, switch))
    sums = [drop, size]
    if weight is not None:
        sums = [column * taken(xp, weight, steeper) for column in sums]
    tally.add(switch, sums)
