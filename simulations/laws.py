"""Coverage of intervals under several laws of noise, by what the library marks as reliable."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
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


FEWEST_RUNS = 20
"""Runs below which a share says nothing."""
SIZES = {
    "gain": (100, 300, 1000, 5000),
    "deficit gain": (300, 1000, 10_000),
    "gain of an upper limit": (300, 1000),
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One line of the table."""

    what: str
    setting: str
    share: float
    """Share of the runs in which the test rejects, or the interval covers."""
    low: float
    high: float
    """The range that the share should lie in."""

    @property
    def claimed(self) -> bool:
        """Whether anything is wanted of the share."""
        return (self.low, self.high) != (0.0, 1.0)

    @property
    def met(self) -> bool:
        """Whether it does."""
        return self.low <= self.share <= self.high


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


def simulate_laws(runs: int) -> list[Outcome]:
    """Count how often default intervals cover, under each law of noise and in all of them."""
    settings = [(number, n) for number in NUMBERS for n in SIZES.get(number, (100, 300, 1000))]
    with ProcessPoolExecutor() as pool:
        intervals = [
            {law: pool.submit(interval_coverage, law, number, n, runs, 7) for law in LAWS}
            for number, n in settings
        ]
        found = []
        for (number, n), by_law in zip(settings, intervals, strict=True):
            counts = {law: counted.result() for law, counted in by_law.items()}
            found += coverages(number, n, counts)
        return found


def coverages(number: str, n: int, by_law: dict[str, Covered]) -> list[Outcome]:
    """Return the lines of each law and of all, without a claim for what the library marks as doubtful."""
    found = []
    for law, counts in {**by_law, "all laws": added(list(by_law.values()))}.items():
        what = f"95% interval of the {number}, by default"
        if counts.reliable >= FEWEST_RUNS:
            share, room = counts.covered / counts.reliable, two_errors(counts.reliable)
            setting = f"{law}, {n:,} rows, {counts.reliable:,} unmarked"
            low, high = 0.93 - room, min(1, 0.97 + room)
            found.append(Outcome(what=what, setting=setting, share=share, low=low, high=high))
        if counts.doubtful >= FEWEST_RUNS:
            share = counts.doubtful_covered / counts.doubtful
            setting = f"{law}, {n:,} rows, {counts.doubtful:,} marked"
            found.append(Outcome(what=what, setting=setting, share=share, low=0.0, high=1.0))
    return found


def added(several: list[Covered]) -> Covered:
    """Return the runs of several laws together."""
    return Covered(
        reliable=sum(counts.reliable for counts in several),
        covered=sum(counts.covered for counts in several),
        doubtful=sum(counts.doubtful for counts in several),
        doubtful_covered=sum(counts.doubtful_covered for counts in several),
    )


def two_errors(runs: int) -> float:
    """Return two standard errors of a share of 95% of runs."""
    return 2 * float(np.sqrt(0.05 * 0.95 / runs))
