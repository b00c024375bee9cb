"""Metrics in the manner of scikit-learn: arrays in, a number out.

All of them take ``sample_weight`` (one weight per row) and ``multioutput``: "uniform_average" (a float,
the mean over outputs) or "raw_values" (an array, one value for each output). Bounds may be infinite
where the metric is finite all the same: for miss rate, coverage and deficit.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import block_rows, namespace
from uccurve._kernels import costs
from uccurve._kernels import rows as kernel
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._named_arrays import load
from uccurve.intervals._row_rules import FINITE, FINITE_BUT_BOUNDS, ORDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Partial, Range, Vary, X, Y


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
    miss_rate: float,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    r"""Return the mean interval (Winkler) score of central intervals; lower is better.

    For a nominal miss rate :math:`\alpha` it is the mean width plus :math:`2/\alpha` times the
    deficit. On the curve it is the linear cost with x = bandwidth, y = deficit and
    :math:`c = \alpha / (1 + \alpha)`, times :math:`2 (1 + \alpha) / \alpha`.

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
    score = functools.partial(_interval_score, arguments.number("miss_rate", miss_rate, 0, 1, open_=True))
    return _mean(score, lower, upper, sample_weight, multioutput, y_true=y_true)


def auucc(
    y_true: ArrayLike,
    y_pred: ArrayLike | None,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "strip",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    **range_: Unpack[Range],
) -> float | np.ndarray:
    """Return the area under the Uncertainty Characteristics Curve; lower is better.

    Takes the options of `UCC.area`. Several outputs have a curve each, and ``multioutput`` says
    whether their areas are averaged; one curve for all outputs is ``UCC(intervals).area()``.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc([1, 2, 3], [1, 1, 4], lower=[0, 0, 2], upper=[2, 3, 5])
    0.4444444444444444
    """
    rows = Intervals.from_bounds(y_true, y_pred, lower, upper, sample_weight=sample_weight)
    return _of_outputs(UCC.area, rows, vary, multioutput, x=x, y=y, partial=partial, **range_)


def auucc_gain(
    y_true: ArrayLike,
    y_pred: ArrayLike | None,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "strip",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    **range_: Unpack[Range],
) -> float | np.ndarray:
    """Return the share of the constant band's area that these bands save; higher is better.

    Takes the options of `UCC.gain`; several outputs as in `auucc`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc_gain([1, 2, 3], [1, 1, 4], lower=[0, 0, 2], upper=[2, 3, 5])
    0.33333333333333337
    """
    rows = Intervals.from_bounds(y_true, y_pred, lower, upper, sample_weight=sample_weight)
    return _of_outputs(UCC.gain, rows, vary, multioutput, x=x, y=y, partial=partial, **range_)


def average(values: list[float], multioutput: MultiOutput) -> float | np.ndarray:
    """Average the values of several outputs, or return them as an array."""
    arguments.option("multioutput", multioutput, ("uniform_average", "raw_values"))
    return np.array(values) if multioutput == "raw_values" else math.fsum(values) / len(values)


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
    enforce(arrays, rules=(*(FINITE_BUT_BOUNDS if infinite else FINITE), *ORDER))
    low, high, weight = arrays["lower"], arrays["upper"], arrays["sample_weight"]
    columns = [arrays.get("y_true", low), low, high]
    if low.ndim == 1:
        return average([_mean_cost(cost, columns, weight)], multioutput)
    outputs = ([column[:, j] for column in columns] for j in range(low.shape[1]))
    return average([_mean_cost(cost, output, weight) for output in outputs], multioutput)


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


def _of_outputs(
    statistic: Callable[..., float], rows: Intervals, vary: Vary, multioutput: MultiOutput, **options: Any
) -> float | np.ndarray:
    """Compute a statistic of the curve of each output."""
    return average([statistic(UCC(output, vary), **options) for output in rows.outputs()], multioutput)
