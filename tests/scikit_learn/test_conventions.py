"""scikit-learn's conventions: its own checks, clones, pipelines, searches, frames, metadata routing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fitted_models import Asymmetric, heteroscedastic
from sklearn import config_context
from sklearn.base import clone, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

import uccurve as uc
from uccurve.sklearn import ConformalIntervalRegressor, TimeSplit, neg_auucc_scorer


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")  # a few rows are fitted
@pytest.mark.filterwarnings("ignore:.*feature names:UserWarning")  # which some checks provoke
@parametrize_with_checks(
    [
        ConformalIntervalRegressor(),
        ConformalIntervalRegressor(BayesianRidge()),
        ConformalIntervalRegressor(cv=0.5, random_state=0),
        ConformalIntervalRegressor(Ridge(), refit=True),
        ConformalIntervalRegressor(Ridge(), scale_estimator=LinearRegression(), cv=3),
    ]
)
def test_scikit_learns_own_checks_pass(estimator, check):
    """All of them, with every way to calibrate."""
    check(estimator)


def test_a_clone_has_the_parameters_and_no_fit():
    """Also of the estimator inside, which fit leaves alone."""
    X, y = heteroscedastic(60)
    inner = BayesianRidge(max_iter=50)
    model = ConformalIntervalRegressor(inner, coverage=0.8, cv=TimeSplit(0.3)).fit(X, y)
    assert not hasattr(inner, "coef_")
    copy = clone(model)
    assert copy.coverage == 0.8
    assert copy.estimator.max_iter == 50
    with pytest.raises(NotFittedError):
        copy.predict_interval(X)
    with pytest.raises(NotFittedError):
        copy.predict(X)
    assert copy.set_params(estimator__max_iter=7).estimator.max_iter == 7
    assert is_regressor(model)
    assert np.array_equal(
        copy.set_params(estimator__max_iter=50).fit(X, y).predict_interval(X), model.predict_interval(X)
    )


@pytest.mark.parametrize("cv", [0.5, 4])
def test_frames_keep_their_names_and_their_text(cv):
    """X is handed on as it is: the pipeline inside may take text."""
    X, y = heteroscedastic(80)
    frame = pd.DataFrame(X, columns=["size", "age"]).assign(town=np.where(X[:, 1] > 1, "Ulm", "Bonn"))
    frame.index += 1000
    inner = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), ["size", "age"])),
        BayesianRidge(),
    )
    model = ConformalIntervalRegressor(inner, cv=cv, random_state=0).fit(
        frame, pd.Series(y, index=frame.index)
    )
    assert model.feature_names_in_.tolist() == ["size", "age", "town"]
    assert model.n_features_in_ == 3
    assert model.predict_interval(frame.iloc[:5]).shape == (5, 2)
    assert model.vary_ == "scale"
    plain = ConformalIntervalRegressor(cv=cv, random_state=0).fit(frame[["size", "age"]], y)
    with pytest.raises(ValueError, match="feature names should match"):
        plain.predict_interval(frame[["age", "size"]])


def test_numbers_in_an_array_of_objects_are_numbers():
    """In fit, predictions and scores, although BayesianRidge itself finds no deviations of them."""
    X, y = heteroscedastic(60)
    model = ConformalIntervalRegressor(BayesianRidge(), cv=3).fit(X, y)
    of_objects = ConformalIntervalRegressor(BayesianRidge(), cv=3).fit(X.astype(object), y)
    assert np.array_equal(of_objects.predict_interval(X.astype(object)), model.predict_interval(X))
    fitted = BayesianRidge().fit(X, y)
    assert neg_auucc_scorer(fitted, X.astype(object), y) == neg_auucc_scorer(fitted, X, y)


def test_missing_values_are_the_estimators_business():
    """A tree takes them."""
    X, y = heteroscedastic(120)
    X[::7, 0] = np.nan
    model = ConformalIntervalRegressor(DecisionTreeRegressor(max_depth=3), cv=3).fit(X, y)
    assert np.isfinite(model.predict_interval(X)).all()


def test_a_search_finds_parameters_inside_and_outside():
    """Of the estimator in a pipeline in the regressor, by the area of held-out rows."""
    X, y = heteroscedastic(150)
    process = GaussianProcessRegressor(RBF() + WhiteKernel(), optimizer=None, normalize_y=True)
    model = ConformalIntervalRegressor(make_pipeline(StandardScaler(), process), cv=0.3, random_state=0)
    grid = {"estimator__gaussianprocessregressor__kernel__k1__length_scale": [0.001, 2.0], "cv": [0.3, 3]}
    search = GridSearchCV(model, grid, scoring=neg_auucc_scorer, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["estimator__gaussianprocessregressor__kernel__k1__length_scale"] == 2.0
    assert search.best_estimator_.predict_interval(X).shape == (150, 2)
    assert neg_auucc_scorer(search, X, y) == neg_auucc_scorer(search.best_estimator_, X, y)


def test_a_pipeline_may_end_in_the_regressor():
    """The scorer reads it there; predictions are those of any regressor."""
    X, y = heteroscedastic(90)
    pipeline = make_pipeline(StandardScaler(), ConformalIntervalRegressor(Asymmetric(), cv=3)).fit(X, y)
    z = pipeline[0].transform(X)
    lower, upper = pipeline[-1].predict_interval(z).T
    assert neg_auucc_scorer(pipeline, X, y) == -uc.auucc(y, lower, upper, y_pred=pipeline.predict(X))
    scores = cross_val_score(pipeline, X, y, scoring=neg_auucc_scorer, cv=3, error_score="raise")
    assert np.all(scores < 0)
    assert cross_val_predict(pipeline, X, y, cv=3).shape == (90,)


def test_metadata_is_routed_to_the_estimators():
    """Weights to those that ask for them, groups to the regressor itself."""
    X, y = heteroscedastic(90)
    weight, groups = np.linspace(0, 2, 90), np.arange(90) % 2
    with config_context(enable_metadata_routing=True):
        inner = Asymmetric().set_fit_request(sample_weight=True)
        model = ConformalIntervalRegressor(inner, cv=3).fit(X, y, sample_weight=weight)
        assert model.estimator_.mean_ == pytest.approx(np.average(y, weights=weight))
        silent = Asymmetric().set_fit_request(sample_weight=False)
        with_scale = ConformalIntervalRegressor(
            silent, scale_estimator=Ridge().set_fit_request(sample_weight=True), cv=3
        )
        with_scale.fit(X, y, sample_weight=weight)
        assert with_scale.estimator_.mean_ == pytest.approx(y.mean())
        with pytest.raises(ValueError, match="not explicitly set as requested or not"):
            ConformalIntervalRegressor(Asymmetric(), cv=3).fit(X, y, sample_weight=weight)
        default = ConformalIntervalRegressor(cv=3).fit(X, y, sample_weight=weight)
        expected = LinearRegression().fit(X, y, sample_weight=weight)
        assert default.estimator_.coef_ == pytest.approx(expected.coef_)
        routed = ConformalIntervalRegressor(inner, cv=3).set_fit_request(sample_weight=True, groups=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), routed)
        pipeline.fit(X, y, sample_weight=weight, groups=groups)
        assert set(pipeline[-1].scaler_.parameters_) == {0, 1}
        assert pipeline[-1].estimator_.mean_ == pytest.approx(np.average(y, weights=weight))


def test_fitting_twice_forgets_the_first_fit():
    """Groups and features of before do not linger."""
    X, y = heteroscedastic(60)
    model = ConformalIntervalRegressor(cv=3)
    model.fit(pd.DataFrame(X, columns=["a", "b"]), y, groups=np.arange(60) % 2)
    model.fit(X, y)
    assert model.predict_interval(X).shape == (60, 2)
    assert not hasattr(model, "feature_names_in_")
