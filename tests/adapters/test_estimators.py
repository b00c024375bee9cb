"""Fitted estimators: those of scikit-learn, and any that predict intervals, as figures read them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from library_outputs import MIDDLE, ROWS, SIDES, TABLE, Y, multi
from sklearn.linear_model import BayesianRidge, LinearRegression, QuantileRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import uccurve as uc
from errors import raises
from uccurve.adapters import from_sklearn
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.sklearn import ConformalIntervalRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
SEEN = X[:, 0] + RNG.normal(size=80)


def test_standard_deviations_are_read_and_stretched_to_a_coverage():
    """By the Gaussian quantile, also inside of pipelines and searches."""
    search = GridSearchCV(BayesianRidge(), {"tol": [1e-3, 1e-4]}, cv=2)
    for model in (BayesianRidge(), make_pipeline(StandardScaler(), BayesianRidge()), search):
        fitted = model.fit(X, SEEN)
        as_std, wider = from_sklearn(SEEN, fitted, X), from_sklearn(SEEN, fitted, X, coverage=0.95)
        assert (as_std.nominal, wider.nominal) == (0.6827, 0.95)
        assert np.allclose(wider.lower_band, 1.959963984540054 * as_std.lower_band)
        with raises(ArgumentError, "coverage"):
            from_sklearn(SEEN, fitted, X, coverage=95)


def test_predicted_intervals_claim_the_coverage_that_is_said():
    """Any from 0.5; an estimator that can is asked for it."""
    asked = ConformalIntervalRegressor(BayesianRidge(), cv=0.5, random_state=0).fit(X, SEEN)
    for estimator, inputs, observed in ((asked, X, SEEN), (Predicting(TABLE[:, [0, 4]]), MIDDLE, Y)):
        assert from_sklearn(observed, estimator, inputs).nominal is None
        assert from_sklearn(observed, estimator, inputs, coverage=0.8).nominal == 0.8
    wide, narrow = (from_sklearn(SEEN, asked, X, coverage=share).bandwidth for share in (0.9, 0.8))
    assert narrow < wide


@pytest.mark.parametrize("estimator", [LinearRegression(), object(), {}, {5: QuantileRegressor()}])
def test_what_predicts_no_intervals_is_named(estimator):
    with raises(ArgumentError, "estimator"):
        from_sklearn(SEEN, estimator, X)


class Predicting:
    """A fitted estimator with an output of its own."""

    def __init__(self, output):
        self.output = output

    def predict_interval(self, _):
        return self.output


FRAME = multi([0.9], SIDES, values=TABLE[:, [0, 4]])


class Regressor:
    """A fitted regressor of skpro: what it predicts has the index of the inputs."""

    def predict(self, X):  # noqa: N803
        return Y.loc[X.index].to_frame()

    def predict_interval(self, X):  # noqa: N803
        return FRAME.loc[X.index]


class Forecaster:
    """A fitted forecaster of sktime: the times to forecast come first."""

    def predict(self, fh=None, X=None):  # noqa: ARG002, N803
        return Y.loc[fh]

    def predict_interval(self, fh=None, X=None):  # noqa: ARG002, N803
        return FRAME.loc[fh]


@pytest.mark.parametrize(
    ("estimator", "inputs", "nominal"),
    [
        (Predicting(TABLE[:, [0, 4]]), MIDDLE, None),
        (Predicting((MIDDLE, TABLE[:, [0, 4], None])), MIDDLE, None),
        (Predicting((TABLE[:, 0], TABLE[:, 4])), MIDDLE, None),
        (Regressor(), pd.DataFrame({"x": 1.0}, index=ROWS), 0.9),
        (Forecaster(), None, 0.9),
    ],
)
def test_fitted_estimators_are_drawn(estimator, inputs, nominal):
    """By whichever protocol they have; forecasters for the times of the observations."""
    (curve,) = uc.UCCDisplay.from_estimator(estimator, inputs, Y.to_frame("y")).curves.values()
    assert np.array_equal(curve.intervals.upper.ravel(), MIDDLE + 2)
    assert np.array_equal(curve.intervals.y_pred.ravel(), MIDDLE)
    assert curve.intervals.nominal == nominal


def test_bounds_of_another_shape_are_refused():
    for output in (TABLE, MIDDLE, TABLE[:, :, None]):
        with raises(ShapeError, "predict_interval"):
            uc.UCCDisplay.from_estimator(Predicting(output), MIDDLE, Y)
