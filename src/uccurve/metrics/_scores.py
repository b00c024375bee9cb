"""Proper scores of predicted quantiles and of draws: pinball loss, weighted interval score, CRPS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy
from uccurve.exceptions import ArgumentError
from uccurve.formulas import scores
from uccurve.intervals import MEDIAN, Levels
from uccurve.metrics._scored_rows import rows_of_draws, rows_of_quantiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, MultiOutput

_FEWEST_DRAWS = {"empirical": 1, "fair": 2}
_SHOWN = 6
"""How many levels an error lists."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WISParts:
    """The weighted interval score and what it is made of: three parts that add up to it, in units of y.

    Each is a float, or an array of shape (outputs,) if ``multioutput="raw_values"`` was asked for.

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
    multioutput : {"uniform_average", "raw_values"}
        Average several outputs, or return one value for each.

    References
    ----------
    R. Koenker, G. Bassett, "Regression Quantiles", Econometrica 46 (1978), :doi:`10.2307/1913643`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.pinball_loss([1, 5], [[0, 4], [0, 4]], levels=[0.25, 0.75])
    0.75
    """
    checked = _checked_levels(levels)
    rows = rows_of_quantiles(y_true, quantiles, checked, sample_weight)
    each, xp = from_numpy(np.array(checked), rows.y_true), rows.xp
    losses = rows.scores(lambda y, table: scores.mean_pinball(xp, y, table, each))
    return rows.mean(losses, multioutput)


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
        Return `WISParts`, which tells width, underprediction and overprediction apart.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values"}
        Average several outputs, or return one value for each.

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
    checked = _checked_levels(levels)
    paired = _paired_levels(checked)
    rows = rows_of_quantiles(y_true, quantiles, checked, sample_weight)
    xp, pairs = rows.xp, _as_arrays(paired, rows.y_true)

    def score(y: Array, table: Array) -> Array:
        terms = scores.wis_terms(xp, y, table, pairs)
        return terms.width + terms.underprediction + terms.overprediction

    whole = rows.mean(rows.scores(score), multioutput)
    if not decompose:
        return whole

    def part(name: str) -> float | np.ndarray:
        terms = rows.scores(lambda y, table: getattr(scores.wis_terms(xp, y, table, pairs), name))
        return rows.mean(terms, multioutput)

    names = ("width", "underprediction", "overprediction")
    return WISParts(score=whole, **{name: part(name) for name in names})


def _as_arrays(paired: _PairedLevels, like: Array) -> scores.Pairs:
    """Return the pairs as arrays of the kind of the observations."""

    def column(values: tuple[Any, ...], dtype: Any) -> Array:
        return from_numpy(np.array(values, dtype=dtype), like)

    return scores.Pairs(
        column(paired.lower, np.int64),
        column(paired.upper, np.int64),
        column(paired.tails, np.float64),
        paired.median,
    )


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


class _PairedLevels(NamedTuple):
    """Levels in symmetric pairs, as numbers of columns, from the outermost pair to the innermost."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    tails: tuple[float, ...]
    """The lower level of each pair: half the miss rate of its interval."""
    median: int | None


def _checked_levels(levels: Sequence[float]) -> list[float]:
    """Check that levels are different numbers between 0 and 1."""
    return list(Levels.check(levels).given)


def _paired_levels(levels: list[float]) -> _PairedLevels:
    """Match each level below 0.5 with its partner above; levels without one are an error."""
    found = Levels.of(levels)
    if found.unpaired:
        raise _unpaired(list(found.unpaired))
    lower, upper = (tuple(levels.index(pair[side]) for pair in reversed(found.pairs)) for side in (0, 1))
    median = None if found.median is None else levels.index(found.median)
    return _PairedLevels(lower, upper, tuple(levels[column] for column in lower), median)


def _unpaired(lonely: list[float]) -> ArgumentError:
    verb = "has" if len(lonely) == 1 else "have"
    partners = [arguments.complement(level) for level in lonely]
    return ArgumentError(
        argument="levels",
        rule=f"be symmetric around {MEDIAN}, but {_listed(lonely)} {verb} no partner",
        hint=f"Add {_listed(partners)}, or leave out what has none.",
    )


def _listed(levels: list[float]) -> str:
    """List a few levels in words."""
    shown = [repr(level) for level in levels[:_SHOWN]]
    if len(levels) > _SHOWN:
        shown.append(f"{len(levels) - _SHOWN} more")
    *head, last = shown
    return f"{', '.join(head)} and {last}" if head else last
