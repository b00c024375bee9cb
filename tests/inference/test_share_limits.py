"""Limits of shares: exact against binomial sums, and simultaneous by simulation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from uccurve._kernels.binomial import share_limits
from uccurve._kernels.quantile_bins import quantile_bins
from uccurve.inference._effective_rows import effective_rows
from uccurve.inference._judged_rows import JudgedRows


def at_most(hits, n, share):
    """P(X <= hits) of a binomial distribution, in fractions."""
    p = Fraction(share)
    return float(sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(hits + 1)))


@pytest.mark.parametrize("tail", [0.025, 0.0025, 1e-5])
@pytest.mark.parametrize("n", [1, 2, 3, 20, 150])
def test_limits_are_where_binomial_tails_have_the_probability(n, tail):
    """The definition of Clopper and Pearson, by exact sums; 0 and 1 at the ends."""
    hits = np.unique([0, 1, n // 2, n - 1, n])
    low, high = share_limits(hits, n - hits, tail)
    for x, a, b in zip(hits.tolist(), low.tolist(), high.tolist(), strict=True):
        assert (a == 0) if x == 0 else at_most(x - 1, n, a) == pytest.approx(1 - tail, abs=1e-9 * tail)
        assert (b == 1) if x == n else at_most(x, n, b) == pytest.approx(tail, rel=1e-7)


@pytest.mark.parametrize("n", [5, 20, 200])
@pytest.mark.parametrize("segments", [1, 10, 40])
def test_limits_hold_for_all_segments_at_once(segments, n):
    """At least 95% of 1000 samples have every true coverage inside; 2 points are left to chance."""
    rng = np.random.default_rng(1000 * segments + n)
    coverage = rng.uniform(0.5, 0.99, size=segments)
    hits = rng.binomial(n, coverage, size=(1000, segments))
    low, high = share_limits(hits.ravel(), n - hits.ravel(), 0.05 / segments / 2)
    true = np.tile(coverage, 1000)
    inside = ((low <= true) & (true <= high)).reshape(1000, segments).all(axis=1)
    assert inside.mean() >= 0.93


@pytest.mark.slow
def test_limits_hold_for_rows_that_depend_on_each_other():
    """Blocks of ten rows, half of which follow their block: ignoring that fails in half of the samples."""
    rng = np.random.default_rng(0)
    segments, blocks, size = 5, 30, 10
    segment, block = (
        np.repeat(np.arange(segments), blocks * size),
        np.arange(segments * blocks * size) // size,
    )
    ones = np.ones(block.size)
    shares, numbers = [], {"blocks": [], "rows": []}
    for _ in range(60):
        of_block = np.repeat(rng.random(segments * blocks) < 0.9, size)
        covered = np.where(rng.random(block.size) < 0.5, of_block, rng.random(block.size) < 0.9)
        shares.append(np.bincount(segment, covered) / (blocks * size))
        for name, known in (("blocks", block), ("rows", None)):
            rows = JudgedRows(covered, ones, ones, ones, ones, block, known, 1.0)
            numbers[name].append(effective_rows(rows, segment, 0.05 / segments))
    share, held = np.concatenate(shares), {}
    for name, found in numbers.items():
        n = np.concatenate(found)
        low, high = share_limits(share * n, (1 - share) * n, 0.05 / segments / 2)
        held[name] = ((low <= 0.9) & (high >= 0.9)).reshape(60, segments).all(axis=1).sum()
    assert held["blocks"] >= 56
    assert held["rows"] <= 40


@pytest.mark.parametrize("bins", [1, 2, 3, 10])
def test_bins_are_in_order_and_keep_ties(bins):
    """Numbered without gaps by rising values, equal values in one bin, as equal in weight as ties allow."""
    rng = np.random.default_rng(bins)
    values = rng.integers(0, 30, size=300).astype(float)
    weight = rng.integers(1, 4, size=300).astype(float)
    codes = quantile_bins(values, weight, bins)
    assert sorted(set(codes.tolist())) == list(range(bins))
    order = np.argsort(values)
    assert np.all(np.diff(codes[order]) >= 0)
    assert all(len(set(codes[values == value].tolist())) == 1 for value in values)
    heaviest = max(weight[values == value].sum() for value in values)
    assert np.abs(np.bincount(codes, weight) - weight.sum() / bins).max() <= heaviest
