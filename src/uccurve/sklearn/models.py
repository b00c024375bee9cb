"""Fitted models that predict intervals: an estimator alone, or with an estimator of its error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import _safe_indexing
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from uccurve._base.arrays import to_numpy
from uccurve.adapters.estimators import EstimatorOutput, estimator_output, predicts_intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Crossed
    from uccurve.intervals import Intervals

_RESIDUAL_FOLDS = 5
# Predicted errors are at least this share of the mean error: a linear model may predict less than 0.
_LEAST_SHARE = 0.05

# What is passed to the fit of an estimator, and of its scale estimator.
FitParams: TypeAlias = tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class IntervalModel:
    """An estimator, and how its intervals are read.

    Attributes
    ----------
    estimator : estimator
        What predicts.
    scale_estimator : estimator or None
        Predicts absolute errors, in whose unit bands are measured.
    least_band : float
        The smallest band that this may predict.
    levels : tuple of float or None
        The levels of the quantiles that the estimator predicts.
    crossed : {"raise", "sort"}
        What to do with quantiles that are not in order.
    """

    estimator: Any
    scale_estimator: Any = None
    least_band: float = 0.0
    levels: tuple[float, ...] | None = None
    crossed: Crossed = "raise"

    def fit(self, X: Any, y: np.ndarray, params: FitParams, rows: np.ndarray | None = None) -> IntervalModel:
        """Return a model of clones that are fitted to some rows, or to all."""
        own, scale_own = (_check_method_params(X, each, rows) for each in params)
        X, y = _safe_indexing(X, rows), _safe_indexing(y, rows)
        fitted = replace(self, estimator=clone(self.estimator).fit(X, y, **own))
        if self.scale_estimator is None:
            return fitted
        error = self._errors(X, y, own)
        scale = clone(self.scale_estimator).fit(X, error, **scale_own)
        return replace(fitted, scale_estimator=scale, least_band=_LEAST_SHARE * float(error.mean()))

    def _errors(self, X: Any, y: np.ndarray, params: Mapping[str, Any]) -> np.ndarray:
        """Return absolute errors out of folds: those of fitted rows would be too small."""
        error = np.empty(len(y))
        for fitted, test in KFold(min(_RESIDUAL_FOLDS, len(y))).split(X):
            own = _check_method_params(X, params, fitted)
            model = clone(self.estimator).fit(_safe_indexing(X, fitted), y[fitted], **own)
            error[test] = np.abs(y[test] - _column(model.predict(_safe_indexing(X, test))))
        return error

    @property
    def constant(self) -> bool:
        """Whether it only predicts, so that its bands have no width of their own."""
        has_widths = self.scale_estimator is not None or self.levels is not None
        return not has_widths and not predicts_intervals(self.estimator)

    def output(self, X: Any) -> EstimatorOutput:
        """Predict, in NumPy arrays."""
        if self.scale_estimator is not None or self.constant:
            y_pred = _column(self.estimator.predict(X))
            band = 0 * y_pred if self.constant else _column(self.scale_estimator.predict(X))
            return EstimatorOutput({"y_pred": y_pred, "band": np.maximum(band, self.least_band)})
        output = estimator_output(self.estimator, X, levels=self.levels, advice="Pass `scale_estimator`.")
        return EstimatorOutput({name: _column(array) for name, array in output.arrays.items()}, output.levels)

    def new_rows(self, X: Any) -> Intervals:
        """Return the intervals of rows that nobody has observed, with their predictions in that place."""
        output = self.output(X)
        arrays = output.arrays
        stand_in = arrays["quantiles"][:, 0] if output.levels else arrays.get("y_pred", arrays.get("lower"))
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


def route_params(regressor: Any, sample_weight: np.ndarray | None, fit_params: dict[str, Any]) -> FitParams:
    """Find out what is passed to the fit of a regressor's estimator, and of its scale estimator."""
    scale_estimator = regressor.scale_estimator
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    params = {**fit_params, **weights}
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(regressor, "fit", **params)
        return routed.estimator.fit, {} if scale_estimator is None else routed.scale_estimator.fit
    takes_weights = scale_estimator is not None and has_fit_parameter(scale_estimator, "sample_weight")
    return params, weights if takes_weights else {}


def stack_outputs(outputs: Sequence[EstimatorOutput]) -> EstimatorOutput:
    """Put the predictions of several models for different rows below each other."""
    names = outputs[0].arrays
    arrays = {name: np.concatenate([output.arrays[name] for output in outputs]) for name in names}
    return EstimatorOutput(arrays, outputs[0].levels)


def _column(predicted: Any) -> np.ndarray:
    values = np.asarray(to_numpy(predicted), dtype=np.float64)
    return values[:, 0] if values.ndim > 1 and values.shape[1] == 1 else values
