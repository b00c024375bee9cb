"""Check by simulation that recommendations are right, cross-overs real, and intervals at a coverage honest.

Observations are noise times a log-normal scale σ. Bands that follow σ are the truth: no others have a better
interval score at any coverage. Bands that follow √σ are narrower at most coverages.
"""

from __future__ import annotations

import itertools
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from laws import LAWS, SPREAD, Outcome, two_errors

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

    from uccurve.comparison import Comparison

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
DECIDED = re.compile(r"\buse\b|: clear|\bclearly\b|\bis narrowest\b")
RANGE = re.compile(r"(?:CI|band) (−?[\d.e−+]+)(?: to |–)(−?[\d.e−+]+)%")
PAIRS = {"σ over √σ": ("σ", "√σ"), "√σ over constant width": ("√σ", "constant width")}


class Counts:
    """Whole numbers that add up."""

    @classmethod
    def sum(cls, several: Iterable[Self]) -> Self:
        """Add up the counts of several settings."""
        several = list(several)
        return cls(*(sum(getattr(one, field.name) for one in several) for field in fields(cls)))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Compared(Counts):
    """What comparisons found."""

    runs: int
    wrong: int
    """Recommend a model that is truly worse than another."""
    right: int
    """Recommend the model that is truly best."""
    crossed: int
    """Report a cross-over that is not there."""
    contradicted: int
    """Call something decided beside an interval that holds 0."""
    reliable: int
    covered: int
    """Intervals of ratios that are not marked, and those of them that cover."""
    doubtful: int
    doubtful_covered: int


@dataclass(frozen=True)
class Bands(Counts):
    """What ratio curves found."""

    runs: int
    covered: int
    """The band holds the whole true curve."""
    crossed: int
    """Report a cross-over that is not there."""


@dataclass(frozen=True)
class Covered(Counts):
    """How often intervals cover, those that are marked apart."""

    reliable: int
    covered: int
    doubtful: int
    doubtful_covered: int


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


def comparisons(law: str, n: int, runs: int, seed: int, criterion: Criterion) -> Compared:
    """Compare the candidates again and again, at 90% coverage."""
    rng, found = np.random.default_rng(seed), []
    numbers = {name: true[place_of(0.9)] for name, true in true_numbers(law)[criterion].items()}
    truly_best = min(numbers, key=lambda name: numbers[name])
    for _ in range(runs):
        made = uc.compare(candidates(law, rng, n), coverage=0.9, rank_by=criterion, rng=rng)
        best = made.recommendation.best
        intervals = Covered.sum(
            counted(test.ratio.low <= numbers[test.a] / numbers[test.b] <= test.ratio.high, reliable=True)
            for test in made.tests
        )
        found.append(
            Compared(
                runs=1,
                wrong=best not in (None, truly_best),
                right=best == truly_best,
                crossed=any(
                    not crosses(true_ratio(law, criterion, one.a, one.b), n) for one in made.crossings
                ),
                contradicted=contradicts_itself(made),
                reliable=intervals.reliable,
                covered=intervals.covered,
                doubtful=intervals.doubtful,
                doubtful_covered=intervals.doubtful_covered,
            )
        )
    return Compared.sum(found)


def contradicts_itself(made: Comparison) -> bool:
    """Whether a sentence calls something decided beside an interval that holds 0."""
    sentences = [*made.recommendation.sentences, *made.findings, *made.answers]
    return any(map(contradictory, sentences))


def contradictory(sentence: str) -> bool:
    """Whether a sentence that calls something decided shows an interval that holds 0."""
    if not DECIDED.search(sentence):
        return False
    ends = [[float(end.replace("−", "-")) for end in found] for found in RANGE.findall(sentence)]
    return any(low <= 0 <= high for low, high in ends)


def bands(law: str, n: int, runs: int, seed: int, criterion: Criterion, pair: str) -> Bands:
    """Draw ratio curves of two candidates, or of exchangeable models."""
    rng = np.random.default_rng(seed)
    blocks, found = None, []
    for run in range(runs):
        noise = NOISE[run % len(NOISE)] if law == ALL else law
        if pair.startswith("exchangeable"):
            n_blocks = int(pair.split()[-2]) if "blocks" in pair else None
            a, b, blocks = exchangeable(noise, rng, n, n_blocks)
            true = np.zeros(RATES.size)
        else:
            models = candidates(noise, rng, n)
            models["constant width"] = models["σ"].constant()
            a, b = (models[name] for name in PAIRS[pair])
            true = true_ratio(noise, criterion, *PAIRS[pair])
        made = uc.ratio_curve(a, b, criterion=criterion, blocks=blocks, n_resamples=299, rng=rng)
        known = ~np.isnan(made.ratio)
        inside = (np.log(made.low) <= true) & (true <= np.log(made.high))
        crossed = made.crossover is not None and not crosses(true, n)
        found.append(Bands(runs=1, covered=bool(inside[known].all()), crossed=crossed))
    return Bands.sum(found)


def differences(law: str, n: int, runs: int, seed: int, coverage: float) -> Covered:
    """Ask for the difference of two interval scores at a coverage."""
    rng, found = np.random.default_rng(seed), []
    numbers, place = true_numbers(law)["interval_score"], place_of(coverage)
    true = 2 * (numbers["σ"][place] - numbers["√σ"][place])
    for _ in range(runs):
        models = candidates(law, rng, n)
        made = uc.confidence_interval(models["σ"], "score_at", minus=models["√σ"], coverage=coverage, rng=rng)
        found.append(counted(made.low <= true <= made.high, reliable=made.reliable))
    return Covered.sum(found)


def counted(covers: bool, *, reliable: bool) -> Covered:
    """Count one interval."""
    covers, reliable = bool(covers), bool(reliable)
    return Covered(reliable, reliable and covers, not reliable, not reliable and covers)


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


def simulate_recommendations(runs: int) -> list[Outcome]:
    """Run everything; what takes longer gets fewer runs."""
    with ProcessPoolExecutor() as pool:
        compared = {
            (criterion, n, law): pool.submit(comparisons, law, n, number, 21, criterion)
            for criterion, n, number in comparison_settings(runs)
            for law in NOISE
        }
        curves = {
            (criterion, pair, n, law): pool.submit(bands, law, n, band_runs(runs), 22, criterion, pair)
            for criterion in WORDS
            for pair, n, law in band_settings()
        }
        scores = {
            (coverage, n, law): pool.submit(differences, law, n, runs, 23, coverage)
            for coverage in (0.9, 0.95)
            for n in (300, 1000)
            for law in NOISE
        }
        sizes = {
            f"{way}, {n:,} rows": pool.submit(rejected, n, runs, 24, n_blocks, **options)
            for way, n_blocks, options in size_settings()
            for n in (100, 300, 1000)
        }
        return [
            *_comparison_lines({setting: done.result() for setting, done in compared.items()}),
            *_band_lines({setting: done.result() for setting, done in curves.items()}),
            *_score_lines(scores),
            *(
                Outcome(
                    what="size of the test of interval scores at 90% coverage, 5%",
                    setting=setting,
                    share=share.result(),
                    low=0.03,
                    high=0.07,
                )
                for setting, share in sizes.items()
            ),
        ]


def comparison_settings(runs: int) -> list[tuple[Criterion, int, int]]:
    """Return what comparisons rank by, their rows, and the runs under each law."""
    most, some, few = (max(2, runs // part) for part in (7, 16, 50))
    return [
        ("interval_score", 300, most),
        ("interval_score", 1000, most),
        ("interval_score", 10_000, few),
        ("bandwidth", 300, some),
        ("bandwidth", 1000, some),
        ("bandwidth", 10_000, few),
    ]


def band_runs(runs: int) -> int:
    """Return how many ratio curves are drawn in each setting."""
    return max(2, 2 * runs // 5)


def band_settings() -> list[tuple[str, int, str]]:
    """Return the pairs of ratio curves, their rows, and the law of noise."""
    by_law = [(pair, n, law) for pair, n, law in itertools.product(PAIRS, (300, 1000), NOISE)]
    models = ("exchangeable models", "exchangeable models, 20 blocks")
    together = [(pair, n, ALL) for pair in models for n in (300, 1000)]
    return [*by_law, ("σ over √σ", 10_000, ALL), *together]


def size_settings() -> list[tuple[str, int | None, dict[str, Any]]]:
    """Return the ways of the permutation test: a name, blocks, options."""
    return [
        ("rows under scale", None, {}),
        ("rows under shift", None, {"vary": "shift"}),
        ("20 blocks under scale", 20, {}),
    ]


def _comparison_lines(compared: dict[tuple[Criterion, int, str], Compared]) -> list[Outcome]:
    found = []
    for criterion, word in WORDS.items():
        sizes = list(dict.fromkeys(n for one, n, _ in compared if one == criterion))
        totals = {n: Compared.sum(compared[criterion, n, law] for law in NOISE) for n in sizes}
        found += [
            _at_most(f"recommends a worse {word}, 1%", n, t.wrong, t.runs, 0.01) for n, t in totals.items()
        ]
        found += [
            Outcome(
                what=f"finds the best {word}",
                setting=f"{law}, {n:,} rows",
                share=compared[criterion, n, law].right / compared[criterion, n, law].runs,
                low=0.5 if (criterion, n) == ("interval_score", 1000) else 0.0,
                high=1.0,
            )
            for n in sizes
            for law in NOISE
        ]
        what = f"comparisons by {word} with a false cross-over, 5%"
        found += [_at_most(what, n, t.crossed, t.runs, LEVEL) for n, t in totals.items()]
        for n, total in totals.items():
            what = f"95% interval of the ratio of {word}s in `compare`"
            found += _covered(what, f"three pairs, {ALL}, {n:,} rows", total, n)
    runs = sum(counts.runs for counts in compared.values())
    contradicted = sum(counts.contradicted for counts in compared.values())
    what, setting = "decided beside an interval that holds 0", f"all {runs:,} comparisons"
    return [*found, Outcome(what=what, setting=setting, share=contradicted / runs, low=0.0, high=0.0)]


def _band_lines(curves: dict[tuple[Criterion, str, int, str], Bands]) -> list[Outcome]:
    covered, crossed = [], []
    for (criterion, pair, n, law), counts in curves.items():
        setting, room = f"{pair}, {law}, {n:,} rows", two_errors(counts.runs)
        low, high = (0.93, 0.97 + room) if n >= 1000 else (0.9, 1.0)  # noqa: PLR2004
        covered.append(
            Outcome(
                what=f"simultaneous band of the ratio of {WORDS[criterion]}s, 95%",
                setting=setting,
                share=counts.covered / counts.runs,
                low=low - room,
                high=min(1.0, high),
            )
        )
        laws = NOISE if law == ALL else (law,)
        if pair in PAIRS and any(crosses(true_ratio(one, criterion, *PAIRS[pair]), n) for one in laws):
            continue
        crossed.append(
            Outcome(
                what=f"ratio curves of {WORDS[criterion]}s with a false cross-over, 5%",
                setting=setting,
                share=counts.crossed / counts.runs,
                low=0.0,
                high=LEVEL + two_errors(counts.runs),
            )
        )
    return covered + crossed


def _score_lines(scores: dict[tuple[float, int, str], Future[Covered]]) -> list[Outcome]:
    found = []
    for (coverage, n, law), done in scores.items():
        what = f"95% interval of the difference of interval scores at {100 * coverage:g}% coverage"
        found += _covered(what, f"σ minus √σ, {law}, {n:,} rows", done.result(), n)
    return found


def _covered(what: str, setting: str, counts: Covered | Compared, n: int) -> list[Outcome]:
    """Return a line for intervals that are not marked, and one without a claim for those that are."""
    found = []
    if counts.reliable:
        room = two_errors(counts.reliable)
        low, high = (0.93, min(1.0, 0.97 + room)) if n >= 1000 else (0.9, 1.0)  # noqa: PLR2004
        share = counts.covered / counts.reliable
        line = f"{setting}, {counts.reliable:,} unmarked"
        found.append(Outcome(what=what, setting=line, share=share, low=low - room, high=high))
    if counts.doubtful:
        share = counts.doubtful_covered / counts.doubtful
        line = f"{setting}, {counts.doubtful:,} marked"
        found.append(Outcome(what=what, setting=line, share=share, low=0.0, high=1.0))
    return found


def _at_most(what: str, n: int, count: int, runs: int, share: float) -> Outcome:
    """Return a line for a share of comparisons that must be small."""
    high = share + 2 * float(np.sqrt(share * (1 - share) / runs))
    return Outcome(what=what, setting=f"{ALL}, {n:,} rows", share=count / runs, low=0.0, high=high)
