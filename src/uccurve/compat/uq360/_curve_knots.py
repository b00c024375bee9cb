"""Where the exact curve bends or jumps, with no more costs than two axes need."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arrays import block_rows
from uccurve._kernels import hinges
from uccurve.curve._breakpoints import of_rows

if TYPE_CHECKING:
    from uccurve._kernels.hinges import Hinges
    from uccurve.curve import UCC
    from uccurve.curve._exact_data import ExactData


class Knots(NamedTuple):
    """Parameters at which costs bend or jump, from bands of zero to where nothing is missed, and costs there.

    Between two knots, bandwidth, excess and deficit are linear. The miss rate is constant; it jumps at knots.
    Rows with the same critical value have a knot each: the last of them has the miss rate there.
    """

    parameter: np.ndarray
    costs: dict[str, np.ndarray]


def knots_of(curve: UCC, axes: frozenset[str]) -> Knots:
    """Return the knots from the start, where rows that need no band are captured, to the end of the curve."""
    every, caught = all_knots(curve, axes)
    first = int(np.searchsorted(every.parameter, every.parameter[0], side="right")) - 1
    last = int(np.searchsorted(caught, caught[-1]))
    within = slice(first, max(first, last) + 1)
    return Knots(every.parameter[within], {axis: values[within] for axis, values in every.costs.items()})


def all_knots(curve: UCC, axes: frozenset[str]) -> tuple[Knots, np.ndarray]:
    """Sort the knots of some costs once, and add those costs up; also count the rows captured up to each.

    `UCC` itself keeps all costs at all knots, which are three or four for each row under shift.
    """
    data = curve._data
    bends = of_rows(data).hinges
    rows = curve.intervals
    critical = np.where(rows.residual == 0, data.start, bends.knots[: rows.n])
    captured = np.zeros(bends.knots.shape)
    captured[: rows.n] = data.family.captured_at_knot(critical, data.start)
    changes = _changes(bends, axes)
    wanted = captured != 0
    for column in changes.values():
        wanted |= column != 0
    kept = np.flatnonzero(wanted)
    order = np.argsort(bends.knots) if kept.size == wanted.size else kept[np.argsort(bends.knots[kept])]
    parameter = np.concatenate([[data.start], bends.knots[order]])
    sorted_changes = {name: column[order] for name, column in changes.items()}
    at_once = rows.n - np.sum(captured)
    caught = np.concatenate([[at_once], at_once + np.cumsum(captured[order])])
    costs = {axis: _values(data, axis, parameter, sorted_changes) for axis in axes - {"missrate"}}
    if "missrate" in axes:
        costs["missrate"] = (rows.n - caught) / rows.n
    return Knots(parameter, costs), caught


def _changes(bends: Hinges, axes: frozenset[str]) -> dict[str, np.ndarray]:
    """Return the changes of slope of the costs that are asked for."""
    columns = {"excess": bends.excess, "deficit": bends.deficit, "bandwidth": bends.bandwidth}
    if "excess" in axes:
        columns["pulse"] = bends.pulse
    asked = axes | {"pulse"}
    return {name: column for name, column in columns.items() if name in asked and column is not None}


def _values(data: ExactData, axis: str, parameter: np.ndarray, changes: dict[str, np.ndarray]) -> np.ndarray:
    """Return a cost at each knot."""
    block, total = block_rows(parameter), data.summary.weight
    if axis == "deficit":
        return np.asarray(hinges.falling(data.xp, parameter, changes[axis], 0.0, total, block))
    if axis == "bandwidth" and data.family.proportional:
        return parameter * data.summary.width
    columns = [
        changes[name] for name in ((axis, "pulse") if axis == "excess" else (axis,)) if name in changes
    ]
    return np.asarray(hinges.rising(data.xp, parameter, columns, total, block)[0])
