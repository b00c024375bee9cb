"""From arguments to scores of rows, and to their mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import as_arrays, namespace
from uccurve._base.row_labels import refuse_other_labels
from uccurve.exceptions import ShapeError
from uccurve.intervals import are_in_range, draws_first, enforce, load, quantile_name
from uccurve.metrics.mean_costs import mean_of_outputs

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Namespace

_VALUES = 1 << 18
"""How many values of a NumPy table are worked on at once: what a CPU cache holds."""
_ON_DEVICES = 64
"""How many times as many on other devices."""


class ScoredRows(NamedTuple):
    """Observations with a table of what was predicted for each, checked."""

    y_true: Array
    """Of shape (n,) or (n, outputs)."""
    table: Array
    """The same with one more axis at the end, for levels or draws."""
    weight: Any
    """Of shape (n,), or None."""

    @property
    def xp(self) -> Namespace:
        """The namespace of the arrays."""
        return namespace(self.y_true)

    def scores(self, score: Callable[[Array, Array], Array]) -> Array:
        """Apply a formula to blocks of rows."""
        n, values = self.y_true.shape[0], _VALUES
        if not isinstance(self.table, np.ndarray):
            values *= _ON_DEVICES
        size = max(1, values // math.prod(self.table.shape[1:]))
        blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
        parts = [score(self.y_true[block, ...], self.table[block, ...]) for block in blocks]
        return parts[0] if len(parts) == 1 else self.xp.concat(parts)

    def mean(self, scores: Array, multioutput: MultiOutput) -> float | np.ndarray:
        """Return the weighted mean over rows, of each output or of all."""
        return mean_of_outputs(lambda _, column: column, [scores], self.weight, multioutput)


def rows_of_quantiles(
    y_true: ArrayLike, quantiles: ArrayLike, levels: list[float], sample_weight: ArrayLike | None
) -> ScoredRows:
    """Check observations, and quantiles of shape (n, levels) or (n, outputs, levels)."""
    refuse_other_labels({"y_true": y_true, "quantiles": quantiles, "sample_weight": sample_weight})
    arrays = as_arrays(y_true=y_true, quantiles=quantiles, sample_weight=sample_weight)
    rows, table = _observations(arrays), arrays["quantiles"]
    y = rows["y_true"]
    if table is not None:
        y, table = _of_one_output(y, table)
    expected = (*y.shape, len(levels))
    if table is None or tuple(table.shape) != expected:
        shape = None if table is None else tuple(table.shape)
        raise ShapeError(
            argument="quantiles", rule=f"have the shape {expected}, as `y_true` and `levels` imply", got=shape
        )
    if not are_in_range([table]):
        for column, level in enumerate(levels):
            enforce({"y_pred": table[..., column]}, names={"y_pred": quantile_name(level)})
    return ScoredRows(y, table, rows["sample_weight"])


def rows_of_draws(
    y_true: ArrayLike, samples: ArrayLike, axis: int | None, fewest: int, sample_weight: ArrayLike | None
) -> ScoredRows:
    """Check observations, and draws along one axis of the samples, which becomes the last."""
    refuse_other_labels({"y_true": y_true, "sample_weight": sample_weight})
    arrays = as_arrays(y_true=y_true, samples=samples, sample_weight=sample_weight)
    rows = _observations(arrays)
    draws = draws_first(arrays["samples"], axis, rows["y_true"], fewest)
    xp = namespace(draws)
    if not are_in_range([draws]):
        size = xp.abs(draws)
        for extreme in (xp.max(size, axis=0), xp.min(xp.where(size > 0, size, xp.ones_like(size)), axis=0)):
            enforce({"y_pred": extreme}, names={"y_pred": "samples"})
    table = xp.permute_dims(draws, (*range(1, draws.ndim), 0))
    return ScoredRows(rows["y_true"], table, rows["sample_weight"])


def _observations(arrays: dict[str, Array | None]) -> dict[str, Any]:
    """Check observations and weights."""
    rows = load({"y_true": arrays["y_true"], "sample_weight": arrays["sample_weight"]})
    enforce(rows)
    return rows


def _of_one_output(y: Array, table: Array) -> tuple[Array, Array]:
    """Leave out the axis of a single output where only one of the two has it."""
    if y.ndim == 1 and tuple(table.shape[1:-1]) == (1,):
        return y, table[:, 0, :]
    if table.ndim == y.ndim and tuple(y.shape[1:]) == (1,):
        return y[:, 0], table
    return y, table
