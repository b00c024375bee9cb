"""MAPIE and crepes, by objects of the documented shape: the libraries need not be there."""

from __future__ import annotations

import numpy as np
import pytest

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
    with pytest.raises(
        ArgumentError, match=r"one coverage for each level of the output, which has 3, got 0.9"
    ):
        from_mapie(Y, (Y, STACK), nominal=0.9)
    with pytest.raises(ShapeError, match=r"intervals of the shape \(n, 2, levels\), got \(4, 3\)"):
        from_mapie(Y, (Y, STACK[:, 0]), nominal=0.9)
    with pytest.raises(ArgumentError, match=r"did you mean 0.95, 0.8, 0.5\?"):
        from_mapie(Y, (Y, STACK), nominal=[0.05, 0.2, 0.499999999999])
    with pytest.raises(NotNumericError, match="`intervals` must be numeric"):
        from_mapie(Y, (Y, "intervals"), nominal=0.9)


def test_a_prediction_outside_its_interval_says_how_to_go_on():
    """Conformalized quantiles need not hold the prediction of another model."""
    with pytest.raises(
        PredictionOutsideError, match=r"Give the intervals alone, `output\[1\]`, to use the midpoints\."
    ):
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
    with pytest.raises(NonFiniteError) as caught:
        from_crepes(Y, output, nominal=0.99)
    assert str(caught.value) == (
        "`lower` must be finite, but 1 of 4 rows is not; first at row 1: lower=-inf. crepes gives infinite bounds "
        "where it has too few calibration rows for the level: a coverage c takes at least 1/(1 - c) - 1 of "
        "them, 99 for 99%, and predictive systems take 2/(1 - c) - 1; in every category, if there are "
        "categories. Calibrate on more rows, ask for less coverage, or give crepes `y_min` and `y_max`."
    )
    with pytest.warns(DroppedRowsWarning, match="dropped 1 of 4 rows"):
        assert from_crepes(Y, output, nominal=0.99, invalid="drop").n == 3
    one_side = np.stack([Y - 1, np.full(4, np.inf)], axis=1)
    for invalid in ("raise", "drop"):
        with pytest.raises(NonFiniteError, match="4 of 4 rows are not"):
            from_crepes(Y, one_side, nominal=0.9, y_pred=Y, invalid=invalid)
    with pytest.raises(NonFiniteError, match="4 of 4 rows are not"):
        from_crepes(Y, one_side, percentiles=[5, 95], y_pred=Y)


def test_crepes_is_told_one_kind_of_output():
    """Coverages or percentiles; the shapes that go with them."""
    bounds = STACK[:, :, 0]
    with pytest.raises(ArgumentError, match="got neither"):
        from_crepes(Y, bounds)
    with pytest.raises(ArgumentError, match="got both"):
        from_crepes(Y, bounds, nominal=0.9, percentiles=[5, 95])
    with pytest.raises(ArgumentError, match=r"one coverage for bounds of shape \(n, 2\)"):
        from_crepes(Y, bounds, nominal=[0.5, 0.9])
    with pytest.raises(ShapeError, match=r"must have the shape \(n, 2\) or \(n, values\), got \(4,\)"):
        from_crepes(Y, Y, nominal=0.9)
    with pytest.raises(ArgumentError, match="`percentiles` must satisfy 0 < percentiles < 100, got 100"):
        from_crepes(Y, bounds, percentiles=[0.5, 100])
    with pytest.raises(ShapeError, match="some are empty"):
        from_crepes(Y, np.array([np.ones(3), np.ones(0), np.ones(2), np.ones(2)], dtype=object), nominal=0.9)
