"""Check by simulation that recommendations are right, cross-overs real, and intervals at a coverage honest.

Observations are noise times a log-normal scale σ. Bands that follow σ are the truth: no others have a better
interval score at any coverage. Bands that follow √σ are narrower at most coverages.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

import laws
import numpy as np
from laws import LAWS, SPREAD, Outcome, two_errors

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Iterator

Criterion = Literal["interval_score", "bandwidth"]

NOISE = ("Gaussian", "t5", "Laplace")
ALL = "all three laws"
WORDS: dict[Criterion, str] = {"interval_score": "interval score", "bandwidth": "half-width"}
MANY = 4_000_000
"""Rows that stand for the population."""
RATES = np.round(np.arange(1, 200) / 200, 4)
"""Miss rates of ratio curves."""
SAME = 0.0005
"""Logarithm of a ratio below which two true numbers are the same."""
BETWEEN_BLOCKS = 0.3
LEVEL = 0.05
ROWS = (300, 1000, 10_000)
SIZES: dict[str, tuple[int | None, dict[str, Any]]] = {
    "rows under scale": (None, {}),
    "rows under shift": (None, {"vary": "shift"}),
    "20 blocks under scale": (20, {}),
}
"""Ways of the permutation test: blocks and options."""
PAIRS = {"σ over √σ": ("σ", "√σ"), "√σ over constant width": ("√σ", "constant width")}
EXCHANGEABLE = {"exchangeable models": None, "exchangeable models, 20 blocks": 20}
"""Pairs that are alike, and their blocks."""


def candidates(law: str, rng: np.random.Generator, n: int) -> dict[str, uc.Intervals]:
    """Bands that follow the scale, and its root."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    y = scale * LAWS[law](rng, n)
    return {"σ": around_zero(y, scale), "√σ": around_zero(y, np.sqrt(scale))}


def exchangeable(
    law: str, rng: np.random.Generator, n: int, n_blocks: int | None = None
) -> tuple[uc.Intervals, uc.Intervals, np.ndarray | None]:
    """Two models with the same noise in their bands; in blocks, part of scale and noise is shared."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    noise = rng.lognormal(sigma=SPREAD, size=(2, n))
    blocks = None
    if n_blocks is not None:
        blocks = np.arange(n) * n_blocks // n
        scale *= rng.lognormal(sigma=BETWEEN_BLOCKS, size=n_blocks)[blocks]
        noise *= rng.lognormal(sigma=BETWEEN_BLOCKS, size=(2, n_blocks))[:, blocks]
    y = scale * LAWS[law](rng, n)
    return around_zero(y, scale * noise[0]), around_zero(y, scale * noise[1]), blocks


def around_zero(y: np.ndarray, band: np.ndarray) -> uc.Intervals:
    """Return intervals around predictions of 0."""
    return uc.Intervals.from_bands(y, np.zeros(y.size), band)


# -- the truth ----------------------------------------------------------------------------------


@cache
def true_numbers(law: str) -> dict[Criterion, dict[str, np.ndarray]]:
    """Return the number of each model in the population, at the miss rates of ratio curves."""
    rng = np.random.default_rng(12)
    scale = rng.lognormal(sigma=SPREAD, size=MANY)
    error = np.abs(scale * LAWS[law](rng, MANY))
    found: dict[Criterion, dict[str, np.ndarray]] = {"interval_score": {}, "bandwidth": {}}
    for name, power in (("σ", 1.0), ("√σ", 0.5), ("constant width", 0.0)):
        band = scale**power
        order = np.argsort(-error / band)
        missed = np.round(RATES * MANY).astype(int)
        factor = (error / band)[order[missed]]
        errors, bands = (np.append(0.0, np.cumsum(column[order]))[missed] for column in (error, band))
        width = factor * band.mean()
        found["bandwidth"][name] = width
        found["interval_score"][name] = width + (errors - factor * bands) / MANY / RATES
    return found


def true_ratio(law: str, criterion: Criterion, a: str, b: str) -> np.ndarray:
    """Return the logarithm of the true ratio at each miss rate."""
    numbers = true_numbers(law)[criterion]
    return np.asarray(np.log(numbers[a] / numbers[b]))


def crosses(log_ratio: np.ndarray, n: int) -> bool:
    """Whether a true ratio passes 1 between the miss rates that n rows know."""
    known = (max(0.01, 20 / n) <= RATES) & (min(0.95, 1 - 30 / n) >= RATES)
    return bool((log_ratio[known] > SAME).any() and (log_ratio[known] < -SAME).any())


def place_of(coverage: float) -> int:
    """Return the place of a coverage among the miss rates."""
    return int(np.argmin(np.abs(RATES - (1 - coverage))))


# -- what is counted ----------------------------------------------------------------------------


def comparisons(law: str, n: int, runs: int, seed: int, criterion: Criterion) -> Counter[str]:
    """Compare the candidates again and again, at 90% coverage.

    Counted are `wrong` recommendations, cross-overs that are not there, and intervals of ratios.
    """
    rng, counts = np.random.default_rng(seed), Counter[str]()
    numbers = {name: true[place_of(0.9)] for name, true in true_numbers(law)[criterion].items()}
    truly_best = min(numbers, key=lambda name: numbers[name])
    for _ in range(runs):
        made = uc.compare(candidates(law, rng, n), coverage=0.9, rank_by=criterion, rng=rng)
        counts["runs"] += 1
        counts["wrong"] += made.recommendation.best not in (None, truly_best)
        ratios = (true_ratio(law, criterion, one.a, one.b) for one in made.crossings)
        counts["crossed"] += not all(crosses(ratio, n) for ratio in ratios)
        for test in made.tests:
            true = numbers[test.a] / numbers[test.b]
            counts += laws.count_interval(test.ratio.low <= true <= test.ratio.high, reliable=True)
    return counts


def bands(runs: int, seed: int, criterion: Criterion, pair: str, n: int, law: str) -> Counter[str]:
    """Draw ratio curves of two candidates, or of exchangeable models.

    Counted are bands that hold the whole true curve, and cross-overs that are not there.
    """
    rng, counts = np.random.default_rng(seed), Counter[str]()
    blocks = None
    for run in range(runs):
        noise = NOISE[run % len(NOISE)] if law == ALL else law
        if pair in EXCHANGEABLE:
            a, b, blocks = exchangeable(noise, rng, n, EXCHANGEABLE[pair])
            true = np.zeros(RATES.size)
        else:
            models = candidates(noise, rng, n)
            models["constant width"] = models["σ"].constant()
            a, b = (models[name] for name in PAIRS[pair])
            true = true_ratio(noise, criterion, *PAIRS[pair])
        made = uc.ratio_curve(a, b, criterion=criterion, blocks=blocks, n_resamples=299, rng=rng)
        known = ~np.isnan(made.ratio)
        inside = (np.log(made.low) <= true) & (true <= np.log(made.high))
        counts["covered"] += bool(inside[known].all())
        counts["crossed"] += made.crossover is not None and not crosses(true, n)
    return counts


def rejected(n: int, runs: int, seed: int, n_blocks: int | None, **options: Any) -> float:
    """Return the share of runs in which interval scores of exchangeable models differ at 5%."""
    rng, found = np.random.default_rng(seed), []
    for run in range(runs):
        a, b, blocks = exchangeable(NOISE[run % len(NOISE)], rng, n, n_blocks)
        test = uc.permutation_test(
            a, b, statistic="score_at", coverage=0.9, blocks=blocks, n_resamples=199, rng=rng, **options
        )
        found.append(test.pvalue <= LEVEL)
    return float(np.mean(found))


# -- the lines of the table ---------------------------------------------------------------------


def comparison_settings(runs: int) -> list[tuple[Criterion, int, int]]:
    """Return what comparisons rank by, their rows, and the runs under each law."""
    parts: dict[Criterion, tuple[int, ...]] = {"interval_score": (7, 7, 50), "bandwidth": (16, 16, 50)}
    return [
        (criterion, n, max(2, runs // part))
        for criterion, of_runs in parts.items()
        for n, part in zip(ROWS, of_runs, strict=True)
    ]


def least(n: int) -> float:
    """Return the share of intervals that should cover, at so many rows."""
    return 0.93 if n >= 1000 else 0.9  # noqa: PLR2004


def simulate_comparisons(runs: int) -> Iterator[Outcome]:
    """Simulate recommendations, and the ratios beside them; what takes longer gets fewer runs."""
    jobs = {
        (criterion, n, law): partial(comparisons, law, n, number, 21, criterion)
        for criterion, n, number in comparison_settings(runs)
        for law in NOISE
    }
    counts = laws.in_parallel(jobs)
    for criterion, word in WORDS.items():
        totals = {n: sum((counts[criterion, n, law] for law in NOISE), Counter[str]()) for n in ROWS}
        rare = {
            "wrong": (f"recommends a worse {word}, 1%", 0.01),
            "crossed": (f"comparisons by {word} with a false cross-over, 5%", LEVEL),
        }
        for counted, (what, most) in rare.items():
            for n, total in totals.items():
                share, high = total[counted] / total["runs"], most + two_errors(total["runs"], most)
                yield Outcome(what=what, setting=f"{ALL}, {n:,} rows", share=share, high=high)
        for n, total in totals.items():
            what = f"95% CI of the ratio of {word}s in `compare`"
            yield from laws.cover_lines(what, f"three pairs, {ALL}, {n:,} rows", total, low=least(n))


def simulate_curves(runs: int) -> list[Outcome]:
    """Simulate bands of ratio curves, and cross-overs."""
    settings = [*itertools.product(PAIRS, (300, 1000), NOISE), ("σ over √σ", 10_000, ALL)]
    settings += itertools.product(EXCHANGEABLE, (300, 1000), (ALL,))
    jobs = {
        (criterion, *one): partial(bands, runs, 22, criterion, *one)
        for criterion in WORDS
        for one in settings
    }
    covered, crossed = [], []
    for (criterion, pair, n, law), counts in laws.in_parallel(jobs).items():
        words, setting, room = WORDS[criterion], f"{pair}, {n:,} rows", two_errors(runs)
        low, high = least(n) - room, min(1.0, 0.97 + room) if n >= 1000 else 1.0  # noqa: PLR2004
        what, share = f"95% simultaneous band of the ratio of {words}s", counts["covered"] / runs
        covered.append(Outcome(what=what, setting=setting, law=law, share=share, low=low, high=high))
        noises = NOISE if law == ALL else (law,)
        if pair in PAIRS and any(crosses(true_ratio(one, criterion, *PAIRS[pair]), n) for one in noises):
            continue
        what, share = f"ratio curves of {words}s with a false cross-over, 5%", counts["crossed"] / runs
        crossed.append(Outcome(what=what, setting=setting, law=law, share=share, high=LEVEL + room))
    return covered + crossed


def simulate_tests(runs: int) -> Iterator[Outcome]:
    """Simulate tests of models that are alike."""
    jobs = {
        f"{way}, {n:,} rows": partial(rejected, n, runs, 24, n_blocks, **options)
        for way, (n_blocks, options) in SIZES.items()
        for n in (100, 300, 1000)
    }
    what = "size of the test of interval scores at 90% coverage, 5%"
    for setting, share in laws.in_parallel(jobs).items():
        yield Outcome(what=what, setting=setting, share=share, low=0.03, high=0.07)
