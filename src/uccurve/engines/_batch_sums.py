"""Sums over batches of rows, by model and segment, as the formulas for rows in memory define them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.engines._assemble import Part, labels_of
from uccurve.engines._query_result import columns_of
from uccurve.engines._row_batches import by_segment
from uccurve.formulas.rows import gather
from uccurve.intervals import RowArrays, rules
from uccurve.sketch import state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve.engines._assemble import Key
    from uccurve.engines._model_columns import Columns

_NOT_GIVEN: dict[str, Any] = {"y_pred": None, "sample_weight": None}
_CHUNK = 1 << 16
"""Rows that fit a CPU cache with all that is computed of them."""
_MANY = 1000
"""Segments with fewer rows of a batch each are better summarized by their engine."""
_FEW = 200
"""So few segments of batches are summarized in no time, however small they are."""
_WAITING = 1 << 22
"""Rows of chunks whose states are in memory at once: at most some 500 MB."""


class BatchSums:
    """The states of models and segments in the making."""

    def __init__(
        self,
        models: Sequence[Columns],
        groups: Sequence[str],
        check_labels: Callable[[Mapping[str, np.ndarray]], None],
    ) -> None:
        self._models, self._groups, self._check_labels = models, groups, check_labels
        self.numbers = sorted({name for model in models for name in model.roles().values()})
        """The columns of numbers that batches must have, beside the groups."""
        self._states: dict[Key, list[state.State]] = {}
        self._broken: dict[tuple[int, int], int] = {}
        self._rows = self._segments = self._waiting = 0

    def add(self, batch: Any) -> bool:
        """Add the rows of an eager frame; False where their engine had better find the segments."""
        if not len(batch):
            return True
        columns = {name: batch.get_column(name).to_numpy() for name in self.numbers}
        if not self._groups:
            self._add(columns, ())
            return True
        segments = by_segment(batch, self._groups)
        if segments is None:
            return False
        order, counts = segments[0].astype(np.intp, copy=False), segments[1]
        self._rows, self._segments = self._rows + order.size, self._segments + counts.size
        if self._segments > max(self._rows // _MANY, _FEW):
            return False
        ends = np.cumsum(counts)
        labels = columns_of(batch.select(*self._groups)[order[ends - counts].tolist()])
        self._check_labels(labels)
        for begin, end, segment in zip(ends - counts, ends, labels_of(labels, self._groups), strict=True):
            some = order[begin:end]
            self._add({name: gather(np, column, some) for name, column in columns.items()}, segment)
        return True

    def _add(self, columns: Mapping[str, np.ndarray], segment: tuple[Any, ...]) -> None:
        for number, model in enumerate(self._models):
            given = {role: columns[name] for role, name in model.roles().items()}
            n = given["y_true"].shape[0]
            for begin in range(0, n, _CHUNK):
                chunk = {role: column[begin : begin + _CHUNK] for role, column in given.items()}
                chunk = self._without_broken(number, chunk)
                if chunk["y_true"].size:
                    rows = RowArrays.of(_NOT_GIVEN | chunk, model.side).as_kernel_rows(np)
                    states = self._states.setdefault((number, *segment), [])
                    states.append(state.summarize_rows(rows, model.side))
            self._waiting += n
        if self._waiting > _WAITING:
            self._states = {key: [state.add_states(states)] for key, states in self._states.items()}
            self._waiting = 0

    def _without_broken(self, model: int, chunk: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Leave out the rows that break rules, and count them."""
        first = rules.first_broken(chunk)
        if first is None:
            return chunk
        valid = first == rules.NO_RULE
        for rule, count in zip(*np.unique(first[~valid], return_counts=True), strict=True):
            which = (model, int(rule))
            self._broken[which] = self._broken.get(which, 0) + int(count)
        return {role: column[valid] for role, column in chunk.items()}

    def part(self) -> Part:
        """Return what was added so far, without examples."""
        return Part(
            {key: state.add_states(states) for key, states in self._states.items()}, dict(self._broken)
        )
