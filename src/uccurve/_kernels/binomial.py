"""Exact limits of a share: the incomplete beta function, its inverse, and Clopper-Pearson intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_TINY = 1e-300
_CLOSE = 1e-13
"""Relative difference at which sums and steps end."""
_SMALLEST_STEP = 1e-18
_MOST_TERMS = 1000
_MOST_STEPS = 200
_LARGE = 1000.0
"""From here on, in both shapes, the density is integrated: the continued fraction would need many terms."""
_DEVIATIONS = 12.0
"""How many standard deviations around the mean hold all of a density."""
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(96)


def share_limits(hits: Any, misses: Any, tail: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return both Clopper-Pearson limits of shares, shape (m,), with the probability ``tail`` beyond each.

    With :math:`x` hits and :math:`n - x` misses the limits are the quantiles
    :math:`B^{-1}(\tau;\ x,\ n - x + 1)` and :math:`B^{-1}(1 - \tau;\ x + 1,\ n - x)` of beta
    distributions. They hold for counts, and extend to effective numbers that are not whole.
    """
    pairs = np.stack(np.broadcast_arrays(hits, misses), axis=1).astype(float)
    distinct, place = np.unique(pairs, axis=0, return_inverse=True)
    hits, misses, place = distinct[:, 0], distinct[:, 1], place.ravel()
    low, high = lower_limit(hits, misses, tail), 1.0 - lower_limit(misses, hits, tail)
    return low[place], high[place]


def lower_limit(hits: np.ndarray, misses: np.ndarray, tail: float) -> np.ndarray:
    """Return the lower Clopper-Pearson limits; 0 without a hit."""
    limit = np.zeros(hits.shape)
    some = hits > 0
    limit[some] = beta_quantile(tail, hits[some], misses[some] + 1)
    return limit


def squared_t_quantile(alpha: Any, df: Any) -> np.ndarray:
    r"""Return the square of Student's t that :math:`|T|` exceeds with probability ``alpha``.

    :math:`P(T^2 > t^2) = I_{\nu / (\nu + t^2)}(\nu / 2,\ 1/2)`.
    """
    df = np.asarray(df, dtype=float)
    share = np.maximum(beta_quantile(alpha, df / 2, 0.5), _TINY)
    return np.asarray(df * (1 - share) / share)


def beta_quantile(p: Any, a: Any, b: Any) -> np.ndarray:
    """Return quantiles of beta distributions, shape (m,): by Newton, halving steps that lead astray."""
    p, a, b = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (p, a, b)))
    log_beta = _log_beta(a, b)
    low, high = np.zeros(p.shape), np.ones(p.shape)
    found = a / (a + b)
    open_ = np.arange(p.size)
    for _ in range(_MOST_STEPS):
        x, shapes, width = found[open_], (a[open_], b[open_]), log_beta[open_]
        gap = beta_cdf(*shapes, x, width) - p[open_]
        low[open_] = np.where(gap < 0, x, low[open_])
        high[open_] = np.where(gap < 0, high[open_], x)
        with np.errstate(all="ignore"):
            step = x - gap / np.exp(_log_density(*shapes, x, width))
            inside = (step > low[open_]) & (step < high[open_])
            there = np.abs(step - x) <= _CLOSE * x + _SMALLEST_STEP
        found[open_] = np.where(inside | there, step, (low[open_] + high[open_]) / 2)
        open_ = open_[~there]
        if not open_.size:
            break
    return np.asarray(found)


def beta_cdf(a: Any, b: Any, x: Any, log_beta: Any = None) -> np.ndarray:
    """Return the regularized incomplete beta function I_x(a, b), for a, b > 0 and 0 <= x <= 1."""
    a, b, x = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, x)))
    log_beta = _log_beta(a, b) if log_beta is None else np.broadcast_to(log_beta, a.shape)
    swapped = x > (a + 1) / (a + b + 2)  # the other tail is the small one
    first, second = np.where(swapped, b, a), np.where(swapped, a, b)
    place = np.where(swapped, 1 - x, x)
    tail = np.zeros(a.shape)
    large = np.minimum(a, b) > _LARGE
    ordinary = ~large & (place > 0)
    tail[ordinary] = _by_fraction(first[ordinary], second[ordinary], place[ordinary], log_beta[ordinary])
    tail[large] = _by_quadrature(first[large], second[large], place[large], log_beta[large])
    return np.where(swapped, 1 - tail, tail)


def _by_fraction(a: np.ndarray, b: np.ndarray, x: np.ndarray, log_beta: np.ndarray) -> np.ndarray:
    """Evaluate the continued fraction of I_x(a, b) by Lentz's method."""
    c, d = np.ones(x.shape), 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            fraction = fraction * c * d
        if bool(np.all(np.abs(c * d - 1) <= _CLOSE)):
            break
    return np.asarray(np.exp(a * np.log(x) + b * np.log1p(-x) - log_beta) * fraction / a)


def _by_quadrature(a: np.ndarray, b: np.ndarray, x: np.ndarray, log_beta: np.ndarray) -> np.ndarray:
    """Integrate the density from x down, as far as there is any of it."""
    mean = a / (a + b)
    deviation = np.sqrt(mean * (1 - mean) / (a + b + 1))
    begin = np.maximum(0.0, np.minimum(mean, x) - _DEVIATIONS * deviation)
    half = (x - begin) / 2
    places = (begin + half * (1 + _NODES[:, None])).T
    density = np.exp(_log_density(a[:, None], b[:, None], places, log_beta[:, None]))
    return np.asarray(half * (density @ _NODE_WEIGHTS))


def _log_density(a: np.ndarray, b: np.ndarray, x: np.ndarray, log_beta: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - log_beta)


def _log_beta(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
    found = [math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q) for p, q in pairs]
    return np.array(found, dtype=float).reshape(a.shape)


def _away_from_zero(values: np.ndarray) -> np.ndarray:
    return np.where(np.abs(values) < _TINY, _TINY, values)
