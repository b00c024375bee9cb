"""Sums over subsets and resamples, and areas under other weights, against plain sums."""

from __future__ import annotations

import numpy as np
import pytest

from uccurve.formulas import resampling


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
