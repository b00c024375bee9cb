"""The CRPS of draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy
from uccurve._kernels import scores
from uccurve.metrics._scored_rows import rows_of_draws

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput

_FEWEST_DRAWS = {"empirical": 1, "fair": 2}


def crps(
    y_true: ArrayLike,
    samples: ArrayLike,
    *,
    axis: int | None = None,
    estimator: Literal["empirical", "fair"] = "empirical",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    r"""Return the mean continuous ranked probability score of draws; lower is better.

    For the draws :math:`x_1, \dots, x_m` of a row it is :math:`E|X - y| - \tfrac12 E|X - X'|`, in units of
    y: of one draw the absolute error. It takes O(m log m) per row, by sorting. Beside the samples it takes
    memory for a byte per draw, a number per row, and a few blocks of 2 MB (128 MB on other devices).

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    samples : array of shape (draws, n) or (draws, n, outputs)
        Draws of each prediction, in any order.
    axis : int, optional
        The axis of the draws, 0 by default, as in `Intervals.from_samples`; it must be given where the shape
        fits more than one, such as (n, n).
    estimator : {"empirical", "fair"}
        "empirical" takes :math:`E|X - X'|` with the divisor :math:`m^2`: the exact CRPS of the distribution
        that has these draws and nothing else. With few draws it is not proper: draws less spread than the
        truth score better on average. "fair" divides by :math:`m (m - 1)`: on average the CRPS of the
        distribution that was drawn from, whatever the number of draws, and so proper for it. It needs two
        draws or more, and may be below 0.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"}
        Average several outputs, or return one value for each.

    References
    ----------
    T. Gneiting, A. E. Raftery, "Strictly Proper Scoring Rules, Prediction, and Estimation",
    Journal of the American Statistical Association 102 (2007), :doi:`10.1198/016214506000001437`.
    C. A. T. Ferro, "Fair scores for ensemble forecasts", Quarterly Journal of the Royal Meteorological
    Society 140 (2014), :doi:`10.1002/qj.2270`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.crps([1, 5], [[0, 4], [2, 4], [4, 4], [2, 4]])
    0.875
    >>> uc.crps([1, 5], [[0, 4], [2, 4], [4, 4], [2, 4]], estimator="fair")
    0.75
    """
    arguments.option("estimator", estimator, tuple(_FEWEST_DRAWS))
    rows = rows_of_draws(y_true, samples, axis, _FEWEST_DRAWS[estimator], sample_weight)
    xp, number = rows.xp, rows.table.shape[-1]
    rank = np.arange(1, number + 1, dtype=np.float64)
    levels = from_numpy((rank - 0.5) / number, rows.y_true)
    gaps = rank[:-1] / number * ((number - rank[:-1]) / number)
    steps = from_numpy(gaps / max(number - 1, 1), rows.y_true)

    def score(y: Array, draws: Array) -> Array:
        ordered = xp.sort(draws, axis=-1, stable=False)
        exact = scores.crps_of_draws(xp, y, ordered, levels)
        return exact if estimator == "empirical" else exact - scores.unfairness(xp, ordered, steps)

    return rows.mean(rows.scores(score), multioutput)
