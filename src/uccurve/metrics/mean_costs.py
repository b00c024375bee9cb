"""Mean costs of rows for each output, from bounds: what the metrics return."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace, to_numpy
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas import costs
from uccurve.formulas import rows as kernel
from uccurve.intervals import (
    BOUNDS,
    FINITE_BUT_BOUNDS,
    MAGNITUDES,
    ORDER,
    bounded,
    enforce,
    load,
    without_infinite_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Side

    Cost = Callable[[Any, Array, Array, Array], Array]
    """A cost of rows, from the namespace, observations, lower and upper bounds."""


def missed(xp: Any, y: Array, low: Array, high: Array) -> Array:
    """Return 1 for a miss, 0 for a hit."""
    return xp.astype(costs.missed(y, low, high), y.dtype)


def captured(xp: Any, y: Array, low: Array, high: Array) -> Array:
    """Return 1 for a hit, 0 for a miss."""
    return xp.astype(~costs.missed(y, low, high), y.dtype)


def deficit(xp: Any, y: Array, low: Array, high: Array) -> Array:
    """Return the room that a miss lacks."""
    return costs.deficit(xp, costs.room(xp, y, low, high))


def half_width(_xp: Any, _y: Array, low: Array, high: Array) -> Array:
    """Return half the widths."""
    return costs.half_width(low, high)


def excess(xp: Any, y: Array, low: Array, high: Array) -> Array:
    """Return the room that a hit does not need."""
    return costs.excess(xp, costs.room(xp, y, low, high))


def distance(_xp: Any, _toward: Array, band: Array, _: Array) -> Array:
    """Return the distances from predictions to one-sided limits."""
    return band


def excess_of_limit(xp: Any, toward: Array, band: Array, _: Array) -> Array:
    """Return what a one-sided limit leaves above the observation or the prediction."""
    return costs.excess(xp, costs.room_to_limit(toward, band))


def mean_of_bounds(
    cost: Cost,
    values: Mapping[str, ArrayLike | None],
    sample_weight: ArrayLike | None,
    multioutput: MultiOutput,
) -> float | np.ndarray:
    """Average a cost for which bounds may be infinite or absent, in some rows or in all."""
    values = without_infinite_numbers(values)
    given = {role: value for role, value in values.items() if value is not None or role not in BOUNDS}
    arrays = _loaded({**given, "sample_weight": sample_weight})
    enforce(arrays, rules=(*FINITE_BUT_BOUNDS, *MAGNITUDES, *ORDER))
    xp, y = namespace(arrays["y_true"]), arrays["y_true"]
    low, high = (
        arrays.get("lower", xp.full_like(y, -math.inf)),
        arrays.get("upper", xp.full_like(y, math.inf)),
    )
    return mean_of_outputs(cost, [y, low, high], arrays["sample_weight"], multioutput)


def mean_of_widths(
    cost: Cost,
    cost_of_limit: Cost,
    values: Mapping[str, ArrayLike | None],
    sample_weight: ArrayLike | None,
    multioutput: MultiOutput,
) -> float | np.ndarray:
    """Average a cost that needs widths: half widths, or the distance from a prediction to a limit."""
    arrays = _loaded({**without_infinite_numbers(values), "sample_weight": sample_weight})
    arrays, side = bounded(arrays, {role: role for role in arrays})
    enforce(arrays)
    weight, y = arrays["sample_weight"], arrays.get("y_true", arrays["y_pred"])
    if side == "both":
        low, high = arrays["lower"], arrays["upper"]
        return mean_of_outputs(cost, [low if y is None else y, low, high], weight, multioutput)
    toward, band = _to_limit(y, arrays["y_pred"], arrays[side], side)
    return mean_of_outputs(cost_of_limit, [toward, band, band], weight, multioutput)


def _to_limit(y: Array, y_pred: Array, limit: Array, side: Side) -> tuple[Array, Array]:
    """Return the part of residuals that points to the limit, and the distances of predictions to it."""
    band = limit - y_pred if side == "upper" else y_pred - limit
    return kernel.toward_limit(namespace(y), y - y_pred, side), band


def _loaded(values: Mapping[str, ArrayLike | None]) -> dict[str, Any]:
    """Return arrays of one shape."""
    if values.get("lower") is None and values.get("upper") is None:
        raise ArgumentError(argument="lower", rule="be passed, or `upper`, or both", got="neither")
    return load(values, optional=("y_pred", *BOUNDS))


def mean_of_outputs(
    cost: Callable[..., Array], columns: list[Array], weight: Array | None, multioutput: MultiOutput
) -> float | np.ndarray:
    """Average a cost of columns of shape (n,) or (n, outputs)."""
    if columns[0].ndim == 1:
        return average([_mean_cost(cost, columns, weight)], multioutput)
    outputs = ([column[:, j] for column in columns] for j in range(columns[0].shape[1]))
    return average([_mean_cost(cost, output, weight) for output in outputs], multioutput)


def average(values: list[float], multioutput: Any, *other: str) -> float | np.ndarray:
    """Average the values of several outputs, or return them; the caller may have dealt with other words."""
    if isinstance(multioutput, str):
        arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *other))
        return np.array(values) if multioutput == "raw_values" else math.fsum(values) / len(values)
    weights = load({"multioutput": multioutput})["multioutput"]
    enforce({"sample_weight": weights})
    if weights.shape != (len(values),):
        raise ShapeError(
            argument="multioutput", rule=f"have one weight per output ({len(values)})", got=weights.shape
        )
    return float(np.average(values, weights=to_numpy(weights)))


def _mean_cost(cost: Cost, columns: list[Array], weight: Array | None) -> float:
    """Average the cost of the rows of one output, block by block."""
    n, size, xp = columns[0].shape[0], block_rows(columns[0]), namespace(columns[0])
    total = float(n) if weight is None else float(xp.sum(weight))
    if total == 0:
        raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0")
    blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]

    def cost_of(block: slice) -> tuple[float]:
        values = cost(xp, *(column[block] for column in columns))
        return (kernel.total(xp, values, None if weight is None else weight[block]),)

    (value,) = kernel.totals(cost_of, blocks)
    if not math.isfinite(value):
        raise arguments.overflow()
    return value / total
