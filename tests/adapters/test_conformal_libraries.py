"""MAPIE and crepes, by objects of the documented shape: the libraries need not be there."""

from __future__ import annotations

import numpy as np
import pytest

from errors import raises
from uccurve.adapters import from_crepes, from_mapie
from uccurve.exceptions import (
    ArgumentError,
    DroppedRowsWarning,
    NonFiniteError,
    NotNumericError,
    PredictionOutsideError,
    ShapeError,
)

Y = np.array([1.0, 2.0, 4.0, 8.0])
HALVES = np.array([1.0, 2.0, 3.0])
STACK = Y[:, None, None] + np.stack([-HALVES, HALVES])  # (n, 2, levels)


def test_mapie_s_predictions_and_levels_are_kept():
    """Several levels, one of them, or a single one with or without its axis."""
    several = from_mapie(Y, (Y + 0.5, STACK), nominal=[0.5, 0.8, 0.9])
    assert (several.nominal, several.y_pred[0]) == (0.9, 1.5)
    assert several.ucc(vary="level").at(nominal=0.8).bandwidth == 2
    assert from_mapie(Y, (Y, STACK), nominal=[0.5, 0.8, 0.9], coverage=0.5).upper[0] == 2
    for one in (STACK[:, :, :1], STACK[:, :, 0]):
        assert from_mapie(Y, (Y, one), nominal=0.9).nominal == 0.9
        assert np.array_equal(from_mapie(Y, one, nominal=[0.9]).y_pred, Y)


def test_mapie_s_levels_must_be_named_one_by_one():
    """The array does not say them."""
    with raises(ArgumentError, "nominal"):
        from_mapie(Y, (Y, STACK), nominal=0.9)
    with raises(ShapeError, "output"):
        from_mapie(Y, (Y, STACK[:, 0]), nominal=0.9)
    with raises(NotNumericError, "intervals"):
        from_mapie(Y, (Y, "intervals"), nominal=0.9)


def test_a_prediction_outside_its_interval_says_how_to_go_on():
    """Conformalized quantiles need not hold the prediction of another model."""
    with raises(PredictionOutsideError, "y_pred", count=4, first=0):
        from_mapie(Y, (Y + 9, STACK), nominal=[0.5, 0.8, 0.9])


def test_crepes_bounds_and_percentiles_are_read():
    """Bounds with their confidence, percentiles with theirs."""
    bounds = STACK[:, :, 1]
    assert from_crepes(Y, bounds, nominal=0.95).nominal == 0.95
    assert from_crepes(Y, bounds.tolist(), nominal=0.95, y_pred=Y + 1).y_pred[0] == 2
    table = Y[:, None] + np.array([-3.0, -1.0, 1.0, 3.0])
    percentiles = [2.5, 25, 75, 97.5]
    assert from_crepes(Y, table, percentiles=percentiles).ucc(vary="level").at(nominal=0.5).bandwidth == 1
    pair = from_crepes(Y, table, percentiles=percentiles, coverage=0.95)
    assert (pair.nominal, pair.upper[0]) == (0.95, 4)


def test_crepes_distributions_are_read_by_rank():
    """The value of level τ is the τ(m + 1)-th of m, from the inside out for the lower, up for the upper."""
    cpds = Y[:, None] + np.arange(1, 20.0)  # m = 19: 0.05 is the first, 0.95 the last
    bounds = from_crepes(Y, cpds[:, ::-1], nominal=0.9)
    assert np.array_equal(bounds.lower, Y + 1)
    assert np.array_equal(bounds.upper, Y + 19)
    ragged = np.empty(4, dtype=object)
    ragged[:] = [cpds[0], cpds[1], cpds[2, :9], cpds[3, :9]]  # m = 9: 0.1 is the first, 0.9 the last
    by_category = from_crepes(Y, ragged, nominal=[0.5, 0.8])
    assert np.array_equal(by_category.upper - Y, [18, 18, 9, 9])
    assert np.array_equal(by_category.lower - Y, [2, 2, 1, 1])


def test_infinite_bounds_of_crepes_are_explained():
    """Which rows, why, and what to do; one side alone is no one-sided limit."""
    output = STACK[:, :, 0].copy()
    output[1] = (-np.inf, np.inf)
    with raises(NonFiniteError, "lower", count=1, first=1):
        from_crepes(Y, output, nominal=0.99)
    with pytest.warns(DroppedRowsWarning):
        assert from_crepes(Y, output, nominal=0.99, invalid="drop").n == 3
    one_side = np.stack([Y - 1, np.full(4, np.inf)], axis=1)
    for invalid in ("raise", "drop"):
        with raises(NonFiniteError, "upper", count=4, first=0):
            from_crepes(Y, one_side, nominal=0.9, y_pred=Y, invalid=invalid)
    with raises(NonFiniteError, "quantile 0.95", count=4, first=0):
        from_crepes(Y, one_side, percentiles=[5, 95], y_pred=Y)


def test_crepes_is_told_one_kind_of_output():
    """Coverages or percentiles; the shapes that go with them."""
    bounds = STACK[:, :, 0]
    with raises(ArgumentError, "nominal"):
        from_crepes(Y, bounds)
    with raises(ArgumentError, "nominal"):
        from_crepes(Y, bounds, nominal=[0.5, 0.9])
    with raises(ArgumentError, "nominal"):
        from_crepes(Y, bounds, nominal=0.9, percentiles=[5, 95])
    with raises(ShapeError, "output"):
        from_crepes(Y, Y, nominal=0.9)
    with raises(ArgumentError, "percentiles"):
        from_crepes(Y, bounds, percentiles=[0.5, 100])
    with raises(ShapeError, "output"):
        from_crepes(Y, np.array([np.ones(3), np.ones(0), np.ones(2), np.ones(2)], dtype=object), nominal=0.9)
