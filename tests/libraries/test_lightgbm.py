"""LightGBM: real fits, read by `from_lightgbm` and by `from_sklearn`."""

from __future__ import annotations

import lightgbm
import numpy as np
import pytest
from library_rows import made_rows

from uccurve.adapters import from_lightgbm, from_sklearn

ROWS = made_rows()
LEVELS = (0.05, 0.5, 0.95)


def test_one_model_for_each_level():
    """Predictions by their level; from_sklearn lets the models predict."""
    models = {
        level: lightgbm.LGBMRegressor(
            objective="quantile", alpha=level, n_estimators=40, num_leaves=8, verbose=-1, random_state=0
        ).fit(ROWS.X, ROWS.y)
        for level in LEVELS
    }
    output = {level: model.predict(ROWS.X_test) for level, model in models.items()}
    intervals = from_lightgbm(ROWS.y_test, output, crossed="sort")
    assert intervals.nominal == 0.9
    assert intervals.ucc().original.coverage == pytest.approx(0.9, abs=0.12)
    pair = from_lightgbm(ROWS.y_test, {level: output[level] for level in (0.05, 0.95)})
    assert np.array_equal(pair.upper, output[0.95])
    assert np.array_equal(
        from_sklearn(ROWS.y_test, models, ROWS.X_test, crossed="sort").lower, intervals.lower
    )
