"""The incomplete beta function, its inverse and limits of shares, against SciPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import special

from uccurve._kernels import binomial

SHAPES = [0.5, 1.0, 3.0, 40.0, 999.0, 1001.0, 4000.0]
SHARES = [1e-12, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.62, 0.9, 0.99, 1 - 1e-9]


def test_the_incomplete_beta_function_is_that_of_scipy():
    """Small shapes and large ones, both tails; 0 and 1 at the ends."""
    a, b, x = np.array(list(itertools.product(SHAPES, SHAPES, SHARES))).T
    expected = special.betainc(a, b, x)
    np.testing.assert_allclose(binomial.beta_cdf(a, b, x), expected, rtol=1e-9, atol=1e-200)
    np.testing.assert_allclose(
        1 - binomial.beta_cdf(a, b, x), special.betainc(b, a, 1 - x), rtol=1e-9, atol=1e-13
    )
    for shape in SHAPES:
        assert binomial.beta_cdf(shape, 2.0, [0.0, 1.0]).tolist() == [0.0, 1.0]
        assert binomial.beta_cdf(shape, 4000.0, [0.0, 1.0]).tolist() == pytest.approx([0.0, 1.0], abs=1e-15)


def test_large_shapes_are_integrated_around_their_mass():
    """Ten thousand rows, a million: from a lower tail of 1e-20 on, to the middle, and above."""
    for a, b in ((1e4, 1e4), (1e4, 2e5), (1e6, 3e5), (1e6, 2e3), (2e3, 1e6)):
        mean = a / (a + b)
        deviation = math.sqrt(mean * (1 - mean) / (a + b))
        x = mean + deviation * np.array([-9.0, -5.0, -1.0, 0.0, 0.1, 2.0, 6.0])
        np.testing.assert_allclose(binomial.beta_cdf(a, b, x), special.betainc(a, b, x), rtol=3e-7)
        assert binomial.beta_cdf(a, b, [mean / 2, (1 + mean) / 2]).tolist() == pytest.approx(
            [0, 1], abs=1e-15
        )


def test_quantiles_are_those_of_scipy():
    """From one in a billion to almost all; densities with two peaks; in one call, or each on its own."""
    shapes, levels = [0.1, *SHAPES[:5]], [1e-9, 0.005, 0.3, 0.975, 1 - 1e-6]
    p, a, b = np.array(list(itertools.product(levels, shapes, shapes))).T
    found = binomial.beta_quantile(p, a, b)
    np.testing.assert_allclose(found, special.betaincinv(a, b, p), rtol=2e-9, atol=1e-18)
    for place in range(0, p.size, 37):
        alone = binomial.beta_quantile(*(column[place : place + 1] for column in (p, a, b)))
        assert alone[0] == pytest.approx(found[place], rel=1e-9, abs=1e-18)


def test_quantiles_need_few_steps(monkeypatch):
    """Newton's steps double the digits; halving alone would need fifty."""
    calls = []
    plain = binomial.beta_cdf
    monkeypatch.setattr(binomial, "beta_cdf", lambda *given: calls.append(given[0].size) or plain(*given))
    binomial.beta_quantile([0.025, 0.5], [30.0, 7.0], [71.0, 7.0])
    assert len(calls) <= 8
    assert calls[0] == 2
    assert calls[-1] == 1  # those that are found are not looked at again


def test_the_continued_fraction_needs_few_terms(monkeypatch):
    """Some dozen, also where the terms are largest."""
    terms = []
    plain = binomial._away_from_zero
    monkeypatch.setattr(binomial, "_away_from_zero", lambda values: terms.append(1) or plain(values))
    binomial.beta_cdf([900.0], [900.0], [0.5])
    assert len(terms) < 400
    terms.clear()
    binomial.beta_cdf([3.0], [5.0], [0.3])
    assert len(terms) < 60


@pytest.mark.parametrize("tail", [0.025, 1e-4])
def test_limits_of_shares_are_quantiles(tail):
    """Pairs that occur twice, numbers that are not whole, and none of either; broadcast."""
    hits = np.array([0.0, 3.0, 3.0, 17.5, 20.0, 5.0, 1.0, 0.75])
    misses = np.array([5.0, 7.0, 7.0, 2.25, 0.0, 0.0, 4.0, 1.0])
    low, high = binomial.share_limits(hits, misses, tail)
    for place, (h, m) in enumerate(zip(hits, misses, strict=True)):
        assert low[place] == pytest.approx(special.betaincinv(h, m + 1, tail) if h else 0, rel=1e-10)
        assert high[place] == pytest.approx(1 - special.betaincinv(m, h + 1, tail) if m else 1, rel=1e-10)
    assert (low[0], high[4], high[5]) == (0, 1, 1)
    wide = binomial.share_limits(hits, 4.0, tail)
    assert wide[0].shape == (8,)
    assert wide[0][1] == pytest.approx(binomial.share_limits([3.0], [4.0], tail)[0][0], rel=1e-13)


def test_squares_of_t_are_those_of_scipy():
    """One degree of freedom to a thousand; a probability of 0 stays finite."""
    alpha, df = np.array(list(itertools.product([0.5, 0.05, 1e-6], [1.0, 2.5, 30.0, 1000.0]))).T
    expected = special.stdtrit(df, alpha / 2) ** 2
    np.testing.assert_allclose(binomial.squared_t_quantile(alpha, df), expected, rtol=1e-8)
    np.testing.assert_allclose(
        binomial.squared_t_quantile(0.05, [5, 30]), [2.5705818356**2, 2.0422724563**2], rtol=1e-9
    )
    assert np.isfinite(binomial.squared_t_quantile([0.0, 1e-200], [4.0, 1.0])).all()
