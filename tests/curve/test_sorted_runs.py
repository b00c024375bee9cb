"""Costs that are merged from sorted runs of knots, against their definitions at single points."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.curve import _breakpoints

MANY = 70_001
"""More than two blocks of rows."""


def intervals(n, *, symmetric, ties, unit=1.0, weighted=False):
    """Rows with exact predictions among them, where ties are asked for."""
    rng = np.random.default_rng(n)
    columns = [rng.normal(size=n), 0.3 * rng.normal(size=n), *rng.lognormal(size=(2, n))]
    if ties:
        columns = [np.round(4 * column) / 4 for column in columns]
    y, p, lower, upper = (unit * column for column in columns)
    weight = rng.integers(1, 5, size=n) / 4 if weighted else None
    return uc.Intervals.from_bands(y, p, lower, None if symmetric else upper, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 500, MANY])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
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


@pytest.mark.parametrize("unit", [2.0**-300, 2.0**300])
@pytest.mark.parametrize("symmetric", [True, False])
def test_merged_costs_follow_the_unit(unit, symmetric):
    """A power of two changes no digit."""
    plain = intervals(400, symmetric=symmetric, ties=False).ucc(vary="shift")
    scaled = intervals(400, symmetric=symmetric, ties=False, unit=unit).ucc(vary="shift")
    for cost in ("parameter", "bandwidth", "excess", "deficit"):
        assert np.array_equal(getattr(scaled, cost), getattr(plain, cost) * unit)
    assert np.array_equal(scaled.miss_rate, plain.miss_rate)


@pytest.mark.parametrize("first", ["miss_rate", "excess"])
def test_what_is_asked_first_changes_nothing(first):
    """Points are found by a sort of their own, or beside the costs."""
    rows = intervals(300, symmetric=False, ties=True)
    one, other = rows.ucc(vary="shift"), rows.ucc(vary="shift")
    getattr(one, first)
    for cost in ("deficit", "bandwidth", "miss_rate", "excess", "parameter"):
        assert np.array_equal(getattr(one, cost), getattr(other, cost))


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


@pytest.mark.parametrize("n", [1, 2, 3, MANY])
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize(("vary", "name"), [("scale", "_by_block"), ("shift", "in_runs")])
@pytest.mark.parametrize("symmetric", [True, False])
def test_both_ways_to_the_costs_agree(monkeypatch, n, ties, vary, name, symmetric):
    """Hinges of blocks, and runs of knots, against the hinges of all rows at once."""
    rows = intervals(n, symmetric=symmetric, ties=ties)
    quick = rows.ucc(vary=vary)
    found = {cost: getattr(quick, cost) for cost in ("excess", "deficit", "bandwidth", "miss_rate")}
    lines = quick._data.lines
    plain = rows.ucc(vary=vary)
    monkeypatch.setattr(
        _breakpoints, name, {"_by_block": lambda _: None, "in_runs": lambda _: (None, False)}[name]
    )
    for cost, values in found.items():
        expected = getattr(plain, cost)
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-15 * np.max(np.abs(expected)))
    expected = plain._data.lines
    assert np.array_equal(lines.knots, expected.knots)
    assert lines.excess_slope == pytest.approx(expected.excess_slope, rel=1e-13)
    assert lines.bandwidth_slope == pytest.approx(expected.bandwidth_slope, rel=1e-13)


def test_rows_that_are_never_captured_leave_the_quick_way():
    """A band of zero among asymmetric ones: its row stays missed, with the same deficit throughout."""
    rows = uc.Intervals.from_bands([2.0, 1.0, -3.0], np.zeros(3), [1.0, 2.0, 1.0], [0.0, 1.0, 2.0])
    curve = rows.ucc()
    assert curve.miss_rate.tolist() == [1.0, 2 / 3, 1 / 3]
    assert curve.deficit[-1] == pytest.approx(2 / 3)
