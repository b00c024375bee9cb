"""Rows of all batches, or a sketch of them, and the curve of either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torchmetrics.utilities import dim_zero_cat

from uccurve._base import arguments
from uccurve.curve import UCC, Curve
from uccurve.exceptions import ArgumentError, EmptyInputError
from uccurve.intervals import Intervals
from uccurve.torch import _sketch_states
from uccurve.torch._batches import checked
from uccurve.torch._interval_metric import IntervalMetric

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, PooledOutput, Vary, X, Y
    from uccurve.sketch import UCCSketch

_ROWS = {
    "y_true": "observations",
    "lower": "lower_bounds",
    "upper": "upper_bounds",
    "y_pred": "predictions",
    "sample_weight": "row_weights",
}
"""The state that keeps each column, outputs laid end to end."""


class CurveMetric(IntervalMetric):
    """Rows of all updates, or a sketch of them, and the curve of either."""

    def __init__(
        self,
        *,
        x: X,
        y: Y,
        vary: Vary,
        sketch: bool,
        num_outputs: int,
        multioutput: PooledOutput | ArrayLike,
        **options: Any,
    ) -> None:
        super().__init__(num_outputs, multioutput, ("pooled",), **options)
        arguments.option("x", x, ("bandwidth", "excess"))
        arguments.option("y", y, ("miss_rate", "deficit"))
        arguments.option("vary", vary, ("scale", "shift"))
        if sketch and vary != "scale":
            raise ArgumentError(argument="vary", rule="be 'scale' with sketch=True", got=repr(vary))
        self.x, self.y, self.vary, self.sketch = x, y, vary, sketch
        if not sketch:
            for name in _ROWS.values():
                self.add_state(name, [], dist_reduce_fx="cat")
            return
        for name, state in _sketch_states.tensors(self.num_outputs).items():
            self.add_state(name, state.default, dist_reduce_fx=state.reduction)

    def update(
        self,
        y_true: Tensor,
        lower: Tensor,
        upper: Tensor,
        y_pred: Tensor | None = None,
        sample_weight: Tensor | None = None,
    ) -> None:
        """Add the rows of a batch.

        Parameters
        ----------
        y_true, lower, upper : tensor of shape (n,) or (n, num_outputs)
            Observations and bounds.
        y_pred : tensor, same shape, optional
            Predictions, between the bounds; they default to the midpoints. With rows kept, all updates give
            them or none does.
        sample_weight : tensor of shape (n,), optional
            Weights, 0 or more; likewise.
        """
        values = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
        batch = checked({**values, "sample_weight": sample_weight}, self.num_outputs, self.device)
        if batch is None:
            return
        if self.sketch:
            _sketch_states.add(self._sketch_tensors(), batch)
            return
        given = {role: column for role, column in batch._asdict().items() if column is not None}
        for role in _ROWS:
            if self._kept("y_true") and bool(self._kept(role)) != (role in given):
                raise _in_some_updates(role)
        for role, column in given.items():
            self._kept(role).append(column.reshape(-1).clone())  # the caller may write to theirs

    def _kept(self, role: str) -> Any:
        """Return the parts of a column; one tensor, while the states of processes are gathered."""
        return getattr(self, _ROWS[role])

    def _sync_dist(self, *args: Any, **options: Any) -> None:
        """Gather the states of processes; one without rows sends an empty float64 tensor."""
        for name in () if self.sketch else _ROWS.values():
            if not getattr(self, name):
                setattr(self, name, [torch.empty(0, dtype=torch.float64, device=self.device)])
        super()._sync_dist(*args, **options)

    def _sketch_tensors(self) -> dict[str, Tensor]:
        return {name: getattr(self, name) for name in self._defaults}

    def _is_empty(self) -> bool:
        """Whether there are no rows with weight."""
        if self.sketch:
            return not bool(self._sketch_tensors()["error_largest"].max() > -torch.inf)
        weights = self._column("sample_weight")
        return not self._column("y_true").numel() or bool(weights.numel() and weights.max() == 0)

    def _column(self, role: str) -> Tensor:
        """Return a column of all updates; without values where it was not given."""
        parts = self._kept(role)
        return dim_zero_cat(parts) if len(parts) else torch.empty(0, dtype=torch.float64, device=self.device)

    def _rows(self) -> Intervals:
        """Return the rows of all updates."""
        columns = {role: self._column(role) for role in _ROWS}
        elements = columns["y_true"].numel()
        for role in ("y_pred", "sample_weight"):
            expected = elements if role == "y_pred" else elements // self.num_outputs
            if columns[role].numel() not in (0, expected):
                raise _in_some_updates(role)
        given = {role: column for role, column in columns.items() if column.numel()}
        shape = (-1,) if self.num_outputs == 1 else (-1, self.num_outputs)
        rows = {n: c if n == "sample_weight" else c.reshape(shape) for n, c in given.items()}
        y_true, lower, upper = (rows.pop(role) for role in ("y_true", "lower", "upper"))
        return Intervals.from_bounds(
            y_true, lower, upper, y_pred=rows.get("y_pred"), sample_weight=rows.get("sample_weight")
        )

    def _curve(self) -> Curve:
        """Return one curve of all outputs."""
        if self.sketch:
            return _sketch_states.pooled(self._sketch_tensors(), self.num_outputs).curve()
        return UCC(self._rows(), vary=self.vary)

    def _curves(self) -> list[Curve]:
        """Return the curve of each output."""
        if self.sketch:
            found = _sketch_states.sketches(self._sketch_tensors(), self.num_outputs)
            return [sketch.curve() for sketch in found]
        return [UCC(output, vary=self.vary) for output in self._rows().outputs()]

    def curve(self) -> Curve:
        """Return the curve of all rows and processes, to ask it what one asks a `UCC`.

        That is a `UCC` of the rows, or the `SketchedUCC` of a sketch. Several outputs are pooled.

        Raises
        ------
        EmptyInputError
            If there were no rows with weight.
        """
        with self._synced():
            self._check_filled()
            return self._curve()

    def to_sketch(self) -> UCCSketch:
        """Return the sketch of all rows and processes, to keep it or to add it to others."""
        with self._synced():
            self._check_filled()
            if not self.sketch:
                return self._rows().sketch()
            return _sketch_states.pooled(self._sketch_tensors(), self.num_outputs)

    def _check_filled(self) -> None:
        if self._is_empty():
            raise EmptyInputError(
                "the metric must have rows with weight", got="none", hint="Call update first."
            )

    def _synced(self) -> Any:
        return self.sync_context(
            dist_sync_fn=self.dist_sync_fn, should_sync=self._to_sync, should_unsync=self._should_unsync
        )


def _in_some_updates(role: str) -> ArgumentError:
    return ArgumentError(
        argument=role,
        rule="be passed in all updates or in none",
        got="it in some",
        hint="Reset the metric, or pass it always.",
    )
