"""From a fitted estimator to intervals, whatever library it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.adapters._sktime import column_levels, from_sktime
from uccurve.adapters.estimators import estimator_output, takes_option

if TYPE_CHECKING:
    from uccurve.intervals import Intervals

_ADVICE = "Pass its predictions and bounds to `from_predictions`."


def intervals_of(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Intervals:  # noqa: N803
    """Let an estimator predict intervals for the rows of X, by whichever protocol it has."""
    predicted = None
    if hasattr(estimator, "predict_interval"):
        predicted = _asked(estimator.predict_interval, X, y)
        if column_levels(predicted) > 1:  # of sktime and skpro, which name coverages
            point = _asked(estimator.predict, X, y) if hasattr(estimator, "predict") else None
            return from_sktime(y, predicted, y_pred=point, sample_weight=sample_weight)
    output = estimator_output(estimator, X, predicted=predicted, advice=_ADVICE)
    return output.with_observations(y, sample_weight)


def _asked(method: Any, inputs: Any, y: Any) -> Any:
    """Let an estimator predict for inputs; forecasters of sktime are asked for the times of y as well."""
    if not takes_option(method, "fh"):
        return method(inputs)
    return method(fh=y.index if hasattr(y, "iloc") else None, X=inputs)
