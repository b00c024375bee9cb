"""Scorers of prediction intervals, for cross_val_score, GridSearchCV and the like."""

from __future__ import annotations

import inspect
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sklearn import get_config
from sklearn.utils.metadata_routing import UNCHANGED, MetadataRequest

from uccurve._base import arguments
from uccurve.adapters.estimators import estimator_output
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, ArgumentTypeError, UnreachableError
from uccurve.intervals import Intervals, checks
from uccurve.metrics import compute_by_output, interval_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Vary

_ADVICE = "Wrap it in ConformalIntervalRegressor, or pass `levels` if it predicts quantiles."
_DEFAULT_COVERAGE = 0.9


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class IntervalScorer:
    """A number that is higher for better intervals; made by `interval_scorer`.

    Call it as scikit-learn does, with a fitted estimator, inputs and observations.

    Attributes
    ----------
    metric : str or callable
        What is computed.
    greater_is_better : bool
        Whether the number of the metric is the score; otherwise its negative is.
    options : mapping
        Options of the metric.
    levels, nominal, crossed
        How predictions are read; see `interval_scorer`.
    """

    metric: str | Callable[..., float]
    greater_is_better: bool
    options: Mapping[str, Any] = field(default_factory=dict)
    levels: tuple[float, ...] | None = None
    nominal: tuple[float, ...] | None = None
    crossed: Crossed = "raise"
    _weight_request: bool | str | None = None

    def __repr__(self) -> str:
        named = self.metric if isinstance(self.metric, str) else getattr(self.metric, "__name__", self.metric)
        reading = {"levels": self.levels, "nominal": self.nominal}
        shown = {**self.options, **{name: value for name, value in reading.items() if value is not None}}
        options = "".join(f", {name}={value!r}" for name, value in shown.items())
        return f"interval_scorer({named!r}{options})"

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
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
        coverage = None
        if self.metric in _AT_ONE_COVERAGE:
            coverage = self.options.get("coverage", _DEFAULT_COVERAGE)
        output = estimator_output(
            estimator, X, levels=self.levels, nominal=self.nominal, coverage=coverage, advice=_ADVICE
        )
        if coverage is not None and self.metric == "interval_score":
            rows = output.claiming(coverage, y_true, sample_weight, self.crossed)
            value = interval_score(
                rows.y_true, rows.lower, rows.upper, coverage=coverage, sample_weight=sample_weight
            )
        else:
            rows = output.with_observations(y_true, sample_weight, self.crossed)
            compute = _OF_CURVES[self.metric] if isinstance(self.metric, str) else self.metric
            value = compute(rows, **self.options)
        return float(value) if self.greater_is_better else -float(value)

    def set_score_request(self, *, sample_weight: bool | str | None = UNCHANGED) -> IntervalScorer:
        """Return a scorer that asks for weights, where metadata routing is enabled.

        Scorers do not change: use the one that is returned.

        Parameters
        ----------
        sample_weight : bool, None or str
            True to use weights that are passed, False to ignore them, None to raise an error if there are
            any, or the name that they are passed under.
        """
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "This method is only available when metadata routing is enabled. You can enable it using "
                "sklearn.set_config(enable_metadata_routing=True)."
            )
        unchanged = isinstance(sample_weight, str) and sample_weight == UNCHANGED
        return self if unchanged else replace(self, _weight_request=sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return what the scorer asks for, in scikit-learn's form."""
        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weight_request)
        return request

    def _accept_sample_weight(self) -> bool:
        """Whether searches may pass weights on, where metadata routing is not enabled."""
        return True


def _area(rows: Intervals, *, vary: Vary = "scale", **options: Any) -> Any:
    """Return the area, on average over the outputs, as `uccurve.auucc` does."""
    return compute_by_output(UCC.area, rows, vary, "uniform_average", **options)


def _gain(rows: Intervals, *, vary: Vary = "scale", **options: Any) -> Any:
    return compute_by_output(UCC.gain, rows, vary, "uniform_average", **options)


def _score_at(rows: Intervals, *, vary: Vary = "scale", coverage: float = _DEFAULT_COVERAGE) -> Any:
    return compute_by_output(UCC.score_at, rows, vary, "uniform_average", coverage=coverage)


_OF_CURVES: dict[str, Callable[..., Any]] = {"score_at": _score_at, "auucc": _area, "auucc_gain": _gain}
_METRICS = ("interval_score", *_OF_CURVES)
_AT_ONE_COVERAGE = ("interval_score", "score_at")
_HIGHER_IS_BETTER = {"interval_score": False, "score_at": False, "auucc": False, "auucc_gain": True}


def interval_scorer(
    metric: str | Callable[..., float] = "interval_score",
    *,
    greater_is_better: bool | None = None,
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
    metric : {"interval_score", "score_at", "auucc", "auucc_gain"} or callable
        The interval score of the intervals that claim a coverage; that of intervals moved to a coverage, as
        `UCC.score_at`; the area under the curve; its gain over a constant band; or a function of `Intervals`
        that returns a number. Select models by a score or an area: "score_at" is the one to begin with. A
        smaller area of bandwidth and miss rate can be had by missing noisy rows more often. A gain compares
        intervals with a constant band around the same predictions, so that bad predictions can gain: use it
        only where predictions are fixed and bands differ.
    greater_is_better : bool, optional
        For a function: whether its number is the score; otherwise its negative is.
    levels : sequence of float, optional
        The levels of the quantiles that ``predict`` returns as columns. A ``predict`` with an argument
        ``quantiles`` is handed the levels.
    nominal : sequence of float, optional
        The nominal coverages of the bounds, if ``predict_interval`` returns those of several, of shape
        (n, 2, k).
    crossed : {"raise", "sort"}
        Quantiles that are not in order: raise an error, or sort those of each row, with a warning.
    **options
        Of the metric. "interval_score" takes ``coverage``, 0.9 by default: standard deviations are those of a
        normal distribution, quantiles must have the pair, and bounds are taken to claim it, unless
        ``predict_interval`` has an argument ``coverage`` to ask for them. "score_at" takes ``coverage``, 0.9
        by default, and ``vary``. The areas take ``vary`` and the options of `UCC.area`, such as
        ``y="deficit"`` or ``coverage=(0.8, 0.95)``.

    Returns
    -------
    IntervalScorer
        With ``set_score_request`` for weights, where metadata routing is enabled.

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
    if isinstance(metric, str):
        arguments.option("metric", metric, _METRICS)
        if greater_is_better is not None:
            raise ArgumentError(
                argument="greater_is_better",
                rule="be passed for a function only",
                hint="It is known of names.",
            )
        greater_is_better = _HIGHER_IS_BETTER[metric]
        _check_options(metric, options)
    elif not callable(metric):
        raise ArgumentTypeError(
            argument="metric",
            rule=f"be {' or '.join(map(repr, _METRICS))} or a function of Intervals",
            got=type(metric).__name__,
        )
    elif not isinstance(greater_is_better, bool):
        raise ArgumentError(
            argument="greater_is_better",
            rule="be True or False beside a function",
            got=repr(greater_is_better),
        )
    arguments.option("crossed", crossed, ("raise", "sort"))
    return IntervalScorer(
        metric=metric,
        greater_is_better=greater_is_better,
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
    if metric in _AT_ONE_COVERAGE and "coverage" in options:
        arguments.number("coverage", options["coverage"], 0, 1, open_=True)
    if metric in _OF_CURVES:
        example = Intervals.from_quantiles([-2.0, 1.0, 3.0], [[-1.0, 0.0, 2.0]] * 3, (0.1, 0.5, 0.9))
        with suppress(UnreachableError):  # of these rows: others have other bandwidths
            _OF_CURVES[metric](example, **options)


neg_score_at_scorer = interval_scorer("score_at")
"""The negative interval score of the intervals moved to 90% coverage: what to select models by."""

neg_auucc_scorer = interval_scorer("auucc")
"""The negative area of bandwidth against the miss rate; the best bands follow the root of the error scale."""

neg_deficit_area_scorer = interval_scorer("auucc", y="deficit")
"""The negative area of bandwidth against the deficit; the best bands follow the root mean square error."""

auucc_gain_scorer = interval_scorer("auucc_gain")
"""The gain over a constant band around the same predictions: only where predictions are fixed."""

deficit_gain_scorer = interval_scorer("auucc_gain", y="deficit")
"""The same against the deficit: only where predictions are fixed."""
