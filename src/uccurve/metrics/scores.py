"""Proper scores of predicted quantiles and of draws: pinball loss, weighted interval score, CRPS."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, from_numpy, namespace
from uccurve._base.frames import check_same_index
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas import scores
from uccurve.intervals import MEDIAN, Levels, are_in_range, checks, draws_first, quantile_name, rules
from uccurve.metrics.operating_point import mean_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput

_FEWEST_DRAWS = {"empirical": 1, "fair": 2}


@dataclass(frozen=True, kw_only=True, slots=True)
class WISParts:
    """The weighted interval score and what it is made of: three parts that add up to it, in units of y.

    Each is a float, or an array of shape (outputs,) if ``multioutput="raw_values"`` was passed.

    Attributes
    ----------
    score : float or array
        The weighted interval score.
    width : float or array
        What the widths of the intervals cost; below 0 only where quantiles cross.
    underprediction : float or array
        The penalty for observations above the intervals and the median, which were predicted too low.
    overprediction : float or array
        The penalty for observations below them, which were predicted too high.

    See Also
    --------
    weighted_interval_score : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> parts = uc.weighted_interval_score([1, 4], [[0, 1, 2], [1, 2, 3]], [0.1, 0.5, 0.9], decompose=True)
    >>> round(parts.score, 2), round(parts.width, 2), round(parts.underprediction, 2)
    (0.8, 0.13, 0.67)
    """

    score: float | np.ndarray
    width: float | np.ndarray
    underprediction: float | np.ndarray
    overprediction: float | np.ndarray


def pinball_loss(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    r"""Return the mean pinball (quantile) loss over rows and levels; lower is better.

    At the level :math:`\tau` an observation above its quantile costs :math:`\tau` per unit of distance, one
    below it :math:`1 - \tau`. Quantiles may cross: each level is judged on its own.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    quantiles : array of shape (n, levels) or (n, outputs, levels)
        Predicted quantiles, the last axis in the order of ``levels``.
    levels : sequence of float
        Different levels between 0 and 1, in any order.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        Average several outputs, with weights if passed, or return one value for each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    ShapeError
        If ``quantiles`` do not have a row for each observation and a column for each level.
    ArgumentError
        If levels are not different numbers between 0 and 1, or the weights add up to 0.
    InvalidRowsError
        If values are not finite, or weights are negative.
    EmptyInputError, NotNumericError
        If there are no rows, or an argument holds text, dates or booleans.

    See Also
    --------
    weighted_interval_score : Twice its mean, with the median.
    interval_score : Two levels as one interval.

    References
    ----------
    R. Koenker, G. Bassett, "Regression Quantiles", Econometrica 46 (1978), :doi:`10.2307/1913643`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.pinball_loss([1, 5], [[0, 4], [0, 4]], levels=[0.25, 0.75])
    0.75
    """
    given = Levels.check(levels).given
    rows, weight = _load_quantiles(y_true, quantiles, given, sample_weight)
    xp, each = namespace(rows[0]), from_numpy(np.array(given), rows[0])
    return mean_of_rows(lambda y, table: scores.mean_pinball(xp, y, table, each), rows, weight, multioutput)


@overload
def weighted_interval_score(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    *,
    decompose: Literal[False] = ...,
    sample_weight: ArrayLike | None = ...,
    multioutput: MultiOutput = ...,
) -> float | np.ndarray: ...
@overload
def weighted_interval_score(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    *,
    decompose: Literal[True],
    sample_weight: ArrayLike | None = ...,
    multioutput: MultiOutput = ...,
) -> WISParts: ...
def weighted_interval_score(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    *,
    decompose: bool = False,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray | WISParts:
    r"""Return the mean weighted interval score (WIS) of predicted quantiles; lower is better.

    With :math:`K` central intervals of miss rates :math:`\alpha_k` and the median :math:`m` it is
    :math:`\big(\tfrac12 |y - m| + \sum_k \tfrac{\alpha_k}{2} IS_{\alpha_k}\big) / (K + \tfrac12)`, in units
    of y; without a median the divisor is :math:`K`. It is twice the pinball loss of the same levels, and
    comes close to the CRPS as levels become dense.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    quantiles : array of shape (n, levels) or (n, outputs, levels)
        Predicted quantiles, the last axis in the order of ``levels``. Where they cross, the formula is taken
        as it stands: such an interval has a negative width and may be missed on both sides.
    levels : sequence of float
        Different levels between 0 and 1, in any order: symmetric pairs such as 0.05 and 0.95, with or without
        0.5. Pairs are matched up to 1e-6, as 1 − 0.95 is not exactly 0.05 in floats.
    decompose : bool
        Return `WISParts`: width, underprediction and overprediction.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        Average several outputs, with weights if passed, or return one value for each.

    Returns
    -------
    float or array of shape (outputs,), or WISParts
        In units of y; the parts with ``decompose=True``.

    Raises
    ------
    ArgumentError
        If a level has no partner, such as 0.05 without 0.95; or as in `pinball_loss`.
    ShapeError, InvalidRowsError, EmptyInputError, NotNumericError
        As in `pinball_loss`.

    See Also
    --------
    pinball_loss : What it is a mean of.
    crps : The same of draws.

    References
    ----------
    J. Bracher, E. L. Ray, T. Gneiting, N. G. Reich, "Evaluating epidemic forecasts in an interval format",
    PLOS Computational Biology 17 (2021), :doi:`10.1371/journal.pcbi.1008618`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.weighted_interval_score([1, 5], [[0, 2, 4], [0, 2, 4]], levels=[0.25, 0.5, 0.75])
    1.6666666666666667
    >>> parts = uc.weighted_interval_score([1, 5], [[0, 4], [0, 4]], levels=[0.25, 0.75], decompose=True)
    >>> parts.width, parts.underprediction, parts.overprediction
    (1.0, 0.5, 0.0)
    """
    arguments.instance("decompose", decompose, bool)
    checked = Levels.check(levels)
    rows, weight = _load_quantiles(y_true, quantiles, checked.given, sample_weight)
    xp, pairs = namespace(rows[0]), _pair_columns(checked, rows[0])

    def mean(combine: Callable[[scores.WISTerms], Array]) -> float | np.ndarray:
        def score(y: Array, table: Array) -> Array:
            return combine(scores.wis_terms(xp, y, table, pairs))

        return mean_of_rows(score, rows, weight, multioutput)

    whole, names = mean(sum), scores.WISTerms._fields
    return WISParts(score=whole, **{name: mean(attrgetter(name)) for name in names}) if decompose else whole


def crps(
    y_true: ArrayLike,
    samples: ArrayLike,
    *,
    axis: int = 0,
    estimator: Literal["empirical", "fair"] = "empirical",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> float | np.ndarray:
    r"""Return the mean continuous ranked probability score of draws; lower is better.

    For the draws :math:`x_1, \dots, x_m` of a row it is :math:`E|X - y| - \tfrac12 E|X - X'|`, in units of
    y: of one draw the absolute error. It takes O(m log m) per row, by sorting. Beside the samples it takes
    memory for a byte per draw, and a few blocks of 2 MB (128 MB on other devices).

    Parameters
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    samples : array of shape (draws, n) or (draws, n, outputs)
        Draws of each prediction, in any order.
    axis : int
        The axis of the draws, as in `Intervals.from_samples`.
    estimator : {"empirical", "fair"}
        "empirical" takes :math:`E|X - X'|` with the divisor :math:`m^2`: the exact CRPS of the distribution
        that has these draws and nothing else. With few draws it is not proper: draws less spread than the
        truth score better on average. "fair" divides by :math:`m (m - 1)`: on average the CRPS of the
        distribution that was drawn from, whatever the number of draws, and so proper for it. It needs two
        draws or more, and may be below 0.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"} or array of shape (outputs,)
        Average several outputs, with weights if passed, or return one value for each.

    Returns
    -------
    float or array of shape (outputs,)
        In units of y.

    Raises
    ------
    ShapeError
        If ``samples`` do not fit ``y_true``, or ``estimator="fair"`` has fewer than two draws.
    ArgumentError
        If ``estimator`` is unknown, or the weights add up to 0.
    InvalidRowsError
        If values are not finite, or weights are negative.
    EmptyInputError, NotNumericError
        If there are no rows, or an argument holds text, dates or booleans.

    See Also
    --------
    weighted_interval_score : The same of quantiles.

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
    y, table, weight = _load_rows(y_true, sample_weight, samples=samples)
    draws = draws_first(table, axis, y, _FEWEST_DRAWS[estimator])
    xp, fair = namespace(draws), estimator == "fair"
    if not are_in_range([draws]):
        size = xp.abs(draws)
        for extreme in (xp.max(size, axis=0), xp.min(xp.where(size > 0, size, xp.ones_like(size)), axis=0)):
            rules.enforce({"y_pred": extreme}, names={"y_pred": "samples"})
    rows = [y, xp.permute_dims(draws, (*range(1, draws.ndim), 0))]
    return mean_of_rows(
        lambda y, draws: scores.crps_of_draws(xp, y, draws, fair=fair), rows, weight, multioutput
    )


def _load_quantiles(
    y_true: ArrayLike, quantiles: ArrayLike, levels: Sequence[float], sample_weight: ArrayLike | None
) -> tuple[list[Array], Array | None]:
    """Return observations beside quantiles of shape (n, levels) or (n, outputs, levels), and weights."""
    y, table, weight = _load_rows(y_true, sample_weight, quantiles=quantiles)
    if tuple(y.shape[1:]) == (1,):  # a single output may have an axis or not
        y = y[:, 0]
    if table is not None and tuple(table.shape[1:-1]) == (1,):
        table = table[:, 0, :]
    shape, expected = None if table is None else tuple(table.shape), (*y.shape, len(levels))
    if shape != expected:
        raise ShapeError(
            argument="quantiles", rule=f"have the shape {expected}, as `y_true` and `levels` imply", got=shape
        )
    if not are_in_range([table]):
        for column, level in enumerate(levels):
            rules.enforce({"y_pred": table[..., column]}, names={"y_pred": quantile_name(level)})
    return [y, table], weight


def _load_rows(y_true: ArrayLike, sample_weight: ArrayLike | None, **table: ArrayLike) -> list[Any]:
    """Return checked observations, a table of any shape, and checked weights, as arrays of one kind."""
    check_same_index({"y_true": y_true, **table, "sample_weight": sample_weight})
    arrays = as_arrays(y_true=y_true, sample_weight=sample_weight, **table)
    rows = checks.load({"y_true": arrays["y_true"], "sample_weight": arrays["sample_weight"]})
    rules.enforce(rows)
    return [rows["y_true"], *(arrays[name] for name in table), rows["sample_weight"]]


def _pair_columns(levels: Levels, like: Array) -> scores.Pairs:
    """Return the columns of each level below 0.5 and of its partner above, which all must have."""
    if levels.unpaired:
        alone, partner = levels.unpaired[0], arguments.complement(levels.unpaired[0])
        raise ArgumentError(
            argument="levels", rule=f"be symmetric around {MEDIAN}", got=f"{alone!r} without {partner!r}"
        )
    pairs = np.array(levels.pairs).reshape(-1, 2)
    places = np.array([levels.given.index(level) for level in pairs.flat], dtype=np.int64).reshape(-1, 2)
    lower, upper, tails = (from_numpy(column, like) for column in (*places.T, pairs[:, 0]))
    median = None if levels.median is None else levels.given.index(levels.median)
    return scores.Pairs(lower, upper, tails, median)
