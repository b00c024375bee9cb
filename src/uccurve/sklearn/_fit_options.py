"""The options of a fit: checked once, and handed to the estimators they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn import get_config
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError
from uccurve.sklearn._interval_models import ModelMaker

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import Vary
    from uccurve.sklearn._conformal_regressor import ConformalIntervalRegressor
    from uccurve.sklearn._interval_models import IntervalModel


def model_maker(
    regressor: ConformalIntervalRegressor,
    estimator: Any,
    sample_weight: np.ndarray | None,
    fit_params: dict[str, Any],
) -> ModelMaker:
    """Check how models are read, and find out who gets which parameter of fit."""
    levels, scale_estimator = regressor.levels, regressor.scale_estimator
    arguments.option("crossed", regressor.crossed, ("raise", "sort"))
    arguments.option("unseen", regressor.unseen, ("raise", "pooled"))
    if regressor.vary is not None:
        arguments.option("vary", regressor.vary, ("scale", "shift", "level"))
    arguments.number("coverage", regressor.coverage, 0, 1, open_=True)
    if levels is not None and scale_estimator is not None:
        raise ArgumentError(
            argument="levels", rule="not be passed beside `scale_estimator`: quantiles have widths"
        )
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    params, scale_params = {**fit_params, **weights}, weights
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(regressor, "fit", **params)
        params = routed.estimator.fit
        scale_params = {} if scale_estimator is None else routed.scale_estimator.fit
    elif weights and not has_fit_parameter(estimator, "sample_weight"):
        raise ArgumentError(
            argument="sample_weight",
            rule=f"not be passed: {type(estimator).__name__}.fit does not take it",
            hint="Pass a pipeline's weights by the name of their step, such as `ridge__sample_weight`.",
        )
    elif scale_estimator is None or not has_fit_parameter(scale_estimator, "sample_weight"):
        scale_params = {}
    return ModelMaker(
        estimator=estimator,
        scale_estimator=scale_estimator,
        levels=None if levels is None else tuple(arguments.sequence("levels", levels)),
        crossed=regressor.crossed,
        params=params,
        scale_params=scale_params,
    )


def family_name(vary: Vary | None, model: IntervalModel) -> Vary:
    """Return what moves the intervals of a model."""
    if vary is None:
        return "shift" if model.constant else "scale"
    if model.constant and vary != "shift":
        raise ArgumentError(
            argument="vary",
            rule="be 'shift' or None",
            got=repr(vary),
            hint=(
                f"{type(model.estimator).__name__} predicts no widths. Pass `scale_estimator` for bands "
                "that differ between rows."
            ),
        )
    return vary
