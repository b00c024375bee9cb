"""Check by simulation that tests hold their size and intervals their coverage; write the table."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import recommendation
from laws import Outcome, simulate_laws
from simulations_page import SPREAD, law_runs, page

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable


def same_models(rng: np.random.Generator, n: int) -> tuple[uc.Intervals, uc.Intervals]:
    """Two interchangeable models: the same noise in the bands of both."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    y = scale * rng.normal(size=n)
    bands = scale * rng.lognormal(sigma=SPREAD, size=(2, n))
    first, second = (uc.Intervals.from_bands(y, np.zeros(n), band) for band in bands)
    return first, second


def autoregressive(rng: np.random.Generator, n: int, memory: float = 0.8) -> np.ndarray:
    """A stationary AR(1) series with variance 1."""
    noise = rng.normal(size=n) * np.sqrt(1 - memory**2)
    series = np.empty(n)
    series[0] = rng.normal()
    for t in range(1, n):
        series[t] = memory * series[t - 1] + noise[t]
    return series


def dependent_models(rng: np.random.Generator, n: int) -> tuple[uc.Intervals, uc.Intervals]:
    """Two interchangeable models whose bands, and the noise, drift over time."""
    y = np.exp(SPREAD * autoregressive(rng, n)) * rng.normal(size=n)
    first, second = (
        uc.Intervals.from_bands(y, np.zeros(n), np.exp(SPREAD * autoregressive(rng, n))) for _ in range(2)
    )
    return first, second


def rejections(
    make: Callable[[np.random.Generator, int], tuple[uc.Intervals, uc.Intervals]],
    runs: int,
    n: int,
    seed: int,
    **options: Any,
) -> float:
    """Share of runs in which the permutation test rejects at 5%."""
    rng = np.random.default_rng(seed)
    found = [uc.permutation_test(*make(rng, n), n_resamples=199, rng=rng, **options) for _ in range(runs)]
    return float(np.mean([test.pvalue <= 0.05 for test in found]))  # noqa: PLR2004


def truths() -> dict[str, float]:
    """Gains of the bands √σ and σ in the population, for Gaussian noise of log-normal scale σ."""
    s2 = SPREAD**2
    gain = 1 - np.exp(-s2 / 4)
    deficit = 1 - np.exp(-0.75 * s2)
    ceiling = 1 - 2 / np.pi * np.exp(-s2)
    return {
        "gain": float(gain),
        "deficit gain": float(deficit),
        "excess–deficit gain": float(deficit / ceiling),
        "difference of gains": float(gain),
        "miss rate": 2 * NormalDist().cdf(-1.0),
    }


QUESTIONS: dict[str, dict[str, Any]] = {
    "gain": {"statistic": "gain"},
    "deficit gain": {"statistic": "gain", "y": "deficit"},
    "excess–deficit gain": {"statistic": "gain", "x": "excess", "y": "deficit"},
    "difference of gains": {"statistic": "gain"},
    "miss rate": {"statistic": "miss_rate"},
}


SIZES: list[tuple[str, int, dict[str, Any]]] = [
    ("bandwidth–miss rate", 200, {}),
    ("excess–deficit", 200, {"x": "excess", "y": "deficit"}),
    ("bandwidth–miss rate under shift", 20, {"vary": "shift"}),
    (
        "bandwidth at 90% coverage under shift",
        20,
        {"vary": "shift", "statistic": "bandwidth_at", "coverage": 0.9},
    ),
]
"""Tests whose size is looked at: on which axes, with how many rows."""


def coverage(question: str, runs: int, n: int, seed: int, **options: Any) -> float:
    """Share of runs in which the 95% interval covers the true value."""
    rng, truth = np.random.default_rng(seed), truths()[question]
    covered = 0
    for _ in range(runs):
        scale = rng.lognormal(sigma=SPREAD, size=n)
        y = scale * rng.normal(size=n)
        damped, exact = (uc.Intervals.from_bands(y, np.zeros(n), scale**power) for power in (0.5, 1))
        asked = dict(QUESTIONS[question])
        if question == "difference of gains":
            asked["minus"] = exact
        model = exact if question == "miss rate" else damped
        found = uc.confidence_interval(model, **asked, rng=rng, **options)
        covered += found.low <= truth <= found.high
    return covered / runs


def band_coverage(runs: int, n: int, seed: int) -> float:
    """Share of runs in which the simultaneous band covers the whole true curve."""
    rng, normal = np.random.default_rng(seed), NormalDist()
    covered = 0
    for _ in range(runs):
        scale = rng.lognormal(sigma=SPREAD, size=n)
        curve = uc.Intervals.from_bands(scale * rng.normal(size=n), np.zeros(n), scale).ucc()
        band = curve.confidence_band(confidence_level=0.95)
        truth = np.array([2 * normal.cdf(-k) for k in band.parameter])
        inside = np.all((band.low <= truth) & (truth <= band.high))
        before = np.all((band.low[:-1] <= truth[1:]) & (truth[1:] <= band.high[:-1]))  # just before each jump
        covered += bool(inside and before)
    return covered / runs


def simulate_areas(runs: int) -> list[Outcome]:
    """Simulate tests of areas, and intervals by each method."""
    found = [
        Outcome(
            what="size of the permutation test, 5%",
            setting=f"{name}, {n} rows",
            share=rejections(same_models, runs, n, 1, **options),
            low=0.036,
            high=0.064,
        )
        for name, n, options in SIZES
    ]
    for name, blocks, low, high in (("rows", None, 0.08, 1.0), ("blocks of 48", 48, 0.036, 0.07)):
        found.append(
            Outcome(
                what="size with dependent rows, AR(1) 0.8",
                setting=f"exchanging {name}, 1,920 rows" + (" (must fail)" if blocks is None else ""),
                share=rejections(dependent_models, runs, 1920, 2, blocks=blocks),
                low=low,
                high=high,
            )
        )
    ways: list[tuple[str, dict[str, Any]]] = [
        ("delta", {"method": "delta"}),
        ("bootstrap", {"method": "percentile", "n_resamples": 499}),
    ]
    asked = [
        (question, name, n, options)
        for question in QUESTIONS
        for n in ((1000, 10_000) if "deficit" in question else (1000,))
        for name, options in ways
        if not (name == "delta" and question.startswith("excess"))
    ]
    with ProcessPoolExecutor() as pool:
        shares = [pool.submit(coverage, question, runs, n, 3, **options) for question, _, n, options in asked]
        for (question, name, n, _), share in zip(asked, shares, strict=True):
            what, setting = f"95% interval of the {question}", f"{name}, {n:,} rows"
            found.append(Outcome(what=what, setting=setting, share=share.result(), low=0.93, high=0.97))
    found.append(
        Outcome(
            what="simultaneous band, 95%",
            setting="whole curve, 200 rows",
            share=band_coverage(runs, 200, 4),
            low=0.94,
            high=1.0,
        )
    )
    return found


def main(arguments: list[str]) -> None:
    """Simulate everything, print the page, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("build/simulations"))
    options = parser.parse_args(arguments)
    found = [
        *simulate_areas(options.runs),
        *simulate_laws(law_runs(options.runs)),
        *recommendation.simulate_recommendations(options.runs),
    ]
    text = page(options.runs, found)
    print(text)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "simulations.md").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
