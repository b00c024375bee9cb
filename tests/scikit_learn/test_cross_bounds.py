"""CV+ intervals: from the models of all folds, against the definition in plain loops."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from fitted_models import LEVELS, Asymmetric, MeanQuantiles, heteroscedastic
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut

import uccurve as uc
from uccurve.sklearn import ConformalIntervalRegressor, _cross_bounds


def moved(model, row, vary, parameter):
    """The interval of one row at a parameter, by the library's own way of moving rows."""
    if isinstance(model, MeanQuantiles):
        rows = uc.Intervals.from_quantiles([0.0], model.predict(row[None]), LEVELS)
        if vary == "level":
            rows = rows.at_level(parameter, tails=True)
            return rows.lower[0], rows.upper[0]
    elif isinstance(model, LinearRegression):
        rows = uc.Intervals.from_bands([0.0], model.predict(row[None]), [0.0])
    else:
        lower, upper = model.predict_interval(row[None])[0]
        rows = uc.Intervals.from_bounds([0.0], [lower], [upper], y_pred=model.predict(row[None]))
    rows = rows.scaled(parameter) if vary == "scale" else rows.shifted(parameter)
    return rows.lower[0], rows.upper[0]


def critical(model, X, y, vary):
    if isinstance(model, MeanQuantiles):
        return uc.Intervals.from_quantiles(y, model.predict(X), LEVELS).critical(vary=vary)
    if isinstance(model, LinearRegression):
        return np.abs(y - model.predict(X))
    rows = uc.Intervals.from_bounds(y, *model.predict_interval(X).T, y_pred=model.predict(X))
    return rows.critical(vary=vary)


def by_definition(estimator, X, y, new, vary, coverage, splitter, mine=None):
    """Collect a bound for each calibration row, sort them, and count."""
    mine = np.ones(len(y), dtype=bool) if mine is None else mine
    lower, upper = [], []
    for train, test in splitter.split(X):
        model = clone(estimator).fit(X[train], y[train])
        for parameter in critical(model, X[test], y[test], vary)[mine[test]]:
            bounds = moved(model, new, vary, parameter)
            lower.append(bounds[0])
            upper.append(bounds[1])
    n = len(lower)
    rank = math.ceil((n + 1) * Fraction(str(coverage)))
    whole = clone(estimator).fit(X, y)
    y_pred = whole.predict(new[None])[0]
    y_pred = y_pred[2] if isinstance(estimator, MeanQuantiles) else y_pred
    return min(sorted(lower)[n - rank], y_pred), max(sorted(upper)[rank - 1], y_pred)


CASES = [
    (LinearRegression(), "shift"),
    (Asymmetric(), "scale"),
    (Asymmetric(), "shift"),
    (MeanQuantiles(), "scale"),
    (MeanQuantiles(), "level"),
]


@pytest.mark.parametrize(("estimator", "vary"), CASES)
@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_bounds_follow_the_definition(estimator, vary, coverage):
    """Each calibration row lends its critical value to the model that was fitted without it."""
    X, y = heteroscedastic(33)
    options = {"levels": LEVELS} if isinstance(estimator, MeanQuantiles) else {}
    model = ConformalIntervalRegressor(estimator, vary=vary, coverage=coverage, cv=4, **options).fit(X, y)
    found = model.predict_interval(X[:6])
    for row in range(6):
        expected = by_definition(estimator, X, y, X[row], vary, coverage, KFold(4))
        assert found[row] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_each_row_may_be_a_fold_of_its_own():
    """That is the jackknife+."""
    X, y = heteroscedastic(15)
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.8, cv=LeaveOneOut()).fit(X, y)
    assert len(model.estimators_) == 15
    expected = by_definition(Asymmetric(), X, y, X[3], "scale", 0.8, LeaveOneOut())
    assert model.predict_interval(X[3:4])[0] == pytest.approx(expected, rel=1e-9)


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
    for entries in (1, 120, 50 * 49):
        monkeypatch.setattr(_cross_bounds, "_ENTRIES", entries)
        assert np.array_equal(model.predict_interval(X), whole)


def test_intervals_hold_the_prediction():
    """That of the model of all rows, which may lie outside of what the folds say at a low coverage."""
    X, y = heteroscedastic(30, seed=3)
    model = ConformalIntervalRegressor(Asymmetric(), coverage=0.02, cv=KFold(3)).fit(X, y)
    lower, upper = model.predict_interval(X).T
    y_pred = model.predict(X)
    assert np.all((lower <= y_pred) & (y_pred <= upper))
    assert model.estimator_.mean_ == pytest.approx(y.mean())


def test_blocks_are_not_divided():
    """Rows of one block are all fitted or all calibrating; a number of folds then counts blocks."""
    X, y = heteroscedastic(60)
    blocks = np.repeat(np.arange(12), 5)
    expected = [blocks[test] for _, test in GroupKFold(4).split(X, y, blocks)]
    for cv in (4, GroupKFold(4)):
        model = ConformalIntervalRegressor(Asymmetric(), cv=cv, random_state=0).fit(X, y, blocks=blocks)
        assert blocks[model.calibration_rows_].tolist() == [
            block for test in expected for block in np.unique(test)
        ]
        for fold, test in zip(model.estimators_, expected, strict=True):
            assert fold.mean_ == pytest.approx(y[~np.isin(blocks, test)].mean())
    split = ConformalIntervalRegressor(Asymmetric(), cv=0.4, coverage=0.5, random_state=0)
    split.fit(X, y, blocks=blocks)
    calibrating = blocks[split.calibration_rows_]
    assert calibrating.size == 5
    assert split.estimator_.mean_ == pytest.approx(y[~np.isin(blocks, calibrating)].mean())


@pytest.mark.parametrize("cv", ["prefit", 0.5, 4])
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
        model = ConformalIntervalRegressor(cv=0.5, random_state=seed).fit(X[:280], y[:280], blocks=blocks)
        lower, upper = model.predict_interval(X[280:]).T
        hits.append(np.mean((lower <= y[280:]) & (y[280:] <= upper)))
    error = np.std(hits) / np.sqrt(len(hits))
    assert abs(np.mean(hits) - 14 / 15) < 4 * error < 0.03


def test_a_wider_coverage_gives_wider_intervals():
    """Intervals are nested, for one model and for those of folds."""
    X, y = heteroscedastic(60)
    for cv in (0.5, 5):
        model = ConformalIntervalRegressor(Asymmetric(), cv=cv, random_state=0).fit(X, y)
        before = model.predict_interval(X, coverage=0.05)
        for coverage in (0.3, 0.6, 0.9, 0.95):
            after = model.predict_interval(X, coverage=coverage)
            assert np.all((after[:, 0] <= before[:, 0]) & (before[:, 1] <= after[:, 1]))
            before = after
