"""What all metrics of intervals share: the checked rows of an update, and states that stay float64."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torchmetrics import Metric

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve.exceptions import ArgumentError, NotNumericError, ShapeError
from uccurve.formulas.tolerances import LARGEST, SMALLEST
from uccurve.intervals import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike


class Batch(NamedTuple):
    """Columns of rows: float64, of shape (n, outputs), the weights of shape (n,).

    Without predictions, the midpoints are those.
    """

    y_true: Tensor
    lower: Tensor
    upper: Tensor
    y_pred: Tensor | None = None
    sample_weight: Tensor | None = None


class IntervalMetric(Metric):
    """A metric of batches of intervals. Its states depend on the rows alone, never on an option.

    A ``MetricCollection`` lets metrics share an update whose states were equal once. So states that mean
    different things have different names, and options are used only where the value is computed. States
    are float64 and stay so, whatever ``half``, ``to`` and ``set_dtype`` ask for: half precision cannot count.

    Parameters
    ----------
    num_outputs : int
        How many outputs each row has.
    multioutput : str or sequence of float
        What becomes of their values: "uniform_average", "raw_values", or weights.
    other : tuple of str
        Further words that ``multioutput`` may be.
    **options
        Those of ``torchmetrics.Metric``.
    """

    is_differentiable = False
    full_state_update = False
    _infinite_bounds = False  # whether bounds may be infinite

    def __init__(
        self,
        num_outputs: int,
        multioutput: str | ArrayLike,
        other: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.num_outputs = arguments.whole("num_outputs", num_outputs, 1)
        if isinstance(multioutput, str):
            arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *other))
        self.multioutput = multioutput

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
            Predictions, between the bounds. A curve without them takes the midpoints; it needs them in all
            updates or in none.
        sample_weight : tensor of shape (n,), optional
            Weights, 0 or more. A curve needs them in all updates or in none.

        Raises
        ------
        InvalidRowsError
            If rows are invalid: not finite, bounds crossed, prediction outside them, negative weights.
        ShapeError
            If shapes differ, or do not have ``num_outputs``.
        ArgumentTypeError, NotNumericError
            If an argument is not a tensor, or holds booleans or complex numbers.
        ArgumentError
            If a tensor is on another device than the metric; or if a curve has predictions or weights in some
            updates only.
        """
        values = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
        batch = _checked(
            {**values, "sample_weight": sample_weight},
            self.num_outputs,
            self.device,
            infinite_bounds=self._infinite_bounds,
        )
        if batch is not None:
            self._add(batch)

    @abstractmethod
    def _add(self, batch: Batch) -> None:
        """Add checked rows to the states."""

    def _apply(self, fn: Callable[[Tensor], Tensor], *args: Any) -> Any:
        """Move states between devices, and leave their precision alone."""

        def moved(state: Tensor) -> Tensor:
            found = fn(state)
            return found if found.dtype == state.dtype else state.to(found.device)

        return super()._apply(moved, *args)

    def _tensor(self, value: float | np.ndarray) -> Tensor:
        """Return a result on the device of the metric."""
        if isinstance(value, np.ndarray):
            value = value.copy()  # a tensor of a curve's arrays could be written to
        return torch.as_tensor(value, dtype=torch.float64, device=self.device)

    def _nothing(self) -> Tensor:
        """Return the value of no rows: NaN, for each output where each has a value."""
        each = isinstance(self.multioutput, str) and self.multioutput == "raw_values"
        return torch.full((self.num_outputs,) if each else (), torch.nan, dtype=torch.float64).to(self.device)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Draw a value, or a series of values, as torchmetrics does.

        Parameters
        ----------
        val : tensor or sequence of tensors, optional
            Results of ``forward`` or ``compute``; by default that of ``compute`` now.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        figure and axes

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        """
        with needed("matplotlib", extra="plot"):
            return self._plot(val, ax)


def _checked(
    values: Mapping[str, Tensor | None],
    outputs: int,
    device: torch.device,
    *,
    infinite_bounds: bool,
) -> Batch | None:
    """Return the columns of an update as float64; None where there are no rows.

    Nothing leaves the device but one truth value: whether all rows follow the rules. Only if some do not,
    the table of rules finds out which, and raises the error that names them.
    """
    for name, value in values.items():
        if value is not None or name not in Batch._field_defaults:
            _check_kind(name, value, device)
    given = {name: value for name, value in values.items() if value is not None}
    if not any(value.numel() for value in given.values()):
        return None
    shape = tuple(given["y_true"].shape)
    if shape[1:] != (outputs,) and (outputs > 1 or shape[1:] or not shape):
        words = f"(n, {outputs})" if outputs > 1 else "(n,) or (n, 1)"
        is_table = outputs == 1 == len(shape[1:])
        hint = "Pass num_outputs to the metric for several outputs." if is_table else ""
        raise ShapeError(argument="y_true", rule=f"have the shape {words}", got=shape, hint=hint)
    arguments.row_shapes(given)
    wide = [name for name, value in given.items() if value.dtype == torch.float64]
    columns = {name: value.detach().to(torch.float64) for name, value in given.items()}
    batch = Batch(**{n: c if n == "sample_weight" else c.reshape(-1, outputs) for n, c in columns.items()})
    if not bool(_follow_the_rules(batch, wide, infinite_bounds=infinite_bounds)):
        rules.enforce(columns, rules=rules.RULES_FOR_ANY_BOUNDS if infinite_bounds else rules.ROW_RULES)
    return batch


def _check_kind(name: str, value: Any, device: torch.device) -> None:
    arguments.instance(name, value, Tensor, "a torch tensor")
    if value.is_complex() or value.dtype == torch.bool:
        raise NotNumericError(argument=name, rule="be numeric", got=value.dtype)
    if value.device != device:
        raise ArgumentError(
            argument=name,
            rule=f"be on the device of the metric, {device}",
            got=value.device,
            hint=f'Move the metric by metric.to("{value.device}").',
        )


def _follow_the_rules(batch: Batch, wide: Sequence[str], *, infinite_bounds: bool) -> Tensor:
    """Whether all rows follow the rules, as a tensor.

    A sum is finite only if all its terms are, and a minimum is NaN if any value is. Only ``wide`` columns,
    which came as float64, can be too large or too small.
    """
    y, low, high, y_pred, weight = batch
    width = high - low
    room = width if y_pred is None else torch.minimum(high - y_pred, y_pred - low)
    total = y.sum() if infinite_bounds else (y - low).sum() + width.sum()
    fine = (room.min() >= 0) & total.isfinite()
    if weight is not None:
        fine = fine & (weight.min() >= 0) & weight.sum().isfinite()
    for name in wide:
        size = getattr(batch, name).abs()
        legal = (size == 0) | ((size >= SMALLEST) & (size <= LARGEST))
        if infinite_bounds and name in rules.BOUNDS:
            legal = legal | size.isinf()
        fine = fine & legal.all()
    return fine
