"""crepes: real fits, read by `from_crepes`."""

from __future__ import annotations

import numpy as np
import pytest
from crepes import WrapRegressor
from crepes.extras import DifficultyEstimator
from library_rows import made_rows
from sklearn.ensemble import RandomForestRegressor

from uccurve.adapters import from_crepes

ROWS = made_rows()


@pytest.fixture(scope="module")
def learner():
    return RandomForestRegressor(n_estimators=30, random_state=0).fit(ROWS.X, ROWS.y)


def test_intervals_are_read_as_they_are(learner):
    """The coverage and the width are those of the bounds."""
    difficulty = DifficultyEstimator().fit(ROWS.X, y=ROWS.y)
    regressor = WrapRegressor(learner).calibrate(ROWS.X_calibration, ROWS.y_calibration, de=difficulty)
    output = regressor.predict_int(ROWS.X_test, confidence=0.9)
    point = (
        from_crepes(ROWS.y_test, output, nominal=0.9, y_pred=regressor.predict(ROWS.X_test)).ucc().original
    )
    inside = (output[:, 0] <= ROWS.y_test) & (ROWS.y_test <= output[:, 1])
    assert point.coverage == pytest.approx(np.mean(inside))
    assert point.coverage == pytest.approx(0.9, abs=0.05)
    assert 2 * point.bandwidth == pytest.approx(np.mean(output[:, 1] - output[:, 0]))


def test_percentiles_keep_their_levels(learner):
    """Lower percentiles first, then higher ones, as crepes returns them; bounds are those of `predict_int`."""
    system = WrapRegressor(learner).calibrate(ROWS.X_calibration, ROWS.y_calibration, cps=True)
    output = system.predict_percentiles(
        ROWS.X_test, lower_percentiles=[2.5, 25, 50], higher_percentiles=[75, 97.5]
    )
    intervals = from_crepes(ROWS.y_test, output, percentiles=[2.5, 25, 50, 75, 97.5])
    curve = intervals.ucc(vary="level")
    assert np.array_equal(intervals.y_pred, output[:, 2])
    for level in (0.5, 0.95):
        own = system.predict_int(ROWS.X_test, confidence=level)
        assert curve.at(nominal=level).bandwidth == pytest.approx(np.mean(own[:, 1] - own[:, 0]) / 2)
