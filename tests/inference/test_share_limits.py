"""Limits of shares: exact against binomial sums, and simultaneous by simulation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from uccurve._kernels.binomial import (
    beta_cdf,
    beta_quantile,
    share_limits,
    squared_t_quantile,
)
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


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 1), (1, 7)])
def test_the_incomplete_beta_function_has_its_closed_forms(a, b):
    """x^a for b = 1, and 1 - (1 - x)^b for a = 1."""
    x = np.linspace(0, 1, 11)
    expected = x**a if b == 1 else 1 - (1 - x) ** b
    np.testing.assert_allclose(beta_cdf(a, b, x), expected, rtol=1e-12, atol=1e-15)


def test_many_rows_are_integrated_as_accurately_as_few():
    """Both sides of the change from the continued fraction to quadrature; a symmetric one has its middle."""
    for n in (990.0, 1010.0, 1e6, 1e9):
        assert beta_cdf([n], [n], [0.5])[0] == pytest.approx(0.5, abs=1e-6)
        (x,) = beta_quantile([0.001], [n], [3 * n])
        assert (0.25 - x) * math.sqrt(4 * n / (0.25 * 0.75)) == pytest.approx(3.09, abs=0.06)
    below, above = (beta_quantile([0.01], [n], [n])[0] for n in (1000.0, 1000.0001))
    assert below == pytest.approx(above, abs=1e-8)


def test_squares_of_t_are_those_of_tables():
    """97.5% quantiles of 1, 5 and 30 degrees of freedom."""
    np.testing.assert_allclose(
        np.sqrt(squared_t_quantile(0.05, [1, 5, 30])), [12.7062047, 2.5705818, 2.0422725], rtol=1e-7
    )


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
