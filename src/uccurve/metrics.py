"""Metrics in the manner of scikit-learn: arrays in, a number out.

All of them take ``sample_weight`` (one weight per row) and ``multioutput``: "uniform_average" (a float,
the mean over outputs) or "raw_values" (an array, one value for each output). Bounds may be infinite
where the metric is finite all the same: for miss rate, coverage and deficit.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace, to_numpy
from uccurve._kernels import costs
from uccurve._kernels import rows as kernel
from uccurve.curve import UCC
from uccurve.curve._ranges import on_axes
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._named_arrays import load, moderate
from uccurve.intervals._row_rules import FINITE, FINITE_BUT_BOUNDS, ORDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Partial, PooledOutput, Vary, X, Y


def miss_rate(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
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
    return _mean(_missed, lower, upper, sample_weight, multioutput, y_true=y_true, infinite=True)


def coverage(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
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
    return _mean(_captured, lower, upper, sample_weight, multioutput, y_true=y_true, infinite=True)


def bandwidth(
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean HALF width of the intervals, in units of y.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.bandwidth(lower=[0, 0], upper=[2, 4])
    1.5
    """
    return _mean(_half_width, lower, upper, sample_weight, multioutput)


def excess(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean over all rows of the distance of a hit to the nearer bound; misses count 0.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.excess([1, 5], lower=[0, 0], upper=[4, 4])
    0.5
    """
    return _mean(_excess, lower, upper, sample_weight, multioutput, y_true=y_true)


def deficit(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
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
    return _mean(_deficit, lower, upper, sample_weight, multioutput, y_true=y_true, infinite=True)


def interval_score(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
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
    score = functools.partial(_interval_score, arguments.miss_rate_of(coverage, miss_rate))
    return _mean(score, lower, upper, sample_weight, multioutput, y_true=y_true)


def auucc(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    std: ArrayLike | None = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "mean",
    miss_rate: tuple[float, float] | None = None,
    coverage: tuple[float, float] | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: PooledOutput | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """Return the area under the Uncertainty Characteristics Curve; lower is better.

    Parameters
    ----------
    y_true, lower, upper : array of shape (n,) or (n, outputs)
        Observations and bounds.
    y_pred : array, same shape, optional
        Predictions; they default to the midpoints.
    std : array, same shape, optional
        Standard deviations in place of bounds; they need ``y_pred``.
    x, y, vary, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC` and `UCC.area`.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values", "pooled"} or array of shape (outputs,)
        Several outputs have a curve each: average their areas, return them as an array, or average
        them with weights. "pooled" is the area of one curve for all outputs, as `UCC.area` has it:
        one parameter moves them all.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    0.4444444444444444
    """
    rows = _rows(y_true, lower, upper, y_pred, std, sample_weight)
    part = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    return _of_outputs(UCC.area, rows, vary, multioutput, x=x, y=y, partial=partial, **part)


def auucc_gain(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    std: ArrayLike | None = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "mean",
    miss_rate: tuple[float, float] | None = None,
    coverage: tuple[float, float] | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: PooledOutput | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """Return the share of the constant band's area that these bands save; higher is better.

    Takes the parameters of `auucc`. Several outputs have a gain each, which ``multioutput`` averages or
    returns; "pooled" is the gain of one curve for all outputs, as `UCC.gain` has it.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc_gain([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    0.33333333333333337
    """
    rows = _rows(y_true, lower, upper, y_pred, std, sample_weight)
    part = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    return _of_outputs(UCC.gain, rows, vary, multioutput, x=x, y=y, partial=partial, **part)


def _average(values: list[float], multioutput: Any, *other: str) -> float | np.ndarray:
    """Average the values of several outputs, or return them; the caller may have dealt with other words."""
    if isinstance(multioutput, str):
        arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *other))
        return np.array(values) if multioutput == "raw_values" else math.fsum(values) / len(values)
    weights = load({"multioutput": multioutput})["multioutput"]
    enforce({"sample_weight": weights})
    if weights.shape != (len(values),):
        raise ShapeError(
            f"`multioutput` must have one weight per output ({len(values)}), got {weights.shape}."
        )
    return float(np.average(values, weights=to_numpy(weights)))


def _missed(xp: Any, y: Array, low: Array, high: Array) -> Array:
    return xp.astype(costs.missed(y, low, high), y.dtype)


def _captured(xp: Any, y: Array, low: Array, high: Array) -> Array:
    return xp.astype(~costs.missed(y, low, high), y.dtype)


def _half_width(_xp: Any, _y: Array, low: Array, high: Array) -> Array:
    return costs.half_width(low, high)


def _excess(xp: Any, y: Array, low: Array, high: Array) -> Array:
    return costs.excess(xp, costs.room(xp, y, low, high))


def _deficit(xp: Any, y: Array, low: Array, high: Array) -> Array:
    return costs.deficit(xp, costs.room(xp, y, low, high))


def _interval_score(alpha: float, xp: Any, y: Array, low: Array, high: Array) -> Array:
    return costs.interval_score(costs.half_width(low, high), _deficit(xp, y, low, high), alpha)


def _mean(
    cost: Callable[[Any, Array, Array, Array], Array],
    lower: ArrayLike,
    upper: ArrayLike,
    sample_weight: ArrayLike | None,
    multioutput: MultiOutput,
    *,
    infinite: bool = False,
    **observed: ArrayLike,
) -> float | np.ndarray:
    """Check the arguments, and average the cost of the rows for each output; only bounds may be infinite."""
    arrays = load({**observed, "lower": lower, "upper": upper, "sample_weight": sample_weight})
    arrays["sample_weight"], _ = moderate(arrays["sample_weight"])
    enforce(arrays, rules=(*(FINITE_BUT_BOUNDS if infinite else FINITE), *ORDER))
    low, high, weight = arrays["lower"], arrays["upper"], arrays["sample_weight"]
    columns = [arrays.get("y_true", low), low, high]
    if low.ndim == 1:
        return _average([_mean_cost(cost, columns, weight)], multioutput)
    outputs = ([column[:, j] for column in columns] for j in range(low.shape[1]))
    return _average([_mean_cost(cost, output, weight) for output in outputs], multioutput)


def _mean_cost(
    cost: Callable[[Any, Array, Array, Array], Array], columns: list[Array], weight: Array | None
) -> float:
    """Average the cost of the rows of one output, block by block."""
    n, size, xp = columns[0].shape[0], block_rows(columns[0]), namespace(columns[0])
    total = float(n) if weight is None else float(xp.sum(weight))
    if total == 0:
        raise ArgumentError("`sample_weight` must have a positive sum, got 0.")

    def cost_of(block: slice) -> tuple[float]:
        values = cost(xp, *(column[block] for column in columns))
        return (kernel.total(xp, values, None if weight is None else weight[block]),)

    blocks = [slice(begin, min(begin + size, n)) for begin in range(0, n, size)]
    (value,) = kernel.totals(cost_of, blocks)
    if not math.isfinite(value):
        raise arguments.overflow()
    return value / total


def _rows(
    y_true: ArrayLike,
    lower: ArrayLike | None,
    upper: ArrayLike | None,
    y_pred: ArrayLike | None,
    std: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> Intervals:
    """Make intervals from bounds, or from predictions and standard deviations."""
    if std is None:
        return Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred, sample_weight=sample_weight)
    if lower is not None or upper is not None:
        raise ArgumentError("give `lower` and `upper`, or `y_pred` and `std`; got both.")
    return Intervals.from_std(y_true, y_pred, std, sample_weight=sample_weight)


def _of_outputs(
    statistic: Callable[..., float], rows: Intervals, vary: Vary, multioutput: Any, **options: Any
) -> float | np.ndarray:
    """Compute a statistic of the curve of each output, or of one curve for all."""
    if isinstance(multioutput, str) and multioutput == "pooled":
        return statistic(UCC(rows, vary=vary), **options)
    values = [statistic(UCC(output, vary=vary), **options) for output in rows.outputs()]
    return _average(values, multioutput, "pooled")
