"""ConformalIntervalRegressor: which rows calibrate, by how much intervals move, and how often they capture."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from fitted_models import LEVELS, Asymmetric, MeanQuantiles, heteroscedastic
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import BayesianRidge, LinearRegression
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.tree import DecisionTreeRegressor

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sklearn import ConformalIntervalRegressor, calibration


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_one_split_moves_intervals_as_the_scaler_does(vary):
    """Fitted to the rows that do not calibrate, and moved by the scaler of those that do."""
    X, y = heteroscedastic(80)
    train, test = next(ShuffleSplit(1, test_size=0.3, random_state=4).split(X))
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.8, vary=vary, cv=0.3, random_state=4)
    model.fit(X, y)
    inner = Asymmetric().fit(X[train], y[train])
    given = inner.predict_interval(X)
    rows = uc.Intervals.from_bounds(y, *given.T, y_pred=inner.predict(X))[test]
    scaler = uc.ConformalScaler(coverage=0.8, vary=vary).fit(rows)
    assert np.array_equal(model.calibration_rows_, test)
    assert np.array_equal(model.calibration_.y_true, y[test])
    assert model.scaler_.parameter_ == scaler.parameter_
    expected = scaler.transform(lower=given[:, 0], upper=given[:, 1], y_pred=inner.predict(X))
    assert model.predict_interval(X) == pytest.approx(np.stack(expected, axis=1), rel=1e-12)
    assert np.array_equal(model.predict(X), inner.predict(X))
    assert model.estimators_ == [model.estimator_]


@pytest.mark.parametrize("vary", ["shift", "level"])
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


def test_without_a_median_predictions_are_the_centers_that_intervals_have():
    """Midpoints of the outermost pair, or under "level" of the innermost one."""

    class Without(MeanQuantiles):
        def predict(self, X):
            return np.delete(super().predict(X), 2, axis=1)

    X, y = heteroscedastic(60)
    fitted = Without().fit(X, y)
    table = fitted.predict(X)
    options = {"levels": (0.1, 0.25, 0.75, 0.9), "cv": "prefit", "coverage": 0.3}
    for vary, center in (("scale", table[:, [0, 3]]), ("level", table[:, [1, 2]])):
        model = ConformalIntervalRegressor(fitted, vary=vary, **options).fit(X, y)
        assert model.predict(X) == pytest.approx(center.mean(axis=1), rel=1e-12)


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
    options = {"scale_estimator": GradientBoostingRegressor(random_state=0), "cv": 0.3, "random_state": 0}
    for estimator in (LinearRegression(), DecisionTreeRegressor(random_state=0)):
        model = ConformalIntervalRegressor(estimator, **options).fit(X, y)
        lower, upper = model.predict_interval(X).T
        assert model.vary_ == "scale"
        assert np.mean((upper - lower)[X[:, 0] > 1.6]) > 2 * np.mean((upper - lower)[X[:, 0] < 0.6])
        assert model.calibration_.ucc().gain(y="deficit") > 0.05


def test_a_scale_that_is_predicted_below_zero_is_raised():
    """To 5% of the mean error."""
    X, y = heteroscedastic(300)
    line = LinearRegression()
    model = ConformalIntervalRegressor(line, scale_estimator=line, cv=0.3, random_state=0).fit(X, y)
    below, usual = np.diff(model.predict_interval(np.array([[-50.0, 1.0], [1.0, 1.0]])))[:, 0]
    assert 0 < below < 0.1 * usual


def test_too_few_rows_make_infinite_intervals_and_a_warning():
    """As ConformalScaler decides: 90% needs nine calibration rows."""
    X, y = heteroscedastic(16)
    for cv, n in ((0.5, 16), (4, 8)):
        model = ConformalIntervalRegressor(BayesianRidge(), cv=cv, random_state=0)
        with pytest.warns(ex.InfiniteParameterWarning):
            model.fit(X[:n], y[:n])
        assert np.array_equal(model.predict_interval(X[:2]), [[-np.inf, np.inf]] * 2)
        assert np.isfinite(model.predict_interval(X[:2], coverage=0.8)).all()


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


def test_the_last_rows_calibrate_in_the_order_of_time():
    """As a pair of rows to fit and to calibrate, with a gap that is in neither; or as folds in that order."""
    X, y = heteroscedastic(50)
    cv = [(np.arange(25), np.arange(30, 50))]
    model = ConformalIntervalRegressor(Asymmetric(), cv=cv).fit(X, y)
    assert model.calibration_rows_.tolist() == list(range(30, 50))
    assert model.estimator_.mean_ == pytest.approx(y[:25].mean())
    folds = ConformalIntervalRegressor(Asymmetric(), cv=TimeSeriesSplit(4), refit=True).fit(X, y)
    assert folds.calibration_rows_.tolist() == list(range(10, 50))
    assert folds.estimator_.mean_ == pytest.approx(y.mean())


# -- folds: CV+ against the definition in plain loops ----------------------------------------------


def intervals(model, X, y):
    """What a fitted model says of rows: quantiles, bounds, or bands of zero."""
    if isinstance(model, MeanQuantiles):
        return uc.Intervals.from_quantiles(y, model.predict(X), LEVELS)
    if isinstance(model, LinearRegression):
        return uc.Intervals.from_bands(y, model.predict(X), 0.0)
    return uc.Intervals.from_bounds(y, *model.predict_interval(X).T, y_pred=model.predict(X))


def moved(model, row, vary, parameter):
    """The interval of one row at a parameter, by the library's own way of moving rows."""
    rows = intervals(model, row[None], [0.0])
    ways = {"scale": rows.scaled, "shift": rows.shifted, "level": partial(rows.at_level, tails=True)}
    rows = ways[vary](parameter)
    return rows.lower[0], rows.upper[0]


def by_definition(estimator, X, y, new, vary, coverage, splitter, mine=None):
    """Collect a bound for each calibration row, sort them, and count."""
    mine = np.ones(len(y), dtype=bool) if mine is None else mine
    lower, upper = [], []
    for train, test in splitter.split(X):
        model = clone(estimator).fit(X[train], y[train])
        for parameter in intervals(model, X[test], y[test]).critical(vary=vary)[mine[test]]:
            bounds = moved(model, new, vary, parameter)
            lower.append(bounds[0])
            upper.append(bounds[1])
    n = len(lower)
    rank = math.ceil((n + 1) * Fraction(str(coverage)))
    whole = clone(estimator).fit(X, y)
    y_pred = whole.predict(new[None])[0]
    y_pred = y_pred[2] if isinstance(estimator, MeanQuantiles) else y_pred
    return min(sorted(lower)[n - rank], y_pred), max(sorted(upper)[rank - 1], y_pred)


@pytest.mark.parametrize(
    ("estimator", "vary", "coverage"),
    [
        (LinearRegression(), "shift", 0.9),
        (Asymmetric(), "scale", 0.5),
        (Asymmetric(), "shift", 0.9),
        (MeanQuantiles(), "level", 0.8),
    ],
)
def test_bounds_follow_the_definition(estimator, vary, coverage):
    """Each calibration row lends its critical value to the model that was fitted without it."""
    X, y = heteroscedastic(33)
    options = {"levels": LEVELS} if isinstance(estimator, MeanQuantiles) else {}
    model = ConformalIntervalRegressor(estimator, vary=vary, coverage=coverage, cv=4, **options).fit(X, y)
    found = model.predict_interval(X[:6])
    for row in range(6):
        expected = by_definition(estimator, X, y, X[row], vary, coverage, KFold(4))
        assert found[row] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_groups_take_the_calibration_rows_of_their_own():
    """From all folds, with the rank of their number."""
    X, y = heteroscedastic(44)
    groups = np.where(np.arange(44) % 3 == 0, "a", "b")
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.8, cv=4).fit(X, y, groups=groups)
    found = model.predict_interval(X[:8], groups=groups[:8])
    for row in range(8):
        mine = groups == groups[row]
        expected = by_definition(Asymmetric(), X, y, X[row], "scale", 0.8, KFold(4), mine)
        assert found[row] == pytest.approx(expected, rel=1e-9)


def test_rows_are_worked_on_in_parts(monkeypatch):
    """Memory stays bounded, and parts do not change the bounds."""
    X, y = heteroscedastic(50)
    model = ConformalIntervalRegressor(Asymmetric(), cv=5).fit(X, y)
    whole = model.predict_interval(X)
    for entries in (1, 50 * 49):
        monkeypatch.setattr(calibration, "_ENTRIES", entries)
        assert np.array_equal(model.predict_interval(X), whole)


def test_intervals_hold_the_prediction_and_are_nested():
    """That of the model of all rows, which may lie outside of what the folds say at a low coverage."""
    X, y = heteroscedastic(30, seed=3)
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.02, cv=KFold(3)).fit(X, y)
    y_pred = model.predict(X)
    before = np.stack([y_pred, y_pred], axis=1)
    for coverage in (0.02, 0.3, 0.6, 0.9, 0.95):
        after = model.predict_interval(X, coverage=coverage)
        assert np.all((after[:, 0] <= before[:, 0]) & (before[:, 1] <= after[:, 1]))
        before = after
    assert model.estimator_.mean_ == pytest.approx(y.mean())
