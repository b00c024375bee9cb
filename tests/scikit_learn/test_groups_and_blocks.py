"""Groups that are calibrated on their own, blocks that stay together, and arguments that do not fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fitted_models import LEVELS, Asymmetric, MeanQuantiles, heteroscedastic
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold
from sklearn.neighbors import KNeighborsRegressor

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import ConformalIntervalRegressor


def conformal(**options):
    return ConformalIntervalRegressor(LinearRegression(), **options)


def in_two_groups(n=200, seed=0):
    """Rows of which those of the group "loud" have three times the noise."""
    X, y = heteroscedastic(n, seed)
    groups = np.where(np.random.default_rng(seed).uniform(size=n) < 0.3, "loud", "quiet")
    return X, np.where(groups == "loud", 3 * y, y), groups


# -- groups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [list, pd.Categorical])
def test_each_group_has_a_parameter_of_its_own(kind):
    """That of a scaler with labels, which follow their rows into a random split."""
    X, y, groups = in_two_groups()
    model = ConformalIntervalRegressor(Asymmetric(), cv=0.5, coverage=0.8, random_state=0)
    model.fit(X, y, groups=kind(groups))
    rows, inner = model.calibration_rows_, model.estimator_
    assert not np.array_equal(rows, np.sort(rows))
    new = uc.Intervals.from_bounds(y, *inner.predict_interval(X).T, y_pred=inner.predict(X))
    scaler = uc.ConformalScaler(coverage=0.8).fit(new[rows], by=groups[rows])
    assert model.scaler_.parameters_ == scaler.parameters_
    moved = scaler.transform(new, by=groups)
    expected = np.stack([moved.lower, moved.upper], axis=1)
    assert model.predict_interval(X, groups=kind(groups)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("cv", [[(range(100, 200), range(100))], 4])
def test_small_groups_stay_alone_or_take_all_rows(cv):
    """Alone, too few rows have infinite intervals, and none are an error. All rows promise nothing within."""
    X, y, groups = in_two_groups()
    groups[:3] = "rare"
    new = np.array(["quiet", "rare", "new", "loud"])
    alone, pooled = conformal(cv=cv), conformal(cv=cv, small_groups="pooled").fit(X, y, groups=groups)
    with pytest.warns(ex.InfiniteParameterWarning):
        alone.fit(X, y, groups=groups)
    with raises(ex.ArgumentError, "groups", count=1, first=2, remedy={"small_groups": "pooled"}):
        alone.predict_interval(X[:4], groups=new)
    with pytest.warns(ex.UnseenLabelsWarning):
        found = pooled.predict_interval(X[:4], groups=new)
    assert np.isinf(alone.predict_interval(X[:1], groups=["rare"])).all()
    assert np.array_equal(found[[0, 3]], alone.predict_interval(X[[0, 3]], groups=new[[0, 3]]))
    assert np.array_equal(found[1:3], conformal(cv=cv).fit(X, y).predict_interval(X[1:3]))
    with pytest.warns(ex.InfiniteParameterWarning):
        pooled.set_params(coverage=0.999).fit(X, y, groups=groups)


def test_groups_are_given_at_both_or_at_neither():
    """One without the other would be a guess."""
    X, y, groups = in_two_groups()
    with raises(ex.ArgumentError, "groups"):
        conformal().fit(X, y, groups=groups).predict_interval(X)
    with raises(ex.ArgumentError, "groups"):
        conformal().fit(X, y).predict_interval(X, groups=groups)


# -- blocks ---------------------------------------------------------------------------------------


def test_blocks_are_not_divided():
    """Rows of one block are all fitted or all calibrating; a number of folds then counts blocks."""
    X, y = heteroscedastic(60)
    blocks = np.repeat(np.arange(12), 5)
    expected = [blocks[test] for _, test in GroupKFold(4).split(X, y, blocks)]
    for cv in (4, GroupKFold(4)):
        model = ConformalIntervalRegressor(Asymmetric(), cv=cv, random_state=0).fit(X, y, blocks=blocks)
        calibrating = [block for test in expected for block in np.unique(test)]
        assert blocks[model.calibration_rows_].tolist() == calibrating
        for fold, test in zip(model.estimators_, expected, strict=True):
            assert fold.mean_ == pytest.approx(y[~np.isin(blocks, test)].mean())
    split = ConformalIntervalRegressor(Asymmetric(), cv=0.4, coverage=0.5, random_state=0)
    assert split.fit(X, y, blocks=blocks).calibration_.n == 5


@pytest.mark.parametrize("cv", ["prefit", 4])
def test_one_row_of_each_block_calibrates_drawn_at_random(cv):
    """Every row of a block may be the one; the seed repeats the draw."""
    X, y = heteroscedastic(60)
    blocks = np.array(["a", "b", "c"] * 20)
    blocks[:40] = np.arange(40) // 4
    drawn = []
    for seed in range(40):
        model = ConformalIntervalRegressor(Asymmetric().fit(X, y), cv=cv, coverage=0.5, random_state=seed)
        rows = model.fit(X, y, blocks=blocks).calibration_rows_
        assert len(set(blocks[rows])) == len(rows) == model.calibration_.n
        assert np.array_equal(model.calibration_.y_true, y[rows])
        assert np.array_equal(rows, model.fit(X, y, blocks=blocks).calibration_rows_)
        drawn.append(rows)
    places = np.concatenate(drawn)
    assert set(places[places < 40] % 4) == {0, 1, 2, 3}


def test_errors_that_blocks_share_are_covered_as_often_as_asked():
    """14 blocks calibrate at 90%: exactly 14/15. Ranks of their 140 rows would give 13/15."""
    hits = []
    blocks = np.repeat(np.arange(28), 10)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        shared = rng.normal(size=128)
        X = rng.normal(size=(380, 1))
        y = X[:, 0] + np.concatenate([np.repeat(shared[:28], 10), shared[28:]])
        model = conformal(cv=0.5, random_state=seed).fit(X[:280], y[:280], blocks=blocks)
        lower, upper = model.predict_interval(X[280:]).T
        hits.append(np.mean((lower <= y[280:]) & (y[280:] <= upper)))
    error = np.std(hits) / np.sqrt(len(hits))
    assert abs(np.mean(hits) - 14 / 15) < 4 * error < 0.03


def test_missing_blocks_are_named():
    """Rows without a block may belong to any."""
    X, y = heteroscedastic(30)
    with raises(ex.ArgumentError, "blocks", count=2, first=28):
        conformal(cv=3).fit(X, y, blocks=[*"ab" * 14, None, None])


def test_splits_that_divide_a_block_are_refused():
    """Rows of one block on both sides: the model would know the errors that it is calibrated by."""
    X, y = heteroscedastic(30)
    pairs = [(range(5), range(25, 30)), (range(9), range(9, 20))]
    with raises(ex.ArgumentError, "cv", count=1, first=9, values={"split": 1}):
        conformal(cv=pairs).fit(X, y, blocks=np.arange(30) // 5)
    whole = conformal(cv=KFold(2), coverage=0.5).fit(X, y, blocks=np.arange(30) // 15)
    assert whole.calibration_.n == len(whole.estimators_) == 2


# -- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"coverage": 90}, "coverage"),
        ({"vary": "level"}, "vary"),
        ({"small_groups": "ignore"}, "small_groups"),
        ({"cv": []}, "cv"),
        ({"cv": object()}, "cv"),
        ({"cv": GroupKFold(3)}, "blocks"),
        ({"cv": RepeatedKFold(n_splits=2, n_repeats=2)}, "cv"),
        ({"cv": [(range(15), range(15, 20)), (range(10, 24), range(20, 30))]}, "cv"),
        ({"cv": [([True] * 20, [False] * 29 + [True])]}, "cv"),
        ({"cv": "prefit", "refit": True}, "refit"),
        ({"levels": (0.1, 0.9), "scale_estimator": LinearRegression()}, "levels"),
        ({"levels": (0.1, 0.9)}, "predict"),
    ],
)
def test_wrong_options_are_named(options, argument):
    """In one sentence, when fit is called."""
    X, y = heteroscedastic(30)
    with raises(ex.UccurveError, argument):
        conformal(**options).fit(X, y)


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
    with_scale = ConformalIntervalRegressor(LinearRegression(), scale_estimator=KNeighborsRegressor(), cv=2)
    assert np.isfinite(with_scale.fit(X, y, sample_weight=weight).predict_interval(X)).all()


def test_observations_must_be_numbers():
    """Found before anything is fitted. scikit-learn would take the values under a mask, and numbers in text."""
    X, y = heteroscedastic(30)
    masked = np.ma.array(y, mask=np.arange(30) > 27)
    for values in (masked, masked[:, None]):
        with raises(ex.NonFiniteError, "y", count=2, first=28):
            conformal().fit(X, values)
    for text in (["a"] * 30, y.astype(str), y > 0):
        with raises(ex.NotNumericError, "y"):
            conformal().fit(X, text)


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
