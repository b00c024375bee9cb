"""The Bayesian network's posterior, and the sampler that draws from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from casestudies.bnn_gap import diagnostics, hmc
from casestudies.bnn_gap.network import Network


@pytest.fixture
def network():
    return Network(hidden=3, prior=1.7, noise=0.4)


@pytest.fixture
def training():
    return np.array([-2.1, -0.4, 0.3, 1.2, 2.9]), np.array([0.7, -0.2, 1.1, 0.4, -1.3])


def test_the_network_computes_its_formula(network):
    """The vectorized function is the textbook sum, unit by unit, for every chain."""
    positions = np.random.default_rng(0).normal(size=(2, network.size))
    for chain, weights in enumerate(1.7 * positions):
        slope, shift, output = weights[:3], weights[3:6], weights[6:9]
        for x in (-1.5, 0.2, 2.0):
            by_hand = weights[9] + sum(
                v * math.tanh(w * x + b) for w, b, v in zip(slope, shift, output, strict=True)
            ) / math.sqrt(3)
            assert math.isclose(network.predictions(positions, np.array([x]))[chain, 0], by_hand)


def test_the_log_density_is_prior_times_likelihood(network, training):
    """Differences of the log density, in which its constant cancels, are those of the two Gaussians."""
    x, y = training
    positions = np.random.default_rng(1).normal(size=(2, network.size))
    log = network.log_density(positions, x, y)[0]
    function = network.predictions(positions, x)
    by_hand = [
        sum(-((b - a) ** 2) / (2 * 0.4**2) for a, b in zip(values, y, strict=True))
        + sum(-((1.7 * unit) ** 2) / (2 * 1.7**2) for unit in position)
        for values, position in zip(function, positions, strict=True)
    ]
    np.testing.assert_allclose(log, by_hand, rtol=1e-12)


def test_the_gradient_is_that_of_the_log_density(network, training):
    """A wrong gradient still samples, only worse: nothing else would notice."""
    positions = np.random.default_rng(2).normal(size=(3, network.size))
    gradient = network.log_density(positions, *training)[1]
    small = 1e-6
    for place in range(network.size):
        step = small * np.eye(network.size)[place]
        above, below = (network.log_density(positions + sign * step, *training)[0] for sign in (1, -1))
        np.testing.assert_allclose(gradient[:, place], (above - below) / (2 * small), rtol=1e-6, atol=1e-6)


def gaussian(mean, covariance):
    precision = np.linalg.inv(covariance)

    def density(positions):
        away = positions - mean
        return -0.5 * np.sum(away @ precision * away, axis=1), -away @ precision

    return density


def conjugate(network, training):
    """Fix the hidden weights: the rest of the posterior is Gaussian, and known."""
    x, y = training
    rng = np.random.default_rng(14)
    fixed = rng.normal(size=2 * network.hidden)

    def density(positions):
        hidden = np.tile(fixed, (len(positions), 1))
        log, gradient = network.log_density(np.concatenate([hidden, positions], axis=1), x, y)
        return log, gradient[:, fixed.size :]

    slope, shift = 1.7 * fixed.reshape(2, -1)
    units = np.tanh(x[:, None] * slope + shift) / math.sqrt(network.hidden)
    design = 1.7 * np.concatenate([units, np.ones((x.size, 1))], axis=1)
    covariance = np.linalg.inv(design.T @ design / 0.4**2 + np.eye(network.hidden + 1))
    return density, covariance @ design.T @ y / 0.4**2, covariance


def test_the_sampler_recovers_the_network_s_posterior_where_that_is_known(network, training):
    """Network and sampler together, with a step so large that many proposals are rejected."""
    density, mean, covariance = conjugate(network, training)
    found = hmc.sample(
        density,
        np.zeros((8, 4)),
        warm_up=0,
        draws=800,
        length=1.5,
        first_step=0.15,
        rng=np.random.default_rng(15),
    )
    assert 0.5 < found.acceptance < 0.8
    draws = found.positions[20:]
    variance = np.diag(covariance)
    error = np.sqrt(variance / diagnostics.effective_draws(draws))
    assert np.max(np.abs(np.mean(draws, axis=(0, 1)) - mean) / error) < 4
    square = (draws - mean) ** 2
    error = np.sqrt(2 * variance**2 / diagnostics.effective_draws(square))
    assert np.max(np.abs(np.mean(square, axis=(0, 1)) - variance) / error) < 4


def test_the_sampler_does_what_a_plain_one_would_step_by_step(network, training):
    """One that carries nothing over but the position: after a rejection all of the old state is back."""
    density = conjugate(network, training)[0]
    step, length = 0.15, 2.0
    found = hmc.sample(
        density,
        np.zeros((3, 4)),
        warm_up=0,
        draws=60,
        length=length,
        first_step=step,
        rng=np.random.default_rng(16),
    )
    assert 0.3 < found.acceptance < 0.9
    rng = np.random.default_rng(16)
    position, gradients = np.zeros((3, 4)), 0
    for kept in found.positions:
        steps = math.ceil(length * rng.uniform(0.5, 1.5) / step)
        momentum = rng.normal(size=(3, 4))
        end, kick = position, momentum + step / 2 * density(position)[1]
        for _ in range(steps):
            end = end + step * kick
            kick = kick + step * density(end)[1]
        kick = kick - step / 2 * density(end)[1]
        ratio = density(end)[0] - density(position)[0] + np.sum(momentum**2 - kick**2, axis=1) / 2
        position = np.where((rng.uniform(size=3) < np.exp(np.minimum(ratio, 0)))[:, None], end, position)
        np.testing.assert_allclose(kept, position, atol=1e-9)
        gradients += steps
    assert found.gradients == gradients > 10 * 60


def test_the_step_size_reaches_the_acceptance_it_is_tuned_for():
    """Twenty dimensions, so that the step size matters to the energy."""
    rng = np.random.default_rng(5)
    target = gaussian(np.zeros(20), np.diag(np.linspace(0.5, 2, 20)))
    for wanted in (0.65, 0.9):
        found = hmc.sample(
            target, rng.normal(size=(4, 20)), warm_up=300, draws=200, length=1.5, target=wanted, rng=rng
        )
        assert abs(found.acceptance - wanted) < 0.07


def test_trajectories_into_nowhere_are_rejected_and_counted():
    """A cliff in the density must not put NaN into the draws."""

    def cliff(positions):
        inside = np.abs(positions[:, 0]) < 1
        return np.where(inside, 0.0, np.nan), np.zeros_like(positions)

    found = hmc.sample(
        cliff, np.zeros((2, 1)), warm_up=0, draws=60, length=2.0, first_step=0.5, rng=np.random.default_rng(8)
    )
    assert found.divergences == round(120 * (1 - found.acceptance)) > 10
    assert np.max(np.abs(found.positions)) < 1
