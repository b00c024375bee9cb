"""Check by simulation that tests hold their size and intervals their coverage; write the table."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import laws
import numpy as np
import regimes

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable

SPREAD = 0.4
FEWEST_RUNS = 20
"""Runs below which a share says nothing."""


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
    def met(self) -> bool:
        """Whether it does."""
        return self.low <= self.share <= self.high


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
    """Share of runs in which the permutation test rejects at 5 %."""
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


def coverage(question: str, runs: int, n: int, seed: int, **options: Any) -> float:
    """Share of runs in which the 95 % interval covers the true value."""
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


def simulate_regimes(runs: int) -> list[Outcome]:
    """Count false alarms of regimes between exchangeable models, and how often an order is found."""
    settings = [
        (f"{errors}, {n:,} rows" + (f", {n_blocks} blocks" if n_blocks else ""), errors, n, n_blocks, 2)
        for n, n_blocks in ((300, None), (1000, None), (1000, 4), (1000, 7), (1000, 20))
        for errors in regimes.ERRORS
    ]
    settings.append(("Gaussian, 300 rows, 4 models", "Gaussian", 300, None, 4))
    orders: list[tuple[str, regimes.Make, str, float]] = [
        ("noise against the constant band, t1.5, at 5 %", regimes.noisy_and_constant, "constant", 0.05),
        ("noise against the truth, Gaussian, at 10 %", regimes.noisy_and_true, "true", 0.1),
        ("truth against the constant band, Gaussian, at 5 %", regimes.crossing, "true", 0.05),
    ]
    high = 0.05 + 2 * float(np.sqrt(0.05 * 0.95 / runs))
    with ProcessPoolExecutor() as pool:
        alarms = [
            pool.submit(
                regimes.found,
                regimes.Exchangeable(errors, n_models, n_blocks),
                runs,
                n,
                5,
                regimes.significant,
            )
            for _, errors, n, n_blocks, n_models in settings
        ]
        power = [
            (f"{name}, {n:,} rows", pool.submit(regimes.found, make, runs, n, 6, regimes.BestAt(best, rate)))
            for name, make, best, rate in orders
            for n in (300, 1000)
        ]
        found = [
            Outcome(
                what="false alarms of regimes, 5 %",
                setting=names[0],
                share=share.result(),
                low=0.0,
                high=high,
            )
            for names, share in zip(settings, alarms, strict=True)
        ]
        return found + [
            Outcome(what="power of regimes", setting=name, share=share.result(), low=0.5, high=1.0)
            for name, share in power
        ]


def simulate_laws(runs: int) -> list[Outcome]:
    """Count how often default intervals and ratio bands cover, under five laws of noise.

    Intervals that the library marks as doubtful are counted on their own, without a claim.
    """
    sizes = {
        number: (300, 1000, 10_000) if "deficit" in number else (100, 300, 1000) for number in laws.NUMBERS
    }
    settings = [(number, n, law) for number, several in sizes.items() for n in several for law in laws.LAWS]
    bands = [
        (kind, n, law) for kind in ("simultaneous", "pointwise") for n in (300, 1000) for law in laws.LAWS
    ]
    found = []
    with ProcessPoolExecutor() as pool:
        intervals = [
            pool.submit(laws.interval_coverage, law, number, n, runs, 7) for number, n, law in settings
        ]
        ratios = [pool.submit(laws.ratio_coverage, law, kind, n, runs, 8) for kind, n, law in bands]
        for (number, n, law), counted in zip(settings, intervals, strict=True):
            counts = counted.result()
            what = f"95 % interval of the {number}, by default"
            if counts.reliable >= FEWEST_RUNS:
                share, room = counts.covered / counts.reliable, 2 * np.sqrt(0.05 * 0.95 / counts.reliable)
                setting = f"{law}, {n:,} rows, {counts.reliable} unmarked"
                found.append(
                    Outcome(
                        what=what, setting=setting, share=share, low=0.93 - room, high=min(1, 0.97 + room)
                    )
                )
            if counts.doubtful >= FEWEST_RUNS:
                share, setting = (
                    counts.doubtful_covered / counts.doubtful,
                    f"{law}, {n:,} rows, {counts.doubtful} marked",
                )
                found.append(Outcome(what=what, setting=setting, share=share, low=0.0, high=1.0))
        for (kind, n, law), covered in zip(bands, ratios, strict=True):
            room = 2 * float(np.sqrt(0.05 * 0.95 / runs))
            what = f"{kind} ratio band, 95 %"
            found.append(
                Outcome(
                    what=what, setting=f"{law}, {n:,} rows", share=covered.result(), low=0.93 - room, high=1.0
                )
            )
    return found


def simulate(runs: int) -> list[Outcome]:
    """Run everything."""
    found = [
        Outcome(
            what="size of the permutation test, 5 %",
            setting=f"{name}, 200 rows",
            share=rejections(same_models, runs, 200, 1, **axes),
            low=0.036,
            high=0.064,
        )
        for name, axes in (("bandwidth–miss rate", {}), ("excess–deficit", {"x": "excess", "y": "deficit"}))
    ]
    for name, blocks, low, high in (("rows", None, 0.08, 1.0), ("blocks of 48", 48, 0.036, 0.07)):
        found.append(
            Outcome(
                what="size with dependent rows, AR(1) 0.8",
                setting=f"exchanging {name}, 1 920 rows" + (" (must fail)" if blocks is None else ""),
                share=rejections(dependent_models, runs, 1920, 2, blocks=blocks),
                low=low,
                high=high,
            )
        )
    ways: list[tuple[str, dict[str, Any]]] = [
        ("delta", {"method": "delta"}),
        ("bootstrap", {"method": "percentile", "n_resamples": 499}),
        ("bootstrap, BCa", {"method": "bca", "n_resamples": 499}),
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
            what, setting = f"95 % interval of the {question}", f"{name}, {n:,} rows"
            found.append(Outcome(what=what, setting=setting, share=share.result(), low=0.93, high=0.97))
    found.append(
        Outcome(
            what="simultaneous band, 95 %",
            setting="whole curve, 200 rows",
            share=band_coverage(runs, 200, 4),
            low=0.94,
            high=1.0,
        )
    )
    return found + simulate_laws(law_runs(runs)) + simulate_regimes(regime_runs(runs))


def law_runs(runs: int) -> int:
    """Return how many runs each law of noise gets."""
    return max(2, runs // 10)


def regime_runs(runs: int) -> int:
    """Return how many runs regimes get, which take longer."""
    return max(2, 3 * runs // 10)


def page(runs: int, found: list[Outcome]) -> str:
    """Lay the outcomes out for the documentation."""
    lines = [
        "# Simulations",
        "",
        f"Written by `make simulate`: {runs:,} runs each. Noise is Gaussian with a log-normal scale σ (s = {SPREAD}); the",
        "intervals are for the band √σ (the miss rate for σ), whose true gains are known in closed form.",
        "",
        "Gains on the deficit rest on squared errors, whose tails are heavy here: their intervals cover too seldom with",
        "1 000 rows. The 10 000-row lines were added after that was seen, and after 4 000 rows had still left one of five",
        "lines short (BCa on excess–deficit, 92.8 %). Expect the same of your own data before you trust such an interval.",
        "",
        f"Default intervals and ratio bands are simulated {law_runs(runs):,} times each under five laws of noise, with s = {laws.SPREAD}. What is",
        "wanted allows two standard errors of the simulation. Intervals that the library marks as doubtful (`reliable` is False) are",
        "listed apart: nothing is claimed of them. The thresholds of `reliable` were chosen after looking at other runs of the same laws",
        "(other seeds); a first choice, 10 effective units, had let the short intervals of deficit gains pass. Under these laws every",
        "deficit gain of up to 10 000 rows is marked, so that no line here tests an unmarked one.",
        "",
        f"Regimes are simulated {regime_runs(runs):,} times each. An alarm is any range that is called significant between exchangeable",
        "models; in blocks, scale and noise are partly shared. With 4 blocks no p-value is below 0.125, so there is none. Power",
        "is the share of runs with the right model at the miss rate named.",
        "",
        "| what | setting | share | wanted | met |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {o.what} | {o.setting} | {100 * o.share:.1f} % | {100 * o.low:.1f}–{100 * o.high:.1f} % | {'yes' if o.met else 'NO'} |"
        for o in found
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Simulate, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("build/simulations"))
    options = parser.parse_args(arguments)
    found = simulate(options.runs)
    text = page(options.runs, found)
    print(text)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "simulations.json").write_text(
        json.dumps([{**asdict(o), "met": o.met} for o in found], indent=1)
    )
    (options.output / "simulations.md").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
