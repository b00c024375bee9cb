"""Exact limits of a share, and quantiles of Student's t."""

from __future__ import annotations

from typing import Any

import numpy as np

_SMALLEST_TAIL = 1e-300


def share_limits(hits: Any, misses: Any, tail: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return both Clopper-Pearson limits of shares, shape (m,), with the probability ``tail`` beyond each.

    With :math:`x` hits and :math:`n - x` misses the limits are the quantiles
    :math:`B^{-1}(\tau;\ x,\ n - x + 1)` and :math:`B^{-1}(1 - \tau;\ x + 1,\ n - x)` of beta
    distributions. They hold for counts, and extend to effective numbers that are not whole.
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - takes a while to load

    hits, misses = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(misses, dtype=float))
    low = np.where(hits > 0, betaincinv(hits, misses + 1, tail), 0.0)
    high = np.where(misses > 0, 1.0 - betaincinv(misses, hits + 1, tail), 1.0)
    return low, high


def t_quantile(tail: float, df: Any) -> np.ndarray:
    """Return what Student's t exceeds with the probability ``tail``."""
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load

    return np.asarray(-stdtrit(df, max(tail, _SMALLEST_TAIL)))
