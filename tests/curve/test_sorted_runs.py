"""Costs that are merged from sorted runs of knots, against their definitions at single points."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc

MANY = 70_001
"""More than two blocks of rows."""


def intervals(n, *, symmetric, ties, weighted):
    """Rows with exact predictions among them, where ties are asked for."""
    rng = np.random.default_rng(n)
    columns = [rng.normal(size=n), 0.3 * rng.normal(size=n), *rng.lognormal(size=(2, n))]
    if ties:
        columns = [np.round(4 * column) / 4 for column in columns]
    y, p, lower, upper = columns
    weight = rng.integers(1, 5, size=n) / 4 if weighted else None
    return uc.Intervals.from_bands(y, p, lower, None if symmetric else upper, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 3, MANY])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize(("ties", "weighted"), [(True, False), (False, True)])
def test_costs_along_the_curve_are_those_of_its_points(n, vary, symmetric, ties, weighted):
    """Every row counts once at each of its knots, whichever way they were put in order."""
    rows = intervals(n, symmetric=symmetric, ties=ties, weighted=weighted)
    curve = rows.ucc(vary=vary)
    size = float(np.abs(rows.y_true).max() + rows.upper_band.max())
    for place in np.unique(np.linspace(0, curve.parameter.shape[0] - 1, 15).astype(int)):
        point = curve.at(parameter=float(curve.parameter[place]))
        for cost in ("miss_rate", "bandwidth", "excess", "deficit"):
            got = float(getattr(curve, cost)[place])
            assert got == pytest.approx(getattr(point, cost), rel=1e-11, abs=1e-13 * size), cost


def test_the_rows_are_not_sorted_in_place():
    """What is sorted in its place are the curve's own critical values."""
    y, band = np.array([3.0, -1.0, 2.0]), np.array([1.0, 2.0, 0.5])
    rows = uc.Intervals.from_bands(y, np.zeros(3), band)
    before = [np.array(column) for column in (rows.y_true, rows.lower_band, rows.residual, rows.critical())]
    for vary in ("scale", "shift"):
        curve = rows.ucc(vary=vary)
        assert curve.parameter.shape == (4,)
        assert curve.excess.shape == (4,)
    after = [rows.y_true, rows.lower_band, rows.residual, rows.critical()]
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


def test_rows_that_are_never_captured_leave_the_quick_way():
    """A band of zero among asymmetric ones: its row stays missed, with the same deficit throughout."""
    rows = uc.Intervals.from_bands([2.0, 1.0, -3.0], np.zeros(3), [1.0, 2.0, 1.0], [0.0, 1.0, 2.0])
    curve = rows.ucc()
    assert curve.miss_rate.tolist() == [1.0, 2 / 3, 1 / 3]
    assert curve.deficit[-1] == pytest.approx(2 / 3)
