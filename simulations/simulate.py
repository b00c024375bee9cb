"""Check by simulation that tests hold their size and intervals their coverage; write the table."""

from __future__ import annotations

import argparse
import math
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import jinja2
import laws
import numpy as np
import recommendation
from laws import Outcome

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SPREAD = 0.4
"""Of the logarithm of the scale, where noise is Gaussian."""
TEMPLATE = Path(__file__).with_name("page.md.jinja").read_text(encoding="utf-8")


def same_models(rng: np.random.Generator, n: int) -> tuple[uc.Intervals, uc.Intervals]:
    """Two interchangeable models: the same noise in the bands of both."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    y = scale * rng.normal(size=n)
    bands = scale * rng.lognormal(sigma=SPREAD, size=(2, n))
    first, second = (uc.Intervals.from_bands(y, np.zeros(n), band) for band in bands)
    return first, second


def rejections(runs: int, n: int, seed: int, **options: Any) -> float:
    """Share of runs in which the permutation test rejects at 5%."""
    rng = np.random.default_rng(seed)
    found = [
        uc.permutation_test(*same_models(rng, n), n_resamples=199, rng=rng, **options) for _ in range(runs)
    ]
    return float(np.mean([test.pvalue <= 0.05 for test in found]))  # noqa: PLR2004


# Gains of the bands √σ and σ in the population, for Gaussian noise of log-normal scale σ.
GAIN = 1 - math.exp(-(SPREAD**2) / 4)
DEFICIT_GAIN = 1 - math.exp(-0.75 * SPREAD**2)
CEILING = 1 - 2 / math.pi * math.exp(-(SPREAD**2))
QUESTIONS: dict[str, tuple[dict[str, Any], float]] = {
    "gain": ({"statistic": "gain"}, GAIN),
    "deficit gain": ({"statistic": "gain", "y": "deficit"}, DEFICIT_GAIN),
    "excess–deficit gain": ({"statistic": "gain", "x": "excess", "y": "deficit"}, DEFICIT_GAIN / CEILING),
    "difference of gains": ({"statistic": "gain"}, GAIN),
    "miss rate": ({"statistic": "miss_rate"}, 2 * NormalDist().cdf(-1.0)),
}
"""What intervals are asked for, and its true value."""
AT_90 = {"vary": "shift", "statistic": "bandwidth_at", "coverage": 0.9}
SIZES: list[tuple[str, int, dict[str, Any]]] = [
    ("bandwidth–miss rate", 200, {}),
    ("excess–deficit", 200, {"x": "excess", "y": "deficit"}),
    ("bandwidth–miss rate under shift", 20, {"vary": "shift"}),
    ("bandwidth at 90% coverage under shift", 20, AT_90),
]
"""Tests whose size is looked at: on which axes, with how many rows."""


def coverage(question: str, runs: int, n: int, seed: int, **options: Any) -> float:
    """Share of runs in which the 95% interval covers the true value."""
    rng, covered = np.random.default_rng(seed), 0
    options, truth = QUESTIONS[question][0] | options, QUESTIONS[question][1]
    for _ in range(runs):
        scale = rng.lognormal(sigma=SPREAD, size=n)
        y = scale * rng.normal(size=n)
        damped, exact = (uc.Intervals.from_bands(y, np.zeros(n), scale**power) for power in (0.5, 1))
        minus = exact if question == "difference of gains" else None
        model = exact if question == "miss rate" else damped
        found = uc.confidence_interval(model, **options, minus=minus, rng=rng)
        covered += found.low <= truth <= found.high
    return covered / runs


def band_coverage(runs: int, n: int, seed: int) -> float:
    """Share of runs in which the simultaneous band covers the whole true curve."""
    rng, normal, covered = np.random.default_rng(seed), NormalDist(), 0
    for _ in range(runs):
        scale = rng.lognormal(sigma=SPREAD, size=n)
        curve = uc.Intervals.from_bands(scale * rng.normal(size=n), np.zeros(n), scale).ucc()
        band = curve.confidence_band(confidence_level=0.95)
        truth = np.array([2 * normal.cdf(-k) for k in band.parameter])
        inside = np.all((band.low <= truth) & (truth <= band.high))
        before = np.all((band.low[:-1] <= truth[1:]) & (truth[1:] <= band.high[:-1]))  # just before each jump
        covered += bool(inside and before)
    return covered / runs


def simulate_areas(runs: int) -> Iterator[Outcome]:
    """Simulate tests of areas, and intervals by each method."""
    what = "size of the permutation test, 5%"
    for name, n, options in SIZES:
        rejected, setting = rejections(runs, n, 1, **options), f"{name}, {n} rows"
        yield Outcome(what=what, setting=setting, share=rejected, low=0.036, high=0.064)
    ways: dict[str, dict[str, Any]] = {
        "delta": {"method": "delta"},
        "bootstrap": {"method": "percentile", "n_resamples": 499},
    }
    jobs = {
        (f"95% CI of the {name}", f"{way}, {n:,} rows"): partial(coverage, name, runs, n, 3, **options)
        for name in QUESTIONS
        for n in ((1000, 10_000) if "deficit" in name else (1000,))
        for way, options in ways.items()
        if not (way == "delta" and name.startswith("excess"))
    }
    for (what, setting), share in laws.in_parallel(jobs).items():
        yield Outcome(what=what, setting=setting, share=share, low=0.93, high=0.97)
    what, covered = "95% simultaneous band", band_coverage(runs, 200, 4)
    yield Outcome(what=what, setting="whole curve, 200 rows", share=covered, low=0.94)


def render(runs: int, found: list[Outcome]) -> str:
    """Lay the outcomes out for the documentation."""
    text: str = jinja2.Template(TEMPLATE, trim_blocks=True, keep_trailing_newline=True).render(
        date=datetime.now(UTC).date(),
        version=uc.__version__,
        runs=runs,
        spread=SPREAD,
        claimed=[outcome.met for outcome in found if outcome.claimed],
        misses=list(find_misses(found)),
        laws=laws,
        recommendation=recommendation,
        tables=lay_out(found),
    )
    return text


def find_misses(found: list[Outcome]) -> Iterator[str]:
    """Say in one sentence for each number how many of its lines are not met, and by how much."""
    for what in dict.fromkeys(outcome.what for outcome in found):
        lines = [outcome for outcome in found if outcome.what == what and outcome.claimed]
        below, above = [o for o in lines if o.share < o.low], [o for o in lines if o.share > o.high]
        for missed, word in ((below, "below"), (above, "above")):
            if missed:
                worst = max(missed, key=lambda o: max(o.low - o.share, o.share - o.high))
                where = ", ".join(filter(None, (worst.law, worst.setting)))
                shares = f"{len(missed)} of {len(lines)} shares lie {word} what is wanted"
                yield f"* {what}: {shares}, at worst {worst.share:.1%} ({where})."


def lay_out(found: list[Outcome]) -> dict[tuple[str, ...], list[list[str]]]:
    """Return the lines of each table by the laws of noise that it has columns for."""
    lines: dict[tuple[str, str], dict[str, Outcome]] = {}
    columns: dict[str, dict[str, None]] = {}
    for outcome in found:
        lines.setdefault((outcome.what, outcome.setting), {})[outcome.law] = outcome
        columns.setdefault(outcome.what, {})[outcome.law] = None
    tables: dict[tuple[str, ...], list[list[str]]] = {}
    for (what, setting), line in lines.items():
        shares = [format_share(line[law]) if law in line else "" for law in columns[what]]
        cells = [what, setting, *shares, *format_range(line.values())]
        tables.setdefault(tuple(columns[what]), []).append(cells)
    return tables


def format_share(outcome: Outcome) -> str:
    """Return a cell, in bold type where the share is not what is wanted."""
    return f"{outcome.share:.1%}" if outcome.met else f"**{outcome.share:.1%}**"


def format_range(line: Iterable[Outcome]) -> tuple[str, str]:
    """Say what is wanted of a line, and whether all of it is met."""
    claimed = [outcome for outcome in line if outcome.claimed]
    if not claimed:
        return "–", "–"
    wanted = dict.fromkeys(f"{100 * outcome.low:.1f}–{outcome.high:.1%}" for outcome in claimed)
    return ", ".join(wanted), "yes" if all(outcome.met for outcome in claimed) else "NO"


def main(arguments: list[str]) -> None:
    """Simulate everything, print the page, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--page", type=Path, help="the page to write")
    options = parser.parse_args(arguments)
    found = [
        *simulate_areas(options.runs),
        *laws.simulate_laws(options.runs // 2),
        *recommendation.simulate_comparisons(options.runs),
        *recommendation.simulate_curves(2 * options.runs // 5),
        *recommendation.simulate_tests(options.runs),
    ]
    text = render(options.runs, found)
    print(text)
    if options.page is not None:
        options.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
