"""Operating points by rank, and running sums, against plain counting."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import array_api_strict
import numpy as np
import pytest

import uccurve as uc
from uccurve._base.arrays import namespace
from uccurve._kernels import points
from uccurve._kernels.hull import lower_hull
from uccurve._kernels.prefix_sums import prefix_sums
from uccurve._kernels.rows import Rows

xp = namespace(np.empty(0))
INF = np.inf
CRITICAL = {
    "one": [2.0],
    "one at the start": [0.0],
    "two equal": [1.0, 1.0],
    "three": [0.0, 1.0, 2.0],
    "all distinct": [1.0, 2.0, 4.0],
    "one never captured": [1.0, 2.0, INF],
    "ties": [0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 4.0, 4.0],
    "never captured": [1.0, 1.0, 2.0, INF, INF],
    "none captured": [INF, INF],
}


@pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", CRITICAL)
def test_points_are_counted(name, weighted, asarray):
    """Each distinct finite parameter, with the share of the weight whose critical value is above it."""
    critical = CRITICAL[name]
    weight = [1, 3, 2, 5, 1, 4, 7, 2][: len(critical)] if weighted else [1] * len(critical)
    parameters = sorted({0.0, *(k for k in critical if k < INF)})
    rates = [
        F(sum(w for w, k in zip(weight, critical, strict=True) if k > t), sum(weight)) for t in parameters
    ]
    given = asarray(np.array([0.0, *critical]))
    mine = asarray(np.array(weight, dtype=float)) if weighted else None
    found = points.distinct(namespace(given), given, mine)
    assert [float(t) for t in found.parameter] == parameters
    assert [float(rate) for rate in found.miss_rate] == [float(rate) for rate in rates]


def test_falling_rates_are_searched_from_both_sides():
    """The first place at most, and below, each value; ties, and values beyond both ends."""
    falling = [1.0, 0.75, 0.75, 0.5, 0.25]
    values = [2.0, 1.0, 0.8, 0.75, 0.6, 0.5, 0.25, 0.1, 0.0]
    at_most = [next((i for i, rate in enumerate(falling) if rate <= value), 5) for value in values]
    below = [next((i for i, rate in enumerate(falling) if rate < value), 5) for value in values]
    assert points.first_at_most(xp, np.array(falling), np.array(values)).tolist() == at_most
    assert points.first_below(xp, np.array(falling), np.array(values)).tolist() == below


def test_miss_rates_of_weights_are_compared_up_to_rounding():
    """Three tenths, added up, are not 0.3; nor is a rate equal to another that differs in the eighth digit."""
    weight = np.array([0.2, *[0.1] * 8])
    rows = uc.Intervals.from_bands(np.arange(1.0, 10.0), np.zeros(9), np.ones(9), sample_weight=weight)
    assert rows.ucc().miss_rate[6] > 0.3
    assert rows.ucc().at(miss_rate=0.3).parameter == 6
    assert rows.ucc().at(miss_rate=0.3 - 1e-9).parameter == 7


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_at_a_point_are_those_of_its_rows(weighted):
    """Hits by rank, also where rounding would say otherwise: the excess of a miss is 0, and so on."""
    grid = list(itertools.product([0, 1, 3], [0, 1, 2, 4], [0, 1, 5], [False, True]))
    error, active, passive, captured = (np.array(column) for column in zip(*grid, strict=True))
    weight = np.arange(len(grid)) % 5 + 1.0 if weighted else None
    expected = np.zeros(4)
    for place, (e, a, p, hit) in enumerate(grid):
        room = min(a - e, e + p)
        of_row = np.array([not hit, (a + p) / 2, max(room, 0) if hit else 0, 0 if hit else max(-room, 0)])
        expected += of_row * (weight[place] if weighted else 1)
    rows = Rows(error.astype(float), active.astype(float), None, weight)
    found = points.sums_at(xp, rows, captured, active.astype(float), passive.astype(float))
    assert found == tuple(expected)


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 511, 512, 513, 700])
def test_prefix_sums_of_integers_are_exact(n):
    """Across the borders of runs, which are added up on their own."""
    terms = np.random.default_rng(n).integers(-9, 10, size=n).astype(float)
    assert prefix_sums(xp, terms).tolist() == list(itertools.accumulate(terms.tolist()))


def test_prefix_sums_of_many_equal_terms_lose_few_digits():
    """Added one after the other they round the same way each time, and lose more than ten times as much."""
    n = 1 << 18
    sums = prefix_sums(xp, np.full(n, 0.1))
    off, plainly = (abs(F(float(column[-1])) - F(0.1) * n) for column in (sums, np.cumsum(np.full(n, 0.1))))
    assert 10 * off < plainly
    assert np.all(np.diff(sums) > 0)


def on_hull(places, x, y):
    """Keep the places of points that are strictly below every line between two others, one after another."""
    kept = [i for i in places if i == 0 or (x[i], y[i]) != (x[i - 1], y[i - 1])]
    ends = {kept[0], kept[-1]}

    def above(i):
        pairs = itertools.product([j for j in kept if j < i], [j for j in kept if j > i])
        return any((y[i] - y[j]) * (x[k] - x[j]) >= (y[k] - y[j]) * (x[i] - x[j]) for j, k in pairs)

    return [i for i in kept if i in ends or not above(i)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12])
def test_the_hull_is_what_no_line_between_others_is_below(n):
    """Random stairs of integers: points on a line, equal points, and equal x or y."""
    rng = np.random.default_rng(n)
    for _ in range(30):
        x = np.cumsum(rng.integers(0, 4, size=n)).astype(float)
        y = 40.0 - np.cumsum(rng.integers(0, 4, size=n))
        assert lower_hull(xp, x, y).tolist() == on_hull(range(n), x, y)
