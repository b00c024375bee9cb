"""The case study of a Bayesian network with a gap in its data: its parts, and that it runs."""

from __future__ import annotations

import copy
import importlib
import json
import math
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from casestudies.bnn_gap import __main__ as program
from casestudies.bnn_gap import diagnostics, figure, hmc, study, summary
from casestudies.bnn_gap.network import Network
from casestudies.shared import measures, pages, work
from casestudies.shared import rows as of_rows

import uccurve as uc

ROOT = Path(__file__).parents[2]

# -- the network --------------------------------------------------------------------------------


@pytest.fixture
def network():
    return Network(hidden=3, prior=1.7, noise=0.4)


@pytest.fixture
def training():
    return np.array([-2.1, -0.4, 0.3, 1.2, 2.9]), np.array([0.7, -0.2, 1.1, 0.4, -1.3])


def test_the_network_computes_its_formula(network):
    """The vectorised function is the textbook sum, unit by unit, for every chain."""
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


# -- the sampler --------------------------------------------------------------------------------


def beginning(network, training, chains=2):
    rng = np.random.default_rng(3)
    position = 0.5 * rng.normal(size=(chains, network.size))

    def density(positions):
        return network.log_density(positions, *training)

    return density, hmc.State(position, rng.normal(size=position.shape), *density(position))


def test_a_trajectory_run_backwards_ends_where_it_began(network, training):
    """Without reversibility, Metropolis accepts with the wrong probability."""
    density, start = beginning(network, training)
    end = hmc.leapfrog(density, start, 0.01, 40)
    back = hmc.leapfrog(density, end._replace(momentum=-end.momentum), 0.01, 40)
    assert np.max(np.abs(end.position - start.position)) > 0.1
    np.testing.assert_allclose(back.position, start.position, atol=1e-10)
    np.testing.assert_allclose(-back.momentum, start.momentum, atol=1e-10)


def test_half_the_step_makes_a_quarter_of_the_energy_error(network, training):
    """Leapfrog is of second order; a slip in its half steps makes it first order."""
    density, start = beginning(network, training)
    errors = [
        np.abs(hmc.leapfrog(density, start, 0.2 / steps, steps).energy - start.energy) for steps in (40, 80)
    ]
    np.testing.assert_allclose(errors[0] / errors[1], 4, rtol=0.05)


def gaussian(mean, covariance):
    precision = np.linalg.inv(covariance)

    def density(positions):
        away = positions - mean
        return -0.5 * np.sum(away @ precision * away, axis=1), -away @ precision

    return density


def test_the_sampler_recovers_a_correlated_gaussian():
    """The whole of it, against a target whose mean and covariance are known."""
    mean, covariance = np.array([1.0, -2.0]), np.array([[1.0, 1.2], [1.2, 2.0]])
    rng = np.random.default_rng(4)
    found = hmc.sample(
        gaussian(mean, covariance),
        3 * rng.normal(size=(8, 2)),
        warm_up=300,
        draws=600,
        length=2.0,
        first_step=0.5,
        rng=rng,
    )
    draws = found.positions.reshape(-1, 2)
    np.testing.assert_allclose(np.mean(draws, axis=0), mean, atol=0.1)
    np.testing.assert_allclose(np.cov(draws.T), covariance, atol=0.15)
    assert found.divergences == 0
    assert np.max(diagnostics.split_r_hat(found.positions)) < 1.02


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


def test_a_tiny_step_does_not_make_an_endless_trajectory():
    """Warm-up tries small steps on its way."""
    found = hmc.sample(
        gaussian(np.zeros(1), np.eye(1)),
        np.zeros((1, 1)),
        warm_up=0,
        draws=2,
        length=1.0,
        first_step=1e-6,
        rng=np.random.default_rng(17),
    )
    assert found.gradients == 2 * 400


def test_the_step_size_reaches_the_acceptance_it_is_tuned_for():
    """Twenty dimensions, so that the step size matters to the energy."""
    rng = np.random.default_rng(5)
    target = gaussian(np.zeros(20), np.diag(np.linspace(0.5, 2, 20)))
    for wanted in (0.65, 0.9):
        found = hmc.sample(
            target, rng.normal(size=(4, 20)), warm_up=300, draws=200, length=1.5, target=wanted, rng=rng
        )
        assert abs(found.acceptance - wanted) < 0.07


def test_the_same_seed_draws_the_same_chains():
    """Results can be repeated, number by number."""
    first, again, other = (
        hmc.sample(
            gaussian(np.zeros(2), np.eye(2)),
            np.zeros((2, 2)),
            warm_up=20,
            draws=20,
            length=1.0,
            rng=np.random.default_rng(seed),
        ).positions
        for seed in (6, 6, 7)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


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


# -- the diagnostics ----------------------------------------------------------------------------


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


def test_effective_draws_are_those_of_an_autoregression():
    """An AR(1) process with coefficient a is worth (1 - a) / (1 + a) of its draws."""
    rng = np.random.default_rng(10)
    noise = rng.normal(size=(4000, 4, 2))
    chains = noise.copy()
    for turn in range(1, 4000):
        chains[turn] = 0.6 * chains[turn - 1] + math.sqrt(1 - 0.36) * noise[turn]
    np.testing.assert_allclose(diagnostics.effective_draws(chains), 16000 / 4, rtol=0.15)
    np.testing.assert_allclose(diagnostics.effective_draws(noise), 16000, rtol=0.15)


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


# -- what is measured ---------------------------------------------------------------------------


@pytest.fixture
def intervals():
    rng = np.random.default_rng(11)
    scale = rng.lognormal(sigma=0.7, size=173)
    lower, upper = scale * rng.lognormal(sigma=0.3, size=(2, 173))
    return uc.Intervals.from_bands(scale**0.6 * rng.normal(size=173), np.zeros(173), lower, upper)


def test_ratios_and_ceilings_are_those_of_the_library(intervals):
    """The bootstrap's short cuts must be shorter, not other."""
    rows, curve = of_rows.Rows.of(intervals), intervals.ucc()
    for rate in (0.0, 0.05, 0.2, 0.7, 35 / 173, 120 / 173):
        exact = curve.at(miss_rate=rate).bandwidth / curve.reference.at(miss_rate=rate).bandwidth
        assert math.isclose(of_rows.ratio(rows, rate), exact, rel_tol=1e-12)
    assert math.isclose(of_rows.ceiling(rows), curve.ceiling(), rel_tol=1e-12)
    assert math.isclose(of_rows.deficit_ceiling(rows), curve.ceiling(y="deficit"), rel_tol=1e-12)


def test_the_crossover_ends_the_range_with_the_largest_saving(intervals):
    """Against the library's partial areas, over every range that starts at a miss rate of 0."""
    curve = intervals.ucc()

    def saved(end):
        mean = {"partial": "mean", "miss_rate": (0.0, end)}
        return end * (curve.reference.area(**mean) - curve.area(**mean))

    ends = np.arange(1, 174) / 173
    best = max(ends, key=saved)
    assert saved(best) > 0
    assert math.isclose(of_rows.crossover(of_rows.Rows.of(intervals)), best, rel_tol=1e-9)


@pytest.mark.parametrize("power", [0.0, 2.0])
def test_a_band_that_never_saves_has_its_crossover_at_zero(power):
    """A constant band saves nothing against itself, and one that is narrow for large errors loses."""
    error = np.linspace(1, 4, 20)
    rows = of_rows.Rows.of(uc.Intervals.from_bands(error, np.zeros(20), error**-power))
    assert of_rows.crossover(rows) == 0


def test_the_conventions_of_areas_are_those_they_are_named_for(intervals):
    """The exact one is the library's; the others are brought back from their definitions."""
    curve = intervals.ucc()
    found = measures.conventions(intervals)
    for name, one in (("model", curve), ("constant", curve.reference)):
        b, n = np.asarray(one.bandwidth)[1:], 173
        assert b.size == n
        assert math.isclose(found[name]["exact"], one.area(), rel_tol=1e-12)
        assert math.isclose(found[name]["rectangles"], np.mean(b) - np.max(b) / n, rel_tol=1e-9)
        steps = [(b[i + 1] - b[i]) * (2 * n - 2 * i - 3) / (2 * n) for i in range(n - 1)]
        assert math.isclose(found[name]["trapezoids"], math.fsum(steps), rel_tol=1e-9)
    assert math.isclose(found["gain"]["exact"], curve.gain(), rel_tol=1e-9)
    model, constant = found["model"]["trapezoids"], found["constant"]["trapezoids"]
    assert math.isclose(found["gain"]["trapezoids"], (constant - model) / constant, rel_tol=1e-9)
    assert math.isclose(found["gain"]["over_own_area"], (constant - model) / model, rel_tol=1e-9)
    assert abs(constant - model) > 0.01 * model


def crossing(n=400, share=0.25):
    """Rows with large errors and wide bands, and others: narrower than a constant band for few misses only."""
    rng = np.random.default_rng(12)
    large = np.arange(n) < share * n
    error = np.where(large, 1 + 0.2 * rng.normal(size=n), 0.1 * rng.normal(size=n))
    return uc.Intervals.from_bands(error, np.zeros(n), np.where(large, 0.6, 0.1))


def test_sides_are_counted_where_the_library_says(intervals):
    """Per cent by per cent, for miss rates that leave other numbers on the two sides."""
    for rows in (intervals, crossing()):
        curve = rows.ucc()
        ratio = {
            i: curve.at(miss_rate=i / 100).bandwidth / curve.reference.at(miss_rate=i / 100).bandwidth
            for i in range(1, 96)
        }
        for end in (0.105, 0.605):
            less = [ratio[i] < 1 for i in range(1, 96) if i / 100 < end]
            more = [ratio[i] > 1 for i in range(1, 96) if i / 100 > end]
            found = of_rows.sides(of_rows.Rows.of(rows), end)
            assert found == (pytest.approx(np.mean(less)), pytest.approx(np.mean(more)))


def test_a_cross_over_is_clear_only_if_the_curves_swap_once_and_not_by_chance():
    """The page claims no other; a number comes out in any case."""
    rng = np.random.default_rng(13)
    error = 1 + np.abs(rng.normal(size=400))
    size, band = np.repeat([[1.0, 0.05, 0.001], [0.8, 0.1, 0.5]], (80, 120, 200), axis=1)
    cases = {
        "swap once": crossing(),
        "are the same but for noise": uc.Intervals.from_bands(
            error, 0 * error, 1 + 0.02 * rng.uniform(size=400)
        ),
        "swap twice": uc.Intervals.from_bands(size * error, 0 * error, band),
    }
    found = {name: measures.measured(rows, rates=(0.2,), n_resamples=199) for name, rows in cases.items()}
    assert {name: one["clear"] for name, one in found.items()} == {
        "swap once": True,
        "are the same but for noise": False,
        "swap twice": False,
    }
    assert found["are the same but for noise"]["crossover"]["value"] > 0
    assert found["swap twice"]["crossover"]["low"] > 0
    assert found["swap twice"]["better_below"] > 0.95
    rare = crossing(share=0.03)
    blocks = np.arange(400) // 20
    alone, together = (
        measures.measured(rare, rates=(0.2,), n_resamples=199, blocks=some) for some in (None, blocks)
    )
    assert alone["clear"], "twelve rows of their own"
    assert not together["clear"], "one block that had them all"
    assert min(together["better_below"], together["worse_above"]) > 0.95


def test_intervals_of_rows_in_blocks_are_those_of_a_plain_bootstrap(intervals):
    """Rows of a block lie apart; each resample takes all of them, or none, or several times."""
    rows = of_rows.Rows.of(intervals)
    labels = np.random.default_rng(18).permutation(np.repeat(np.arange(20), 9)[:173])
    assert np.min(np.bincount(labels)) < np.max(np.bincount(labels))
    generator, means = np.random.default_rng(7), []
    for _ in range(50):
        drawn = generator.integers(0, 20, size=20)
        means.append(statistics.fmean(e for label in drawn for e in rows.error[labels == label]))
    found = of_rows.with_intervals(
        {"mean": lambda some: float(np.mean(some.error))}, rows, blocks=labels, n_resamples=50, rng=7
    )["mean"]
    assert math.isclose(found["value"], np.mean(rows.error))
    assert math.isclose(found["low"], np.quantile(means, 0.025))
    assert math.isclose(found["high"], np.quantile(means, 0.975))


def test_the_spread_over_seeds_is_that_of_a_sample():
    """Seeds are a sample: their standard deviation divides by one less than their number."""
    found = measures.spread([1.0, 2.0, 6.0])
    assert found == {"mean": 3.0, "sd": pytest.approx(math.sqrt(7)), "low": 1.0, "high": 6.0}
    assert measures.spread([5.0])["sd"] == 0


def test_the_interval_score_is_the_cost_with_the_right_weight_and_not_the_printed_one(intervals):
    """The erratum, on bands that differ on the two sides."""
    for alpha in (0.1, 0.5):
        found = summary.interval_score(intervals, alpha)
        whole = 2 * found["bandwidth"] + 2 / alpha * found["deficit"]
        assert math.isclose(found["library"], whole, rel_tol=1e-12)
        assert math.isclose(found["right"]["score"], whole, rel_tol=1e-12)
        printed = 2 * found["bandwidth"] + 2 * alpha * found["deficit"]
        assert math.isclose(found["printed"]["score"], printed, rel_tol=1e-12)
        assert found["deficit"] > 0


# -- one data set, and all of them --------------------------------------------------------------

SMALL = study.Settings(
    n_train=6, n_test=30, hidden=2, noise=0.3, gap=(-1.0, 0.5), chains=3, draws=5, grid=5, n_resamples=19
)


@pytest.fixture
def drawn():
    """Weights that differ more from draw to draw than from chain to chain, and the other way round."""
    rng = np.random.default_rng(19)
    return rng.normal(size=(5, 3, 7)) + 0.7 * rng.normal(size=(5, 1, 7)) + 0.4 * rng.normal(size=(1, 3, 7))


@pytest.fixture
def outcome(monkeypatch, drawn):
    """What the study makes of given draws."""
    run = hmc.Draws(positions=drawn, acceptance=0.9, divergences=0, step=0.1, gradients=50)
    monkeypatch.setattr(hmc, "sample", lambda *_, **__: run)
    return study.piece(work.Told("test"), "main", 3, SMALL)


def gains(y, mean, band):
    curve = uc.Intervals.from_bands(y, np.asarray(mean), np.asarray(band)).ucc()
    ratio = {
        rate: curve.at(miss_rate=rate).bandwidth / curve.reference.at(miss_rate=rate).bandwidth
        for rate in (0.2, 0.7, 0.5)
    }
    return {
        "gain": curve.gain(),
        "strip_gain": curve.gain(partial="strip", miss_rate=(0, 0.5)),
        "mean_gain": curve.gain(partial="mean", miss_rate=(0, 0.5)),
        "deficit_gain": curve.gain(y="deficit"),
        **{str(rate): value for rate, value in ratio.items()},
    }


def predicted(positions, x):
    """Mean and spread of the function over given draws, one input at a time."""
    network = Network(hidden=2, prior=2.0, noise=0.3)
    values = [network.predictions(positions, np.array([one]))[:, 0].tolist() for one in x]
    return [statistics.fmean(one) for one in values], [statistics.pstdev(one) for one in values]


def test_the_band_is_the_spread_of_all_draws_and_the_noise(outcome, drawn):
    """Of all chains and all draws, and what an observation adds."""
    mean, spread = predicted(drawn.reshape(15, 7), outcome.data.x)
    np.testing.assert_allclose(outcome.mean, mean)
    np.testing.assert_allclose(outcome.epistemic, spread)
    np.testing.assert_allclose(outcome.intervals.y_pred, mean)
    np.testing.assert_allclose(outcome.intervals.y_true, outcome.data.y_true)
    for band in (outcome.intervals.lower_band, outcome.intervals.upper_band):
        np.testing.assert_allclose(band, [math.hypot(one, 0.3) for one in spread])


def test_each_chain_is_measured_on_its_own_and_the_error_is_that_of_their_mean(outcome, drawn):
    """A sign within two of these errors could be another one with longer chains."""
    y, x = outcome.data.y_true, outcome.data.x
    by_hand = []
    for chain in range(3):
        mean, spread = predicted(drawn[:, chain], x)
        by_hand.append(gains(y, mean, [math.hypot(one, 0.3) for one in spread]))
    found = outcome.record["monte_carlo"]
    assert found.keys() == by_hand[0].keys()
    for name, one in found.items():
        values = [chain[name] for chain in by_hand]
        np.testing.assert_allclose(one["chains"], values)
        assert one["se"] == pytest.approx(statistics.stdev(values) / math.sqrt(3))
        assert one["se"] > 0


def test_errors_and_bands_are_taken_apart_by_where_they_are(outcome):
    """Inside the gap and outside, root mean squares of the right rows."""
    rows = list(
        zip(
            outcome.data.x,
            outcome.data.y_true - outcome.mean,
            np.asarray(outcome.intervals.upper_band),
            strict=True,
        )
    )
    for name, part in (
        ("inside", [row for row in rows if -1 < row[0] < 0.5]),
        ("outside", [row for row in rows if not -1 < row[0] < 0.5]),
    ):
        assert part
        for what, place in (("error", 1), ("band", 2)):
            by_hand = math.sqrt(statistics.fmean(row[place] ** 2 for row in part))
            assert outcome.record["where"][f"{what}_{name}"] == pytest.approx(by_hand)


def test_the_true_scale_is_what_the_prediction_is_off_by_and_the_noise(outcome):
    """The other bands are around the same predictions."""
    found = study.variants(outcome)
    off = np.cos(2 * outcome.data.x) - outcome.mean
    np.testing.assert_allclose(found["true error scale"].upper_band, np.hypot(off, 0.3))
    np.testing.assert_allclose(found["network without noise"].upper_band, outcome.epistemic)
    for one in found.values():
        np.testing.assert_allclose(one.y_pred, outcome.mean)


def test_errors_in_units_of_the_truth_are_taken_apart_as_well(outcome):
    """They say why the true scale gains what it gains."""
    scale = np.hypot(np.cos(2 * outcome.data.x) - outcome.mean, 0.3)
    unit = np.abs(outcome.data.y_true - outcome.mean) / scale
    inside = [u for u, x in zip(unit, outcome.data.x, strict=True) if -1 < x < 0.5]
    outside = [u for u, x in zip(unit, outcome.data.x, strict=True) if not -1 < x < 0.5]
    found = summary.in_units_of_the_truth(outcome, SMALL.gap)
    assert found == {
        "inside": pytest.approx(statistics.fmean(inside)),
        "outside": pytest.approx(statistics.fmean(outside)),
    }


def record(seed, **given):
    """One data set as it would be with a cross-over, but for what is given."""
    one = {
        "gain": 0.1,
        "strip": 0.5,
        "mean": 0.2,
        "low": 0.8,
        "high": 1.5,
        "clear": True,
        "at": 0.25,
        "error": 1.0,
    }
    one |= given

    def number(value):
        return {"value": value, "low": value - 0.1, "high": value + 0.1}

    return {
        "seed": seed,
        "measures": {
            "gain": number(one["gain"]),
            "strip_gain": number(one["strip"]),
            "mean_gain": number(one["mean"]),
            "deficit_gain": number(0.3),
            "ratios": {"0.2": number(one["low"]), "0.7": number(one["high"])},
            "crossover": number(one["at"]),
            "clear": one["clear"],
        },
        "monte_carlo": {
            name: {"se": 0.02} for name in ("gain", "strip_gain", "mean_gain", "deficit_gain", "0.2", "0.7")
        },
        "where": {"error_inside": one["error"], "band_inside": 2.0},
    }


def test_what_holds_is_said_of_the_right_seeds():
    """The page counts them, and says which ones."""
    records = [
        record(0),
        record(1, low=1.05, clear=False, at=0.07, gain=-0.03, error=0.3),
        record(2, high=0.95, mean=-0.1, gain=0.2, error=2.0),
        record(3, low=1.2, high=0.8, gain=-0.2, clear=False, error=0.2),
        record(4, low=0.97, high=1.03, gain=0.3, at=0.35, error=3.0),
    ]
    found = summary.holds(records, (0.2, 0.7))
    assert found["narrower"] == [0, 2, 4]
    assert found["wider"] == [0, 1, 4]
    assert found["both"] == [0, 4]
    assert found["not_both"] == [1, 2, 3]
    assert found["clearly"] == [0]
    assert found["negative_gain"] == [1, 3]
    assert found["signs_differ"] == [2]
    assert found["crosses"] == [0, 2, 4]
    assert found["crossover"] == measures.spread([0.25, 0.25, 0.35])
    assert found["unsure"] == {
        "gain": [1],
        "strip_gain": [],
        "mean_gain": [],
        "deficit_gain": [],
        "0.2": [4],
        "0.7": [4],
    }
    assert found["gain_follows_error"] == pytest.approx(1)
    assert summary.holds([record(seed, clear=False) for seed in (0, 1)], (0.2, 0.7))["crossover"] is None


def test_the_rank_correlation_is_that_of_ranks():
    """Spearman's 1 - 6 Σd² / (n (n² - 1)), for orders that are not their own inverses."""
    first, second = [30.0, 10.0, 500.0, 20.0, 40.0], [0.2, 0.5, 0.1, 0.4, 0.3]
    squares = sum(
        (sorted(first).index(a) - sorted(second).index(b)) ** 2 for a, b in zip(first, second, strict=True)
    )
    assert summary.rank_correlation(first, second) == pytest.approx(1 - 6 * squares / (5 * 24))
    assert summary.rank_correlation([3.0, 1.0, 2.0, 9.0], [7.0, 5.0, 6.0, 8.0]) == pytest.approx(1)


def test_the_ceilings_of_gaussian_errors_are_the_known_ones():
    """15.3 % for the gain; 1 - 2/π for the gain on the deficit."""
    found = summary.gaussian_ceilings()
    assert found["ceiling"] == pytest.approx(0.153, abs=5e-4)
    assert found["deficit_ceiling"] == pytest.approx(1 - 2 / math.pi)


# -- the pictures -------------------------------------------------------------------------------


def test_the_letters_lie_on_the_right_curves(outcome):
    """A and B on the network's curve, C and D on the constant band's; each on its free side."""
    left, middle, right = figure.three_panels(outcome, SMALL).axes
    curve = outcome.intervals.ucc()
    letters = {text.get_text(): text for text in middle.texts if len(text.get_text()) == 1}
    assert sorted(letters) == ["A", "B", "C", "D"]
    for rate, pair in ((0.2, "AC"), (0.7, "BD")):
        bandwidth = {
            pair[0]: curve.at(miss_rate=rate).bandwidth,
            pair[1]: curve.reference.at(miss_rate=rate).bandwidth,
        }
        for letter, color in zip(pair, (figure.NETWORK, figure.CONSTANT), strict=True):
            assert letters[letter].xy == pytest.approx((bandwidth[letter], rate))
            assert letters[letter].get_color() == color
        first, second = sorted(bandwidth, key=bandwidth.get)
        assert (letters[first].get_ha(), letters[second].get_ha()) == ("right", "left")
        assert letters[first].xyann[0] < 0 < letters[second].xyann[0]
    for ax, names in ((left, "AB"), (right, "CD")):
        assert [text.get_text() for text in ax.get_legend().get_texts()] == [
            f"{names[0]}: miss rate 0.2",
            f"{names[1]}: miss rate 0.7",
        ]


@pytest.mark.parametrize("clear", [True, False])
def test_only_a_clear_cross_over_is_marked(outcome, clear):
    """A dot is a claim."""
    outcome.record["measures"] |= {"clear": clear, "crossover": {"value": 0.25}}
    parts = {part: [outcome] for part in ("main", "control", "more")}
    ax = figure.ratios(parts, {"main": "main", "control": "control"}, SMALL).axes[0]
    dots = [line.get_xydata().tolist() for line in ax.get_lines() if line.get_marker() == "o"]
    assert dots == [[[0.25, 1]]] * clear + [[]]
    texts = [text.get_text() for text in figure.three_panels(outcome, SMALL).axes[1].texts]
    assert any("cross-over" in text for text in texts) is clear


# -- the run and its page -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """A light run, from the command line."""
    output = tmp_path_factory.mktemp("made") / "cases"
    program.main(["--light", "--output", str(output), "--workers", "2"])
    return output


def results_of(output):
    return json.loads((output / "bnn-gap/results.json").read_text())


def test_a_light_run_writes_every_file(light):
    """From the command line to the page, with everything on it that the template asks for."""
    written = sorted(path.relative_to(light).as_posix() for path in light.rglob("*") if path.is_file())
    assert written == [
        "bnn-gap.md",
        "bnn-gap/bands.png",
        "bnn-gap/ratios.png",
        "bnn-gap/report.html",
        "bnn-gap/results.json",
    ]
    page = (light / "bnn-gap.md").read_text()
    assert not any(braces in page for braces in ("{{", "}}", "{%", "%}", "None", "nan"))
    assert "A light run" in page
    assert page == pages.rendered(program.TEMPLATE, results_of(light))


def test_the_words_on_the_page_follow_the_numbers(light):
    """Another run may come out otherwise, and no one would read the page again."""
    found = results_of(light)

    def page(change):
        changed = copy.deepcopy(found)
        change(changed)
        return " ".join(pages.rendered(program.TEMPLATE, changed).split())

    def first(**given):
        return lambda r: r["main"]["seeds"][0]["measures"].update(given)

    at = {"value": 0.25, "low": 0.2, "high": 0.3}
    assert "The curves cross at a miss rate of 0.25" in page(first(clear=True, crossover=at))
    assert "There is no clear cross-over." in page(first(clear=False, crossover=at))
    none = page(first(clear=False, crossover=dict.fromkeys(at, 0)))
    assert "The network does not save on balance from miss rate 0 on." in none
    assert "The curves cross" not in none

    def correlated(value):
        return lambda r: r["all"]["holds"].update(gain_follows_error=value)

    assert "the larger the error, the larger the gain" in page(correlated(0.9))
    assert "the larger the error, the smaller the gain" in page(correlated(-0.9))
    assert "Hardly: their rank correlation is −0.30" in page(correlated(-0.3))

    def narrower(seeds):
        return lambda r: (
            r["control"]["holds"].update(narrower=seeds),
            r["control"]["where"].update(error_inside={"mean": 0.1}, band_inside={"mean": 0.4}),
        )

    assert "buys nothing" in page(narrower([]))
    assert "buys nothing" not in page(narrower([1]))

    def ends(value):
        change = {"value": value}
        gain = {
            "strip_gain": {"value": 0.5, "low": 0, "high": 1},
            "mean_gain": {"value": 0.1, "low": 0, "high": 1},
        }
        return lambda r: (
            first(**gain)(r),
            r["main"]["seeds"][0]["measures"]["ratios"].update({"0.5": change}),
        )

    assert "That is where the network pays: at 0.5 it needs 1.30 times" in page(ends(1.3))
    assert "where the network pays" not in page(ends(0.9))

    def unsure(**given):
        return lambda r: r["all"]["holds"].update(
            unsure={name: [] for name in r["all"]["holds"]["unsure"]} | given
        )

    assert "of all 4: nothing;" in page(unsure())
    assert "of all 4: the sign of the gain (seeds 0, 3);" in page(unsure(gain=[0, 3]))
    largest = page(lambda r: r["more"]["diagnostics"]["r_hat"].update(high=7.0))
    assert "the largest R̂ is 7.000" in largest


def test_an_output_that_is_a_file_is_refused_before_any_work(tmp_path, monkeypatch, capsys):
    """Minutes of sampling, and then nowhere to write."""
    monkeypatch.setattr(program, "in_processes", lambda *_: pytest.fail("work was done"))
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(SystemExit) as ended:
        program.main(["--light", "--output", str(taken)])
    assert ended.value.code == 1
    assert "taken" in capsys.readouterr().err
    assert taken.read_text() == "mine"


# -- work in processes --------------------------------------------------------------------------

PIECES = """
import os, signal, sys, time
from pathlib import Path

sys.path.append({root!r})
from casestudies.shared.program import ended
from casestudies.shared.work import in_processes

def sleep(told, folder):
    told(0.5)
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)

def fail(told, folder, others):
    while sum(path.name.isdigit() for path in Path(folder).iterdir()) < others:
        time.sleep(0.05)
    raise ValueError("no such luck")

def double(told, number):
    return 2 * number

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off
    pieces = {{f"piece {{i}}": (sleep, (sys.argv[1],)) for i in range(5)}}
    ended(lambda: in_processes(pieces, 2))
"""


@pytest.fixture
def pieces(tmp_path, monkeypatch):
    """A module that workers can import, and run as a program."""
    name = "pieces_of_work"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(PIECES).format(root=str(ROOT)))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(name)
    del sys.modules[name]


def alive(pid):
    """Whether a process runs; one that ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(test):
    """Wait for something, with all the patience that a loaded machine may ask for."""
    for _ in range(1200):
        if test():
            return True
        time.sleep(0.05)
    return False


def workers_in(folder):
    return [int(path.name) for path in folder.iterdir() if path.name.isdigit()]


def end(processes):
    """Leave nothing behind, should the test have failed."""
    for pid in filter(alive, processes):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("workers", [0, 2])
def test_answers_come_back_by_name_in_the_order_of_the_pieces(pieces, workers):
    """Whoever is first."""
    found = work.in_processes({str(i): (pieces.double, (i,)) for i in (3, 1, 2)}, workers)
    assert list(found.items()) == [("3", 6), ("1", 2), ("2", 4)]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_piece_that_fails_ends_the_others_and_is_named(pieces, tmp_path):
    """Half of the seeds are no result, and no process may go on for nothing."""
    asked = {"sleeper": (pieces.sleep, (tmp_path,)), "the bad one": (pieces.fail, (tmp_path, 1))}
    try:
        with pytest.raises(RuntimeError, match="the bad one failed: ValueError: no such luck"):
            work.in_processes(asked, 2)
        assert len(workers_in(tmp_path)) == 1
        assert eventually(lambda: not multiprocessing.active_children())
        assert not any(map(alive, workers_in(tmp_path)))
    finally:
        end(workers_in(tmp_path))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)], ids=str
)
def test_a_program_that_is_ended_takes_its_workers_along(pieces, tmp_path, sent, code):
    """Workers that sleep for ten minutes: whatever ends here was ended."""
    running = subprocess.Popen(
        [sys.executable, pieces.__file__, str(tmp_path)],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually(lambda: len(workers_in(tmp_path)) == 2)
        if sent == signal.SIGINT:
            os.killpg(running.pid, sent)  # as a terminal does
        else:
            running.send_signal(sent)
        assert running.wait(timeout=60) == code
        assert eventually(lambda: not any(map(alive, workers_in(tmp_path))))
        assert len(workers_in(tmp_path)) == 2
    finally:
        end([running.pid, *workers_in(tmp_path)])
        running.wait(timeout=60)
