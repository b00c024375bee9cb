"""Hamiltonian Monte Carlo, several chains at once.

References
----------
R. M. Neal, "MCMC using Hamiltonian dynamics", in *Handbook of Markov Chain Monte Carlo* (2011).
M. D. Hoffman, A. Gelman, "The No-U-Turn Sampler", Journal of Machine Learning Research 15 (2014):
section 3.2 for the step size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

Density: TypeAlias = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From positions (chains, d) to the log density (chains,) and its gradient (chains, d)."""

DIVERGENT = 1000.0
"""A trajectory whose energy grows by more than this has left the true one."""
MOST_STEPS = 400
"""The most leapfrog steps of one trajectory, however small the step size."""


class State(NamedTuple):
    """The state of the chains."""

    position: np.ndarray
    momentum: np.ndarray
    log_density: np.ndarray
    gradient: np.ndarray

    @property
    def energy(self) -> np.ndarray:
        """Potential and kinetic energy of each chain, for a mass of 1."""
        total: np.ndarray = 0.5 * np.sum(self.momentum**2, axis=1) - self.log_density
        return total


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Draws:
    """The result of a run."""

    positions: np.ndarray
    """The draws after warm-up, shape (draws, chains, d)."""
    acceptance: float
    """Share of the proposals after warm-up that were accepted."""
    divergences: int
    """Trajectories after warm-up that left the true one; all of them were rejected."""
    step: float
    """The step size that warm-up arrived at."""
    gradients: int
    """Evaluations of the density, each for all chains, warm-up included."""


@dataclass(slots=True)
class StepSize:
    """Dual averaging of the logarithm of the step size, toward an acceptance probability."""

    first: float
    target: float
    step: float = field(init=False)
    averaged: float = field(init=False)
    _error: float = 0.0
    _log_averaged: float = 0.0
    _count: int = 0

    def __post_init__(self) -> None:
        self.step = self.averaged = self.first

    def update(self, acceptance: float) -> None:
        """Take in the acceptance probability of one more trajectory."""
        self._count += 1
        weight = 1 / (self._count + 10)
        self._error += weight * (self.target - acceptance - self._error)
        log = math.log(10 * self.first) - math.sqrt(self._count) / 0.05 * self._error
        share = self._count**-0.75
        self._log_averaged = share * log + (1 - share) * self._log_averaged
        self.step, self.averaged = math.exp(log), math.exp(self._log_averaged)


def leapfrog(density: Density, state: State, step: float, steps: int) -> State:
    """Follow the Hamiltonian flow for a number of steps: half a kick, drift, …, drift, half a kick."""
    position, momentum, log, gradient = state
    for _ in range(steps):
        momentum = momentum + 0.5 * step * gradient
        position = position + step * momentum
        log, gradient = density(position)
        momentum = momentum + 0.5 * step * gradient
    return State(position, momentum, log, gradient)


def sample(
    density: Density,
    start: np.ndarray,
    *,
    warm_up: int,
    draws: int,
    length: float,
    rng: np.random.Generator,
    first_step: float = 0.02,
    target: float = 0.8,
) -> Draws:
    """Draw from a density.

    Parameters
    ----------
    density : callable
        The log density and its gradient.
    start : array of shape (chains, d)
        Where the chains start.
    warm_up, draws : int
        Number of trajectories that tune the step size, common to all chains; number of those kept.
    length : float
        Mean length of a trajectory, in the unit of the positions. Lengths vary from half to one and a
        half times that, so that chains cannot get stuck in a period of the density.
    rng : numpy.random.Generator
        Source of randomness.
    first_step, target : float
        First step size, and the mean acceptance probability that the step size is tuned for.
    """
    tuned = StepSize(first=first_step, target=target)
    position = np.array(start, dtype=float)
    log, gradient = density(position)
    kept = np.empty((draws, *position.shape))
    accepted = divergences = gradients = 0
    for turn in range(warm_up + draws):
        step = tuned.step if turn < warm_up else tuned.averaged
        steps = min(MOST_STEPS, max(1, math.ceil(length * rng.uniform(0.5, 1.5) / step)))
        before = State(position, rng.normal(size=position.shape), log, gradient)
        with np.errstate(over="ignore", invalid="ignore"):
            after = leapfrog(density, before, step, steps)
            growth = after.energy - before.energy
        growth = np.where(np.isfinite(growth), growth, np.inf)
        probability = np.exp(-np.maximum(growth, 0.0))
        accept = rng.uniform(size=probability.shape) < probability
        position, gradient = (
            np.where(accept[:, None], new, old)
            for new, old in ((after.position, position), (after.gradient, gradient))
        )
        log = np.where(accept, after.log_density, log)
        gradients += steps
        if turn < warm_up:
            tuned.update(float(np.mean(probability)))
        else:
            kept[turn - warm_up] = position
            accepted += int(np.sum(accept))
            divergences += int(np.sum(growth > DIVERGENT))
    return Draws(
        positions=kept,
        acceptance=accepted / (draws * position.shape[0]),
        divergences=divergences,
        step=tuned.averaged,
        gradients=gradients,
    )
