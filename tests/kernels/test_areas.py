"""Sums and integrals behind areas, in fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve._base.arrays import namespace
from uccurve._kernels import areas
from uccurve._kernels.rows import Rows

xp = namespace(np.empty(0))
ERROR, ACTIVE, K = (
    np.array([4.0, 0.0, 9.0, 1.0]),
    np.array([2.0, 1.0, 4.0, 8.0]),
    np.array([2.0, 0.0, 2.25, 0.125]),
)
WEIGHT = np.array([1.0, 2.0, 0.5, 4.0])


@pytest.fixture(params=[None, WEIGHT], ids=["counted", "weighted"])
def weight(request):
    """No weights, or some."""
    return request.param


def summed(values, weight):
    """Add fractions up."""
    return sum(F(v) * F(w) for v, w in zip(values, np.ones(4) if weight is None else weight, strict=True))


def test_sums_of_rows_are_those_of_their_formulas(weight):
    """A width between the bands."""
    rows, width = Rows(ERROR, ACTIVE, None, weight), 3.0
    assert areas.miss_rate_sums(xp, rows, K, width) == (summed(K, weight), summed(K * (ACTIVE - 3), weight))
    assert areas.deficit_sums(xp, rows, K, width) == (
        summed(ERROR * K, weight),
        summed(ERROR * K * (ACTIVE - 3), weight),
        summed(ERROR * ERROR, weight),
    )
    assert areas.ceiling_sums(xp, rows) == (
        summed([2.0, 0.0, 3.0, 1.0], weight),
        summed(ERROR * ERROR, weight),
        summed([0, 1, 0, 0], weight),
    )


def test_closed_areas_halve_against_the_deficit():
    """The equation of either axis."""
    assert areas.closed_area(3.0, 5.0, deficit=False) == 15
    assert areas.closed_area(3.0, 5.0, deficit=True) == 7.5


def test_outputs_are_added_in_units_of_their_width():
    """Up to a factor, the smallest of the widths."""
    assert areas.sum_by_width([3.0, 5.0], [4.0, 2.0]) == 3 * 0.5 + 5
    assert areas.sum_by_width([3.0, 0.0, 5.0], [4.0, 0.0, 2.0]) == 3 * 0.5 + 5
    assert areas.sum_by_width([0.0], [0.0]) == 0
    assert math.isnan(areas.sum_by_width([math.inf, 1.0], [0.0, 1.0]))


STEPS = [
    ([0.0], [0.5]),
    ([2.0, 3.0], [0.5, 0.25]),
    ([0.0, 1.0], [0.75, 0.0]),
    ([0.0, 1.0, 3.0, 7.0], [1.0, 0.75, 0.25, 0.125]),
]


@pytest.mark.parametrize(("x", "y"), STEPS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 10.0), (0.5, 2.0), (1.0, 3.0), (4.0, 6.0), (8.0, 9.0)])
def test_strips_under_steps_are_sums_of_rectangles(x, y, low, high):
    """Cut within a step, at a step, and behind the last one."""
    ends = [*x[1:], math.inf]
    parts = (
        F(rate) * max(F(min(end, high)) - F(max(begin, low)), 0)
        for begin, end, rate in zip(x, ends, y, strict=True)
    )
    assert areas.strip_of_steps(xp, np.array(x), np.array(y), low, high) == sum(parts)


@pytest.mark.parametrize(("x", "y"), STEPS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.125, 0.75), (0.3125, 0.5), (0.75, 0.875)])
def test_means_of_steps_are_sums_of_rectangles(x, y, low, high):
    """Each step is needed for the miss rates between its own and that before it."""
    parts = (
        F(place) * max(F(min(above, high)) - F(max(rate, low)), 0)
        for place, above, rate in zip(x, [1.0, *y[:-1]], y, strict=True)
    )
    assert areas.mean_of_steps(xp, np.array(x), np.array(y), low, high) == sum(parts)


@pytest.mark.parametrize("falls", [False, True])
def test_trapezoids_are_cut_where_the_part_begins_and_ends(falls):
    """Along a rising line; the other one rises or falls. Cuts lie at points, halfway, and beyond."""
    along, across = [0.0, 2.0, 2.0, 6.0], [8.0, 4.0, 2.0, 0.0] if falls else [1.0, 2.0, 4.0, 8.0]
    middle = [
        ((F(x0) + F(x1)) / 2, (F(y0) + F(y1)) / 2)
        for (x0, y0), (x1, y1) in itertools.pairwise(zip(along, across, strict=True))
    ]
    beyond = [(F(-1), F(9 if falls else 0)), (F(8), F(-1 if falls else 9))]
    points = sorted(
        [*zip(map(F, along), map(F, across), strict=True), *middle, *beyond],
        key=lambda point: (point[0], -point[1] if falls else point[1]),
    )
    for begin, end in itertools.combinations(range(len(points)), 2):
        expected = sum(
            (b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(points[begin : end + 1])
        )
        (low, low_across), (high, high_across) = points[begin], points[end]
        found = areas.trapezoids(
            xp,
            np.array(across),
            np.array(along),
            (float(low_across), float(low)),
            (float(high_across), float(high)),
        )
        assert found == expected
