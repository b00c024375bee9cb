"""What estimators predict, read by their methods: one reader for scorers, figures and calibration."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import ConformalIntervalRegressor, interval_scorer, neg_auucc_scorer

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
DEVIATIONS = np.array([NormalDist().inv_cdf(level) for level in LEVELS])


class Quantiles(RegressorMixin, BaseEstimator):
    """Predicts quantiles around the first input."""

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return X[:, :1] + DEVIATIONS


class ToldQuantiles(Quantiles):
    """The same, for the levels it is told."""

    def predict(self, X, quantiles=None):
        return X[:, :1] + np.array([NormalDist().inv_cdf(level) for level in quantiles])


class Pairs:
    """Predicts 0 with bounds of two nominal coverages, as MAPIE does."""

    def predict_interval(self, X):
        lower, upper = np.array([-1.0, -2.0]), np.array([1.5, 3.0])
        table = np.broadcast_to(np.stack([lower, upper]), (len(X), 2, 2))
        return np.zeros(len(X)), table


def data(n=50, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, X[:, 0] + rng.normal(size=n)


def test_quantiles_are_read_at_their_levels():
    """The outermost pair gives the bounds, the median the prediction, and all pairs are kept."""
    X, y = data()
    expected = uc.Intervals.from_quantiles(y, X[:, :1] + DEVIATIONS, LEVELS)
    for estimator in (Quantiles(), ToldQuantiles()):
        for vary in ("scale", "shift", "level"):
            scorer = interval_scorer("auucc", vary=vary, levels=LEVELS)
            assert scorer(estimator, X, y) == -expected.ucc(vary=vary).area()


def test_levels_and_columns_must_agree():
    """One prediction per row is no quantile, and the error says what is expected."""
    X, y = data()
    scorer = interval_scorer("auucc", levels=LEVELS)
    with raises(ex.ShapeError, "predict"):
        scorer(LinearRegression().fit(X, y), X, y)


def test_bounds_of_several_coverages_need_their_coverages():
    """Which pair claims what cannot be seen; once told, the widest is moved and all are kept."""
    X, y = data()
    with raises(ex.ShapeError, "predict_interval"):
        neg_auucc_scorer(Pairs(), X, y)
    scorer = interval_scorer("auucc", nominal=(0.5, 0.9))
    assert scorer(Pairs(), X, y) == -uc.auucc(y, np.full(50, -2.0), np.full(50, 3.0), y_pred=np.zeros(50))
    inner = interval_scorer("interval_score", nominal=(0.5, 0.9), coverage=0.5)
    assert inner(Pairs(), X, y) == -uc.interval_score(y, np.full(50, -1.0), np.full(50, 1.5), coverage=0.5)
    with raises(ex.ShapeError, "predict_interval"):
        interval_scorer("auucc", nominal=(0.9,))(Pairs(), X, y)


def test_the_coverage_of_a_score_must_be_that_of_a_pair():
    """Between two quantiles there is no bound to be scored."""
    X, y = data()
    with raises(ex.ArgumentError, "coverage"):
        interval_scorer(coverage=0.8, levels=LEVELS)(Quantiles(), X, y)
    bounds = X[:, :1] + DEVIATIONS
    assert interval_scorer(coverage=0.9, levels=LEVELS)(Quantiles(), X, y) == -uc.interval_score(
        y, bounds[:, 0], bounds[:, -1], coverage=0.9
    )


def test_crossed_quantiles_are_sorted_if_asked_for():
    """Quantiles of separate models often cross."""

    class Crossed(Quantiles):
        def predict(self, X):
            return super().predict(X)[:, ::-1]

    X, y = data()
    with pytest.raises(ex.CrossedBoundsError):
        interval_scorer("auucc", levels=LEVELS)(Crossed(), X, y)
    sorted_ = interval_scorer("auucc", levels=LEVELS, crossed="sort")
    with pytest.warns(ex.SortedRowsWarning):
        assert sorted_(Crossed(), X, y) == interval_scorer("auucc", levels=LEVELS)(Quantiles(), X, y)


@pytest.mark.parametrize("depth", [1, 2])
def test_pipelines_are_read_through_their_last_step(depth):
    """Also one in another, and also where metadata routing would not pass `return_std` on."""
    from sklearn import config_context

    X, y = data()
    pipeline = make_pipeline(StandardScaler(), BayesianRidge())
    pipeline = make_pipeline(StandardScaler(), pipeline) if depth == 2 else pipeline
    pipeline.fit(X, y)
    y_pred, std = pipeline.predict(X, return_std=True)
    expected = -uc.auucc(y, y_pred=y_pred, std=std)
    assert neg_auucc_scorer(pipeline, X, y) == expected
    with config_context(enable_metadata_routing=True):
        assert neg_auucc_scorer(pipeline, X, y) == expected


def test_figures_read_the_same_estimators():
    """There is one reader."""
    import matplotlib.pyplot as plt

    X, y = data()
    model = ConformalIntervalRegressor(BayesianRidge(), cv=3)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, y)
    shown = uc.UCCDisplay.from_estimator(pipeline, X, y)
    assert shown.curves["Pipeline"].area() == -neg_auucc_scorer(pipeline, X, y)
    plt.close(shown.figure_)
