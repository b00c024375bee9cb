"""The intervals as they are: their four costs, and the interval score.

Bounds may be infinite or None where the metric is finite all the same: for miss rate, coverage and deficit.
The others take one bound, the other None or infinite in every row, beside ``y_pred``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace, to_numpy, widened
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas import costs
from uccurve.formulas import rows as kernel
from uccurve.intervals import checks, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Side

_VALUES, _VALUES_ON_DEVICES = 1 << 18, 1 << 24
"""How many values of a column or table are worked on at once: what a CPU cache holds, or far more."""


def miss_rate(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the share of observations outside their interval; a bound that touches is a hit.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    lower, upper : array, same shape, optional
        Bounds; None on the open side of a limit.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        A share, from 0 to 1.

    Raises
    ------
    InvalidRowsError
        If rows are invalid: NaN, bounds crossed, negative weights.
    ShapeError, EmptyInputError, NotNumericError
        If shapes differ, there are no rows, or an argument holds text, dates or booleans.
    ArgumentError
        If no bound is passed, or the weights add up to 0.

    See Also
    --------
    coverage : One minus this.
    deficit : How far misses lie outside.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.miss_rate([1, 2, 3, 4], lower=[0, 2, 0, 0], upper=[2, 3, 2, 3])
    0.5
    """
    return _mean_of_bounds(costs.missed, sample_weight, multioutput, y_true=y_true, lower=lower, upper=upper)


def coverage(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the share of observations inside their interval, bounds included.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    lower, upper : array, same shape, optional
        Bounds; None on the open side of a limit.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        A share, from 0 to 1.

    Raises
    ------
    InvalidRowsError, ShapeError, EmptyInputError, NotNumericError, ArgumentError
        As in `miss_rate`.

    See Also
    --------
    miss_rate : One minus this.
    conditional_coverage : The coverage of segments.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.coverage([1, 2, 3, 4], lower=[0, 2, 0, 0], upper=[2, 3, 2, 4])
    0.75
    """
    return _mean_of_bounds(
        costs.captured, sample_weight, multioutput, y_true=y_true, lower=lower, upper=upper
    )


def bandwidth(
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean half-width of the intervals, in units of y; of one bound, its distance to ``y_pred``.

    Parameters
    ----------
    lower, upper : array of shape (n,) or (n, outputs), optional
        Bounds; None on the open side of a limit.
    y_pred : array, same shape, optional
        Predictions, which a single bound needs.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    InvalidRowsError
        If rows are invalid: not finite, bounds crossed, prediction outside them, negative weights.
    ShapeError, EmptyInputError, NotNumericError
        If shapes differ, there are no rows, or an argument holds text, dates or booleans.
    ArgumentError
        If no bound is passed, or only one without ``y_pred``; or if the weights add up to 0.

    See Also
    --------
    coverage : What this width covers.
    interval_score : Width and misses in one number.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.bandwidth(lower=[0, 0], upper=[2, 4])
    1.5
    """
    bounds, weight, _ = _load_widths(sample_weight, lower=lower, upper=upper, y_pred=y_pred)
    return mean_of_rows(costs.half_width, bounds, weight, multioutput)


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

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    lower, upper : array, same shape, optional
        Bounds; None on the open side of a limit.
    y_pred : array, same shape, optional
        Predictions, which a single bound needs.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    InvalidRowsError, ShapeError, EmptyInputError, NotNumericError, ArgumentError
        As in `bandwidth`.

    See Also
    --------
    deficit : The same of misses.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.excess([1, 5], lower=[0, 0], upper=[4, 4])
    0.5
    """
    rows, weight, _ = _load_widths(sample_weight, y_true=y_true, lower=lower, upper=upper, y_pred=y_pred)
    return mean_of_rows(_excess, rows, weight, multioutput)


def deficit(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    """Return the mean over all rows of the distance of a miss to the nearer bound; hits count 0.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    lower, upper : array, same shape, optional
        Bounds; None on the open side of a limit.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    InvalidRowsError, ShapeError, EmptyInputError, NotNumericError, ArgumentError
        As in `miss_rate`.

    See Also
    --------
    excess : The same of hits.
    interval_score : Width and deficit in one number.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.deficit([1, 5], lower=[0, 0], upper=[4, 4])
    0.5
    """
    return _mean_of_bounds(_deficit, sample_weight, multioutput, y_true=y_true, lower=lower, upper=upper)


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

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    lower, upper : array, same shape, optional
        Bounds; None on the open side of a limit.
    miss_rate, coverage : float
        What the intervals claim, given by one of them: 0.1 or 0.9.
    y_pred : array, same shape, optional
        Predictions, which a single bound needs.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        How to average several outputs; "raw_values" returns each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    ArgumentError
        If not exactly one of ``miss_rate`` and ``coverage`` is passed, or it is not between 0 and 1; or as in
        `bandwidth`.
    InvalidRowsError, ShapeError, EmptyInputError, NotNumericError
        As in `bandwidth`.

    See Also
    --------
    UCC.score_at : The score of intervals moved to a coverage.
    weighted_interval_score : The same over many levels.

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
    rows, weight, side = _load_widths(sample_weight, y_true=y_true, lower=lower, upper=upper, y_pred=y_pred)

    def score(y: Array, low: Array, high: Array) -> Array:
        return costs.interval_score(costs.half_width(low, high), _deficit(y, low, high), alpha, side)

    return mean_of_rows(score, rows, weight, multioutput)


def _excess(y: Array, lower: Array, upper: Array) -> Array:
    xp = namespace(y)
    return costs.excess(xp, costs.room(xp, y, lower, upper))


def _deficit(y: Array, lower: Array, upper: Array) -> Array:
    xp = namespace(y)
    return costs.deficit(xp, costs.room(xp, y, lower, upper))


def _mean_of_bounds(
    cost: Callable[..., Array], sample_weight: ArrayLike | None, multioutput: Any, **bounds: ArrayLike | None
) -> float | np.ndarray:
    """Average a cost that is finite beside infinite bounds; a bound that is absent is infinite."""
    arrays = _load(sample_weight, **bounds)
    rules.enforce(arrays, rules=rules.RULES_FOR_ANY_BOUNDS)
    y, low, high, weight = arrays.values()
    low = namespace(y).full_like(y, -math.inf) if low is None else low
    high = namespace(y).full_like(y, math.inf) if high is None else high
    return mean_of_rows(cost, [y, low, high], weight, multioutput)


def _load_widths(
    sample_weight: ArrayLike | None, **bounds: ArrayLike | None
) -> tuple[list[Array], Array | None, Side]:
    r"""Return observations, if given, and bounds that all have a width; weights; the side that has a bound.

    A one-sided limit is the symmetric case with the part of the residual that points to it, which is
    :math:`e^+ = \max(y - \hat y, 0)` below an upper limit: :math:`e^+` between :math:`-z` and :math:`z`, the
    distance from the prediction to the limit.
    """
    arrays, side = checks.bounded(_load(sample_weight, **bounds), {})
    rules.enforce(arrays)
    if side != "both":
        y_pred, limit = arrays["y_pred"], arrays[side]
        band = limit - y_pred if side == "upper" else y_pred - limit
        arrays |= {"lower": -band, "upper": band}
        if "y_true" in arrays:
            arrays["y_true"] = kernel.toward_limit(namespace(band), arrays["y_true"] - y_pred, side)
    rows = [arrays[role] for role in ("y_true", *rules.BOUNDS) if role in arrays]
    return rows, arrays["sample_weight"], side


def _load(sample_weight: ArrayLike | None, **bounds: ArrayLike | None) -> dict[str, Any]:
    """Return arrays of one shape; bounds and predictions that are absent stay None."""
    if bounds["lower"] is None and bounds["upper"] is None:
        raise ArgumentError(argument="lower", rule="be passed, or `upper`, or both", got="neither")
    return checks.load({**bounds, "sample_weight": sample_weight}, optional=("y_pred", *rules.BOUNDS))


def mean_of_rows(
    cost: Callable[..., Array], columns: Sequence[Array], weight: Array | None, multioutput: Any
) -> float | np.ndarray:
    """Average a cost of rows, block by block, for each output.

    Parameters
    ----------
    cost : callable
        Takes a block of each column, and returns one value per row and output.
    columns : sequence of array
        Each of shape (n,) or (n, outputs); the last may have one more axis.
    weight : array of shape (n,), or None
        Weights of the rows.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        Average the outputs, or return one value for each.
    """
    n, xp = columns[0].shape[0], namespace(columns[0])
    total = float(n if weight is None else xp.sum(weight))
    if total == 0:
        raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0")
    values = _VALUES if isinstance(columns[0], np.ndarray) else _VALUES_ON_DEVICES
    size = max(1, values // math.prod(columns[-1].shape[1:]))
    sums = []
    with np.errstate(over="ignore", invalid="ignore"):
        for begin in range(0, n, size):
            block = slice(begin, min(begin + size, n))
            each = widened(cost(*(column[block, ...] for column in columns)))
            each = xp.reshape(each, (each.shape[0], -1))
            if weight is not None:
                each = each * weight[block, None]
            sums.append([float(xp.sum(each[:, output])) for output in range(each.shape[1])])
    means = [math.fsum(output) / total for output in zip(*sums, strict=True)]
    if not all(map(math.isfinite, means)):
        raise arguments.overflow()
    return average_outputs(means, multioutput)


def average_outputs(values: list[float], multioutput: Any, *others: str) -> float | np.ndarray:
    """Average the values of several outputs, or return them; the caller deals with other words itself."""
    if isinstance(multioutput, str):
        arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *others))
        return np.array(values) if multioutput == "raw_values" else math.fsum(values) / len(values)
    weights = as_arrays(multioutput=multioutput)["multioutput"]
    if weights is None or tuple(weights.shape) != (len(values),):
        got = None if weights is None else tuple(weights.shape)
        raise ShapeError(argument="multioutput", rule=f"have the shape ({len(values)},)", got=got)
    rules.enforce({"sample_weight": weights}, names={"sample_weight": "multioutput"})
    if float(namespace(weights).sum(weights)) == 0:
        raise ArgumentError(argument="multioutput", rule="have a positive sum", got="0")
    return float(np.average(values, weights=to_numpy(weights)))
