"""Coverage of intervals under several laws of noise, by what the library marks as reliable."""

from __future__ import annotations

import operator
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
    "half-width at 90% coverage": {"statistic": "bandwidth_at", "coverage": COVERAGE},
    "interval score at 90% coverage": {"statistic": "score_at", "coverage": COVERAGE},
    "partial gain": {"statistic": "gain", "miss_rate": RANGE},
    "deficit gain": {"statistic": "gain", "y": "deficit"},
    "gain of an upper limit": {"statistic": "gain"},
}


SIZES = {
    "gain": (100, 300, 1000, 5000),
    "deficit gain": (300, 1000, 10_000),
    "interval score at 90% coverage": (300, 1000, 5000),
    "gain of an upper limit": (300, 1000),
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One share that was simulated; without a range nothing is wanted of it."""

    what: str
    setting: str
    law: str = ""
    """The law of noise, where the table has a column for each."""
    share: float
    """Share of the runs in which the test rejects, or the interval covers."""
    low: float = 0.0
    high: float = 1.0
    """The range that the share should lie in."""

    @property
    def claimed(self) -> bool:
        """Whether anything is wanted of the share."""
        return (self.low, self.high) != (0.0, 1.0)

    @property
    def met(self) -> bool:
        """Whether it does."""
        return self.low <= self.share <= self.high


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
    point, what = curve.at(coverage=COVERAGE), NUMBERS[number]["statistic"]
    return point.bandwidth if what == "bandwidth_at" else float(getattr(curve, what)(coverage=COVERAGE))


def interval_coverage(law: str, number: str, n: int, runs: int, seed: int) -> Counter[str]:
    """Count the runs in which the default interval covers the true number."""
    rng, true, counts = np.random.default_rng(seed), truth(law, number), Counter[str]()
    make = upper_limit if "limit" in number else model
    for _ in range(runs):
        found = uc.confidence_interval(make(law, rng, n), **NUMBERS[number], n_resamples=399, rng=rng)
        counts += count_interval(found.low <= true <= found.high, reliable=found.reliable)
    return counts


def count_interval(covers: bool, *, reliable: bool) -> Counter[str]:
    """Count one interval, those that the library marks as doubtful apart."""
    mark = "unmarked" if reliable else "marked"
    return Counter({mark: 1, f"{mark}, covers": int(covers)})


def simulate_laws(runs: int) -> Iterator[Outcome]:
    """Count how often default intervals cover, under each law of noise and in all of them."""
    settings = [(number, n) for number in NUMBERS for n in SIZES.get(number, (100, 300, 1000))]
    asked = [(law, number, n) for number, n in settings for law in LAWS]
    counted = in_parallel({one: partial(interval_coverage, *one, runs, 7) for one in asked})
    for number, n in settings:
        counts = {law: counted[law, number, n] for law in LAWS}
        counts["all laws"] = sum(counts.values(), Counter())
        for law, count in counts.items():
            what = f"default 95% CI of the {number}"
            yield from cover_lines(what, f"{n:,} rows", count, law=law, fewest=20)


def cover_lines(
    what: str, setting: str, counts: Counter[str], *, low: float = 0.93, law: str = "", fewest: int = 1
) -> Iterator[Outcome]:
    """Yield a line for intervals that are not marked, and one without a claim for those that are.

    What is wanted allows two standard errors of the simulation; a claim below 93% has no upper end.
    """
    for mark in ("unmarked", "marked"):
        number = counts[mark]
        if number >= fewest:
            room = two_errors(number)
            wanted = {"low": low - room, "high": min(1.0, 0.97 + room) if low == 0.93 else 1.0}  # noqa: PLR2004
            whole = law and number == counts["unmarked"] + counts["marked"]
            line = f"{setting}, {mark}" if whole else f"{setting}, {number:,} {mark}"
            share, wanted = counts[f"{mark}, covers"] / number, wanted if mark == "unmarked" else {}
            yield Outcome(what=what, setting=line, law=law, share=share, **wanted)


def two_errors(runs: int, share: float = 0.05) -> float:
    """Return two standard errors of a share of runs, or of all others."""
    return 2 * float(np.sqrt(share * (1 - share) / runs))


def in_parallel(jobs: Mapping[Any, Callable[[], Any]]) -> dict[Any, Any]:
    """Run jobs in processes, and return what each gives."""
    with ProcessPoolExecutor() as pool:
        return dict(zip(jobs, pool.map(operator.call, jobs.values()), strict=True))
