"""Quantiles of boosted trees: crossed ones are sorted as a whole, also where one pair is taken; and NGBoost."""

from __future__ import annotations

import numpy as np
from library_outputs import LEVELS, MIDDLE, TABLE, Y

from errors import raises
from uccurve import exceptions as ex
from uccurve.adapters import from_catboost, from_lightgbm, from_xgboost


def reordered(*places):
    """The table with the quantiles of the second row in another order."""
    table = TABLE.copy()
    table[1] = table[1, list(places)]
    return table


def test_a_table_is_read_by_its_levels():
    """In any order of the columns, from arrays of any precision; the median is the prediction, or another."""
    order = [4, 0, 2, 1, 3]
    levels = np.array([LEVELS[place] for place in order], dtype=np.float32)
    intervals = from_xgboost(Y, TABLE[:, order].astype(np.float32), levels=levels)
    assert np.array_equal(intervals.upper, MIDDLE + 2)
    assert np.array_equal(intervals.y_pred, MIDDLE)
    assert from_xgboost(Y, TABLE, levels=LEVELS, y_pred=MIDDLE + 0.5, coverage=0.9).y_pred[0] == 1.5


def test_crossed_quantiles_are_an_error_that_says_what_to_do():
    """Also where only the median is out of order."""
    for coverage, places in ((None, [4, 1, 2, 3, 0]), (0.5, [0, 1, 3, 2, 4])):
        with raises(ex.CrossedBoundsError, "quantiles", count=1, first=1) as caught:
            from_xgboost(Y, reordered(*places), levels=LEVELS, coverage=coverage)
        assert 'crossed="sort"' in caught.value.hint


def test_one_level_is_a_limit_and_an_infinite_bound_is_none():
    """A bound that is infinite in every row is a mistake of a model, and not a limit that was asked for."""
    limit = from_xgboost(Y, TABLE[:, 4:], levels=[0.95], y_pred=MIDDLE)
    assert (limit.side, limit.nominal) == ("upper", 0.95)
    infinite = np.where(np.arange(5) == 4, np.inf, TABLE)
    with raises(ex.NonFiniteError, "quantile 0.95", count=4, first=0):
        from_xgboost(Y, infinite, levels=LEVELS, y_pred=MIDDLE)


def test_levels_must_fit_the_table():
    with raises(ex.ShapeError, "output"):
        from_catboost(Y, TABLE, levels=[0.05, 0.95])
    for levels in ([5, 95], [0.1, 0.1], "0.05"):
        with raises(ex.ArgumentError, "levels"):
            from_xgboost(Y, TABLE[:, :2], levels=levels)
    with raises(ex.ArgumentError, "coverage"):
        from_xgboost(Y, TABLE[:, 3:], levels=[0.75, 0.95], y_pred=MIDDLE, coverage=0.9)


def test_predictions_by_level_are_put_side_by_side():
    """LightGBM has one model for each level."""
    with raises(ex.ShapeError, "output"):
        from_lightgbm(Y, {0.05: MIDDLE, 0.95: MIDDLE[:2]})
    for wrong in ([MIDDLE, MIDDLE], {}, {5: MIDDLE, 95: MIDDLE}):
        with raises(ex.ArgumentError, "output") as caught:
            from_lightgbm(Y, wrong)
    assert "0.05" in caught.value.hint
