"""Curves of several quantiles, in sorts of as many rows and passes over the quantiles."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from measure import Result, peak_bytes, ratio

import uccurve as uc

LEVELS = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975)


def quantiles(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return observations, and quantiles whose shape differs a little from row to row."""
    rng = np.random.default_rng(0)
    center, spread = rng.normal(size=n), rng.lognormal(size=n)
    shape = np.array([NormalDist().inv_cdf(level) for level in LEVELS])
    table = center[:, None] + spread[:, None] * shape * rng.uniform(0.8, 1.2, size=(n, len(LEVELS)))
    return center + spread * rng.gumbel(size=n), np.sort(table, axis=1)


def results(n: int, repeats: int) -> list[Result]:
    """Time the curve of bandwidth and miss rate under levels, and weigh it."""
    y, table = quantiles(n)
    ready = uc.Intervals.from_quantiles(y, table, LEVELS)
    k = np.asarray(ready.critical(vary="level"))

    def curve() -> object:
        found = uc.UCC(ready, vary="level")
        return found.parameter, found.miss_rate, found.bandwidth

    def three_sorts_and_a_pass() -> object:
        return [np.argsort(k) for _ in range(3)], table.mean(axis=0)

    work = f"β–ρ curve of {len(LEVELS)} quantiles, {n:,} rows"
    return [
        Result(
            work=work,
            against="3 np.argsort of its k and one pass over the quantiles",
            value=ratio(curve, three_sorts_and_a_pass, repeats),
            target=1,
        ),
        Result(
            work=f"{work}: peak extra memory",
            against="arrays of N float64",
            value=peak_bytes(curve) / (8 * n),
            target=8,
        ),
    ]
