"""Operating points by rank, and running sums, against plain counting."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

import uccurve as uc
from uccurve._base.arrays import namespace
from uccurve.formulas.lines import prefix_sums
from uccurve.report_page._sampled_curve import lower_hull

xp = namespace(np.empty(0))


def test_miss_rates_of_weights_are_compared_up_to_rounding():
    """Three tenths, added up, are not 0.3; nor is a rate equal to another that differs in the eighth digit."""
    weight = np.array([0.2, *[0.1] * 8])
    rows = uc.Intervals.from_bands(np.arange(1.0, 10.0), np.zeros(9), np.ones(9), sample_weight=weight)
    assert rows.ucc().miss_rate[6] > 0.3
    assert rows.ucc().at(miss_rate=0.3).parameter == 6
    assert rows.ucc().at(miss_rate=0.3 - 1e-9).parameter == 7


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
