"""CatBoost: real fits, read by `from_catboost`."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from catboost import CatBoostRegressor
from library_rows import made_rows

import uccurve as uc
from uccurve.adapters import from_catboost

ROWS = made_rows()
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]
OPTIONS = {
    "iterations": 150,
    "depth": 4,
    "verbose": 0,
    "random_seed": 0,
    "allow_writing_files": False,
    "thread_count": 1,
}


def test_levels_of_one_model_with_several_quantiles():
    """One column each, in the order of the loss."""
    loss = f"MultiQuantile:alpha={','.join(map(str, LEVELS))}"
    output = CatBoostRegressor(loss_function=loss, **OPTIONS).fit(ROWS.X, ROWS.y).predict(ROWS.X_test)
    assert output.shape == (400, 5)
    ordered = np.sort(output, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uc.exceptions.SortedRowsWarning)
        intervals = from_catboost(ROWS.y_test, output, levels=LEVELS, crossed="sort")
    curve = intervals.ucc(vary="level")
    assert curve.at(nominal=0.5).bandwidth == pytest.approx(np.mean(ordered[:, 3] - ordered[:, 1]) / 2)
    assert curve.at(nominal=0.9).coverage == pytest.approx(0.9, abs=0.12)


def test_means_and_variances_go_to_the_constructor_of_deviations():
    """As the documentation says of the loss RMSEWithUncertainty."""
    model = CatBoostRegressor(loss_function="RMSEWithUncertainty", **OPTIONS).fit(ROWS.X, ROWS.y)
    output = model.predict(ROWS.X_test)
    assert output.shape == (400, 2)
    intervals = uc.Intervals.from_std(ROWS.y_test, output[:, 0], np.sqrt(output[:, 1]))
    assert intervals.ucc().original.coverage == pytest.approx(0.68, abs=0.12)
