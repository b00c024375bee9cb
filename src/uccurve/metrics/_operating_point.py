"""The intervals as they are: their four costs, and the interval score.

Bounds may be infinite or None where the metric is finite all the same: for miss rate, coverage and deficit.
The others take one bound, the other None or infinite in every row, beside ``y_pred``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.formulas import costs
from uccurve.metrics import mean_costs

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput


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
    return mean_costs.mean_of_bounds(mean_costs.missed, bounds, sample_weight, multioutput)


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
    return mean_costs.mean_of_bounds(mean_costs.captured, bounds, sample_weight, multioutput)


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
    half, distance = mean_costs.half_width, mean_costs.distance
    return mean_costs.mean_of_widths(half, distance, bounds, sample_weight, multioutput)


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
    two_sided, of_limit = mean_costs.excess, mean_costs.excess_of_limit
    return mean_costs.mean_of_widths(two_sided, of_limit, bounds, sample_weight, multioutput)


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
    return mean_costs.mean_of_bounds(mean_costs.deficit, bounds, sample_weight, multioutput)


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
        missing = mean_costs.deficit(xp, y, low, high)
        return costs.interval_score(costs.half_width(low, high), missing, alpha)

    def of_limit(xp: Any, toward: Array, band: Array, _: Array) -> Array:
        missing = costs.deficit(xp, costs.room_to_limit(toward, band))
        return costs.interval_score(band, missing, alpha, "one")

    bounds = {"y_true": y_true, "lower": lower, "upper": upper, "y_pred": y_pred}
    return mean_costs.mean_of_widths(two_sided, of_limit, bounds, sample_weight, multioutput)
