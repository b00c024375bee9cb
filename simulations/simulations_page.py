"""The page of the documentation that the outcomes are laid out on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import laws
import recommendation

if TYPE_CHECKING:
    from laws import Outcome

SPREAD = 0.4
"""Of the logarithm of the scale, where noise is Gaussian."""


def law_runs(runs: int) -> int:
    """Return how many runs each law of noise gets."""
    return max(2, runs // 2)


def page(runs: int, found: list[Outcome]) -> str:
    """Lay the outcomes out for the documentation."""
    lines = [
        "# Simulations",
        "",
        f"Written by `make simulate`: {runs:,} runs each. Noise is Gaussian with a log-normal scale σ (s = {SPREAD}); the",
        "intervals are for the band √σ (the miss rate for σ), whose true gains are known in closed form.",
        "",
        "## What is not met",
        "",
        *misses(found),
        "",
        "Gains on the deficit rest on squared errors, whose tails are heavy here: their intervals cover too seldom with",
        "1,000 rows. The 10,000-row lines were added after that was seen. Expect the same of your own data before you trust",
        "such an interval.",
        "",
        "## What was simulated",
        "",
        f"Default intervals are simulated {law_runs(runs):,} times each under several laws of noise, with s = {laws.SPREAD}. Intervals should",
        "cover in 93–97% of the runs; what is wanted allows two standard errors of the simulation beyond",
        "that. Upper limits have the positive part of the same noise. The lines of *all laws* add their runs up. Intervals that the",
        "library marks as doubtful (`reliable` is False) are listed apart: nothing is claimed of them, and nothing is wanted.",
        "",
        "Gains over all coverages are marked below 5,000 rows, where they cover in less than 93% of the runs. Nothing that a sample shows",
        "tells which of them miss: where few rows decide, one huge error widens the interval, and samples without one have the shortest.",
        "Gains on the deficit are marked at every size. Bandwidths and gains at a coverage are unmarked where at least ten rows are missed there.",
        "",
        *_about_recommendations(runs),
        "",
        "| what | setting | share | wanted | met |",
        "|---|---|---|---|---|",
    ]
    lines += [_line(outcome) for outcome in found]
    return "\n".join(lines) + "\n"


def _about_recommendations(runs: int) -> list[str]:
    """Say how recommendations were simulated."""
    sizes = [f"{3 * number:,}" for _, _, number in recommendation.comparison_settings(runs)]
    return [
        f"Recommendations: y is σ times Gaussian, t5 or Laplace noise (s = {laws.SPREAD}). The candidates are bands that follow σ, which have the",
        f"best interval score at every coverage, bands that follow √σ, and constant width. True values are those of {recommendation.MANY:,} rows. By",
        f"interval score there are {sizes[0]} comparisons of 300 and of 1,000 rows and {sizes[2]} of 10,000, by half-width {sizes[3]} and {sizes[5]}. A",
        "recommendation is wrong if another candidate is truly better. A cross-over is false if the true ratio does not pass 1 between the",
        f"coverages that so many rows know. Ratio curves are drawn {recommendation.band_runs(runs):,} times in each setting, and cover if the band holds the whole true",
        "curve there. Their bands, and intervals at a coverage, should cover in 93–97% of the runs of 1,000 rows and more, and in at least",
        f"90% of 300. Intervals of scores and tests of scores are simulated {runs:,} times each. An interval at a coverage is marked where",
        "fewer than 20 rows are missed or captured. Exchangeable models have the same noise in their bands; in blocks, part of it is shared.",
    ]


def misses(found: list[Outcome]) -> list[str]:
    """Say in one sentence for each number how many of its lines are not met, and by how much."""
    sentences = []
    for what in dict.fromkeys(outcome.what for outcome in found):
        lines = [outcome for outcome in found if outcome.what == what and outcome.claimed]
        for missed, word in (
            ([o for o in lines if o.share < o.low], "below"),
            ([o for o in lines if o.share > o.high], "above"),
        ):
            if missed:
                worst = max(missed, key=lambda o: abs(o.share - (o.low if word == "below" else o.high)))
                sentences.append(
                    f"* {what}: {len(missed)} of {len(lines)} lines lie {word} what is wanted, at worst "
                    f"{_percent(worst.share)} ({worst.setting})."
                )
    claimed = sum(outcome.claimed for outcome in found)
    return sentences or [f"Everything is met, in all {claimed} lines."]


def _line(outcome: Outcome) -> str:
    wanted, met = f"{100 * outcome.low:.1f}–{_percent(outcome.high)}", "yes" if outcome.met else "NO"
    if not outcome.claimed:
        wanted, met = "–", "–"
    return f"| {outcome.what} | {outcome.setting} | {_percent(outcome.share)} | {wanted} | {met} |"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
