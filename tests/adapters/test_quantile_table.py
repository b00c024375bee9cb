"""Tables of quantiles: crossed ones are sorted as a whole, also where one pair is taken."""

from __future__ import annotations

import numpy as np
import pytest

from errors import raises
from uccurve.adapters import from_catboost, from_lightgbm, from_xgboost
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    ShapeError,
    SortedRowsWarning,
)

Y = np.array([1.0, 2.0, 4.0])
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]
TABLE = Y[:, None] + np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
CROSSED = np.where(np.arange(3)[:, None] == 1, TABLE[:, [4, 1, 2, 3, 0]], TABLE)


@pytest.mark.parametrize("read", [from_xgboost, from_catboost])
def test_a_table_is_read_by_its_levels(read):
    """In any order of the columns, from arrays of any precision."""
    for order in ([0, 1, 2, 3, 4], [4, 0, 2, 1, 3]):
        levels = [LEVELS[place] for place in order]
        intervals = read(Y, TABLE[:, order].astype(np.float32), levels=levels)
        assert np.array_equal(intervals.upper, Y + 2)
        assert intervals.ucc(vary="level").at(nominal=0.5).bandwidth == 1
        assert np.array_equal(read(Y, TABLE[:, order], levels=levels, coverage=0.5).lower, Y - 1)


def test_crossed_quantiles_are_an_error_that_says_what_to_do():
    """Also where only the median is out of order."""
    with raises(CrossedBoundsError, "quantiles", count=1, first=1):
        from_xgboost(Y, CROSSED, levels=LEVELS)
    outside = TABLE.copy()
    outside[2, 2] = 99
    with raises(CrossedBoundsError, "quantiles", count=1, first=2):
        from_xgboost(Y, outside, levels=LEVELS, coverage=0.5)


def test_all_quantiles_of_a_row_are_sorted_before_a_pair_is_taken():
    """The outermost ones belong to the same distribution as the pair that is asked for."""
    swapped = np.where(np.arange(3)[:, None] == 1, TABLE[:, [1, 0, 2, 3, 4]], TABLE)
    with pytest.warns(SortedRowsWarning):
        pair = from_xgboost(Y, swapped, levels=LEVELS, coverage=0.5, crossed="sort")
    assert np.array_equal(pair.lower, Y - 1)
    with pytest.warns(SortedRowsWarning):
        assert np.array_equal(from_xgboost(Y, CROSSED, levels=LEVELS, crossed="sort").lower, Y - 2)


def test_predictions_may_come_from_elsewhere():
    """From a model of the mean, say."""
    assert from_xgboost(Y, TABLE, levels=LEVELS, y_pred=Y + 0.5, coverage=0.9).y_pred[0] == 1.5


def test_levels_are_needed_and_must_fit():
    """A table alone does not say them."""
    with pytest.raises(TypeError, match="levels"):
        from_xgboost(Y, TABLE)
    with raises(ShapeError, "output"):
        from_catboost(Y, TABLE, levels=[0.05, 0.95])
    with raises(ArgumentError, "levels"):
        from_xgboost(Y, TABLE[:, :2], levels=[5, 95])
    with raises(ArgumentTypeError, "levels"):
        from_xgboost(Y, TABLE, levels="0.05")
    with raises(ArgumentError, "crossed"):
        from_xgboost(Y, TABLE, levels=LEVELS, coverage=0.9, crossed="swap")


def test_predictions_by_level_are_put_side_by_side():
    """LightGBM has one model for each level."""
    columns = dict(zip(LEVELS, TABLE.T, strict=True))
    assert np.array_equal(from_lightgbm(Y, columns).upper, Y + 2)
    with raises(ShapeError, "output"):
        from_lightgbm(Y, {0.05: Y, 0.95: Y[:2]})
    for wrong in ([Y, Y], {}, TABLE):
        with raises(ArgumentTypeError, "output"):
            from_lightgbm(Y, wrong)
    with raises(ArgumentError, "output"):
        from_lightgbm(Y, {5: Y, 95: Y})
