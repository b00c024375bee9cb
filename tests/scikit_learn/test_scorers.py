"""Scorers: the numbers of the metrics, with the sign and the manners that scikit-learn expects, of any estimator."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from sklearn import config_context
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import (
    ConformalIntervalRegressor,
    interval_scorer,
    neg_auucc_scorer,
    neg_interval_score_at,
    neg_rms_area_scorer,
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
    """Exactly: nothing is computed twice or in another way. Deviations claim what those of a normal do."""
    X, y, weight = data(seed=1)
    weight = weight if weighted else None
    y_pred, std = fitted.predict(X, return_std=True)
    given = {"y_pred": y_pred, "std": std, "sample_weight": weight}
    rows = uc.Intervals.from_std(y, y_pred, std, sample_weight=weight)
    half = 0.6744897501960817 * std
    for scorer, expected in {
        neg_interval_score_at(): -uc.UCC(rows).score_at(coverage=0.9),
        neg_interval_score_at(0.5, vary="shift"): -uc.UCC(rows, vary="shift").score_at(coverage=0.5),
        neg_rms_area_scorer: -uc.auucc(y, y="deficit", **given),
        neg_auucc_scorer: -uc.auucc(y, **given),
        interval_scorer("auucc", coverage=(0.8, 0.95)): -uc.auucc(y, coverage=(0.8, 0.95), **given),
        interval_scorer("auucc", x="excess", vary="shift"): -uc.auucc(y, x="excess", vary="shift", **given),
        interval_scorer("auucc_gain", y="deficit"): uc.auucc_gain(y, y="deficit", **given),
        interval_scorer(coverage=0.5): -uc.interval_score(
            y, y_pred - half, y_pred + half, coverage=0.5, sample_weight=weight
        ),
    }.items():
        found = scorer(fitted, X, y, sample_weight=weight)
        assert isinstance(found, float)
        assert found == pytest.approx(expected, rel=1e-14), scorer


def test_a_regressor_that_can_is_asked_for_the_coverage_that_is_scored():
    """Its 90% intervals are not those that an interval score at 50% is about."""
    X, y, _ = data()
    model = ConformalIntervalRegressor(BayesianRidge(), vary="shift", coverage=0.9, cv=3).fit(X, y)
    lower, upper = model.predict_interval(X, coverage=0.5).T
    rows = uc.Intervals.from_bounds(y, lower, upper, y_pred=model.predict(X))
    score = uc.interval_score(y, lower, upper, coverage=0.5)
    for estimator in (model, make_pipeline("passthrough", model)):
        assert interval_scorer(coverage=0.5)(estimator, X, y) == -score
        assert neg_interval_score_at(0.5)(estimator, X, y) == -rows.ucc().score_at(coverage=0.5)


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
        (neg_interval_score_at(), 1.0),
        (neg_rms_area_scorer, 1.0),
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


def scores_by_hand(X, y, fit_weight=None, weight=None):
    scores = []
    for train, test in KFold(3).split(X):
        model = BayesianRidge().fit(X[train], y[train], None if fit_weight is None else fit_weight[train])
        y_pred, std = model.predict(X[test], return_std=True)
        own = None if weight is None else weight[test]
        scores.append(-uc.auucc(y[test], y_pred=y_pred, std=std, sample_weight=own))
    return scores


def test_cross_validation_scores_each_fold():
    """As a loop by hand does, alone or beside other scorers."""
    X, y, _ = data()
    scoring = {"area": neg_auucc_scorer, "score": interval_scorer(), "r2": "r2"}
    found = cross_validate(BayesianRidge(), X, y, scoring=scoring, cv=3)
    assert found["test_area"].tolist() == scores_by_hand(X, y)


def test_weights_are_routed_if_they_are_asked_for():
    """With metadata routing, as for scikit-learn's own scorers; the shared scorer does not change."""
    X, y, weight = data()
    with config_context(enable_metadata_routing=True):
        asking = neg_auucc_scorer.set_score_request(sample_weight=True)
        declining = neg_auucc_scorer.set_score_request(sample_weight=False)
        renamed = neg_auucc_scorer.set_score_request(sample_weight="w")
        plain = BayesianRidge().set_fit_request(sample_weight=False)
        fitting = BayesianRidge().set_fit_request(sample_weight=True)
        for model, scorer, name, expected in (
            (plain, asking, "sample_weight", scores_by_hand(X, y, None, weight)),
            (fitting, declining, "sample_weight", scores_by_hand(X, y, weight)),
            (plain, renamed, "w", scores_by_hand(X, y, None, weight)),
        ):
            found = cross_val_score(model, X, y, scoring=scorer, cv=3, params={name: weight})
            assert found.tolist() == expected
        search = GridSearchCV(plain, {"max_iter": [50]}, scoring=asking, cv=3).fit(X, y, sample_weight=weight)
        assert search.best_score_ == pytest.approx(np.mean(scores_by_hand(X, y, None, weight)))
        with pytest.raises(ValueError, match=r"sample_weight.* not explicitly set as requested or not"):
            cross_val_score(plain, X, y, scoring=neg_auucc_scorer, params={"sample_weight": weight})


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"metric": "area"}, "metric"),
        ({"metric": "interval_score_at", "coverage": (0.8, 0.9)}, "coverage"),
        ({"metric": "interval_score_at", "y": "deficit"}, "y"),
        ({"metric": "auucc", "y": "misses"}, "y"),
        ({"metric": "auucc", "coverage": 0.9}, "coverage"),
        ({"crossed": "swap"}, "crossed"),
    ],
)
def test_wrong_options_are_refused_at_once(options, argument):
    """In cross_val_score an error would become a score of NaN, and a warning."""
    with raises(ex.ArgumentError, argument):
        interval_scorer(**options)


def test_an_estimator_without_intervals_fails_in_cross_validation_with_the_reason():
    """scikit-learn raises it if it is told to."""
    X, y, _ = data()
    with raises(ex.ArgumentError, "estimator"):
        cross_val_score(LinearRegression(), X, y, scoring=neg_auucc_scorer, cv=3, error_score="raise")


# -- which estimators are read --------------------------------------------------------------------

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
DEVIATIONS = np.array([NormalDist().inv_cdf(level) for level in LEVELS])


class Quantiles:
    """Predicts quantiles around the first input."""

    def predict(self, X):
        return X[:, :1] + DEVIATIONS


class ToldQuantiles:
    """The same, for the levels it is told."""

    def predict(self, X, quantiles=None):
        return X[:, :1] + np.array([NormalDist().inv_cdf(level) for level in quantiles])


class Pairs:
    """Predicts 0 with bounds of two nominal coverages, as MAPIE does."""

    def predict_interval(self, X):
        lower, upper = np.array([-1.0, -2.0]), np.array([1.5, 3.0])
        table = np.broadcast_to(np.stack([lower, upper]), (len(X), 2, 2))
        return np.zeros(len(X)), table


def test_quantiles_are_read_at_their_levels():
    """The outermost pair gives the bounds, the median the prediction, and all pairs are kept."""
    X, y, _ = data()
    expected = uc.Intervals.from_quantiles(y, X[:, :1] + DEVIATIONS, LEVELS)
    for estimator in (Quantiles(), ToldQuantiles()):
        for vary in ("scale", "level"):
            scorer = interval_scorer("auucc", vary=vary, levels=LEVELS)
            assert scorer(estimator, X, y) == -expected.ucc(vary=vary).area()
    scorer = neg_interval_score_at(0.6, vary="level", levels=LEVELS)
    assert scorer(Quantiles(), X, y) == -expected.ucc(vary="level").score_at(coverage=0.6)
    with raises(ex.ShapeError, "predict"):
        scorer(LinearRegression().fit(X, y), X, y)


def test_bounds_of_several_coverages_need_their_coverages():
    """Which pair claims what cannot be seen; once told, the widest is moved and all are kept."""
    X, y, _ = data()
    with raises(ex.ShapeError, "predict_interval"):
        neg_auucc_scorer(Pairs(), X, y)
    scorer = interval_scorer("auucc", nominal=(0.5, 0.9))
    assert scorer(Pairs(), X, y) == -uc.auucc(y, np.full(60, -2.0), np.full(60, 3.0), y_pred=np.zeros(60))
    inner = interval_scorer("interval_score", nominal=(0.5, 0.9), coverage=0.5)
    assert inner(Pairs(), X, y) == -uc.interval_score(y, np.full(60, -1.0), np.full(60, 1.5), coverage=0.5)
    with raises(ex.ShapeError, "predict_interval"):
        interval_scorer("auucc", nominal=(0.9,))(Pairs(), X, y)


def test_the_coverage_of_a_score_must_be_that_of_a_pair():
    """Between two quantiles there is no bound to be scored."""
    X, y, _ = data()
    with raises(ex.ArgumentError, "coverage"):
        interval_scorer(coverage=0.8, levels=LEVELS)(Quantiles(), X, y)
    bounds = X[:, :1] + DEVIATIONS
    expected = -uc.interval_score(y, bounds[:, 0], bounds[:, -1], coverage=0.9)
    assert interval_scorer(coverage=0.9, levels=LEVELS)(Quantiles(), X, y) == expected


@pytest.mark.parametrize("routing", [False, True])
def test_pipelines_are_read_through_their_last_step(routing):
    """Also one in another, and where metadata routing would not pass `return_std` on. Figures read the same."""
    X, y, _ = data()
    pipeline = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), BayesianRidge())).fit(X, y)
    y_pred, std = pipeline.predict(X, return_std=True)
    with config_context(enable_metadata_routing=routing):
        assert neg_auucc_scorer(pipeline, X, y) == -uc.auucc(y, y_pred=y_pred, std=std)
        shown = uc.UCCDisplay.from_estimator(pipeline, X, y)
    assert shown.curves["Pipeline"].area() == -neg_auucc_scorer(pipeline, X, y)
