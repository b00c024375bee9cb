"""How sure the coverage of a segment is."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np


class CoverageIntervals(NamedTuple):
    """Intervals of a segment's coverage, one for each operating point."""

    low: np.ndarray
    high: np.ndarray
    flag: np.ndarray
    """Whether the coverage differs significantly from the one that was chosen for all rows."""


def coverage_intervals(
    coverage: np.ndarray, chosen: np.ndarray, n: float, *, confidence_level: float, n_tests: int
) -> CoverageIntervals:
    """Return Wilson's intervals, and flags that allow for the number of segments (Bonferroni).

    Parameters
    ----------
    coverage : numpy.ndarray
        Share of the segment's weight that is captured at each operating point.
    chosen : numpy.ndarray
        Coverage of all rows there.
    n : float
        Effective number of rows in the segment.
    confidence_level : float
        Probability of covering, of each interval.
    n_tests : int
        How many segments and models are looked at.
    """
    low, high = wilson(coverage, n, confidence_level)
    least, most = wilson(coverage, n, 1 - (1 - confidence_level) / max(n_tests, 1))
    with np.errstate(invalid="ignore"):
        flag = (chosen < least) | (chosen > most)
    return CoverageIntervals(low, high, flag)


def wilson(share: np.ndarray, n: float, confidence_level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return Wilson's interval of a share of n independent rows; NaN stays NaN."""
    z = -NormalDist().inv_cdf((1 - confidence_level) / 2)
    shrunk = n / (n + z * z)
    center = shrunk * share + (1 - shrunk) / 2
    half = shrunk * z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(center - half, 0.0), np.minimum(center + half, 1.0)
