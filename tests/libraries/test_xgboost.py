"""XGBoost: real fits, read by `from_xgboost`."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost as xgb
from library_rows import made_rows

import uccurve as uc
from uccurve.adapters import from_xgboost

ROWS = made_rows()
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]


def test_several_alphas_become_levels():
    """One column each, the median as the prediction; trees cross, which is said."""
    model = xgb.XGBRegressor(
        objective="reg:quantileerror", quantile_alpha=LEVELS, n_estimators=60, max_depth=3, random_state=0
    )
    output = model.fit(ROWS.X, ROWS.y).predict(ROWS.X_test)
    assert output.shape == (400, 5)
    with pytest.warns(uc.exceptions.SortedRowsWarning):
        intervals = from_xgboost(ROWS.y_test, output, levels=LEVELS, crossed="sort")
    ordered = np.sort(output, axis=1).astype(float)
    assert np.array_equal(intervals.lower, ordered[:, 0])
    assert np.array_equal(intervals.y_pred, ordered[:, 2])
    curve = intervals.ucc(vary="level")
    assert curve.at(nominal=0.5).bandwidth == pytest.approx(np.mean(ordered[:, 3] - ordered[:, 1]) / 2)
