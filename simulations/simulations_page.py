"""The page of the documentation that the outcomes are laid out on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import laws

if TYPE_CHECKING:
    from outcomes import Outcome

SPREAD = 0.4
"""Of the logarithm of the scale, where noise is Gaussian."""


def law_runs(runs: int) -> int:
    """Return how many runs each law of noise gets."""
    return max(2, runs // 2)


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
