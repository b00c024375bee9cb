"""What fitted estimators predict: read in one place, recognized by their methods, without their library."""

from __future__ import annotations

import inspect
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import as_arrays, first_not_numeric, namespace
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.formulas.tolerances import SAME_LEVEL
from uccurve.intervals import Intervals, Levels, checks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed

_PAIR = 2
_STACK = 3


class EstimatorOutput(NamedTuple):
    """Predictions of some rows, with bounds, with standard deviations, or as quantiles."""

    y_pred: Array | None = None
    lower: Array | None = None
    upper: Array | None = None
    std: Array | None = None
    band: Array | None = None
    """Half widths without a claim."""
    quantiles: Array | None = None
    """Shape (n, levels)."""
    levels: tuple[float, ...] = ()
    """The levels of the quantiles, in the order of their columns."""

    @property
    def arrays(self) -> tuple[Array | None, ...]:
        """All but the levels."""
        return self[:-1]

    def mapped(self, function: Callable[[Array], Array]) -> EstimatorOutput:
        """Apply a function to every array."""
        arrays = [None if array is None else function(array) for array in self.arrays]
        return EstimatorOutput._make([*arrays, self.levels])

    def with_observations(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None, crossed: Crossed = "raise"
    ) -> Intervals:
        """Put the observations beside the predictions."""
        if self.quantiles is not None:
            return Intervals.from_quantiles(
                y,
                self.quantiles,
                self.levels,
                y_pred=self.y_pred,
                sample_weight=sample_weight,
                crossed=crossed,
            )
        if self.std is not None:
            return Intervals.from_std(y, self.y_pred, self.std, sample_weight=sample_weight)
        if self.band is not None:
            return Intervals.from_bands(y, self.y_pred, self.band, sample_weight=sample_weight)
        return Intervals.from_bounds(
            y, self.lower, self.upper, y_pred=self.y_pred, sample_weight=sample_weight
        )

    def claiming(
        self,
        coverage: float,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        crossed: Crossed = "raise",
    ) -> Intervals:
        """Return the intervals that claim a coverage: a normal's, a pair of quantiles, or bounds as given."""
        if self.std is not None:
            factor = NormalDist().inv_cdf((1 + coverage) / 2)
            lower, upper = self.y_pred - factor * self.std, self.y_pred + factor * self.std
            return Intervals.from_bounds(y, lower, upper, y_pred=self.y_pred, sample_weight=sample_weight)
        intervals = self.with_observations(y, sample_weight, crossed)
        if self.quantiles is None:
            return intervals
        nested = intervals.rows.columns.nested
        claims = () if nested is None else nested.levels
        for number, claim in enumerate(claims):
            if nested is not None and abs(claim - coverage) <= SAME_LEVEL:
                lower, upper = nested.lower[number], nested.upper[number]
                return Intervals.from_bounds(y, lower, upper, sample_weight=sample_weight)
        known = ", ".join(f"{claim:g}" for claim in claims) or "none"
        raise ArgumentError(
            argument="coverage",
            rule=f"be that of a pair of quantiles, whose coverages are {known}",
            got=repr(coverage),
        )


def estimator_output(
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
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
        Inputs, handed to the estimator.
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
    estimator, X = _last_step(estimator, X)  # noqa: N806
    if levels is not None:
        return _quantiles(estimator, X, tuple(levels))
    if hasattr(estimator, "predict_interval"):
        if predicted is None:
            asked = coverage is not None and takes_option(estimator.predict_interval, "coverage")
            told = {"coverage": coverage} if asked else {}
            predicted = estimator.predict_interval(X, **told)
        y_pred, table = _split(predicted)
        if y_pred is None and hasattr(estimator, "predict"):
            y_pred = estimator.predict(X)
        if nominal is not None:
            return _nested_bounds(y_pred, table, nominal)
        lower, upper = table if isinstance(table, tuple) else _bounds(table)
        return EstimatorOutput(y_pred=y_pred, lower=lower, upper=upper)
    if takes_option(getattr(estimator, "predict", None), "return_std"):
        y_pred, std = estimator.predict(_without_objects(X), return_std=True)
        return EstimatorOutput(y_pred=y_pred, std=std)
    raise ArgumentError(
        argument="estimator",
        rule="have `predict_interval(X)` or `predict(X, return_std=True)`",
        got=type(estimator).__name__,
        hint=advice,
    )


def predicts_intervals(estimator: Any) -> bool:
    """Whether a fitted estimator has bounds or standard deviations by itself."""
    return _has_intervals(last_step(estimator))


def last_step(estimator: Any) -> Any:
    """Return the estimator that predicts, inside of pipelines and of searches."""
    while (inner := _inner(estimator)) is not None:
        estimator = inner
    return estimator


def _has_intervals(estimator: Any) -> bool:
    predict = getattr(estimator, "predict", None)
    return hasattr(estimator, "predict_interval") or takes_option(predict, "return_std")


def _inner(estimator: Any) -> Any | None:
    """Return the estimator that predicts for another: the last step, or the best one of a search."""
    if _has_intervals(estimator):
        return None
    if hasattr(estimator, "steps"):
        return estimator.steps[-1][1]
    return getattr(estimator, "best_estimator_", None)


def takes_option(method: Any, option: str) -> bool:
    """Whether a method, if there is one, has an option."""
    try:
        return method is not None and option in inspect.signature(method).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return False


def _last_step(estimator: Any, X: Any) -> tuple[Any, Any]:  # noqa: N803
    """Go to the estimator that predicts, with the inputs as it gets them."""
    while (inner := _inner(estimator)) is not None:
        if hasattr(estimator, "steps") and len(estimator.steps) > 1:
            X = estimator[:-1].transform(X)  # noqa: N806
        estimator = inner
    return estimator, X


def _without_objects(X: Any) -> Any:  # noqa: N803
    """Return numbers in an array of objects as floats, of which BayesianRidge finds no deviations."""
    if not isinstance(X, np.ndarray) or X.dtype != object or first_not_numeric(X) is not None:
        return X
    try:
        return X.astype(np.float64)
    except (TypeError, ValueError):  # which the estimator may take
        return X


def _quantiles(estimator: Any, X: Any, levels: tuple[float, ...]) -> EstimatorOutput:  # noqa: N803
    """Read quantiles: the columns of predict, which may have to be told the levels."""
    Levels.check(levels)
    told = {"quantiles": list(levels)} if takes_option(estimator.predict, "quantiles") else {}
    table = as_arrays(quantiles=estimator.predict(X, **told))["quantiles"]
    if table is None or table.ndim not in (_PAIR, _STACK) or table.shape[-1] != len(levels):
        shape = None if table is None else tuple(table.shape)
        raise ShapeError(
            argument="predict",
            rule=f"return a column for each of `levels`, of shape (n, {len(levels)})",
            got=shape,
        )
    return EstimatorOutput(quantiles=table, levels=levels)


def _nested_bounds(y_pred: Array | None, table: Any, nominal: Sequence[float]) -> EstimatorOutput:
    """Read the bounds of several nominal coverages as quantiles."""
    claims = [Fraction(repr(claim)) for claim in checks.check_claims(nominal)]
    shape = tuple(getattr(table, "shape", ()))
    if len(shape) != _STACK or shape[1:] != (_PAIR, len(claims)):
        raise ShapeError(
            argument="predict_interval",
            rule=f"return bounds for each of `nominal`, of shape (n, 2, {len(claims)})",
            got=shape,
        )
    sides = [table[:, 0, :], table[:, 1, :]]
    levels = tuple(float((1 + side * claim) / 2) for side in (-1, 1) for claim in claims)
    return EstimatorOutput(y_pred=y_pred, quantiles=namespace(table).concat(sides, axis=1), levels=levels)


def _split(predicted: Any) -> tuple[Any, Any]:
    """Take what predict_interval returned apart: predictions, if there are any, and bounds.

    It may be one array of shape (n, 2), a pair of bounds, or predictions and such an array, each
    array with a last axis for the levels.
    """
    if isinstance(predicted, (tuple, list)) and len(predicted) == _PAIR:
        first, second = as_arrays(first=predicted[0], second=predicted[1]).values()
        if first is not None and second is not None:
            if second.ndim == first.ndim:
                return None, (first, second)
            return first, second
    return None, as_arrays(predict_interval=predicted)["predict_interval"]


def _bounds(table: Any) -> tuple[Any, Any]:
    if table is not None and table.ndim == _STACK and table.shape[2] == 1:
        table = table[:, :, 0]
    if table is None or table.ndim != _PAIR or table.shape[1] != _PAIR:
        shape = None if table is None else tuple(table.shape)
        raise ShapeError(
            argument="predict_interval",
            rule="return bounds of one level, of shape (n, 2) or (n, 2, 1)",
            got=shape,
        )
    return table[:, 0], table[:, 1]
