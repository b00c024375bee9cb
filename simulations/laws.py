"""Coverage of intervals under several laws of noise, by what the library marks as reliable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable

SPREAD = 0.5
"""Of the logarithm of the scale."""
MANY = 2_000_000
"""Rows that stand for the population where there is no closed form."""
LAWS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "Gaussian": lambda rng, n: rng.normal(size=n),
    "t5": lambda rng, n: rng.standard_t(5, size=n),
    "Laplace": lambda rng, n: rng.laplace(size=n),
    "gamma": lambda rng, n: rng.gamma(2.0, size=n) - 2,
    "uniform": lambda rng, n: rng.uniform(-1, 1, size=n),
    "t3": lambda rng, n: rng.standard_t(3, size=n),
    "log-normal": lambda rng, n: rng.lognormal(size=n) - np.exp(0.5),
    "1% outliers": lambda rng, n: rng.normal(size=n) * np.where(rng.uniform(size=n) < OUTLIERS, 10.0, 1.0),
}
OUTLIERS = 0.01
COVERAGE = 0.9
RANGE = (0.05, 0.3)
NUMBERS: dict[str, dict[str, Any]] = {
    "gain": {"statistic": "gain"},
    "gain at 90% coverage": {"statistic": "gain_at", "coverage": COVERAGE},
    "bandwidth at 90% coverage": {"statistic": "bandwidth_at", "coverage": COVERAGE},
    "partial gain": {"statistic": "gain", "miss_rate": RANGE},
    "deficit gain": {"statistic": "gain", "y": "deficit"},
    "gain of an upper limit": {"statistic": "gain"},
}


@dataclass(frozen=True, kw_only=True)
class Covered:
    """How often intervals cover, those that are marked as doubtful apart."""

    reliable: int
    """Runs with an interval that is not marked."""
    covered: int
    """Of those, runs in which it covers."""
    doubtful: int
    doubtful_covered: int


def model(law: str, rng: np.random.Generator, n: int) -> uc.Intervals:
    """Noise of log-normal scale, and bands that follow half of it, on a logarithmic scale."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    return uc.Intervals.from_bands(scale * LAWS[law](rng, n), np.zeros(n), np.sqrt(scale))


def upper_limit(law: str, rng: np.random.Generator, n: int) -> uc.Intervals:
    """Return the same rows with an upper limit alone."""
    rows = model(law, rng, n)
    return uc.Intervals.from_bounds(rows.y_true, upper=rows.upper, y_pred=rows.y_pred)


@cache
def population(law: str) -> uc.UCC:
    """Return the curve of very many rows."""
    return uc.UCC(model(law, np.random.default_rng(12), MANY))


def truth(law: str, number: str) -> float:
    """Return the number in the population: in closed form where there is one."""
    variance = SPREAD**2
    if number in ("gain", "gain of an upper limit"):  # the positive part of the noise is as independent
        return float(1 - np.exp(-variance / 4))
    if number == "deficit gain":
        return float(1 - np.exp(-0.75 * variance))
    curve = population(law)
    if number == "partial gain":
        return curve.gain(miss_rate=RANGE)
    point = curve.at(coverage=COVERAGE)
    return point.bandwidth if number.startswith("bandwidth") else curve.gain_at(coverage=COVERAGE)


def interval_coverage(law: str, number: str, n: int, runs: int, seed: int) -> Covered:
    """Count the runs in which the default interval covers the true number."""
    rng, true = np.random.default_rng(seed), truth(law, number)
    make = upper_limit if "limit" in number else model
    counts = {True: [0, 0], False: [0, 0]}
    for _ in range(runs):
        found = uc.confidence_interval(make(law, rng, n), **NUMBERS[number], n_resamples=399, rng=rng)
        counts[found.reliable][0] += 1
        counts[found.reliable][1] += found.low <= true <= found.high
    return Covered(
        reliable=counts[True][0],
        covered=counts[True][1],
        doubtful=counts[False][0],
        doubtful_covered=counts[False][1],
    )
