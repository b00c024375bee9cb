"""Diagnostics of Markov chains: split R-hat and the effective number of draws."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from casestudies.bnn_gap import diagnostics


def test_split_r_hat_equals_a_calculation_by_hand():
    """Two chains of four: halves (1, 2), (3, 5), (0, 4), (2, 8) with W = 7.125, B/n = 131/48."""
    draws = np.array([[1, 0], [2, 4], [3, 2], [5, 8]], dtype=float)[:, :, None]
    by_hand = math.sqrt((7.125 / 2 + 131 / 48) / 7.125)
    np.testing.assert_allclose(diagnostics.split_r_hat(draws), [by_hand])


def test_split_r_hat_is_near_one_for_independent_draws_and_large_for_others():
    """It has to see chains in different places, and a chain that wanders as a whole."""
    draws = np.random.default_rng(9).normal(size=(500, 4, 3))
    assert np.max(np.abs(diagnostics.split_r_hat(draws) - 1)) < 0.01
    assert np.min(diagnostics.split_r_hat(draws + np.arange(4)[:, None])) > 1.3
    assert np.min(diagnostics.split_r_hat(draws + np.linspace(0, 3, 500)[:, None, None])) > 1.2


def plainly_effective(x):
    """The definition of Vehtari et al. (2021), with the stop at the first negative pair, in loops."""
    n = x.shape[0] // 2
    halves = [half for chain in x.T for half in (chain[-2 * n : -n], chain[-n:])]
    means = [statistics.fmean(half) for half in halves]
    within = statistics.fmean(statistics.variance(half) for half in halves)
    pooled = (n - 1) / n * within + statistics.variance(means)

    def correlation(lag):
        if lag == 0:
            return 1.0
        covariances = [
            sum((half[i] - mean) * (half[i + lag] - mean) for i in range(n - lag)) / n
            for half, mean in zip(halves, means, strict=True)
        ]
        return 1 - (within - statistics.fmean(covariances)) / pooled

    pairs = []
    for lag in range(0, n - 1, 2):
        pair = correlation(lag) + correlation(lag + 1)
        if pair <= 0:
            break
        pairs.append(min([pair, *pairs[-1:]]))
    total = len(halves) * n
    return total / max(2 * sum(pairs) - 1, 1 / math.log10(total))


@pytest.mark.parametrize(("n", "chains", "a"), [(60, 4, 0.9), (41, 2, 0.3), (80, 3, -0.6), (50, 4, 0.99)])
def test_effective_draws_of_short_chains_are_those_of_the_definition(n, chains, a):
    """Short and strongly correlated: pairs that rise again, lags behind the first negative pair, halves apart."""
    x = np.random.default_rng(n).normal(size=(n, chains, 3))
    for turn in range(1, n):
        x[turn] += a * x[turn - 1]
    by_hand = [plainly_effective(x[:, :, place]) for place in range(3)]
    np.testing.assert_allclose(diagnostics.effective_draws(x), by_hand, rtol=1e-9)
