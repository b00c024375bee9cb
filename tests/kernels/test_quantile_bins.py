"""Bins of equal weight, against their formula in fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve._kernels.quantile_bins import quantile_bins


def expected_bins(values, weight, bins):
    """Put each run of equal values where the middle of its weight falls; leave out empty bins."""
    total, before, of_value = sum(map(F, weight)), F(0), {}
    for value, run in itertools.groupby(sorted(zip(values, weight, strict=True)), key=lambda pair: pair[0]):
        own = sum(F(w) for _, w in run)
        of_value[value] = math.floor(bins * (before + own / 2) / total)
        before += own
    numbers = {bin_: number for number, bin_ in enumerate(sorted(set(of_value.values())))}
    return [numbers[of_value[value]] for value in values]


@pytest.mark.parametrize("bins", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 40])
def test_bins_follow_their_formula(n, bins):
    """Ties, weights, more bins than values."""
    rng = np.random.default_rng(10 * n + bins)
    for _ in range(10):
        values = rng.integers(0, 12, size=n).astype(float)
        weight = rng.integers(1, 5, size=n) / 4
        assert quantile_bins(values, weight, bins).tolist() == expected_bins(values.tolist(), weight, bins)


def test_neighbors_within_rounding_are_equal():
    """The larger slack of two neighbors counts, whichever of them has it; infinities are equal, silently."""
    values, ones = np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4)
    assert quantile_bins(values, ones, 4, rounding=1.0).tolist() == [0, 0, 0, 0]
    assert quantile_bins(values, ones, 4, rounding=0.5).tolist() == [0, 1, 2, 3]
    for slack in ([1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1.0]):
        joined = {place for place in range(3) if max(slack[place : place + 2]) >= 1}
        codes = quantile_bins(values, ones, 8, rounding=np.array(slack))
        assert {place for place in range(3) if codes[place] == codes[place + 1]} == joined
    many = np.array([-np.inf, -np.inf, 1.0, 5.0, np.inf, np.inf])
    assert quantile_bins(many, np.ones(6), 6).tolist() == [0, 0, 1, 2, 3, 3]
    huge = np.array([-1.7e308, 1.7e308])
    assert quantile_bins(huge, np.ones(2), 2).tolist() == [0, 1]
