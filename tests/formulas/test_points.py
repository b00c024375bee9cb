"""Operating points by rank, and running sums, against plain counting."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

import uccurve as uc
from uccurve._base.arrays import namespace
from uccurve.formulas.lines import prefix_sums

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
