"""Scorers of prediction intervals, for cross_val_score, GridSearchCV and the like."""

from __future__ import annotations

import inspect
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sklearn.utils.metadata_routing import MetadataRequest

from uccurve._base import arguments
from uccurve.adapters.estimators import estimator_output
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentTypeError, UnreachableError
from uccurve.intervals import Intervals, checks
from uccurve.metrics import compute_by_output, interval_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Vary

_ADVICE = "Wrap it in ConformalIntervalRegressor, or pass `levels` if it predicts quantiles."
_DEFAULT_COVERAGE = 0.9

# What is computed of a curve, and whether more of it is better (1) or less (-1).
_OF_CURVES: dict[str, tuple[Callable[..., float], int]] = {
    "interval_score_at": (UCC.score_at, -1),
    "auucc": (UCC.area, -1),
    "auucc_gain": (UCC.gain, 1),
}
_AT_ONE_COVERAGE = ("interval_score", "interval_score_at")


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalScorer:
    """A number that is higher for better intervals; made by `interval_scorer`.

    Call it as scikit-learn does, with a fitted estimator, inputs and observations.

    Attributes
    ----------
    metric : str
        What is computed.
    options : mapping
        Options of the metric.
    levels, nominal, crossed
        How predictions are read; see `interval_scorer`.

    See Also
    --------
    interval_scorer : Makes one.

    Examples
    --------
    >>> from uccurve.sklearn import neg_interval_score_at
    >>> neg_interval_score_at(0.9).metric
    'interval_score_at'
    """

    metric: str
    options: Mapping[str, Any]
    levels: tuple[float, ...] | None
    nominal: tuple[float, ...] | None
    crossed: Crossed
    _weight_request: bool | str | None = field(default=None, repr=False)

    def __call__(
        self, estimator: Any, X: Any, y_true: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Score a fitted estimator; higher is better.

        Parameters
        ----------
        estimator : object
            A fitted estimator; see `interval_scorer` for what it must predict.
        X : array or frame
            Inputs.
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        """
        coverage = self.options["coverage"] if self.metric in _AT_ONE_COVERAGE else None
        output = estimator_output(
            estimator, X, levels=self.levels, nominal=self.nominal, coverage=coverage, advice=_ADVICE
        )
        if self.metric in _OF_CURVES:
            rows = output.with_observations(y_true, sample_weight=sample_weight, crossed=self.crossed)
            return _score_of_curve(self.metric, rows, **self.options)
        rows = output.with_observations(y_true, coverage, sample_weight=sample_weight, crossed=self.crossed)
        score = interval_score(
            rows.y_true, rows.lower, rows.upper, coverage=coverage, sample_weight=sample_weight
        )
        return -float(score)

    def set_score_request(self, *, sample_weight: bool | str | None) -> IntervalScorer:
        """Return a scorer that asks for weights, where metadata routing is enabled.

        Scorers do not change: use the one that is returned.

        Parameters
        ----------
        sample_weight : bool, None or str
            True to use weights that are passed, False to ignore them, None to raise an error if there are
            any, or the name that they are passed under.

        Returns
        -------
        IntervalScorer
            A new scorer.
        """
        return replace(self, _weight_request=sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return what the scorer asks for, in scikit-learn's form.

        Returns
        -------
        MetadataRequest
            What it asks for.
        """
        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weight_request)
        return request

    def _accept_sample_weight(self) -> bool:
        """Whether searches may pass weights on, where metadata routing is not enabled."""
        return True


def _score_of_curve(metric: str, rows: Intervals, *, vary: Vary = "scale", **options: Any) -> float:
    """Return a number of the curve, on average over the outputs, as `uccurve.auucc` does."""
    statistic, sign = _OF_CURVES[metric]
    return sign * float(compute_by_output(statistic, rows, vary, "uniform_average", **options))


def interval_scorer(
    metric: str = "interval_score",
    *,
    levels: Sequence[float] | None = None,
    nominal: Sequence[float] | None = None,
    crossed: Crossed = "raise",
    **options: Any,
) -> IntervalScorer:
    """Make a scorer of prediction intervals.

    It reads estimators that have ``predict_interval(X)`` with bounds of shape (n, 2) or (n, 2, 1), a pair of
    bounds, or a pair of predictions and bounds; ``predict(X, return_std=True)``; or a ``predict`` that
    returns quantiles. Each may be the last step of a pipeline, or the best estimator of a search.

    Parameters
    ----------
    metric : {"interval_score", "interval_score_at", "auucc", "auucc_gain"}
        The interval score of the intervals that claim a coverage; that of intervals moved to a coverage, as
        `UCC.score_at`; the area under the curve; or its gain over constant width. Select models by a score
        or an area: `neg_interval_score_at` is the one to begin with. A smaller area of bandwidth and miss
        rate can be had by missing noisy rows more often. A gain compares intervals with constant width
        around the same predictions, so that bad predictions can gain: use it only where predictions are
        fixed and bands differ.
    levels : sequence of float, optional
        The levels of the quantiles that ``predict`` returns as columns. A ``predict`` with an argument
        ``quantiles`` receives the levels.
    nominal : sequence of float, optional
        The nominal coverages of the bounds, if ``predict_interval`` returns those of several, of shape
        (n, 2, k).
    crossed : {"raise", "sort"}
        Quantiles that are not in order: raise an error, or sort those of each row, with a warning.
    **options
        Of the metric. "interval_score" takes ``coverage``, 0.9 by default: standard deviations are those of a
        normal distribution, quantiles must have the pair, and bounds are assumed to claim it, unless
        ``predict_interval`` has an argument ``coverage`` to ask for them. "interval_score_at" takes
        ``coverage``, 0.9 by default, and ``vary``. The areas take ``vary`` and the options of `UCC.area`,
        such as ``y="deficit"`` or ``coverage=(0.8, 0.95)``.

    Returns
    -------
    IntervalScorer
        With ``set_score_request`` for weights, where metadata routing is enabled.

    Raises
    ------
    ArgumentError
        If ``metric`` is unknown, or an option has a value outside its rule. The scorer itself raises as
        `UCC.area` and `UCC.score_at` do; scikit-learn turns that into NaN.
    ArgumentTypeError
        If the metric has no such option.

    See Also
    --------
    neg_interval_score_at : The one to begin with.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import BayesianRidge
    >>> from sklearn.model_selection import cross_val_score
    >>> from uccurve.sklearn import interval_scorer
    >>> X = np.linspace(0, 1, 40)[:, None]
    >>> y = 2 * X[:, 0] + np.tile([0.1, -0.1, 0.2, -0.2], 10)
    >>> scores = cross_val_score(BayesianRidge(), X, y, scoring=interval_scorer(coverage=0.8), cv=4)
    >>> scores.round(2)
    array([-0.46, -0.41, -0.42, -0.45])
    """
    arguments.option("metric", metric, ("interval_score", *_OF_CURVES))
    arguments.option("crossed", crossed, ("raise", "sort"))
    if metric in _AT_ONE_COVERAGE:
        options = {"coverage": _DEFAULT_COVERAGE, **options}
    _check_options(metric, options)
    return IntervalScorer(
        metric=metric,
        options=options,
        levels=None if levels is None else tuple(arguments.sequence("levels", levels)),
        nominal=None if nominal is None else checks.check_claims(nominal),
        crossed=crossed,
    )


def _check_options(metric: str, options: Mapping[str, Any]) -> None:
    """Refuse wrong options at once: scikit-learn turns errors of scorers into scores of NaN."""
    known = (
        {"coverage"} if metric in _AT_ONE_COVERAGE else {*inspect.signature(UCC.area).parameters} - {"self"}
    )
    if metric in _OF_CURVES:
        known |= {"vary"}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ArgumentTypeError(
            argument=unknown[0], rule=f"be one of the options of {metric!r}: {', '.join(sorted(known))}"
        )
    if metric in _AT_ONE_COVERAGE:
        arguments.number("coverage", options["coverage"], 0, 1, open_=True)
    if metric in _OF_CURVES:
        example = Intervals.from_quantiles([-2.0, 1.0, 3.0], [[-1.0, 0.0, 2.0]] * 3, (0.1, 0.5, 0.9))
        with suppress(UnreachableError):  # of these rows: others have other bandwidths
            _score_of_curve(metric, example, **options)


def neg_interval_score_at(coverage: float = _DEFAULT_COVERAGE, **options: Any) -> IntervalScorer:
    """Make the scorer to select models by: the negative interval score of intervals moved to a coverage.

    It rewards bands that follow the true quantiles; a factor common to all bands cancels out.

    Parameters
    ----------
    coverage : float
        The coverage that you need, between 0 and 1.
    **options
        ``vary``, and how predictions are read: ``levels``, ``nominal`` and ``crossed``, as in
        `interval_scorer`.

    Returns
    -------
    IntervalScorer
        Pass it as ``scoring=``.

    Raises
    ------
    ArgumentError, ArgumentTypeError
        As in `interval_scorer`.

    See Also
    --------
    interval_scorer : Any other number.

    Examples
    --------
    >>> from uccurve.sklearn import neg_interval_score_at
    >>> neg_interval_score_at(0.8).options
    {'coverage': 0.8}
    """
    return interval_scorer("interval_score_at", coverage=coverage, **options)


neg_rms_area_scorer = interval_scorer("auucc", y="deficit")
"""The negative area of bandwidth against the deficit. It rewards bands that follow the RMS error."""

neg_auucc_scorer = interval_scorer("auucc")
"""The negative area of bandwidth against the miss rate. It rewards √σ for errors of scale σ."""
