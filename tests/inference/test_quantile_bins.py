"""Bins of equal weight, against their formula in fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve.inference._row_segments import quantile_bins


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
