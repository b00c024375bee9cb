"""From rows to a state, in one pass and chunk by chunk."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.formulas import bins
from uccurve.formulas.bands import SCALE
from uccurve.formulas.bins import Tally
from uccurve.formulas.rows import select, taken, total
from uccurve.sketch._state import ERROR_OCTAVES, SCALE_OCTAVES, TABLES, Output, State, Totals, combined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, Namespace
    from uccurve.formulas.rows import Rows
    from uccurve.intervals import Intervals

_CHUNK = 1 << 16


def state_of(intervals: Intervals) -> State:
    """Summarize intervals, output by output."""
    weight = None if intervals.sample_weight is None else to_numpy(intervals.sample_weight)
    tallies = {name: Tally(SCALE_OCTAVES, len(TABLES[name])) for name in ("scale", "switch")}
    each, tables = [], []
    for output in intervals.outputs():
        tallies["error"] = Tally(ERROR_OCTAVES, len(TABLES["error"]))
        each.append(_add_output(tallies, output, weight))
        tables.append(tallies["error"].table())
    about = Totals(
        rows=float(intervals.n),
        weight_squares=float(intervals.n) if weight is None else total(np, weight, weight),
        lightest=1.0 if weight is None else float(weight[weight > 0].min()),
        heaviest=1.0 if weight is None else float(weight.max()),
    )
    totals = combined([about, *each])
    scale, switch = (tallies[name].table() for name in ("scale", "switch"))
    return State(
        scale=scale,
        switch=switch,
        error=bins.merged(tables),
        totals=totals,
        side=intervals.side,
        outputs=tuple(
            Output(table, part.width, part.root, part.square, part.narrowest, part.widest)
            for table, part in zip(tables, each, strict=True)
        )
        if len(each) > 1
        else (),
    )


def _add_output(tallies: Mapping[str, Tally], output: Intervals, weight: np.ndarray | None) -> Totals:
    """Add the rows of one output to the bins, and return its totals."""
    totals = _add_in_chunks(tallies, output, weight)
    summary = output.rows.summary
    about = Totals(
        width=summary.width * (output.n if weight is None else float(weight.sum())),
        narrowest=float(summary.narrowest),
        widest=float(summary.widest),
    )
    return combined([about, *totals])


def _add_in_chunks(
    tallies: Mapping[str, Tally], output: Intervals, weight: np.ndarray | None
) -> list[Totals]:
    """Add chunks of rows, on the CPU and without BLAS, whose threads would be waited for in every chunk."""
    columns = output.rows.columns._replace(nested=None).map(to_numpy)._replace(weight=weight)
    chunks = (columns.map(itemgetter(slice(begin, begin + _CHUNK))) for begin in range(0, output.n, _CHUNK))
    return [add_rows(np, tallies, chunk.as_kernel_rows(np)) for chunk in chunks]


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
    return Totals(
        root=total(xp, xp.sqrt(error), weight),
        square=total(xp, weighted[1], error),
        moment=total(xp, weighted[1], known),
        touching=float(xp.count_nonzero(touching)) if weight is None else float(xp.sum(weight[touching])),
        asymmetry=0.0 if passive is None else float(xp.max(xp.abs(active - passive))),
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
