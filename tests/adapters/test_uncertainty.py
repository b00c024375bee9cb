"""MAPIE, crepes, uncertainty-toolbox and UQ360, by arrays of the documented shapes."""

from __future__ import annotations

import numpy as np
import pytest
from library_outputs import MAPIE, MIDDLE, TABLE, Y

from errors import raises
from uccurve import exceptions as ex
from uccurve.adapters import from_crepes, from_mapie, from_uncertainty_toolbox, from_uq360

LEVELS = [0.5, 0.9]
PAIR = TABLE[:, [1, 3]]


def test_mapie_s_predictions_and_levels_are_kept():
    """Several levels in any order, or a single one."""
    several = from_mapie(Y, (MIDDLE + 0.5, MAPIE[:, :, ::-1]), confidence_level=LEVELS[::-1])
    assert (several.nominal, several.y_pred[0], several.upper[0]) == (0.9, 1.5, 3)
    assert from_mapie(Y, [MIDDLE, MAPIE[:, :, :1]], confidence_level=0.9).nominal == 0.9
    assert from_mapie(Y[:2], MAPIE[:2].tolist(), confidence_level=LEVELS).upper[0] == 3


def test_other_shapes_than_mapie_s_are_refused():
    for output, level in (((MIDDLE, MIDDLE), LEVELS), (MAPIE, 0.9), (MAPIE[:, :, 0], 0.9)):
        with raises(ex.ShapeError, "output"):
            from_mapie(Y, output, confidence_level=level)
    with raises(ex.ShapeError, "lower at 0.9"):
        from_mapie(Y[:3], MAPIE, confidence_level=LEVELS)
    assert from_mapie(MIDDLE[:, None], MAPIE, confidence_level=LEVELS).n == 4


def test_mapie_s_errors_say_how_to_go_on():
    """In its words: none of its outputs can be sorted here."""
    with raises(ex.PredictionOutsideError, "y_pred", count=4, first=0) as caught:
        from_mapie(Y, (MIDDLE + 9, MAPIE), confidence_level=LEVELS)
    assert "output[1]" in caught.value.hint
    for levels, output in ((LEVELS[::-1], MAPIE), ([0.9], PAIR[:, ::-1, None])):  # in another order; crossed
        with raises(ex.CrossedBoundsError, "quantiles", count=4) as caught:
            from_mapie(Y, output, confidence_level=levels)
        assert "order of the levels" in caught.value.hint
    infinite = np.where([[False], [True]], np.inf, MAPIE)
    with raises(ex.NonFiniteError, "upper at 0.9", count=4, first=0):
        from_mapie(Y, infinite, confidence_level=LEVELS)


def test_crepes_bounds_and_percentiles_are_read():
    assert from_crepes(Y, PAIR.tolist(), nominal=0.95, y_pred=MIDDLE + 1).y_pred[0] == 2
    percentiles = [2.5, 25, 50, 75, 97.5]
    pair = from_crepes(Y, TABLE, percentiles=percentiles, coverage=0.95)
    assert (pair.nominal, pair.upper[0]) == (0.95, 3)
    with raises(ex.CrossedBoundsError, "quantiles", count=4) as caught:
        from_crepes(Y, TABLE[:, ::-1], percentiles=percentiles)
    assert "crossed" not in caught.value.hint


def test_infinite_bounds_of_crepes_are_explained():
    """Which rows, why, and what to do; one side alone is no one-sided limit."""
    some = PAIR.copy()
    some[1] = (-np.inf, np.inf)
    with raises(ex.NonFiniteError, "lower at 0.99", count=1, first=1) as caught:
        from_crepes(Y, some, nominal=0.99)
    assert "y_min" in caught.value.hint
    with pytest.warns(ex.DroppedRowsWarning):
        assert from_crepes(Y, some, nominal=0.99, invalid="drop").n == 3
    one_side = np.stack([MIDDLE - 1, np.full(4, np.inf)], axis=1)
    with raises(ex.NonFiniteError, "upper at 0.9", count=4, first=0):
        from_crepes(Y, one_side, nominal=0.9, y_pred=MIDDLE)
    with raises(ex.NonFiniteError, "quantile 0.95", count=4, first=0):
        from_crepes(Y, one_side, percentiles=[5, 95])


def test_crepes_is_told_one_kind_of_output():
    """A coverage or percentiles; the shapes that go with them."""
    for told in ({}, {"nominal": [0.5, 0.9]}, {"nominal": 0.9, "percentiles": [5, 95]}):
        with raises(ex.ArgumentError, "nominal"):
            from_crepes(Y, PAIR, **told)
    for wrong in ([0.5, 100], [0.05, 0.95], [0.05, 1]):  # shares are no percentiles
        with raises(ex.ArgumentError, "percentiles"):
            from_crepes(Y, PAIR, percentiles=wrong, y_pred=MIDDLE)
    assert from_crepes(Y, PAIR, percentiles=[0.5, 99.5]).nominal == 0.99
    with raises(ex.ShapeError, "output"):
        from_crepes(Y, MIDDLE, nominal=0.9)


def test_the_order_of_uncertainty_toolbox_is_its_own():
    """Prediction, deviation, observation."""
    intervals = from_uncertainty_toolbox(MIDDLE + 1, [1.0, 2.0, 3.0, 4.0], Y)
    assert np.array_equal(intervals.y_true, MIDDLE)
    assert np.array_equal(intervals.upper_band, [1, 2, 3, 4])
    with raises(ex.NegativeBandError, "std", count=4):
        from_uncertainty_toolbox(MIDDLE, -MIDDLE, Y)


def test_the_table_of_uq360_holds_bands_not_bounds():
    """Prediction, lower band, upper band; the claim may be said."""
    table = np.stack([MIDDLE, MIDDLE * 0 + 1, MIDDLE * 0 + 2], axis=1)
    intervals = from_uq360(Y, table, nominal=0.9)
    assert np.array_equal(intervals.lower, MIDDLE - 1)
    assert np.array_equal(intervals.upper, MIDDLE + 2)
    assert (intervals.nominal, from_uq360(Y, table).nominal) == (0.9, None)
    for wrong in (table[:, :2], [table, table]):
        with raises(ex.ShapeError, "output"):
            from_uq360(Y, wrong)
