"""Regressors: what boosted trees predict, and fitted estimators, recognized by their methods."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from itertools import chain
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, namespace
from uccurve.adapters import common
from uccurve.adapters.pandas_frames import count_column_levels, from_sktime
from uccurve.exceptions import ArgumentError, NotNumericError, ShapeError
from uccurve.intervals import Intervals, Levels, checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve.adapters.common import RowOptions

_PAIR = 2


# -- boosted trees: what they predict ----------------------------------------------------------------


def from_xgboost(
    y_true: ArrayLike,
    output: Any,
    *,
    levels: Sequence[float],
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    **options: Unpack[RowOptions],
) -> Intervals:
    """Read quantiles of XGBoost, as the objective ``reg:quantileerror`` predicts them.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, levels)
        What ``predict`` returns.
    levels : sequence of float
        ``quantile_alpha`` of the model, in its order: quantile levels such as ``[0.05, 0.5, 0.95]``.
    coverage : float, optional
        The pair to take: 0.9 for the levels 0.05 and 0.95. Without it all are kept, for ``vary="level"``.
    y_pred : array of shape (n,), optional
        Predictions; the median if there is one, else the midpoints.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`. Quantiles of trees
        are often not in order: ``crossed="sort"`` sorts them in each row, and counts the rows in a warning.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    InvalidRowsError
        If rows are invalid; often quantiles are crossed.
    ShapeError
        If ``output`` does not have a column for each level.
    ArgumentError
        If levels are not different numbers between 0 and 1, or ``coverage`` is none of the claims.

    See Also
    --------
    uccurve.Intervals.from_quantiles : Any other quantiles.

    Examples
    --------
    >>> from uccurve.adapters import from_xgboost
    >>> from_xgboost([1.0, 2.0], [[0, 1, 3], [1, 3, 4]], levels=[0.05, 0.5, 0.95])
    Intervals(n=2, bandwidth=1.5, asymmetric)
    """
    rows = common.Observations(y_true, y_pred, coverage, **options)
    return rows.with_quantiles(common.split_table(output, levels), output=output)


def from_catboost(y_true: ArrayLike, output: Any, *, levels: Sequence[float], **options: Any) -> Intervals:
    """Read quantiles of CatBoost, as the loss ``MultiQuantile`` predicts them.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, levels)
        What ``predict`` returns. The loss ``RMSEWithUncertainty`` gives means and variances instead: use
        ``Intervals.from_std(y_true, output[:, 0], np.sqrt(output[:, 1]))``.
    levels : sequence of float
        ``alpha`` of the loss, in its order.
    **options
        As in `from_xgboost`, and its ``coverage`` and ``y_pred``.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    InvalidRowsError, ShapeError, ArgumentError
        As in `from_xgboost`.

    See Also
    --------
    uccurve.Intervals.from_quantiles : Any other quantiles.

    Examples
    --------
    >>> from uccurve.adapters import from_catboost
    >>> from_catboost([1.0, 2.0], [[0, 1, 3], [1, 3, 4]], levels=[0.05, 0.5, 0.95]).nominal
    0.9
    """
    return from_xgboost(y_true, output, levels=levels, **options)


def from_lightgbm(
    y_true: ArrayLike, output: Any, *, coverage: float | None = None, **options: Any
) -> Intervals:
    """Read quantiles of LightGBM: predictions of one model for each level.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : mapping of float to array of shape (n,)
        Predictions of the models with ``objective="quantile"`` by their ``alpha``, such as
        ``{0.05: low.predict(X), 0.95: high.predict(X)}``.
    coverage, **options
        As in `from_xgboost`, and ``y_pred``.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentTypeError
        If ``output`` is not a mapping.
    InvalidRowsError, ArgumentError
        As in `from_xgboost`.
    ShapeError
        If predictions do not have the shape of ``y_true``.

    See Also
    --------
    uccurve.Intervals.from_quantiles : Any other quantiles.

    Examples
    --------
    >>> from uccurve.adapters import from_lightgbm
    >>> from_lightgbm([1.0, 2.0], {0.05: [0, 1], 0.95: [3, 4]})
    Intervals(n=2, bandwidth=1.5, symmetric)
    """
    called = "a mapping of levels to predictions, such as {0.05: low.predict(X), 0.95: high.predict(X)}"
    arguments.instance("output", output, Mapping, called)
    return common.Observations(y_true, coverage=coverage, **options).with_quantiles(output)


def from_ngboost(
    y_true: ArrayLike,
    output: Any,
    *,
    levels: Sequence[float] | None = None,
    coverage: float | None = None,
    **options: Any,
) -> Intervals:
    """Read what ``pred_dist`` of NGBoost returns.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : distribution of NGBoost
        The distributions of all rows, as ``model.pred_dist(X)``.
    levels : sequence of float, optional
        The quantiles to read, for ``vary="level"``; those of `Intervals.from_distribution` if not given.
    coverage : float, optional
        Read one central interval instead.
    **options
        ``sample_weight`` and ``invalid``, as in `Intervals.from_bounds`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentTypeError, ShapeError, InvalidRowsError
        As in `Intervals.from_distribution`.
    ArgumentError
        If ``coverage`` and ``levels`` are both passed, or not between 0 and 1.

    See Also
    --------
    uccurve.Intervals.from_distribution : Any other distribution.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from uccurve.adapters import from_ngboost
    >>> from_ngboost([1.0, 2.0, 4.0], norm([1, 2, 3], [1, 1, 2]), coverage=0.9)
    Intervals(n=3, bandwidth=2.193, symmetric)
    """
    return common.Observations(y_true, coverage=coverage, levels=levels, **options).with_distribution(output)


# -- estimators: recognized by their methods ------------------------------------------------------------


class EstimatorOutput(NamedTuple):
    """Predictions of some rows, as arguments of the constructors of `Intervals`.

    Attributes
    ----------
    arrays : dict of str to array
        ``lower`` and ``upper``, ``std``, or ``band`` (half-widths without a claim), of shape (n,) or
        (n, outputs), with ``y_pred`` where it is known; or ``quantiles``, the last axis by level.
    levels : tuple of float
        The levels of the quantiles, in the order of their columns.
    """

    arrays: dict[str, Array]
    levels: tuple[float, ...] = ()

    def with_observations(
        self, y: ArrayLike, coverage: float | None = None, **options: Unpack[RowOptions]
    ) -> Intervals:
        """Put the observations beside the predictions.

        A coverage asks for a normal's intervals, or the pair of quantiles, that claim it; bounds stay as they
        are, and claim it.
        """
        rows = common.Observations(y, self.arrays.get("y_pred"), coverage, **options)
        if self.levels:
            table = self.arrays["quantiles"]
            return rows.with_quantiles({level: table[..., place] for place, level in enumerate(self.levels)})
        given: dict[str, Any] = {**self.arrays, **rows.options}
        if coverage is not None:  # scores take any coverage, claims do not
            given["nominal"] = coverage if coverage >= checks.LOWEST_CLAIM else None
            if "std" in given:
                given["band"] = NormalDist().inv_cdf(common.levels_of(coverage)[1]) * given.pop("std")
        if "std" in given:
            return Intervals.from_std(y, **given)
        return Intervals.from_bands(y, **given) if "band" in given else Intervals.from_bounds(y, **given)


def estimator_output(
    estimator: Any,
    X: Any,
    *,
    levels: Sequence[float] | None = None,
    nominal: Sequence[float] | None = None,
    coverage: float | None = None,
    predicted: Any = None,
    advice: str,
) -> EstimatorOutput:
    """Let a fitted estimator predict intervals for the rows of X, by whichever protocol it has.

    Parameters
    ----------
    estimator : object
        With ``predict_interval(X)``, or ``predict(X, return_std=True)``; or with quantiles as the columns of
        ``predict``, whose levels must be known. A pipeline is read through its last step, a search through
        its best estimator.
    X : array or frame
        Inputs, passed to the estimator.
    levels : sequence of float, optional
        The levels of predicted quantiles.
    nominal : sequence of float, optional
        The nominal coverages of the bounds, where ``predict_interval`` returns several.
    coverage : float, optional
        The coverage that is of interest, for a ``predict_interval`` that has such an argument.
    predicted : object, optional
        What ``predict_interval`` returned, where it was called already.
    advice : str
        What to do with an estimator that has no protocol.
    """
    estimator, X = _last_step(estimator, X)
    if levels is not None:
        return _read_quantiles(estimator, X, tuple(levels))
    if hasattr(estimator, "predict_interval"):
        if predicted is None:
            asked = coverage is not None and takes_option(estimator.predict_interval, "coverage")
            predicted = estimator.predict_interval(X, **({"coverage": coverage} if asked else {}))
        output = _read_bounds(predicted, nominal)
        if "y_pred" not in output.arrays and hasattr(estimator, "predict"):
            output.arrays["y_pred"] = estimator.predict(X)
        return output
    if takes_option(getattr(estimator, "predict", None), "return_std"):
        y_pred, std = estimator.predict(_without_objects(X), return_std=True)
        return EstimatorOutput({"y_pred": y_pred, "std": std})
    rule, got = "have `predict_interval(X)` or `predict(X, return_std=True)`", type(estimator).__name__
    raise ArgumentError(argument="estimator", rule=rule, got=got, hint=advice)


def predicts_intervals(estimator: Any) -> bool:
    """Whether a fitted estimator has bounds or standard deviations by itself."""
    return _has_intervals(_last_step(estimator)[0])


def takes_option(method: Any, option: str) -> bool:
    """Whether a method, if there is one, has an option."""
    try:
        return method is not None and option in inspect.signature(method).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return False


def _has_intervals(estimator: Any) -> bool:
    predict = getattr(estimator, "predict", None)
    return hasattr(estimator, "predict_interval") or takes_option(predict, "return_std")


def _last_step(estimator: Any, X: Any = None) -> tuple[Any, Any]:
    """Go to the estimator that predicts, inside of pipelines and searches, with the inputs that it gets."""
    while not _has_intervals(estimator):
        if hasattr(estimator, "steps"):
            X = X if X is None or len(estimator.steps) == 1 else estimator[:-1].transform(X)
            estimator = estimator.steps[-1][1]
        elif hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        else:
            break
    return estimator, X


def _without_objects(X: Any) -> Any:
    """Return numbers in an array of objects as floats, of which BayesianRidge finds no deviations."""
    try:
        return as_arrays(X=X)["X"] if isinstance(X, np.ndarray) and X.dtype.kind == "O" else X
    except NotNumericError:  # which the estimator may take
        return X


def _read_quantiles(estimator: Any, X: Any, levels: tuple[float, ...]) -> EstimatorOutput:
    """Read quantiles: the columns of predict, which may have to be told the levels."""
    Levels.check(levels)
    told = {"quantiles": list(levels)} if takes_option(estimator.predict, "quantiles") else {}
    table: Any = as_arrays(quantiles=estimator.predict(X, **told))["quantiles"]
    if np.ndim(table) not in (2, 3) or np.shape(table)[-1] != len(levels):
        rule = f"return a column for each of `levels`, of shape (n, {len(levels)})"
        raise ShapeError(argument="predict", rule=rule, got=np.shape(table))
    return EstimatorOutput({"quantiles": table}, levels)


def _read_bounds(predicted: Any, nominal: Sequence[float] | None) -> EstimatorOutput:
    """Read what predict_interval returned: the bounds of one level, or of several nominal coverages.

    It may be one array of shape (n, 2), a pair of bounds, or predictions and such an array, each array with
    a last axis for the levels.
    """
    parts = predicted if isinstance(predicted, tuple) and len(predicted) == _PAIR else (None, predicted)
    arrays: dict[str, Any] = as_arrays(y_pred=parts[0], predict_interval=parts[1])
    y_pred, table = arrays.values()
    if y_pred is not None and y_pred.ndim == np.ndim(table):  # two bounds
        y_pred, table = None, namespace(table).stack([y_pred, table], axis=1)
    table = table[:, :, None] if np.ndim(table) == _PAIR else table
    number = 1 if nominal is None else len(nominal)
    if np.shape(table)[1:] != (_PAIR, number):
        of = "one level" if nominal is None else "each of `nominal`"
        rule = f"return bounds of {of}, of shape (n, 2, {number})"
        raise ShapeError(argument="predict_interval", rule=rule, got=np.shape(table))
    lower, upper = table[:, 0, :], table[:, 1, :]
    predictions = {} if y_pred is None else {"y_pred": y_pred}
    if nominal is None:
        return EstimatorOutput({**predictions, "lower": lower[:, 0], "upper": upper[:, 0]})
    levels = tuple(chain(*zip(*map(common.levels_of, nominal), strict=True)))
    quantiles = namespace(table).concat([lower, upper], axis=1)
    return EstimatorOutput({**predictions, "quantiles": quantiles}, levels)


def intervals_of(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Intervals:
    """Let an estimator predict intervals for the rows of X, by whichever protocol it has."""
    method = getattr(estimator, "predict_interval", None)
    predicted = None if method is None else _predict(method, X, y)
    if count_column_levels(predicted) > 1:  # of sktime and skpro, which name coverages
        point = _predict(estimator.predict, X, y)
        return from_sktime(y, predicted, y_pred=point, sample_weight=sample_weight)
    advice = "Pass its predictions and bounds to `from_predictions`."
    output = estimator_output(estimator, X, predicted=predicted, advice=advice)
    return output.with_observations(y, sample_weight=sample_weight)


def _predict(method: Any, inputs: Any, y: Any) -> Any:
    """Let an estimator predict for inputs; forecasters of sktime are asked for the times of y as well."""
    if not takes_option(method, "fh"):
        return method(inputs)
    return method(fh=y.index if hasattr(y, "iloc") else None, X=inputs)


def from_sklearn(
    y_true: ArrayLike, estimator: Any, X: Any, *, coverage: float | None = None, **options: Unpack[RowOptions]
) -> Intervals:
    """Let fitted estimators predict intervals.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    estimator : estimator, or mapping of float to estimator
        One that has ``predict(X, return_std=True)``, such as ``GaussianProcessRegressor`` or
        ``BayesianRidge``, or ``predict_interval(X)``, such as ``ConformalIntervalRegressor``, alone or in a
        pipeline or a search. Or quantile regressors by their levels, as in ``{0.05: low, 0.95: high}``.
    X : array or frame
        Inputs, passed to ``predict``.
    coverage : float, optional
        Of a standard deviation, the coverage of Gaussian intervals; 0.6827, one standard deviation, if not
        given. Of quantiles, the pair to take; all are kept if not given, for ``vary="level"``. Of bounds,
        what they claim: ``predict_interval`` is asked for it if it has such an argument.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentError
        If an estimator predicts neither intervals nor standard deviations, or ``coverage`` is none of the
        claims of quantiles.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.
    ShapeError
        If what is predicted does not have the rows of ``y_true``.

    See Also
    --------
    uccurve.sklearn.interval_scorer : Selects models by their intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import QuantileRegressor
    >>> from uccurve.adapters import from_sklearn
    >>> X = np.linspace(0, 1, 40)[:, None]
    >>> y = X[:, 0] + np.sin(np.arange(40))
    >>> pair = {q: QuantileRegressor(quantile=q, alpha=0).fit(X, y) for q in (0.05, 0.95)}
    >>> from_sklearn(y, pair, X).nominal
    0.9
    """
    rows = common.Observations(y_true, coverage=coverage, **options)
    if isinstance(estimator, Mapping):
        Levels.check(list(estimator), "estimator")
        return rows.with_quantiles({level: one.predict(X) for level, one in estimator.items()})
    if coverage is not None:
        checks.check_claims(coverage, name="coverage")
    output = estimator_output(estimator, X, coverage=coverage, advice="Or map levels to quantile regressors.")
    return output.with_observations(y_true, coverage, **options)
