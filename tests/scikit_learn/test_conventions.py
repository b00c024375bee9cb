"""scikit-learn's conventions: its own checks, clones, pipelines, searches, frames, metadata routing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fitted_models import Asymmetric, heteroscedastic
from sklearn import config_context
from sklearn.compose import make_column_transformer
from sklearn.linear_model import BayesianRidge, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

import uccurve as uc
from uccurve.sklearn import ConformalIntervalRegressor, neg_auucc_scorer, neg_interval_score_at


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")  # a few rows are fitted
@pytest.mark.filterwarnings("ignore:.*feature names:UserWarning")  # which some checks provoke
@parametrize_with_checks(
    [
        ConformalIntervalRegressor(BayesianRidge(), cv=0.5, random_state=0),
        ConformalIntervalRegressor(Ridge(), scale_estimator=LinearRegression(), cv=3),
    ]
)
def test_scikit_learns_own_checks_pass(estimator, check):
    """All of them, for one split and for folds."""
    check(estimator)


def test_frames_keep_their_names_and_their_text():
    """X is handed on as it is: the pipeline inside may take text."""
    X, y = heteroscedastic(80)
    frame = pd.DataFrame(X, columns=["size", "age"]).assign(town=np.where(X[:, 1] > 1, "Ulm", "Bonn"))
    frame.index += 1000
    inner = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), ["size", "age"])),
        BayesianRidge(),
    )
    model = ConformalIntervalRegressor(inner, cv=4)
    model.fit(frame, pd.Series(y, index=frame.index)).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["size", "age", "town"]
    assert model.n_features_in_ == 3
    assert model.predict_interval(frame.iloc[:5]).shape == (5, 2)
    assert model.vary_ == "scale"


def test_a_search_finds_parameters_of_a_pipeline_that_ends_in_the_regressor():
    """By the score of held-out rows; the pipeline returns intervals if it is asked for them."""
    X, y = heteroscedastic(150)
    pipeline = make_pipeline(
        StandardScaler(), ConformalIntervalRegressor(DecisionTreeRegressor(random_state=0), cv=3)
    )
    depth = "conformalintervalregressor__estimator__max_depth"
    search = GridSearchCV(
        pipeline, {depth: [2, 30]}, scoring=neg_interval_score_at(), cv=3, error_score="raise"
    )
    search.fit(X, y)
    assert search.best_params_ == {depth: 2}
    best = search.best_estimator_
    y_pred, bounds = best.predict(X, return_interval=True)
    inner = best[0].transform(X)
    assert np.array_equal(y_pred, best.predict(X))
    assert np.array_equal(bounds, best[-1].predict_interval(inner))
    assert neg_auucc_scorer(search, X, y) == -uc.auucc(y, *bounds.T, y_pred=y_pred)
    _, narrow = best.predict(X, return_interval=True, coverage=0.5)
    assert np.array_equal(narrow, best[-1].predict_interval(inner, coverage=0.5))


def test_groups_pass_through_a_pipeline():
    """To fit and to predict, by the name of the step."""
    X, y = heteroscedastic(60)
    groups = np.arange(60) % 2
    model = ConformalIntervalRegressor(Ridge(), cv=0.5, random_state=0)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, y, conformalintervalregressor__groups=groups)
    _, bounds = pipeline.predict(X, return_interval=True, groups=groups)
    widths = np.diff(bounds)[:, 0] / 2
    assert {*widths.round(9)} == {round(value, 9) for value in pipeline[-1].scaler_.parameters_.values()}


def test_metadata_is_routed_to_the_estimators():
    """Weights to those that ask for them, groups to the regressor itself."""
    X, y = heteroscedastic(90)
    weight, groups = np.linspace(0, 2, 90), np.arange(90) % 2
    with config_context(enable_metadata_routing=True):
        inner = Asymmetric().set_fit_request(sample_weight=True)
        silent = Asymmetric().set_fit_request(sample_weight=False)
        with_scale = ConformalIntervalRegressor(
            silent, scale_estimator=Ridge().set_fit_request(sample_weight=True), cv=3
        )
        with_scale.fit(X, y, sample_weight=weight)
        assert with_scale.estimator_.mean_ == pytest.approx(y.mean())
        with pytest.raises(ValueError, match="not explicitly set as requested or not"):
            ConformalIntervalRegressor(Asymmetric(), cv=3).fit(X, y, sample_weight=weight)
        routed = ConformalIntervalRegressor(inner, cv=3).set_fit_request(sample_weight=True, groups=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), routed)
        pipeline.fit(X, y, sample_weight=weight, groups=groups)
        assert set(pipeline[-1].scaler_.parameters_) == {0, 1}
        assert pipeline[-1].estimator_.mean_ == pytest.approx(np.average(y, weights=weight))
