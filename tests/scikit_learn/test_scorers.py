"""Scorers: the numbers of the metrics, with the sign and the manners that scikit-learn expects."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import (
    ConformalIntervalRegressor,
    auucc_gain_scorer,
    deficit_gain_scorer,
    interval_scorer,
    neg_auucc_scorer,
    neg_deficit_area_scorer,
    neg_score_at_scorer,
)


def data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X @ [1.0, 2.0, 3.0] + rng.standard_t(4, size=n), rng.uniform(0.1, 3, size=n)


@pytest.fixture
def fitted():
    X, y, _ = data()
    return BayesianRidge().fit(X, y)


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_the_metrics_with_a_sign(fitted, weighted):
    """Exactly: nothing is computed twice or in another way."""
    X, y, weight = data(seed=1)
    weight = weight if weighted else None
    y_pred, std = fitted.predict(X, return_std=True)
    given = {"y_pred": y_pred, "std": std, "sample_weight": weight}
    rows = uc.Intervals.from_std(y, y_pred, std, sample_weight=weight)
    for scorer, expected in {
        neg_auucc_scorer: -uc.auucc(y, **given),
        neg_deficit_area_scorer: -uc.auucc(y, y="deficit", **given),
        auucc_gain_scorer: uc.auucc_gain(y, **given),
        deficit_gain_scorer: uc.auucc_gain(y, y="deficit", **given),
        interval_scorer("auucc", coverage=(0.8, 0.95)): -uc.auucc(y, coverage=(0.8, 0.95), **given),
        neg_score_at_scorer: -uc.UCC(rows).score_at(coverage=0.9),
        interval_scorer("score_at", coverage=0.5, vary="shift"): -uc.UCC(rows, vary="shift").score_at(
            coverage=0.5
        ),
        interval_scorer("auucc", x="excess", vary="shift"): -uc.auucc(y, x="excess", vary="shift", **given),
    }.items():
        found = scorer(fitted, X, y, sample_weight=weight)
        assert isinstance(found, float)
        assert found == expected, scorer


@pytest.mark.parametrize("weighted", [False, True])
def test_the_interval_score_takes_deviations_for_those_of_a_normal(fitted, weighted):
    """1.6449 of them to either side claim 90%."""
    X, y, weight = data(seed=1)
    weight = weight if weighted else None
    y_pred, std = fitted.predict(X, return_std=True)
    for scorer, factor, coverage in (
        (interval_scorer(), 1.6448536269514722, 0.9),
        (interval_scorer(coverage=0.5), 0.6744897501960817, 0.5),
    ):
        lower, upper = y_pred - factor * std, y_pred + factor * std
        expected = -uc.interval_score(y, lower, upper, coverage=coverage, sample_weight=weight)
        assert scorer(fitted, X, y, sample_weight=weight) == pytest.approx(expected, rel=1e-12)


def test_a_regressor_that_can_is_asked_for_the_coverage_that_is_scored():
    """Its 90% intervals are not those that an interval score at 50% is about."""
    X, y, _ = data()
    model = ConformalIntervalRegressor(BayesianRidge(), coverage=0.9, cv=3).fit(X, y)
    for estimator in (model, make_pipeline("passthrough", model)):
        for coverage in (0.5, 0.9):
            lower, upper = model.predict_interval(X, coverage=coverage).T
            expected = -uc.interval_score(y, lower, upper, coverage=coverage)
            assert interval_scorer(coverage=coverage)(estimator, X, y) == expected


def test_any_function_of_intervals_can_be_a_score(fitted):
    """With the sign that is given: nobody else knows what is better."""
    X, y, _ = data(seed=1)

    def coverage_gap(intervals, target=0.9):
        return abs(1 - intervals.ucc().original.miss_rate - target)

    y_pred, std = fitted.predict(X, return_std=True)
    covered = uc.coverage(y, y_pred - std, y_pred + std)
    for sign in (1, -1):
        scorer = interval_scorer(coverage_gap, greater_is_better=sign > 0, target=0.8)
        assert scorer(fitted, X, y) == pytest.approx(sign * abs(covered - 0.8))
        assert repr(scorer) == "interval_scorer('coverage_gap', target=0.8)"


def test_outputs_are_averaged_as_the_metrics_do():
    """Gaussian processes predict several at once."""
    X, y, _ = data()
    both = np.stack([y, 3 * y**2], axis=1)
    process = GaussianProcessRegressor(RBF() + WhiteKernel(), optimizer=None).fit(X, both)
    y_pred, std = process.predict(X, return_std=True)
    assert neg_auucc_scorer(process, X, both) == -uc.auucc(both, y_pred=y_pred, std=std)


class Bands:
    """Predicts 0 with bands of its own, for rows whose noise has the scale that X holds."""

    def __init__(self, power, factor=1.0):
        self.power, self.factor = power, factor

    def predict_interval(self, X):
        band = self.factor * X[:, 0] ** self.power
        return np.stack([-band, band], axis=1)


@pytest.mark.parametrize(
    ("scorer", "best"),
    [
        (neg_score_at_scorer, 1.0),
        (interval_scorer("score_at", coverage=0.8), 1.0),
        (neg_deficit_area_scorer, 1.0),
        (neg_auucc_scorer, 0.5),
        (interval_scorer("auucc", coverage=(0.89, 0.91)), 0.5),
    ],
)
def test_what_each_scorer_rewards(scorer, best):
    """The scale of the noise, or its root; a common factor of the bands changes nothing."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.6, size=20_000)
    X, y = scale[:, None], scale * rng.normal(size=20_000)
    scores = {power: scorer(Bands(power), X, y) for power in (0.0, 0.5, 1.0, 1.5)}
    assert max(scores, key=scores.get) == best
    assert scorer(Bands(best, factor=3.0), X, y) == pytest.approx(scores[best], rel=1e-9)


def test_the_score_at_a_coverage_asks_for_it_and_takes_levels():
    """Of a regressor that can give it; quantiles are moved to it by their levels."""
    X, y, _ = data()
    model = ConformalIntervalRegressor(BayesianRidge(), vary="shift", coverage=0.9, cv=3).fit(X, y)
    lower, upper = model.predict_interval(X, coverage=0.5).T
    rows = uc.Intervals.from_bounds(y, lower, upper, y_pred=model.predict(X))
    assert interval_scorer("score_at", coverage=0.5)(model, X, y) == -rows.ucc().score_at(coverage=0.5)

    class Quantiles:
        def predict(self, X):
            return X[:, :1] + [-3.0, -1.0, 0.5, 1.5, 5.0]

    levels = (0.1, 0.25, 0.5, 0.75, 0.9)
    table = uc.Intervals.from_quantiles(y, Quantiles().predict(X), levels)
    scorer = interval_scorer("score_at", coverage=0.6, vary="level", levels=levels)
    assert scorer(Quantiles(), X, y) == -table.ucc(vary="level").score_at(coverage=0.6)


def test_cross_validation_scores_each_fold():
    """As a loop by hand does."""
    X, y, _ = data()
    by_hand = []
    for train, test in KFold(4).split(X):
        y_pred, std = BayesianRidge().fit(X[train], y[train]).predict(X[test], return_std=True)
        by_hand.append(-uc.auucc(y[test], y_pred=y_pred, std=std))
    assert cross_val_score(BayesianRidge(), X, y, scoring=neg_auucc_scorer, cv=4).tolist() == by_hand
    several = cross_validate(
        BayesianRidge(),
        X,
        y,
        scoring={"area": neg_auucc_scorer, "score": interval_scorer(), "r2": "r2"},
        cv=4,
    )
    assert several["test_area"].tolist() == by_hand


def test_weights_are_routed_if_they_are_asked_for():
    """With metadata routing, as for scikit-learn's own scorers; the shared scorer does not change."""
    X, y, weight = data()
    with config_context(enable_metadata_routing=True):
        asking = neg_auucc_scorer.set_score_request(sample_weight=True)
        model = BayesianRidge().set_fit_request(sample_weight=False)
        options = {"cv": 3, "params": {"sample_weight": weight}}
        weighted = cross_val_score(model, X, y, scoring=asking, **options)
        declining = neg_auucc_scorer.set_score_request(sample_weight=False)
        fitting = BayesianRidge().set_fit_request(sample_weight=True)
        declined = cross_val_score(fitting, X, y, scoring=declining, **options)
        renamed = cross_val_score(
            model,
            X,
            y,
            scoring=neg_auucc_scorer.set_score_request(sample_weight="w"),
            cv=3,
            params={"w": weight},
        )
        with pytest.raises(ValueError, match=r"sample_weight.* not explicitly set as requested or not"):
            cross_val_score(model, X, y, scoring=neg_auucc_scorer, **options)
        search = GridSearchCV(model, {"max_iter": [50]}, scoring=asking, cv=3).fit(X, y, sample_weight=weight)
    by_hand, without = [], []
    for train, test in KFold(3).split(X):
        y_pred, std = BayesianRidge().fit(X[train], y[train]).predict(X[test], return_std=True)
        by_hand.append(-uc.auucc(y[test], y_pred=y_pred, std=std, sample_weight=weight[test]))
        other = BayesianRidge().fit(X[train], y[train], sample_weight=weight[train])
        y_pred, std = other.predict(X[test], return_std=True)
        without.append(-uc.auucc(y[test], y_pred=y_pred, std=std))
    assert weighted.tolist() == renamed.tolist() == by_hand
    assert declined.tolist() == without
    assert search.best_score_ == pytest.approx(np.mean(by_hand))


def test_scorers_are_copied_and_sent_to_workers(fitted):
    """Searches clone them, and joblib pickles them."""
    X, y, _ = data(seed=1)
    for scorer in (
        neg_score_at_scorer,
        neg_auucc_scorer,
        interval_scorer(coverage=0.8),
        interval_scorer("auucc", y="deficit"),
    ):
        for copy in (pickle.loads(pickle.dumps(scorer)), clone(scorer, safe=False)):  # noqa: S301
            assert copy(fitted, X, y) == scorer(fitted, X, y)
            assert repr(copy) == repr(scorer)
    assert repr(neg_deficit_area_scorer) == "interval_scorer('auucc', y='deficit')"


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"metric": "area"}, "metric"),
        ({"metric": "score_at", "coverage": 90}, "coverage"),
        ({"metric": "score_at", "coverage": (0.8, 0.9)}, "coverage"),
        ({"metric": "score_at", "vary": "stretch"}, "vary"),
        ({"metric": "score_at", "y": "deficit"}, "y"),
        ({"metric": 3}, "metric"),
        ({"metric": "auucc", "y": "misses"}, "y"),
        ({"metric": "auucc", "vary": "stretch"}, "vary"),
        ({"metric": "auucc", "coverage": 0.9}, "coverage"),
        ({"metric": "auucc", "reference": 1}, "reference"),
        ({"coverage": 90}, "coverage"),
        ({"alpha": 0.1}, "alpha"),
        ({"metric": "auucc", "greater_is_better": True}, "greater_is_better"),
        ({"metric": len}, "greater_is_better"),
        ({"levels": 0.5}, "levels"),
        ({"crossed": "swap"}, "crossed"),
    ],
)
def test_wrong_options_are_refused_at_once(options, argument):
    """In cross_val_score an error would become a score of NaN, and a warning."""
    with raises(ex.ArgumentError, argument):
        interval_scorer(**options)


def test_ranges_in_units_of_y_are_checked_on_the_rows_that_are_scored(fitted):
    """Bandwidths of other rows do not refuse them."""
    X, y, _ = data(seed=1)
    scorer = interval_scorer("auucc", bandwidth=(0.5, 1.0), partial="strip")
    y_pred, std = fitted.predict(X, return_std=True)
    expected = -uc.auucc(y, y_pred=y_pred, std=std, bandwidth=(0.5, 1.0), partial="strip")
    assert scorer(fitted, X, y) == expected
    assert interval_scorer("auucc", bandwidth=(500.0, 900.0)).options == {"bandwidth": (500.0, 900.0)}


def test_an_estimator_without_intervals_fails_in_cross_validation_with_the_reason():
    """scikit-learn warns with the message, or raises it if it is told to."""
    X, y, _ = data()
    with raises(ex.ArgumentError, "estimator"):
        cross_val_score(LinearRegression(), X, y, scoring=neg_auucc_scorer, cv=3, error_score="raise")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.isnan(cross_val_score(LinearRegression(), X, y, scoring=neg_auucc_scorer, cv=3)).all()
    assert "`estimator` must have `predict_interval(X)`" in str(caught[0].message)
