"""Metrics in the manner of scikit-learn: arrays in, a number out.

All of them take ``sample_weight`` (one weight per row) and ``multioutput``: "uniform_average" (a float,
the mean over outputs) or "raw_values" (an array, one value for each output). Bounds may be infinite or
None where the metric is finite all the same: for miss rate, coverage and deficit. The others take one bound,
the other None or infinite in every row, beside ``y_pred``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._kernels import costs
from uccurve.curve import UCC
from uccurve.curve._ranges import on_axes
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals, _mean_costs
from uccurve.intervals._checked_rows import check_rows
from uccurve.intervals._mean_costs import average

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput, Partial, PooledOutput, Vary, X, Y


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
    bounds = {"y_true": y_true, "lower": lower, "upper": upper}
    return _mean_costs.mean_of_bounds(_mean_costs.missed, bounds, sample_weight, multioutput)


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
    bounds = {"y_true": y_true, "lower": lower, "upper": upper}
    return _mean_costs.mean_of_bounds(_mean_costs.captured, bounds, sample_weight, multioutput)


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
    half, distance = _mean_costs.half_width, _mean_costs.distance
    return _mean_costs.mean_of_widths(half, distance, bounds, sample_weight, multioutput)


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
    two_sided, of_limit = _mean_costs.excess, _mean_costs.excess_of_limit
    return _mean_costs.mean_of_widths(two_sided, of_limit, bounds, sample_weight, multioutput)


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
    bounds = {"y_true": y_true, "lower": lower, "upper": upper}
    return _mean_costs.mean_of_bounds(_mean_costs.deficit, bounds, sample_weight, multioutput)


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

    def two_sided(xp: Any, y: Array, low: Array, high: Array) -> Array:
        missing = _mean_costs.deficit(xp, y, low, high)
        return costs.interval_score(costs.half_width(low, high), missing, alpha)

    def of_limit(xp: Any, toward: Array, band: Array, _: Array) -> Array:
        missing = costs.deficit(xp, costs.room_to_limit(toward, band))
        return costs.interval_score(band, missing, alpha, "one")

    bounds = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
    return _mean_costs.mean_of_widths(two_sided, of_limit, bounds, sample_weight, multioutput)


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


def _rows(
    y_true: ArrayLike,
    lower: ArrayLike | None,
    upper: ArrayLike | None,
    y_pred: ArrayLike | None,
    std: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> Intervals:
    """Make intervals from bounds, or from predictions and standard deviations, without a copy."""
    columns: dict[str, ArrayLike | None] = {"y_true": y_true, "y_pred": y_pred}
    if std is None:
        columns |= {"lower": lower, "upper": upper}
    elif lower is not None or upper is not None:
        raise ArgumentError("give `lower` and `upper`, or `y_pred` and `std`; got both.")
    else:
        columns["std"] = std
    return Intervals(*check_rows(columns, sample_weight, "raise"))


def _of_outputs(
    statistic: Callable[..., float], rows: Intervals, vary: Vary, multioutput: Any, **options: Any
) -> float | np.ndarray:
    """Compute a statistic of the curve of each output, or of one curve for all."""
    if isinstance(multioutput, str) and multioutput == "pooled":
        return statistic(UCC(rows, vary=vary), **options)
    values = [statistic(UCC(output, vary=vary), **options) for output in rows.outputs()]
    return average(values, multioutput, "pooled")
