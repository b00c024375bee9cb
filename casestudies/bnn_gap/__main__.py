"""Run the study of a network with a data gap: `python -m casestudies.bnn_gap --output FOLDER`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

import uccurve as uc
from casestudies.bnn_gap import NAME, TEMPLATE, figure
from casestudies.bnn_gap.study import FULL, FUNCTIONS, LIGHT, Outcome, Settings, piece, variants
from casestudies.bnn_gap.summary import results
from casestudies.shared.program import Output, ended, parser
from casestudies.shared.work import in_processes

if TYPE_CHECKING:
    from pathlib import Path


def main(arguments: list[str]) -> None:
    """Read the command line, and run."""
    given = parser("casestudies.bnn_gap", __doc__).parse_args(arguments)
    settings = LIGHT if given.light else FULL
    ended(lambda: run(given.output, settings, given.workers, light=given.light))


def run(folder: Path, settings: Settings, workers: int | None = None, *, light: bool = False) -> None:
    """Sample and assess all networks, and write what came out."""
    output = Output(folder=folder, name=NAME, light=light, workers=workers)
    parts = sampled(settings, workers)
    names = {part: name for part, (name, _) in FUNCTIONS.items()}
    first = parts["main"][0]
    output.pictures(
        {"bands": figure.three_panels(first, settings), "ratios": figure.ratios(parts, names, settings)}
    )
    x = first.data.x
    uc.report(
        variants(first),
        output.inside / "report.html",
        title=f"A network with a data gap: {names['main']}, seed {first.seed}",
        by=np.where((x > settings.gap[0]) & (x < settings.gap[1]), "in the gap", "beside the gap"),
        against={"x": x},
        miss_rate=settings.rates[0],
        n_resamples=settings.n_resamples,
        rng=0,
    )
    output.finish(results(parts, settings), TEMPLATE, ("numpy",))


def sampled(settings: Settings, workers: int | None) -> dict[str, list[Outcome]]:
    """Sample the networks, each in a process of its own; return them by part, in the order of seeds."""
    names = {
        (part, seed): f"{FUNCTIONS[part][0]}, seed {seed}" for part in FUNCTIONS for seed in settings.of(part)
    }
    done = in_processes({name: (piece, (*key, settings)) for key, name in names.items()}, workers)
    return {part: [done[names[part, seed]] for seed in settings.of(part)] for part in FUNCTIONS}


if __name__ == "__main__":
    main(sys.argv[1:])
