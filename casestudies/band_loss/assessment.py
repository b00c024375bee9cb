"""What is measured of bands: their gains, how they follow the truth, and what they cover once calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np

import uccurve as uc
from casestudies.shared.measures import estimated, half_widths

NOMINAL = 0.1
"""The miss rate that conformal scaling aims at."""
FIFTHS = 5


def assessed(
    calibrate: uc.Intervals,
    test: uc.Intervals,
    *,
    sigma: np.ndarray | None = None,
    blocks: np.ndarray | None = None,
    n_resamples: int,
) -> dict[str, Any]:
    """Return both gains with 95% intervals, and the intervals for 90% coverage after conformal scaling.

    Parameters
    ----------
    calibrate, test : Intervals
        Rows to scale by, and rows to judge on.
    sigma : array, optional
        The true error scale of the test rows. Where it is not known, fifths are those of the width.
    blocks : array, optional
        Labels of rows that depend on each other.
    n_resamples : int
        Number of bootstrap samples.
    """
    width = half_widths(test)
    scaled = uc.ConformalScaler(miss_rate=NOMINAL).fit(calibrate).transform(test)
    captured = (np.asarray(scaled.lower) <= np.asarray(test.y_true)) & (
        np.asarray(test.y_true) <= np.asarray(scaled.upper)
    )
    order = np.argsort(width if sigma is None else sigma, kind="stable")
    fifths = [float(captured[part].mean()) for part in np.array_split(order, FIFTHS)]
    method = "auto" if blocks is None else "percentile"
    resampling: dict[str, Any] = {"blocks": blocks, "method": method, "n_resamples": n_resamples, "rng": 0}
    point = scaled.ucc().original
    score = uc.interval_score(scaled.y_true, scaled.lower, scaled.upper, miss_rate=NOMINAL)
    return {
        "gain": estimated(test, "gain", **resampling),
        "deficit_gain": estimated(test, "gain", y="deficit", **resampling),
        "correlation": None if sigma is None else _correlation(width, sigma),
        "coverage": point.coverage,
        "bandwidth": point.bandwidth,
        "interval_score": float(score),
        "first_fifth": fifths[0],
        "last_fifth": fifths[-1],
    }


def _correlation(width: np.ndarray, sigma: np.ndarray) -> float:
    """Return the correlation with the true scale; 0 for bands that do not differ."""
    return float(np.corrcoef(width, sigma)[0, 1]) if np.ptp(width) > 0 else 0.0
