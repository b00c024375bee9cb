"""MAPIE: real fits, read by `from_mapie`."""

from __future__ import annotations

import numpy as np
import pytest
from library_rows import made_rows
from mapie.conformity_scores import AbsoluteConformityScore
from mapie.metrics.regression import regression_coverage_score, regression_mean_width_score
from mapie.regression import ConformalizedQuantileRegressor, SplitConformalRegressor
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
    """Bounds and claims belong together, whatever the order of the levels; MAPIE counts the same rows."""
    output = split.predict_interval(ROWS.X_test)
    covered = regression_coverage_score(ROWS.y_test, output[1])
    widths = regression_mean_width_score(output[1])
    intervals = from_mapie(ROWS.y_test, output, confidence_level=LEVELS)
    assert intervals.nominal == 0.95
    assert np.array_equal(intervals.y_pred, output[0])
    curve = uc.UCC(intervals, vary="level")
    for place, level in enumerate(LEVELS):
        one = from_mapie(ROWS.y_test, output, confidence_level=LEVELS, coverage=level)
        assert np.array_equal(one.upper, output[1][:, 1, place])
        for point in (curve.at(nominal=level), one.ucc().original):
            assert point.coverage == pytest.approx(covered[place])
            assert point.bandwidth == pytest.approx(widths[place] / 2)


def test_conformalized_quantiles_are_read():
    """Their bands differ from row to row; the intervals alone have midpoints as predictions."""
    model = ConformalizedQuantileRegressor(
        GradientBoostingRegressor(loss="quantile", n_estimators=60, random_state=0), confidence_level=0.9
    )
    model.fit(ROWS.X, ROWS.y).conformalize(ROWS.X_calibration, ROWS.y_calibration)
    output = model.predict_interval(ROWS.X_test)
    intervals = from_mapie(ROWS.y_test, output[1], confidence_level=0.9)
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
        from_mapie(ROWS.y_test, output, confidence_level=0.99)
