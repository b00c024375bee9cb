"""Whether chains have mixed: split R-hat and the effective number of draws.

References
----------
A. Gelman et al., *Bayesian Data Analysis*, 3rd edition (2013), sections 11.4 and 11.5: split R-hat.
A. Vehtari, A. Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner, "Rank-Normalization, Folding, and
Localization: An Improved R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16 (2021),
:doi:`10.1214/20-BA1221`: the effective number of draws from several chains. Ranks are not used here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class _Variances(NamedTuple):
    halves: np.ndarray
    """Every chain cut in two, shape (n, 2 chains, m)."""
    within: np.ndarray
    """Mean variance inside the halves, shape (m,)."""
    pooled: np.ndarray
    """Estimate of the variance of the target, differences between the halves included, shape (m,)."""


def split_r_hat(draws: np.ndarray) -> np.ndarray:
    r"""Return :math:`\sqrt{\widehat{var}^+ / W}` of each quantity; near 1 where chains agree.

    Parameters
    ----------
    draws : array of shape (draws, chains, m)
        Values of m quantities. If the number of draws is odd, the first one is left out.
    """
    _, within, pooled = _variances(draws)
    ratio: np.ndarray = np.sqrt(pooled / within)
    return ratio


def effective_draws(draws: np.ndarray) -> np.ndarray:
    r"""Return how many independent draws would give the mean of each quantity as exactly; shape (m,).

    Autocorrelations are :math:`\rho_t = 1 - (W - s_t) / \widehat{var}^+` with :math:`s_t` the mean
    autocovariance of the halves. Sums of pairs :math:`\rho_{2t} + \rho_{2t+1}` are added up to the
    first negative one, each at most as large as the one before (Geyer's initial monotone sequence).
    """
    halves, within, pooled = _variances(draws)
    n, chains, _ = halves.shape
    centered = halves - np.mean(halves, axis=0)
    spectrum = np.abs(np.fft.rfft(centered, n=2 * n, axis=0)) ** 2
    covariance = np.fft.irfft(spectrum, n=2 * n, axis=0)[:n] / n
    correlation = 1 - (within - np.mean(covariance, axis=1)) / pooled
    correlation[0] = 1.0
    pairs = correlation[0 : n - n % 2 : 2] + correlation[1 : n + 1 - n % 2 : 2]
    falling = np.minimum.accumulate(np.maximum(pairs, 0.0), axis=0)  # 0 from the first negative pair on
    time = -1 + 2 * np.sum(falling, axis=0)
    effective: np.ndarray = chains * n / np.maximum(time, 1 / np.log10(chains * n))
    return effective


def _variances(draws: np.ndarray) -> _Variances:
    n = draws.shape[0] // 2
    halves = np.concatenate([draws[-2 * n : -n], draws[-n:]], axis=1)
    within = np.mean(np.var(halves, axis=0, ddof=1), axis=0)
    between = np.var(np.mean(halves, axis=0), axis=0, ddof=1)  # B / n
    return _Variances(halves, within, (n - 1) / n * within + between)
