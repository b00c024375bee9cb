"""ConformalIntervalRegressor: which rows calibrate, by how much intervals move, and how often they capture."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fitted_models import LEVELS, Asymmetric, MeanQuantiles, heteroscedastic
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.tree import DecisionTreeRegressor

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import ConformalIntervalRegressor, TimeSplit


def share_captured(make, n, runs=200, new=50, seed=0):
    """Fit to n rows, again and again, and return the share of new rows that are captured."""
    hits = []
    for run in range(runs):
        X, y = heteroscedastic(n + new, seed=1000 * seed + run)
        lower, upper = make(run).fit(X[:n], y[:n]).predict_interval(X[n:]).T
        hits.append(np.mean((lower <= y[n:]) & (y[n:] <= upper)))
    return float(np.mean(hits)), float(np.std(hits)) / math.sqrt(runs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("calibrating", "coverage", "expected"),
    [(19, 0.9, 18 / 20), (20, 0.9, 19 / 21), (10, 0.5, 6 / 11), (24, 0.8, 20 / 25)],
)
def test_one_split_captures_as_often_as_the_rank_says(calibrating, coverage, expected):
    """⌈(n + 1) c⌉ / (n + 1), exactly: a rank more or less is 4 to 9 percentage points at this size."""
    n = calibrating + 20

    def make(run):
        split = ShuffleSplit(1, test_size=calibrating, random_state=run)
        return ConformalIntervalRegressor(BayesianRidge(), coverage=coverage, cv=split)

    captured, error = share_captured(make, n)
    assert abs(captured - expected) < 4 * error
    assert 4 * error < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator", [LinearRegression(), Asymmetric(), DecisionTreeRegressor(random_state=0)]
)
def test_folds_capture_about_as_often_as_asked_for(estimator):
    """CV+ is sure of 1 - 2α less a little; in practice it captures c or more, also with a model that overfits."""
    captured, error = share_captured(
        lambda _: ConformalIntervalRegressor(estimator, coverage=0.8), 40, runs=80
    )
    assert 0.8 - 4 * error < captured < 0.93


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_one_split_moves_intervals_as_the_scaler_does(vary):
    """Fitted to the rows that do not calibrate, and moved by the scaler of those that do."""
    X, y = heteroscedastic(80)
    train, test = next(ShuffleSplit(1, test_size=0.3, random_state=4).split(X))
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.8, vary=vary, cv=0.3, random_state=4)
    model.fit(X, y)
    inner = Asymmetric().fit(X[train], y[train])
    given = inner.predict_interval(X)
    calibration = uc.Intervals.from_bounds(
        y[test], *given[test].T, y_pred=np.full(test.size, y[train].mean())
    )
    scaler = uc.ConformalScaler(coverage=0.8, vary=vary).fit(calibration)
    assert np.array_equal(model.calibration_rows_, test)
    assert np.array_equal(model.calibration_.y_true, y[test])
    assert model.scaler_.parameter_ == scaler.parameter_
    expected = scaler.transform(lower=given[:, 0], upper=given[:, 1], y_pred=inner.predict(X))
    assert model.predict_interval(X) == pytest.approx(np.stack(expected, axis=1), rel=1e-12)
    other = uc.ConformalScaler(coverage=0.5, vary=vary).fit(calibration)
    expected = other.transform(lower=given[:, 0], upper=given[:, 1], y_pred=inner.predict(X))
    assert model.predict_interval(X, coverage=0.5) == pytest.approx(np.stack(expected, axis=1), rel=1e-12)
    assert np.array_equal(model.predict(X), inner.predict(X))
    assert model.estimators_ == [model.estimator_]


@pytest.mark.parametrize("vary", ["scale", "shift", "level"])
def test_quantiles_are_moved_in_each_way(vary):
    """Also to another nominal coverage, which is exact between the quantiles; predictions are the medians."""
    X, y = heteroscedastic(60)
    fitted = MeanQuantiles().fit(X, y)
    model = ConformalIntervalRegressor(fitted, levels=LEVELS, vary=vary, cv="prefit", coverage=0.7).fit(X, y)
    rows = uc.Intervals.from_quantiles(y, fitted.predict(X), LEVELS)
    scaler = uc.ConformalScaler(coverage=0.7, vary=vary).fit(rows)
    new = scaler.transform(rows)
    assert model.scaler_.parameter_ == scaler.parameter_
    assert model.predict_interval(X) == pytest.approx(np.stack([new.lower, new.upper], axis=1), rel=1e-12)
    assert np.array_equal(model.predict(X), fitted.predict(X)[:, 2])
    assert model.score(X, y) <= 1


def test_without_a_median_predictions_are_the_centers_that_intervals_have():
    """Midpoints of the outermost pair, or under "level" of the innermost one."""
    X, y = heteroscedastic(60)
    levels = (0.1, 0.25, 0.75, 0.9)

    class Without(MeanQuantiles):
        def predict(self, X):
            return np.delete(super().predict(X), 2, axis=1)

    table = Without().fit(X, y).predict(X)
    for vary, pair in (("scale", (0, 3)), ("level", (1, 2))):
        model = ConformalIntervalRegressor(
            Without().fit(X, y), levels=levels, vary=vary, cv="prefit", coverage=0.3
        ).fit(X, y)
        y_pred = model.predict(X)
        assert y_pred == pytest.approx((table[:, pair[0]] + table[:, pair[1]]) / 2, rel=1e-12)
        lower, upper = model.predict_interval(X).T
        assert np.all((lower <= y_pred) & (y_pred <= upper))


def test_a_plain_regressor_gets_the_same_band_for_all_rows():
    """By adding to nothing: the rank-th smallest absolute error."""
    X, y = heteroscedastic(60)
    model = ConformalIntervalRegressor(LinearRegression(), cv=0.5, random_state=0, coverage=0.8).fit(X, y)
    errors = np.sort(np.abs(y - model.predict(X))[model.calibration_rows_])
    assert errors.size == 30
    lower, upper = model.predict_interval(X).T
    assert model.vary_ == "shift"
    assert (upper - lower) / 2 == pytest.approx(np.full(60, errors[math.ceil(31 * 0.8) - 1]))
    with raises(ex.ArgumentError, "vary"):
        ConformalIntervalRegressor(LinearRegression(), vary="scale").fit(X, y)


def test_a_scale_estimator_makes_bands_follow_the_error():
    """Wider where the noise is larger, and fitted to errors out of folds: a tree has none of its own."""
    X, y = heteroscedastic(900)
    for estimator in (LinearRegression(), DecisionTreeRegressor(random_state=0)):
        model = ConformalIntervalRegressor(
            estimator, scale_estimator=GradientBoostingRegressor(random_state=0), cv=0.3, random_state=0
        ).fit(X, y)
        lower, upper = model.predict_interval(X).T
        assert model.vary_ == "scale"
        assert np.all(np.isfinite(upper - lower))
        assert np.mean((upper - lower)[X[:, 0] > 1.6]) > 2 * np.mean((upper - lower)[X[:, 0] < 0.6])
        assert model.calibration_.ucc().gain(y="deficit") > 0.05


def test_a_scale_that_is_predicted_below_zero_is_raised():
    """To 5% of the mean error."""
    X, y = heteroscedastic(300)
    model = ConformalIntervalRegressor(
        LinearRegression(), scale_estimator=LinearRegression(), cv=0.3, random_state=0
    ).fit(X, y)
    far = np.array([[-50.0, 1.0], [1.0, 1.0]])
    lower, upper = model.predict_interval(far).T
    width = (upper - lower) / 2
    assert 0 < width[0] < 0.1 * width[1]


def test_too_few_rows_make_infinite_intervals_and_a_warning():
    """As ConformalScaler decides: 90% needs nine calibration rows."""
    X, y = heteroscedastic(16)
    for cv in (0.5, TimeSplit(0.5)):
        with pytest.warns(ex.InfiniteParameterWarning):
            model = ConformalIntervalRegressor(BayesianRidge(), cv=cv, random_state=0).fit(X, y)
        assert np.array_equal(model.predict_interval(X[:2]), [[-np.inf, np.inf]] * 2)
        assert np.isfinite(model.predict_interval(X[:2], coverage=0.8)).all()
    with pytest.warns(ex.InfiniteParameterWarning):
        model = ConformalIntervalRegressor(BayesianRidge(), cv=4).fit(X[:8], y[:8])
    assert np.array_equal(model.predict_interval(X[:2]), [[-np.inf, np.inf]] * 2)
    enough = ConformalIntervalRegressor(BayesianRidge(), cv=3).fit(X[:9], y[:9])
    assert np.isfinite(enough.predict_interval(X[:2])).all()


def test_a_one_sided_limit_stays_one_sided():
    """Infinite lower bounds are no bounds."""

    class UpperLimit(Asymmetric):
        def predict_interval(self, X):
            return np.stack([np.full(len(X), -np.inf), self.mean_ + X[:, 0]], axis=1)

    X, y = heteroscedastic(60)
    for cv in (0.5, 5):
        model = ConformalIntervalRegressor(UpperLimit(), cv=cv, random_state=0, coverage=0.8).fit(X, y)
        lower, upper = model.predict_interval(X).T
        assert np.all(lower == -np.inf)
        assert 0.7 < np.mean(y <= upper) < 1


def test_the_unit_of_y_is_that_of_the_intervals():
    """Kilometers or meters: constant bands and scaled ones."""
    X, y = heteroscedastic(60)
    for estimator in (LinearRegression(), Asymmetric()):
        for cv in (0.5, 5):
            model = ConformalIntervalRegressor(estimator, cv=cv, random_state=0)
            one, other = (model.fit(X, unit * y).predict_interval(X) for unit in (1, 1000))
            assert other == pytest.approx(1000 * one, rel=1e-9)


def test_refit_moves_one_model_of_all_rows():
    """By the parameter of the rows that the folds predicted."""
    X, y = heteroscedastic(60)
    model = ConformalIntervalRegressor(Asymmetric(), cv=KFold(5), refit=True, coverage=0.8).fit(X, y)
    whole = Asymmetric().fit(X, y)
    given = whole.predict_interval(X)
    expected = model.scaler_.transform(lower=given[:, 0], upper=given[:, 1], y_pred=whole.predict(X))
    assert model.predict_interval(X) == pytest.approx(np.stack(expected, axis=1), rel=1e-12)
    parts = []
    for train, test in KFold(5).split(X):
        inner = Asymmetric().fit(X[train], y[train])
        rows = inner.predict_interval(X[test])
        parts.append(uc.Intervals.from_bounds(y[test], *rows.T, y_pred=inner.predict(X[test])).critical())
    assert model.scaler_.parameter_ == pytest.approx(np.sort(np.concatenate(parts))[math.ceil(61 * 0.8) - 1])
    assert model.estimators_ == [model.estimator_]


def test_time_series_folds_calibrate_with_the_rows_they_test():
    """The first rows are never tested, and calibrate nothing."""
    X, y = heteroscedastic(60)
    model = ConformalIntervalRegressor(BayesianRidge(), cv=TimeSeriesSplit(4), refit=True).fit(X, y)
    assert model.calibration_rows_.tolist() == list(range(12, 60))
    assert np.isfinite(model.predict_interval(X)).all()


def test_the_last_rows_calibrate_in_the_order_of_time():
    """And the rows of the gap are left out of both parts."""
    X, y = heteroscedastic(50)
    model = ConformalIntervalRegressor(Asymmetric(), cv=TimeSplit(0.4, gap=5)).fit(X, y)
    assert model.calibration_rows_.tolist() == list(range(30, 50))
    assert model.estimator_.mean_ == pytest.approx(y[:25].mean())
    refitted = ConformalIntervalRegressor(Asymmetric(), cv=TimeSplit(0.4, gap=5), refit=True).fit(X, y)
    assert refitted.estimator_.mean_ == pytest.approx(y.mean())
    assert refitted.scaler_.parameter_ == model.scaler_.parameter_
