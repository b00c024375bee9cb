"""Fitted models that predict intervals: an estimator alone, or with an estimator of its error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import _safe_indexing

from uccurve._base.arrays import to_numpy
from uccurve.adapters.estimators import EstimatorOutput, estimator_output, predicts_intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Crossed
    from uccurve.intervals import Intervals

_RESIDUAL_FOLDS = 5
_LEAST_SHARE = 0.05
"""Predicted errors are at least this share of the mean error: a linear model may predict less than 0."""


class ErrorScale(NamedTuple):
    """A fitted estimator of absolute errors, in whose unit bands are measured."""

    estimator: Any
    least: float
    """The smallest band."""

    def band(self, X: Any) -> np.ndarray:
        """Return the band of each row."""
        return np.asarray(np.maximum(_column(self.estimator.predict(X)), self.least))


class IntervalModel(NamedTuple):
    """A fitted estimator, and how its intervals are read."""

    estimator: Any
    scale: ErrorScale | None
    levels: tuple[float, ...] | None
    crossed: Crossed

    @property
    def constant(self) -> bool:
        """Whether it only predicts, so that its bands have no width of their own."""
        return self.scale is None and self.levels is None and not predicts_intervals(self.estimator)

    def output(self, X: Any) -> EstimatorOutput:
        """Predict, in NumPy arrays."""
        if self.scale is not None or self.constant:
            y_pred = _column(self.estimator.predict(X))
            band = np.zeros_like(y_pred) if self.scale is None else self.scale.band(X)
            return EstimatorOutput(y_pred=y_pred, band=band)
        output = estimator_output(self.estimator, X, levels=self.levels, advice="Pass `scale_estimator`.")
        return output.mapped(_column)

    def new_rows(self, X: Any) -> Intervals:
        """Return the intervals of rows that nobody has observed, with their predictions in that place."""
        output = self.output(X)
        stand_in = output.y_pred
        if stand_in is None:
            stand_in = output.lower if output.quantiles is None else output.quantiles[:, 0]
        return output.with_observations(stand_in, crossed=self.crossed)

    def predict(self, X: Any, *, nested: bool) -> np.ndarray:
        """Return predictions: those of the estimator, or the center of its intervals.

        ``nested`` says whether the center is that of all pairs of quantiles, or of the outermost one.
        """
        if self.levels is None and hasattr(self.estimator, "predict"):
            return to_numpy(self.estimator.predict(X))
        rows = self.new_rows(X)
        pairs = rows.rows.columns.nested
        return to_numpy(pairs.center if nested and pairs is not None else rows.y_pred)


@dataclass(frozen=True, kw_only=True)
class ModelMaker:
    """Fits models to some of the rows."""

    estimator: Any
    scale_estimator: Any | None
    levels: tuple[float, ...] | None
    crossed: Crossed
    params: Mapping[str, Any]
    """What is passed to the estimator's fit; arrays of all rows are cut to those that are fitted."""
    scale_params: Mapping[str, Any]

    def prefit(self) -> IntervalModel:
        """Return the estimators as they are."""
        scale = None if self.scale_estimator is None else ErrorScale(self.scale_estimator, 0.0)
        return IntervalModel(self.estimator, scale, self.levels, self.crossed)

    def fit(self, X: Any, y: np.ndarray, rows: np.ndarray | None = None) -> IntervalModel:
        """Fit clones to some rows, or to all."""
        params, scale_params = dict(self.params), dict(self.scale_params)
        if rows is not None:
            params, scale_params = (_cut(each, rows, len(y)) for each in (params, scale_params))
            X, y = _safe_indexing(X, rows), y[rows]
        estimator = clone(self.estimator).fit(X, y, **params)
        scale = None
        if self.scale_estimator is not None:
            error = self._errors(X, y, params)
            fitted = clone(self.scale_estimator).fit(X, error, **scale_params)
            scale = ErrorScale(fitted, _LEAST_SHARE * float(error.mean()))
        return IntervalModel(estimator, scale, self.levels, self.crossed)

    def _errors(self, X: Any, y: np.ndarray, params: Mapping[str, Any]) -> np.ndarray:
        """Return absolute errors out of folds: those of fitted rows would be too small."""
        error = np.empty(len(y))
        for fitted, test in KFold(min(_RESIDUAL_FOLDS, len(y))).split(X):
            some = _cut(params, fitted, len(y))
            model = clone(self.estimator).fit(_safe_indexing(X, fitted), y[fitted], **some)
            error[test] = np.abs(y[test] - _column(model.predict(_safe_indexing(X, test))))
        return error


def stacked(outputs: Sequence[EstimatorOutput]) -> EstimatorOutput:
    """Put the predictions of several models for different rows below each other."""
    columns = zip(*(output.arrays for output in outputs), strict=True)
    arrays = [None if parts[0] is None else np.concatenate(parts) for parts in columns]
    return EstimatorOutput._make([*arrays, outputs[0].levels])


def _column(predicted: Any) -> np.ndarray:
    values = np.asarray(to_numpy(predicted), dtype=np.float64)
    return values[:, 0] if values.ndim > 1 and values.shape[1] == 1 else values


def _cut(params: Mapping[str, Any], rows: np.ndarray, n: int) -> dict[str, Any]:
    """Take the rows of arrays that have one entry per row; other parameters stay as they are."""
    return {
        name: _safe_indexing(value, rows)
        if hasattr(value, "__len__") and not isinstance(value, (str, dict)) and len(value) == n
        else value
        for name, value in params.items()
    }
