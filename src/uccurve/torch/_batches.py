"""The arguments of one update, checked at the price of a few sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from uccurve.exceptions import ArgumentError, ArgumentTypeError, NotNumericError, ShapeError
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._row_rules import DIFFERENCES, FINITE, FINITE_BUT_BOUNDS, ORDER

if TYPE_CHECKING:
    from collections.abc import Mapping

_FINITE_ROWS = (*FINITE, *ORDER, *DIFFERENCES)
_ROWS_WITH_ANY_BOUNDS = (*FINITE_BUT_BOUNDS, *ORDER)


class Batch(NamedTuple):
    """Columns of rows: float64, of shape (n, outputs), the weights of shape (n,)."""

    y_true: Tensor
    lower: Tensor
    upper: Tensor
    y_pred: Tensor | None = None
    """None where the midpoints are the predictions."""
    sample_weight: Tensor | None = None


def checked(
    values: Mapping[str, Tensor | None],
    outputs: int,
    device: torch.device,
    *,
    infinite_bounds: bool = False,
) -> Batch | None:
    """Return the columns of an update as float64; None where there are no rows.

    Nothing leaves the device but one truth value: whether all rows follow the rules. Only if some do not,
    the table of rules finds out which, and raises the error that names them.
    """
    given = {name: value for name, value in values.items() if value is not None}
    for name, value in given.items():
        _check_kind(name, value, device)
    shape = tuple(given["y_true"].shape)
    _check_shapes(given, shape, outputs)
    if shape[0] == 0:
        return None
    columns = {name: value.detach().to(torch.float64) for name, value in given.items()}
    batch = Batch(**{n: c if n == "sample_weight" else c.reshape(-1, outputs) for n, c in columns.items()})
    if not bool(_follow_the_rules(batch, infinite_bounds=infinite_bounds)):
        enforce(columns, rules=_ROWS_WITH_ANY_BOUNDS if infinite_bounds else _FINITE_ROWS)
    return batch


def _check_kind(name: str, value: object, device: torch.device) -> None:
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(
            argument=name,
            rule="be a torch tensor",
            got=type(value).__name__,
            hint="Convert it by torch.as_tensor.",
        )
    if value.is_complex() or value.dtype == torch.bool:
        raise NotNumericError(argument=name, rule="be numeric", got=value.dtype)
    if value.device != device:
        raise ArgumentError(
            argument=name,
            rule=f"be on the device of the metric, {device}",
            got=value.device,
            hint=f'Move the metric by metric.to("{value.device}").',
        )


def _check_shapes(given: Mapping[str, Tensor], shape: tuple[int, ...], outputs: int) -> None:
    """Refuse shapes that would broadcast: (n, 1) beside (n,) is a common slip."""
    allowed = {1: ("(n,) or (n, 1)", (shape[:1], (*shape[:1], 1)))}
    words, shapes = allowed.get(outputs, (f"(n, {outputs})", ((*shape[:1], outputs),)))
    if not shape or shape not in shapes:
        hint = "" if outputs > 1 else "Pass num_outputs to the metric for several outputs."
        raise ShapeError(argument="y_true", rule=f"have the shape {words}", got=shape, hint=hint)
    for name, value in given.items():
        expected = shape[:1] if name == "sample_weight" else shape
        if tuple(value.shape) != expected:
            raise ShapeError(
                argument=name, rule=f"have the shape {expected}, as `y_true` implies", got=tuple(value.shape)
            )


def _follow_the_rules(batch: Batch, *, infinite_bounds: bool) -> Tensor:
    """Whether all rows follow the rules, as a tensor; rows at the edge of float64 may be suspected wrongly.

    A sum is finite only if all its terms are, and a minimum is NaN if any value is.
    """
    y, low, high, y_pred, weight = batch
    width = high - low
    room = width if y_pred is None else torch.minimum(high - y_pred, y_pred - low)
    total = y.sum() if infinite_bounds else (y - low).sum() + width.sum()
    fine = (room.min() >= 0) & total.isfinite()
    if weight is not None:
        fine = fine & (weight.min() >= 0) & weight.sum().isfinite()
    return fine
