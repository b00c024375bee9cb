"""Limits of shares and quantiles of Student's t, against tables."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from uccurve._kernels import binomial


@pytest.mark.parametrize("tail", [0.025, 1e-4])
def test_limits_of_shares_are_those_of_the_exact_test(tail):
    """Of counts, none of either among them; broadcast."""
    hits, misses = np.array([0, 3, 17, 20]), np.array([5, 7, 2, 0])
    low, high = binomial.share_limits(hits, misses, tail)
    for place, (h, m) in enumerate(zip(hits, misses, strict=True)):
        exact = stats.binomtest(int(h), int(h + m)).proportion_ci(1 - 2 * tail, method="exact")
        assert (low[place], high[place]) == pytest.approx((exact.low, exact.high), rel=1e-9)
    assert (low[0], high[3]) == (0, 1)
    assert binomial.share_limits(hits, 4.0, tail)[0].shape == (4,)


def test_squares_of_t_are_those_of_tables():
    """At 5 and 30 degrees of freedom."""
    found = binomial.t_quantile(0.025, np.array([5.0, 30.0])) ** 2
    np.testing.assert_allclose(found, [2.5705818356**2, 2.0422724563**2], rtol=1e-9)
