"""The intervals as they are: their four costs, and the interval score.

Bounds may be infinite or None where the metric is finite all the same: for miss rate, coverage and deficit.
The others take one bound, the other None or infinite in every row, beside ``y_pred``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace, to_numpy, widened
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas import costs
from uccurve.formulas import rows as kernel
from uccurve.intervals import checks, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Side


def miss_rate(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the share of observations outside their interval; a bound that touches is a hit.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.miss_rate([1, 2, 3, 4], lower=[0, 2, 0, 0], upper=[2, 3, 2, 3])
    0.5
    """
    rows, weight = _load_bounds(y_true, lower, upper, sample_weight)
    return mean_of_rows(costs.missed, rows, weight, multioutput)


def coverage(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the share of observations inside their interval, bounds included.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.coverage([1, 2, 3, 4], lower=[0, 2, 0, 0], upper=[2, 3, 2, 4])
    0.75
    """
    rows, weight = _load_bounds(y_true, lower, upper, sample_weight)
    return mean_of_rows(costs.captured, rows, weight, multioutput)


def bandwidth(
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean HALF width of the intervals, in units of y; of one bound, its distance to ``y_pred``.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.bandwidth(lower=[0, 0], upper=[2, 4])
    1.5
    """
    bounds = {"lower": lower, "upper": upper, "y_pred": y_pred}
    (_, low, high), weight, _ = _load_widths(bounds, sample_weight)
    return mean_of_rows(costs.half_width, [low, high], weight, multioutput)


def excess(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean over all rows of the distance of a hit to the nearer bound; misses count 0.

    With one bound, the distance ends at ``y_pred``, which must be given, if the observation is beyond it.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.excess([1, 5], lower=[0, 0], upper=[4, 4])
    0.5
    """
    bounds = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
    rows, weight, _ = _load_widths(bounds, sample_weight)
    xp = namespace(rows[0])
    return mean_of_rows(
        lambda y, low, high: costs.excess(xp, costs.room(xp, y, low, high)), rows, weight, multioutput
    )


def deficit(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean over all rows of the distance of a miss to the nearer bound; hits count 0.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.deficit([1, 5], lower=[0, 0], upper=[4, 4])
    0.5
    """
    rows, weight = _load_bounds(y_true, lower, upper, sample_weight)
    xp = namespace(rows[0])
    return mean_of_rows(
        lambda y, low, high: costs.deficit(xp, costs.room(xp, y, low, high)), rows, weight, multioutput
    )


def interval_score(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    miss_rate: float | None = None,
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    r"""Return the mean interval (Winkler) score of central intervals; lower is better.

    For a nominal miss rate :math:`\alpha`, given by itself or as a nominal coverage, it is the mean
    width plus :math:`2/\alpha` times the deficit. On the curve it is the linear cost with
    x = bandwidth, y = deficit and :math:`c = \alpha / (1 + \alpha)`, times
    :math:`2 (1 + \alpha) / \alpha`.

    With one bound it is the mean distance from ``y_pred`` to the bound plus :math:`1/\alpha` times the
    deficit: the pinball loss over :math:`\alpha`, plus the mean of ``y_true - y_pred`` (of an upper limit).

    References
    ----------
    T. Gneiting, A. E. Raftery, "Strictly Proper Scoring Rules, Prediction, and Estimation",
    Journal of the American Statistical Association 102 (2007), :doi:`10.1198/016214506000001437`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.interval_score([1, 5], lower=[0, 0], upper=[4, 4], miss_rate=0.5)
    6.0
    """
    alpha = arguments.miss_rate_of(coverage, miss_rate)
    bounds = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
    rows, weight, side = _load_widths(bounds, sample_weight)
    xp = namespace(rows[0])

    def score(y: Array, low: Array, high: Array) -> Array:
        deficit = costs.deficit(xp, costs.room(xp, y, low, high))
        return costs.interval_score(costs.half_width(low, high), deficit, alpha, side)

    return mean_of_rows(score, rows, weight, multioutput)


def _load_bounds(
    y_true: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[list[Array], Array | None]:
    """Return observations, bounds and weights; a bound may be infinite, and is where it is absent."""
    arrays = _load({"y_true": y_true, "lower": lower, "upper": upper}, sample_weight)
    rules.enforce(arrays, rules=rules.RULES_FOR_ANY_BOUNDS)
    y, low, high, weight = arrays.values()
    xp = namespace(y)
    low = xp.full_like(y, -math.inf) if low is None else low
    high = xp.full_like(y, math.inf) if high is None else high
    return [y, low, high], weight


def _load_widths(
    bounds: Mapping[str, ArrayLike | None], sample_weight: ArrayLike | None
) -> tuple[list[Array], Array | None, Side]:
    r"""Return observations and bounds that all have a width, weights, and the side that has a bound.

    A one-sided limit is the symmetric case with the part of the residual that points to it, which is
    :math:`e^+ = \max(y - \hat y, 0)` below an upper limit: :math:`e^+` between :math:`-z` and :math:`z`, the
    distance from the prediction to the limit. Without ``y_true``, any number stands for the observations.
    """
    arrays = _load(bounds, sample_weight)
    arrays, side = checks.bounded(arrays)
    rules.enforce(arrays)
    weight = arrays["sample_weight"]
    if side == "both":
        low, high = arrays["lower"], arrays["upper"]
        return [arrays.get("y_true", low), low, high], weight, side
    y_pred, limit = arrays["y_pred"], arrays[side]
    residual = arrays.get("y_true", y_pred) - y_pred
    band = limit - y_pred if side == "upper" else y_pred - limit
    return [kernel.toward_limit(namespace(band), residual, side), -band, band], weight, side


def _load(bounds: Mapping[str, ArrayLike | None], sample_weight: ArrayLike | None) -> dict[str, Any]:
    """Return arrays of one shape; bounds and predictions that are absent stay None."""
    bounds = checks.without_infinite_numbers(bounds)
    if bounds["lower"] is None and bounds["upper"] is None:
        raise ArgumentError(argument="lower", rule="be passed, or `upper`, or both", got="neither")
    return checks.load({**bounds, "sample_weight": sample_weight}, optional=("y_pred", *rules.BOUNDS))


def mean_of_rows(
    cost: Callable[..., Array],
    columns: Sequence[Array],
    weight: Array | None,
    multioutput: MultiOutput | ArrayLike,
) -> float | np.ndarray:
    """Average a cost of rows, block by block, for each output.

    Parameters
    ----------
    cost : callable
        Takes a block of each column, without the axis of outputs, and returns one value per row.
    columns : sequence of array
        Each of shape (n,) or (n, outputs); the last may have one more axis.
    weight : array of shape (n,), or None
        Weights of the rows.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        Average the outputs, or return one value for each.
    """
    first, xp = columns[0], namespace(columns[0])
    total = float(first.shape[0]) if weight is None else float(xp.sum(weight))
    if total == 0:
        raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0")
    outputs = [columns]
    if first.ndim > 1:
        outputs = [[column[:, place, ...] for column in columns] for place in range(first.shape[1])]
    size = max(1, block_rows(first) // math.prod(outputs[0][-1].shape[1:]))
    means = []
    for output in outputs:
        sums = []
        with np.errstate(over="ignore", invalid="ignore"):
            for begin in range(0, first.shape[0], size):
                block = slice(begin, min(begin + size, first.shape[0]))
                values = widened(cost(*(column[block, ...] for column in output)))
                sums.append(float(xp.sum(values if weight is None else values * weight[block])))
        means.append(math.fsum(sums) / total)
    if not all(map(math.isfinite, means)):
        raise arguments.overflow()
    return average_outputs(means, multioutput)


def average_outputs(values: list[float], multioutput: Any, *others: str) -> float | np.ndarray:
    """Average the values of several outputs, or return them; the caller deals with other words itself."""
    if isinstance(multioutput, str):
        arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *others))
        return np.array(values) if multioutput == "raw_values" else math.fsum(values) / len(values)
    weights = checks.load({"multioutput": multioutput})["multioutput"]
    rules.enforce({"sample_weight": weights})
    if weights.shape != (len(values),):
        raise ShapeError(
            argument="multioutput", rule=f"have one weight per output ({len(values)})", got=weights.shape
        )
    return float(np.average(values, weights=to_numpy(weights)))
