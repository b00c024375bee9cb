"""How often default intervals cover under several laws of noise, as lines of the table."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import laws
import numpy as np
from laws import Covered
from outcomes import Outcome

FEWEST_RUNS = 20
"""Runs below which a share says nothing."""
SIZES = {
    "gain": (100, 300, 1000, 5000),
    "deficit gain": (300, 1000, 10_000),
    "gain of an upper limit": (300, 1000),
}


def simulate_laws(runs: int) -> list[Outcome]:
    """Count how often default intervals cover, under each law of noise and in all of them."""
    settings = [(number, n) for number in laws.NUMBERS for n in SIZES.get(number, (100, 300, 1000))]
    with ProcessPoolExecutor() as pool:
        intervals = [
            {law: pool.submit(laws.interval_coverage, law, number, n, runs, 7) for law in laws.LAWS}
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
