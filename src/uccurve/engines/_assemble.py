"""From the rows of the GROUP BY to the states of sketches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.engines._expression import (
    ERROR,
    INVALID,
    KIND_SPAN,
    LOWEST,
    MIDDLE,
    MODEL_SPAN,
    NEVER_CODE,
    SCALE,
    SWITCH,
    WEIGHTLESS,
    ZERO_CODE,
    Layout,
)
from uccurve.formulas.bins import NEVER, ZERO, BinTable
from uccurve.formulas.bins import merge as merge_bins
from uccurve.sketch import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve._base.type_aliases import Side

_KINDS = {SCALE: "scale", SWITCH: "switch", ERROR: "error"}
"""The tables of the kinds, in their order in a state."""

Key = tuple[Any, ...]
"""The number of a model, and the labels of a segment."""


@dataclass(frozen=True, slots=True)
class Part:
    """The states of some of the rows, and the rules that they break."""

    states: dict[Key, state.State] = field(default_factory=dict)
    broken: dict[tuple[int, int], int] = field(default_factory=dict)
    """Numbers of rows by model and by the rule they break."""
    examples: dict[tuple[int, int], str] = field(default_factory=dict)
    """The values of one such row each."""


def joined(parts: Iterable[Part]) -> Part:
    """Add up parts."""
    states: dict[Key, list[state.State]] = {}
    whole = Part()
    for part in parts:
        for key, each in part.states.items():
            states.setdefault(key, []).append(each)
        for which, count in part.broken.items():
            whole.broken[which] = whole.broken.get(which, 0) + count
        for which, example in part.examples.items():
            whole.examples.setdefault(which, example)
    return Part({key: state.add_states(some) for key, some in states.items()}, whole.broken, whole.examples)


def assemble(
    result: Mapping[str, np.ndarray], groups: Sequence[str], layout: Layout, sides: Sequence[Side]
) -> Part:
    """Sort the rows of the GROUP BY by segment, model and kind, and turn them into states."""
    key = result["key"].astype(np.int64)
    model, rest = np.divmod(key, MODEL_SPAN)
    kind, place = np.divmod(rest, KIND_SPAN)
    bins = place - MIDDLE
    part = Part()
    wrong = (kind == INVALID) & (bins != WEIGHTLESS)
    for number, rule, count in zip(model[wrong], bins[wrong], result["count"][wrong], strict=True):
        broken = (int(number), int(rule))
        part.broken[broken] = part.broken.get(broken, 0) + int(count)
    labels = labels_of(result, groups) if groups else [()] * key.size
    rows: dict[Key, list[int]] = {}
    for row in np.flatnonzero(~wrong):
        rows.setdefault((int(model[row]), *labels[row]), []).append(int(row))
    for segment, numbers in rows.items():
        chosen = np.array(numbers)
        columns = {name: values[chosen] for name, values in result.items()}
        part.states[segment] = _state(columns, kind[chosen], bins[chosen], layout, sides[segment[0]])
    return part


def labels_of(columns: Mapping[str, np.ndarray], groups: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the labels of segments, from the columns of these names."""
    return list(zip(*(_labels(columns[group]) for group in groups), strict=True))


def _labels(column: np.ndarray) -> list[Any]:
    """Return labels as objects of Python, with times to the microsecond, and 0.0 for -0.0."""
    if column.dtype.kind == "M":
        column = column.astype("datetime64[us]")
    elif column.dtype.kind == "f":
        column = column + 0.0
    labels: list[Any] = column.tolist()
    return labels


def _state(
    result: Mapping[str, np.ndarray], kind: np.ndarray, bins: np.ndarray, layout: Layout, side: Side
) -> state.State:
    def sums(of: int, name: str) -> np.ndarray:
        mask = kind == of
        if name in layout.sums[of]:
            return np.asarray(result[f"sum{layout.sums[of].index(name)}"][mask], dtype=float)
        return np.asarray(result["count"][mask], dtype=float)  # weights, where all are 1

    def top(of: int, name: str, default: float) -> float:
        if name not in layout.tops[of]:
            return default
        return float(result[f"max{layout.tops[of].index(name)}"][kind == of].max(initial=-np.inf))

    def table(of: int, columns: tuple[str, ...]) -> BinTable:
        mask = kind == of
        codes = bins[mask]
        codes = np.where(codes == ZERO_CODE, ZERO, np.where(codes == NEVER_CODE, NEVER, codes))
        largest = np.where(codes == NEVER, np.inf, result["max0"][mask].astype(float))
        added = np.array([sums(of, name) for name in columns]).reshape(len(columns), codes.size)
        return merge_bins([BinTable(codes, largest, added)])

    good = kind == SCALE
    rows = float(result["count"][(kind == ERROR) | (kind == INVALID)].sum())
    some = bool(good.any())
    scale, switch, error = (table(of, state.TABLES[name]) for of, name in _KINDS.items())
    switch.sums[1] *= 2  # 2|e|
    totals = state.Totals(
        rows=rows,
        weight_squares=float(sums(ERROR, "weight_squares").sum()),
        **{name: float(sums(ERROR, name).sum()) for name in ("width", "root", "square", "touching")},
        moment=float(sums(SCALE, "moment").sum()),
        narrowest=float(result[LOWEST][good].min(initial=np.inf)),
        widest=max(0.0, top(ERROR, "widest", 0.0)) if some else 0.0,
        lightest=-top(ERROR, "minus_lightest", -1.0) if some else np.inf,
        heaviest=top(SCALE, "heaviest", 1.0) if some else 0.0,
        asymmetry=top(SCALE, "asymmetry", 0.0) if some else 0.0,
    )
    return state.State(scale, switch, error, totals, side=side)
