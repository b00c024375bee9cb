"""Groups that are calibrated on their own, and what is said about arguments that do not fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fitted_models import LEVELS, Asymmetric, MeanQuantiles, heteroscedastic
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import ConformalIntervalRegressor, TimeSplit


def in_two_groups(n=200, seed=0):
    """Rows of which those of the group "loud" have three times the noise."""
    X, y = heteroscedastic(n, seed)
    groups = np.where(np.random.default_rng(seed).uniform(size=n) < 0.3, "loud", "quiet")
    return X, np.where(groups == "loud", 3 * y, y), groups


@pytest.mark.parametrize("kind", [list, pd.Categorical])
def test_each_group_has_a_parameter_of_its_own(kind):
    """That of a scaler with labels."""
    X, y, groups = in_two_groups()
    fitted = BayesianRidge().fit(X, y)
    model = ConformalIntervalRegressor(fitted, cv="prefit", coverage=0.8).fit(X, y, groups=kind(groups))
    rows = uc.Intervals.from_std(y, *fitted.predict(X, return_std=True))
    scaler = uc.ConformalScaler(coverage=0.8).fit(rows, by=groups)
    assert model.scaler_.parameters_ == scaler.parameters_
    moved = scaler.transform(rows, by=groups)
    expected = np.stack([moved.lower, moved.upper], axis=1)
    assert model.predict_interval(X, groups=kind(groups)) == pytest.approx(expected, rel=1e-12)


def test_labels_follow_their_rows_into_a_random_split():
    """The rows that calibrate come in another order than those of fit."""
    X, y, groups = in_two_groups()
    model = ConformalIntervalRegressor(Asymmetric(), cv=0.5, random_state=0).fit(X, y, groups=groups)
    rows = model.calibration_rows_
    assert not np.array_equal(rows, np.sort(rows))
    y_pred, given = model.estimator_.predict(X[rows]), model.estimator_.predict_interval(X[rows])
    calibration = uc.Intervals.from_bounds(y[rows], *given.T, y_pred=y_pred)
    scaler = uc.ConformalScaler(coverage=0.9).fit(calibration, by=groups[rows])
    assert model.scaler_.parameters_ == scaler.parameters_


@pytest.mark.slow
@pytest.mark.parametrize("cv", [0.5, 5])
def test_each_group_is_captured_at_the_rate(cv):
    """Without groups the loud one is captured too rarely."""
    shares = {"grouped": [], "pooled": []}
    for seed in range(40):
        X, y, groups = in_two_groups(400, seed)
        model = ConformalIntervalRegressor(LinearRegression(), coverage=0.8, cv=cv, random_state=seed)
        loud = np.flatnonzero(groups[200:] == "loud") + 200
        model.fit(X[:200], y[:200], groups=groups[:200])
        lower, upper = model.predict_interval(X[loud], groups=groups[loud]).T
        shares["grouped"].append(np.mean((lower <= y[loud]) & (y[loud] <= upper)))
        lower, upper = model.fit(X[:200], y[:200]).predict_interval(X[loud]).T
        shares["pooled"].append(np.mean((lower <= y[loud]) & (y[loud] <= upper)))
    assert 0.77 < np.mean(shares["grouped"]) < 0.86
    assert np.mean(shares["pooled"]) < 0.7


@pytest.mark.parametrize("cv", [0.5, 4])
def test_groups_without_calibration_rows_are_an_error_or_take_all_rows(cv):
    """As ConformalScaler decides."""
    X, y, groups = in_two_groups()
    new = np.array(["quiet", "new", "new", "loud"])
    model = ConformalIntervalRegressor(BayesianRidge(), cv=cv, random_state=0).fit(X, y, groups=groups)
    with raises(ex.ArgumentError, "groups", count=2, first=1):
        model.predict_interval(X[:4], groups=new)
    pooled = ConformalIntervalRegressor(BayesianRidge(), cv=cv, random_state=0, unseen="pooled")
    pooled.fit(X, y, groups=groups)
    with pytest.warns(ex.UnseenLabelsWarning):
        found = pooled.predict_interval(X[:4], groups=new)
    alone = ConformalIntervalRegressor(BayesianRidge(), cv=cv, random_state=0).fit(X, y)
    assert np.array_equal(found[1:3], alone.predict_interval(X[1:3]))
    assert np.array_equal(found[[0, 3]], model.predict_interval(X[[0, 3]], groups=new[[0, 3]]))


def test_groups_are_given_at_both_or_at_neither():
    """One without the other would be a guess."""
    X, y, groups = in_two_groups()
    with_groups = ConformalIntervalRegressor(cv=0.5, random_state=0).fit(X, y, groups=groups)
    without = ConformalIntervalRegressor(cv=0.5, random_state=0).fit(X, y)
    with raises(ex.ArgumentError, "groups"):
        with_groups.predict_interval(X)
    with raises(ex.ArgumentError, "groups"):
        without.predict_interval(X, groups=groups)
    with raises(ex.ShapeError, "groups"):
        with_groups.predict_interval(X, groups=["loud"] * 3)
    with raises(ex.ShapeError, "groups"):
        without.fit(X, y, groups=groups[:5])


def test_a_group_with_too_few_rows_has_infinite_intervals():
    """And a warning that names it."""
    X, y, groups = in_two_groups()
    groups[:3] = "rare"
    for cv in (5, [(range(100, 200), range(100))]):
        model = ConformalIntervalRegressor(cv=cv)
        with pytest.warns(ex.InfiniteParameterWarning):
            model.fit(X, y, groups=groups)
        assert np.isinf(model.predict_interval(X[:1], groups=["rare"])).all()
        assert np.isfinite(model.predict_interval(X[:1], groups=["loud"])).all()


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"coverage": 90}, "coverage"),
        ({"vary": "stretch"}, "vary"),
        ({"vary": "level"}, "vary"),
        ({"unseen": "ignore"}, "unseen"),
        ({"crossed": "swap"}, "crossed"),
        ({"cv": "fitted"}, "cv"),
        ({"cv": True}, "cv"),
        ({"cv": 1.5}, "cv"),
        ({"cv": []}, "cv"),
        ({"cv": object()}, "cv"),
        ({"cv": RepeatedKFold(n_splits=2, n_repeats=2)}, "cv"),
        ({"cv": ShuffleSplit(3, test_size=0.9)}, "cv"),
        ({"cv": [(range(15), range(15, 20)), (range(10, 24), range(20, 30))]}, "cv"),
        ({"cv": [(range(5, 20), range(20, 30)), (range(20, 30), [-1, 0, -2])]}, "cv"),
        ({"cv": [([*range(10), 30], range(10, 30))]}, "cv"),
        ({"cv": [([True] * 20, [False] * 29 + [True])]}, "cv"),
        ({"cv": [([0.5, 1.0], [2, 3])]}, "cv"),
        ({"cv": "prefit", "refit": True}, "refit"),
        ({"levels": (0.1, 0.9), "scale_estimator": LinearRegression()}, "levels"),
        ({"levels": 0.5}, "levels"),
        ({"levels": (0.1, 0.9)}, "predict"),
    ],
)
def test_wrong_options_are_named(options, argument):
    """In one sentence, when fit is called."""
    X, y = heteroscedastic(30)
    with raises(ex.UccurveError, argument):
        ConformalIntervalRegressor(**options).fit(X, y)


def test_weights_that_nobody_takes_are_refused():
    """They would have no effect, silently; a step of a pipeline gets them by its name."""
    X, y = heteroscedastic(30)
    weight = np.linspace(0.1, 2, 30)
    pipeline = make_pipeline(StandardScaler(), LinearRegression())
    for estimator in (pipeline, KNeighborsRegressor()):
        with raises(ex.ArgumentError, "sample_weight"):
            ConformalIntervalRegressor(estimator).fit(X, y, sample_weight=weight)
    named = ConformalIntervalRegressor(pipeline).fit(X, y, linearregression__sample_weight=weight)
    alone = ConformalIntervalRegressor(LinearRegression()).fit(X, y, sample_weight=weight)
    assert named.predict(X) == pytest.approx(alone.predict(X))
    assert named.predict(X) != pytest.approx(ConformalIntervalRegressor().fit(X, y).predict(X))


def test_weights_reach_the_fit_of_each_fold_and_no_calibration():
    """Cut as the rows are; critical values count alike."""
    X, y = heteroscedastic(40)
    weight = np.linspace(0, 2, 40)
    model = ConformalIntervalRegressor(Asymmetric(), cv=4, coverage=0.8).fit(X, y, sample_weight=weight)
    assert model.estimator_.mean_ == pytest.approx(np.average(y, weights=weight))
    for number, fold in enumerate(model.estimators_):
        kept = np.delete(np.arange(40), np.arange(10 * number, 10 * number + 10))
        assert fold.mean_ == pytest.approx(np.average(y[kept], weights=weight[kept]))
    assert model.calibration_.sample_weight is None
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(X, y, sample_weight=weight[:3])
    with_scale = ConformalIntervalRegressor(LinearRegression(), scale_estimator=KNeighborsRegressor(), cv=2)
    assert np.isfinite(with_scale.fit(X, y, sample_weight=weight).predict_interval(X)).all()


def test_masked_values_are_missing():
    """Of observations and weights: scikit-learn would take the values under the mask."""
    X, y = heteroscedastic(30)
    mask = np.arange(30) > 27
    model = ConformalIntervalRegressor()
    for kind in (lambda values: values, lambda values: values[:, None], lambda values: values.astype(object)):
        with raises(ex.NonFiniteError, "y", count=2, first=28):
            model.fit(X, kind(np.ma.array(y, mask=mask)))
    with raises(ex.NonFiniteError, "sample_weight", count=2, first=28):
        model.fit(X, y, sample_weight=np.ma.array(np.ones(30), mask=mask))
    bare = np.ma.array(y, mask=np.zeros(30, dtype=bool))
    assert np.array_equal(model.fit(X, bare).predict_interval(X), model.fit(X, y).predict_interval(X))


def test_time_splits_need_rows_to_fit():
    """And say how many there are."""
    assert repr(TimeSplit(0.3, gap=2)) == "TimeSplit(0.3, gap=2)"
    assert repr(TimeSplit()) == "TimeSplit(0.2)"
    assert TimeSplit().get_n_splits() == 1
    train, test = next(TimeSplit(0.55).split(np.zeros(100)))
    assert (train.size, test.size) == (45, 55)
    assert next(TimeSplit(0.3).split(np.zeros(11)))[1].tolist() == [7, 8, 9, 10]
    with pytest.raises(ex.ArgumentError):
        next(TimeSplit(0.5, gap=3).split(np.zeros(6)))
    for split, argument in ((TimeSplit(20), "fraction"), (TimeSplit(gap=-1), "gap")):
        with raises(ex.ArgumentError, argument):
            next(split.split(np.zeros(6)))


def test_blocks_without_their_splitter_and_the_reverse():
    """A splitter of groups asks for blocks by this library's name."""
    X, y = heteroscedastic(30)
    with raises(ex.ArgumentError, "blocks"):
        ConformalIntervalRegressor(cv=GroupKFold(3)).fit(X, y)
    with raises(ex.ShapeError, "blocks"):
        ConformalIntervalRegressor(cv=3).fit(X, y, blocks=np.arange(4))
    for missing in (np.ma.array(np.arange(30), mask=np.arange(30) > 27), [*"ab" * 14, None, None]):
        with raises(ex.ArgumentError, "blocks", count=2, first=28):
            ConformalIntervalRegressor(cv=3).fit(X, y, blocks=missing)


@pytest.mark.parametrize(
    ("cv", "split", "count", "first"),
    [
        (TimeSplit(0.4), 0, 2, 18),
        ([(range(5), range(25, 30)), (range(9), range(9, 20))], 1, 1, 9),
        (KFold(4), 0, 3, 5),
        (ShuffleSplit(1, test_size=10, random_state=0), 0, 10, 2),
    ],
)
def test_splits_that_divide_a_block_are_refused(cv, split, count, first):
    """Rows of one block on both sides: the model would know the errors that it is calibrated by."""
    X, y = heteroscedastic(30)
    model = ConformalIntervalRegressor(cv=cv)
    with raises(ex.ArgumentError, "cv", count=count, first=first, values={"split": split}):
        model.fit(X, y, blocks=np.arange(30) // 5)


def test_splits_that_keep_blocks_together_are_taken():
    """Of any kind: the same splitters, with blocks as long as their parts."""
    X, y = heteroscedastic(30)
    for cv in (TimeSplit(0.5), KFold(2), [(range(15), range(15, 30))]):
        model = ConformalIntervalRegressor(cv=cv, coverage=0.5).fit(X, y, blocks=np.arange(30) // 15)
        assert model.calibration_.n == len(model.estimators_)


def test_crossed_quantiles_are_sorted_in_fit_and_prediction():
    """If asked for; otherwise they are an error."""

    class Crossed(MeanQuantiles):
        def predict(self, X):
            return super().predict(X)[:, ::-1]

    X, y = heteroscedastic(40)
    with pytest.raises(ex.CrossedBoundsError):
        ConformalIntervalRegressor(Crossed(), levels=LEVELS).fit(X, y)
    options = {"levels": LEVELS, "cv": 0.5, "random_state": 0, "vary": "level", "coverage": 0.8}
    with pytest.warns(ex.SortedRowsWarning):
        model = ConformalIntervalRegressor(Crossed(), crossed="sort", **options).fit(X, y)
    expected = ConformalIntervalRegressor(MeanQuantiles(), **options).fit(X, y).predict_interval(X)
    with pytest.warns(ex.SortedRowsWarning):
        assert np.array_equal(model.predict_interval(X), expected)
