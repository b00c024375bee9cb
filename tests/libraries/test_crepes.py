"""crepes: real fits, read by `from_crepes`."""

from __future__ import annotations

import numpy as np
import pytest
from crepes import WrapRegressor
from crepes.extras import DifficultyEstimator, MondrianCategorizer
from library_rows import made_rows
from sklearn.ensemble import RandomForestRegressor

import uccurve as uc
from uccurve.adapters import from_crepes

ROWS = made_rows()


@pytest.fixture(scope="module")
def learner():
    return RandomForestRegressor(n_estimators=30, random_state=0).fit(ROWS.X, ROWS.y)


@pytest.fixture(scope="module")
def regressor(learner):
    difficulty = DifficultyEstimator().fit(ROWS.X, y=ROWS.y)
    return WrapRegressor(learner).calibrate(ROWS.X_calibration, ROWS.y_calibration, de=difficulty)


@pytest.fixture(scope="module")
def system(learner):
    return WrapRegressor(learner).calibrate(ROWS.X_calibration, ROWS.y_calibration, cps=True)


def test_intervals_are_read_as_they_are(regressor):
    """The coverage and the width are those of the bounds."""
    output = regressor.predict_int(ROWS.X_test, confidence=0.9)
    point = (
        from_crepes(ROWS.y_test, output, nominal=0.9, y_pred=regressor.predict(ROWS.X_test)).ucc().original
    )
    inside = (output[:, 0] <= ROWS.y_test) & (ROWS.y_test <= output[:, 1])
    assert point.coverage == pytest.approx(np.mean(inside))
    assert point.coverage == pytest.approx(0.9, abs=0.05)
    assert 2 * point.bandwidth == pytest.approx(np.mean(output[:, 1] - output[:, 0]))


def test_percentiles_keep_their_levels(system):
    """Lower percentiles first, then higher ones, as crepes returns them."""
    output = system.predict_percentiles(
        ROWS.X_test, lower_percentiles=[2.5, 25, 50], higher_percentiles=[75, 97.5]
    )
    intervals = from_crepes(ROWS.y_test, output, percentiles=[2.5, 25, 50, 75, 97.5])
    curve = intervals.ucc(vary="level")
    assert np.array_equal(intervals.y_pred, output[:, 2])
    for level, place in ((0.95, (0, 4)), (0.5, (1, 3))):
        half = np.mean(output[:, place[1]] - output[:, place[0]]) / 2
        assert curve.at(nominal=level).bandwidth == pytest.approx(half)


@pytest.mark.parametrize("mondrian", [False, True])
def test_distributions_are_read_by_the_rule_of_crepes(learner, mondrian):
    """Bounds at a coverage are those that its own `predict_int` gives, also within categories."""
    category = (
        MondrianCategorizer().fit(ROWS.X, f=lambda inputs: inputs[:, 0], no_bins=3) if mondrian else None
    )
    system = WrapRegressor(learner).calibrate(ROWS.X_calibration, ROWS.y_calibration, mc=category, cps=True)
    cpds = system.predict_cpds(ROWS.X_test)
    assert (cpds.dtype == object) == mondrian
    for coverage in (0.5, 0.8, 0.95):
        intervals = from_crepes(ROWS.y_test, cpds, nominal=coverage)
        own = system.predict_int(ROWS.X_test, confidence=coverage)
        assert np.allclose(intervals.lower, own[:, 0])
        assert np.allclose(intervals.upper, own[:, 1])
    several = from_crepes(ROWS.y_test, cpds, nominal=[0.5, 0.8, 0.95])
    assert several.ucc(vary="level").reliability().levels == (0.5, 0.8, 0.95)


def test_infinite_bounds_are_explained(learner):
    """20 calibration rows do not do for 99%: crepes warns, and the error says what to do."""
    few = WrapRegressor(learner).calibrate(ROWS.X_calibration[:20], ROWS.y_calibration[:20])
    with pytest.warns(UserWarning, match="too small"):
        output = few.predict_int(ROWS.X_test, confidence=0.99)
    with pytest.raises(uc.exceptions.NonFiniteError):
        from_crepes(ROWS.y_test, output, nominal=0.99)
    system = WrapRegressor(learner).calibrate(ROWS.X_calibration[:20], ROWS.y_calibration[:20], cps=True)
    with pytest.raises(uc.exceptions.NonFiniteError):
        from_crepes(ROWS.y_test, system.predict_cpds(ROWS.X_test), nominal=[0.5, 0.99])
