"""A network with one hidden layer and a Gaussian prior: its posterior density and its predictions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


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

    def predictions(self, positions: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the function at inputs of shape (n,), one row for each position: (chains, n)."""
        activation, output = self._activation(positions, x)
        return self._function(positions, activation, output)

    def log_density(
        self, positions: np.ndarray, x: np.ndarray, y: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the log posterior, up to a constant, and its gradient: (chains,) and (chains, 3H + 1)."""
        activation, output = self._activation(positions, x)
        residual = y - self._function(positions, activation, output)
        log = -0.5 * np.sum((residual / self.noise) ** 2, axis=1) - 0.5 * np.sum(positions**2, axis=1)
        pull = self.prior / self.noise**2 * residual  # d log likelihood / d f(x), times s
        rows = np.stack([pull * x, pull], axis=1)
        inner = (rows @ (1 - activation**2)) * output[:, None, :]  # tanh' = 1 - tanh²
        outer = (pull[:, None, :] @ activation)[:, 0, :] / np.sqrt(self.hidden)
        bias = np.sum(pull, axis=1, keepdims=True)
        return log, np.concatenate([inner[:, 0], inner[:, 1], outer, bias], axis=1) - positions

    def _activation(self, positions: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the units, (chains, n, H), and their weights in the sum, (chains, H)."""
        slope, shift, output = np.split(self.prior * positions[:, :-1], 3, axis=1)
        activation = np.tanh(x[None, :, None] * slope[:, None, :] + shift[:, None, :])
        return activation, output / np.sqrt(self.hidden)

    def _function(self, positions: np.ndarray, activation: np.ndarray, output: np.ndarray) -> np.ndarray:
        function: np.ndarray = (activation @ output[:, :, None])[:, :, 0] + self.prior * positions[:, -1:]
        return function
