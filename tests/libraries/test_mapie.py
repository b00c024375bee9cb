"""MAPIE: real fits, read by `from_mapie`."""

from __future__ import annotations

import numpy as np
import pytest
from library_rows import made_rows
from mapie.conformity_scores import AbsoluteConformityScore
from mapie.regression import (
    ConformalizedQuantileRegressor,
    CrossConformalRegressor,
    SplitConformalRegressor,
)
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

import uccurve as uc
from uccurve.adapters import from_mapie

ROWS = made_rows()
LEVELS = [0.95, 0.5, 0.8]


@pytest.fixture(scope="module")
def split():
    model = SplitConformalRegressor(
        RandomForestRegressor(n_estimators=30, random_state=0), confidence_level=LEVELS, prefit=False
    )
    return model.fit(ROWS.X, ROWS.y).conformalize(ROWS.X_calibration, ROWS.y_calibration)


def test_levels_of_a_split_regressor_are_read_in_its_order(split):
    """Bounds and claims belong together, whatever the order of the levels."""
    output = split.predict_interval(ROWS.X_test)
    intervals = from_mapie(ROWS.y_test, output, nominal=LEVELS)
    assert intervals.nominal == 0.95
    assert np.array_equal(intervals.lower, output[1][:, 0, 0])
    assert np.array_equal(intervals.y_pred, output[0])
    curve = uc.UCC(intervals, vary="level")
    for place, level in enumerate(LEVELS):
        half = np.mean(output[1][:, 1, place] - output[1][:, 0, place]) / 2
        assert curve.at(nominal=level).bandwidth == pytest.approx(half)
        assert curve.at(nominal=level).coverage == pytest.approx(level, abs=0.08)
    one = from_mapie(ROWS.y_test, output, nominal=LEVELS, coverage=0.8)
    assert (one.nominal, one.n) == (0.8, 400)
    assert np.array_equal(one.upper, output[1][:, 1, 2])


def test_the_predicted_coverage_is_mapie_s_own(split):
    """Its own function counts the same rows."""
    from mapie.metrics.regression import regression_coverage_score, regression_mean_width_score

    output = split.predict_interval(ROWS.X_test)
    covered = regression_coverage_score(ROWS.y_test, output[1])
    widths = regression_mean_width_score(output[1])
    for place, level in enumerate(LEVELS):
        point = from_mapie(ROWS.y_test, output, nominal=LEVELS, coverage=level).ucc().original
        assert point.coverage == pytest.approx(covered[place])
        assert point.bandwidth == pytest.approx(widths[place] / 2)


def test_cross_conformal_intervals_are_read():
    """One level given as a number; the midpoint need not be the prediction."""
    model = CrossConformalRegressor(
        RandomForestRegressor(n_estimators=10, random_state=0), confidence_level=0.9, cv=4
    )
    output = model.fit_conformalize(ROWS.X, ROWS.y).predict_interval(ROWS.X_test)
    intervals = from_mapie(ROWS.y_test, output, nominal=0.9)
    assert intervals.ucc().original.coverage == pytest.approx(0.9, abs=0.07)


def test_conformalized_quantiles_are_read():
    """Their bands differ from row to row; the intervals alone have midpoints as predictions."""
    model = ConformalizedQuantileRegressor(
        GradientBoostingRegressor(loss="quantile", n_estimators=60, random_state=0), confidence_level=0.9
    )
    model.fit(ROWS.X, ROWS.y).conformalize(ROWS.X_calibration, ROWS.y_calibration)
    output = model.predict_interval(ROWS.X_test)
    intervals = from_mapie(ROWS.y_test, output[1], nominal=0.9)
    assert intervals.ucc().original.coverage == pytest.approx(0.9, abs=0.07)
    assert np.allclose(intervals.y_pred, output[1][:, :, 0].mean(axis=1))
    assert np.ptp(intervals.upper_band) > 0.5


def test_too_few_rows_for_the_level_are_explained():
    """MAPIE itself gives infinite bounds if it is allowed to."""
    model = SplitConformalRegressor(
        RandomForestRegressor(n_estimators=5, random_state=0),
        confidence_level=0.99,
        prefit=False,
        conformity_score=AbsoluteConformityScore(sym=False),
    )
    model.fit(ROWS.X, ROWS.y).conformalize(ROWS.X_calibration[:20], ROWS.y_calibration[:20])
    output = model.predict_interval(ROWS.X_test, allow_infinite_bounds=True)
    assert np.isinf(output[1]).all()
    with pytest.raises(uc.exceptions.NonFiniteError):
        from_mapie(ROWS.y_test, output, nominal=0.99)
