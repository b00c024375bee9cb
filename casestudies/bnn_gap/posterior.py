"""The posterior of a small network: its density, a Hamiltonian Monte Carlo sampler, and whether chains mixed.

References
----------
R. M. Neal, "MCMC using Hamiltonian dynamics", in *Handbook of Markov Chain Monte Carlo* (2011).
M. D. Hoffman, A. Gelman, "The No-U-Turn Sampler", Journal of Machine Learning Research 15 (2014):
section 3.2 for the step size.
A. Gelman et al., *Bayesian Data Analysis*, 3rd edition (2013), section 11.4: split R-hat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Density = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    """From positions (chains, d) to the log density (chains,) and its gradient (chains, d)."""

DIVERGENT = 1000.0
"""A trajectory whose energy grows by more than this has left the true one."""
MOST_STEPS = 400
"""The most leapfrog steps of one trajectory, however small the step size."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Network:
    r"""A network with one input, tanh units and one output, for several sets of weights at once.

    .. math:: f(x) = \frac{1}{\sqrt H} \sum_j v_j \tanh(w_j x + b_j) + c

    All :math:`3H + 1` weights are independent :math:`N(0, s^2)` in the prior, and observations are
    :math:`N(f(x), \sigma^2)` with known :math:`\sigma`. A *position* holds the weights in units of s,
    in the order w, b, v, c: its prior is standard normal. Positions have shape (chains, 3H + 1).
    """

    hidden: int
    """Number of tanh units, H."""
    prior: float
    """Standard deviation s of every weight."""
    noise: float
    """Standard deviation of the observations around the function, in units of y."""

    @property
    def size(self) -> int:
        """Number of weights."""
        return 3 * self.hidden + 1

    def predict(self, positions: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the function at inputs of shape (n,), one row for each position: (chains, n)."""
        return self._evaluate(positions, x)[0]

    def log_density(
        self, positions: np.ndarray, x: np.ndarray, y: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the log posterior, up to a constant, and its gradient: (chains,) and (chains, 3H + 1)."""
        function, activation, output = self._evaluate(positions, x)
        residual = y - function
        log = -0.5 * np.sum((residual / self.noise) ** 2, axis=1) - 0.5 * np.sum(positions**2, axis=1)
        pull = self.prior / self.noise**2 * residual  # d log likelihood / d f(x), times s
        rows = np.stack([pull * x, pull], axis=1)
        inner = (rows @ (1 - activation**2)) * output[:, None, :]  # tanh' = 1 - tanh²
        outer = (pull[:, None, :] @ activation)[:, 0, :] / np.sqrt(self.hidden)
        bias = np.sum(pull, axis=1, keepdims=True)
        return log, np.concatenate([inner[:, 0], inner[:, 1], outer, bias], axis=1) - positions

    def _evaluate(self, positions: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the function, the units, (chains, n, H), and their weights in the sum, (chains, H)."""
        slope, shift, output = np.split(self.prior * positions[:, :-1], 3, axis=1)
        activation = np.tanh(x[None, :, None] * slope[:, None, :] + shift[:, None, :])
        output = output / np.sqrt(self.hidden)
        function = (activation @ output[:, :, None])[:, :, 0] + self.prior * positions[:, -1:]
        return function, activation, output


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
) -> tuple[np.ndarray, int]:
    """Draw from a density with several chains at once.

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

    Returns
    -------
    tuple of array of shape (draws, chains, d) and int
        The draws after warm-up, and how many trajectories left the true one; these were rejected.
    """
    position = np.array(start, dtype=float)
    log, gradient = density(position)
    kept = np.empty((draws, *position.shape))
    step, error, log_averaged, divergences = first_step, 0.0, 0.0, 0
    for turn in range(warm_up + draws):
        steps = min(MOST_STEPS, max(1, math.ceil(length * rng.uniform(0.5, 1.5) / step)))
        momentum = rng.normal(size=position.shape)
        energy = 0.5 * np.sum(momentum**2, axis=1) - log
        new, new_log, new_gradient = position, log, gradient
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(steps):  # leapfrog: half a kick, drift, half a kick
                momentum = momentum + 0.5 * step * new_gradient
                new = new + step * momentum
                new_log, new_gradient = density(new)
                momentum = momentum + 0.5 * step * new_gradient
            growth = (0.5 * np.sum(momentum**2, axis=1) - new_log) - energy
        growth = np.where(np.isfinite(growth), growth, np.inf)
        probability = np.exp(-np.maximum(growth, 0.0))
        accept = rng.uniform(size=probability.shape) < probability
        position = np.where(accept[:, None], new, position)
        gradient = np.where(accept[:, None], new_gradient, gradient)
        log = np.where(accept, new_log, log)
        if turn < warm_up:  # dual averaging of the logarithm of the step size
            weight, share = 1 / (turn + 11), (turn + 1) ** -0.75
            error += weight * (target - float(np.mean(probability)) - error)
            log_step = math.log(10 * first_step) - math.sqrt(turn + 1) / 0.05 * error
            log_averaged = share * log_step + (1 - share) * log_averaged
            step = math.exp(log_step if turn + 1 < warm_up else log_averaged)
        else:
            kept[turn - warm_up] = position
            divergences += int(np.sum(growth > DIVERGENT))
    return kept, divergences


def split_r_hat(draws: np.ndarray) -> np.ndarray:
    r"""Return :math:`\sqrt{\widehat{var}^+ / W}` of each quantity; near 1 where chains agree.

    Parameters
    ----------
    draws : array of shape (draws, chains, m)
        Values of m quantities. If the number of draws is odd, the first one is left out.
    """
    n = draws.shape[0] // 2
    halves = np.concatenate([draws[-2 * n : -n], draws[-n:]], axis=1)
    within = np.mean(np.var(halves, axis=0, ddof=1), axis=0)
    between = np.var(np.mean(halves, axis=0), axis=0, ddof=1)  # B / n
    ratio: np.ndarray = np.sqrt(((n - 1) / n * within + between) / within)
    return ratio
