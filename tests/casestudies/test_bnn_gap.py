"""The network with a gap: its posterior, the sampler, whether chains mixed, and the claims of the page."""

from __future__ import annotations

import math

import numpy as np
import pytest
from casestudies.bnn_gap import posterior, study

X, Y = np.array([-2.1, -0.4, 0.3, 1.2, 2.9]), np.array([0.7, -0.2, 1.1, 0.4, -1.3])
NETWORK = posterior.Network(hidden=3, prior=1.7, noise=0.4)


def test_the_network_and_its_density_are_their_formulas():
    """The textbook sum, unit by unit; differences of the log density are those of the two Gaussians."""
    positions = np.random.default_rng(0).normal(size=(2, NETWORK.size))
    function = NETWORK.predict(positions, X)
    expected = []
    for position, values in zip(positions, function, strict=True):
        w, b, v, c = *np.split(1.7 * position[:9], 3), 1.7 * position[9]
        by_hand = [c + sum(v * np.tanh(w * x + b)) / math.sqrt(3) for x in X]
        np.testing.assert_allclose(values, by_hand)
        expected.append(-np.sum((Y - values) ** 2) / (2 * 0.4**2) - np.sum(position**2) / 2)
    np.testing.assert_allclose(NETWORK.log_density(positions, X, Y)[0], expected, rtol=1e-12)


def test_the_gradient_is_that_of_the_log_density():
    """A wrong gradient still samples, only worse: nothing else would notice."""
    positions = np.random.default_rng(2).normal(size=(3, NETWORK.size))
    gradient, small = NETWORK.log_density(positions, X, Y)[1], 1e-6
    for place, step in enumerate(small * np.eye(NETWORK.size)):
        above, below = (NETWORK.log_density(positions + sign * step, X, Y)[0] for sign in (1, -1))
        np.testing.assert_allclose(gradient[:, place], (above - below) / (2 * small), rtol=1e-6, atol=1e-6)


def test_the_sampler_recovers_the_posterior_where_that_is_known():
    """With fixed hidden weights it is Gaussian; the step is so large that many proposals are rejected."""
    fixed = np.random.default_rng(14).normal(size=6)

    def density(positions):
        whole = np.concatenate([np.tile(fixed, (len(positions), 1)), positions], axis=1)
        log, gradient = NETWORK.log_density(whole, X, Y)
        return log, gradient[:, 6:]

    slope, shift = 1.7 * fixed.reshape(2, -1)
    design = 1.7 * np.column_stack([np.tanh(X[:, None] * slope + shift) / math.sqrt(3), np.ones(X.size)])
    covariance = np.linalg.inv(design.T @ design / 0.4**2 + np.eye(4))
    mean, variance = covariance @ design.T @ Y / 0.4**2, np.diag(covariance)
    options = {"warm_up": 0, "draws": 800, "length": 1.5, "first_step": 0.15}
    draws, _ = posterior.sample(density, np.zeros((8, 4)), rng=np.random.default_rng(15), **options)
    moved = np.any(np.diff(draws, axis=0) != 0, axis=2)
    assert 0.5 < np.mean(moved) < 0.8
    draws = draws[20:]
    for values, expected in ((draws, mean), ((draws - mean) ** 2, variance)):
        by_chain = np.mean(values, axis=0)
        error = np.std(by_chain, axis=0, ddof=1) / math.sqrt(len(by_chain))
        assert np.max(np.abs(np.mean(by_chain, axis=0) - expected) / error) < 5


def test_trajectories_into_nowhere_are_rejected_and_counted():
    """A cliff in the density must not put NaN into the draws."""
    options = {"warm_up": 0, "draws": 60, "length": 2.0, "first_step": 0.5, "rng": np.random.default_rng(8)}
    draws, divergences = posterior.sample(
        lambda x: (np.where(np.abs(x[:, 0]) < 1, 0.0, np.nan), np.zeros_like(x)), np.zeros((2, 1)), **options
    )
    stayed = np.diff(draws, axis=0, prepend=0) == 0
    assert divergences == np.sum(stayed) > 10
    assert np.max(np.abs(draws)) < 1


def test_split_r_hat_equals_a_calculation_by_hand():
    """Two chains of four: halves (1, 2), (3, 5), (0, 4), (2, 8) with W = 7.125, B/n = 131/48."""
    draws = np.array([[1, 0], [2, 4], [3, 2], [5, 8]], dtype=float)[:, :, None]
    np.testing.assert_allclose(posterior.split_r_hat(draws), math.sqrt((7.125 / 2 + 131 / 48) / 7.125))


def record(seed, gain=0.1, low=0.8, high=1.5, clear=True, at=0.25, error=1.0):
    """One data set as it would be with a cross-over, but for what is given."""
    numbers = {"gain": gain, "crossover": at, "0.2": low, "0.7": high}
    measures = {name: {"value": v, "low": v - 0.1, "high": v + 0.1} for name, v in numbers.items()}
    measures["ratios"] = {rate: measures.pop(rate) for rate in ("0.2", "0.7")}
    where = {"error_inside": error, "band_inside": 2.0}
    return {"seed": seed, "measures": measures | {"clear": clear}, "where": where}


def test_what_holds_is_said_of_the_right_seeds():
    """The page counts them, and says which ones."""
    records = [
        record(0),
        record(1, low=1.05, clear=False, gain=-0.03, error=0.3),
        record(2, high=0.95, gain=0.2, error=2.0),
        record(3, low=1.2, high=0.8, gain=-0.2, clear=False, error=0.2),
        record(4, low=0.97, high=1.03, gain=0.3, at=0.35, error=3.0),
    ]
    found = study.find_claims(records, (0.2, 0.7))
    assert found.pop("crossover")["mean"] == pytest.approx((0.25 + 0.25 + 0.35) / 3)
    assert found.pop("gain_follows_error") == pytest.approx(1)
    assert found == {
        "narrower": [0, 2, 4], "wider": [0, 1, 4], "both": [0, 4], "negative_gain": [1, 3], "crosses": [0, 2, 4],
    }  # fmt: skip
