"""Sums over subsets and resamples, and areas under other weights, against plain sums."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve._kernels import resampling


@pytest.mark.parametrize("n", [1, 7, 8, 9, 1024, 1025, 2050])
@pytest.mark.parametrize("subsets", [1, 127, 128, 130])
def test_sums_over_subsets_are_products_with_their_bits(n, subsets):
    """Across the borders of parts, and for bits that fill no whole byte."""
    rng = np.random.default_rng(n + subsets)
    columns = rng.integers(-5, 6, size=(n, 3)).astype(float)
    bits = rng.integers(0, 2, size=(subsets, n)).astype(bool)
    packed = np.packbits(bits, axis=1, bitorder="little")
    assert np.array_equal(resampling.subset_sums(columns, packed), bits.astype(float) @ columns)


def test_draws_are_as_many_as_rows_and_even():
    """Each resample counts every row; on average once, with the variance of a multinomial."""
    n = 12
    counts = resampling.drawn_sums(np.eye(n), 4000, np.random.default_rng(0))
    assert np.array_equal(counts.sum(axis=1), np.full(4000, n))
    assert np.array_equal(counts, np.round(counts))
    assert counts.min() == 0
    np.testing.assert_allclose(counts.mean(axis=0), 1, atol=0.08)
    np.testing.assert_allclose(counts.var(axis=0), 1 - 1 / n, rtol=0.15)


def test_draws_fall_into_every_chunk():
    """Two whole chunks, drawn as bytes, and a rest: evenly over the places of all."""
    n = (1 << 17) + 4096
    place = np.arange(n)
    columns = np.stack(
        [np.ones(n), place < 1 << 16, place, place >= n - 2048, place % 2, place < 1 << 15], axis=1
    )
    sums = resampling.drawn_sums(columns.astype(float), 20, np.random.default_rng(1))
    assert np.array_equal(sums[:, 0], np.full(20, n))
    assert np.unique(sums[:, 1]).size > 1
    np.testing.assert_allclose(sums.mean(axis=0), columns.sum(axis=0), rtol=0.02)
    np.testing.assert_allclose(sums.mean(axis=0)[[2, 4, 5]], columns.sum(axis=0)[[2, 4, 5]], rtol=0.004)


def drawn(n, *, shared, partly):
    """Knots with ties, of rows that may have several; integers, so that sums are exact."""
    rng = np.random.default_rng(n)
    knots = rng.integers(0, max(n // 2, 2), size=n).astype(float)
    row = rng.integers(0, max(n // 2, 1), size=n)
    x, deficit = rng.integers(0, 5, size=(2, n)).astype(float)
    weight = rng.integers(0, 4, size=max(n // 2, 1)).astype(float)
    captured = (rng.integers(0, 2, size=n)).astype(float) if partly else None
    return knots, row, x, x if shared else deficit, captured, weight


def plain_areas(knots, row, x, deficit, captured, weight, missed):
    """Integrate the weight missed, and the deficit, over x, knot by knot."""
    slope = slope_x = F(0)
    knots_of = sorted(
        zip(knots, row, x, deficit, [1.0] * len(x) if captured is None else captured, strict=True)
    )
    lost = sum(F(d) * F(weight[r]) for _, r, _, d, _ in knots_of)
    parts = []
    for (begin, r, dx, dd, hit), (end, *_) in itertools.pairwise([*knots_of, knots_of[-1]]):
        slope_x += F(dx) * F(weight[r])
        slope += F(dd) * F(weight[r])
        missed -= F(hit) * F(weight[r])
        step = F(end) - F(begin)
        parts.append((slope_x * step, missed, (lost - slope) * step))
    total, left, by_deficit = sum(part[2] for part in parts), F(0), F(0)
    for gained, _, closed in parts:
        by_deficit += gained * (total - left - closed / 2)
        left += closed
    return sum(gained * weight_missed for gained, weight_missed, _ in parts), by_deficit


@pytest.mark.parametrize("n", [1, 2, 3, 15, 16, 17, 33, 100])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("partly", [False, True])
def test_reweighted_areas_are_those_of_plain_integration(n, shared, partly):
    """Fewer knots than lanes, as many, and more; rows with several knots; rows that lose all weight."""
    *columns, weight = drawn(n, shared=shared, partly=partly)
    table = resampling.lanes(*columns)
    assert (table.deficit is table.x) == shared
    by_miss, by_deficit = plain_areas(*columns, weight, F(int(weight.sum())))
    assert resampling.miss_halves(table, weight, weight.sum()).area() == by_miss
    assert resampling.deficit_halves(table, weight).area() == by_deficit
    again = resampling.miss_halves(table, weight, weight.sum())
    assert again.area() == by_miss


@pytest.mark.parametrize("by", ["miss", "deficit"])
def test_areas_of_a_part_and_of_the_rest_follow_from_both(by):
    """What is exchanged between two models: a part of the rows, the others, and all of them."""
    *columns, weight = drawn(40, shared=False, partly=False)
    table = resampling.lanes(*columns)

    def halves(some):
        return (
            resampling.miss_halves(table, some, some.sum())
            if by == "miss"
            else resampling.deficit_halves(table, some)
        )

    part = np.where(np.arange(weight.size) % 3 == 0, weight, 0.0)
    whole = halves(weight).kept()
    expected = halves(part).area(), halves(weight - part).area()
    assert whole.areas_of(halves(part)) == expected
    assert whole.area() == halves(weight).area()
