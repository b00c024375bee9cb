"""Estimators of scikit-learn, and distributions in the manner of NGBoost."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gamma, norm
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import BayesianRidge, LinearRegression, QuantileRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errors import raises
from uccurve.adapters import from_ngboost, from_sklearn
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = X[:, 0] + RNG.normal(size=80)


def quantile_regressor(level):
    return QuantileRegressor(quantile=level, alpha=0.0).fit(X, Y)


def test_standard_deviations_are_read_and_stretched_to_a_coverage():
    """By the Gaussian quantile, also through a pipeline."""
    for model in (BayesianRidge(), make_pipeline(StandardScaler(), BayesianRidge())):
        fitted = model.fit(X, Y)
        as_std, wider = from_sklearn(Y, fitted, X), from_sklearn(Y, fitted, X, coverage=0.95)
        assert (as_std.nominal, wider.nominal) == (0.6827, 0.95)
        assert np.allclose(wider.lower_band, 1.959963984540054 * as_std.lower_band)


def test_quantile_regressors_are_read_by_their_own_levels():
    """In any order; a mapping names the levels of others."""
    levels = (0.9, 0.1, 0.5)
    listed = from_sklearn(Y, [quantile_regressor(level) for level in levels], X)
    named = from_sklearn(Y, {level: quantile_regressor(level) for level in levels}, X)
    assert listed.nominal == 0.8
    assert np.array_equal(listed.lower, named.lower)
    assert np.array_equal(listed.y_pred, quantile_regressor(0.5).predict(X))
    others = {0.1: LinearRegression().fit(X, Y - 1), 0.9: LinearRegression().fit(X, Y + 1)}
    assert from_sklearn(Y, others, X, coverage=0.8).ucc().original.bandwidth == pytest.approx(1)


@pytest.mark.parametrize(
    ("estimator", "argument"),
    [
        (LinearRegression(), "estimator"),
        ([GradientBoostingRegressor()], "estimator"),
        ([object()], "estimator"),
        ([], "estimator"),
        ([QuantileRegressor(quantile=0.1)] * 2, "estimator"),
        ({5: QuantileRegressor()}, "estimator"),
        ([QuantileRegressor(quantile=1)], "quantile"),
    ],
)
def test_what_is_no_quantile_regressor_is_named(estimator, argument):
    """A boosted regressor has an alpha of 0.9 whatever its loss is."""
    with raises(ArgumentError, argument):
        from_sklearn(Y, estimator, X)


def test_several_outputs_need_another_way():
    """One prediction per row for every level."""
    both = LinearRegression().fit(X, np.stack([Y, Y], axis=1))
    with raises(ShapeError, "output"):
        from_sklearn(Y, {0.1: both, 0.9: both}, X)


class NGBoostDistribution:
    """Attributes as NGBoost hands them out: those of SciPy, and None for any other."""

    def __init__(self, dist):
        self.dist = dist

    def __getattr__(self, name):
        return getattr(self.dist, name) if name in dir(self.dist) else None


def test_distributions_are_read_at_levels_or_at_one_coverage():
    """The median is the prediction; one coverage makes one pair."""
    skewed = NGBoostDistribution(gamma(np.full(80, 2.0)))
    whole = from_ngboost(Y, skewed)
    assert len(whole.ucc(vary="level").reliability().levels) == 15
    assert np.allclose(whole.y_pred, gamma(2).median())
    pair = from_ngboost(Y, skewed, coverage=0.9)
    assert pair.nominal == pytest.approx(0.9)
    assert np.allclose(pair.upper, gamma(2).ppf(0.95))
    assert from_ngboost(Y, skewed, levels=[0.1, 0.9]).nominal == pytest.approx(0.8)


def test_a_distribution_is_asked_for_where_another_thing_is_given():
    """A model, or something without quantiles."""

    class Model:
        def pred_dist(self, inputs):
            return norm(inputs[:, 0])

    with raises(ArgumentTypeError, "output"):
        from_ngboost(Y, Model())
    with raises(ArgumentTypeError, "distribution"):
        from_ngboost(Y, NGBoostDistribution(object()))
    with raises(ArgumentError, "coverage"):
        from_ngboost(Y, norm(Y), coverage=0.9, levels=[0.1, 0.9])
    with raises(ArgumentError, "coverage"):
        from_ngboost(Y, norm(Y), coverage=90)
