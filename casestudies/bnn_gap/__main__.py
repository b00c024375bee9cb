"""Run the study of a network with a data gap: `python -m casestudies.bnn_gap --output FOLDER`."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import uccurve as uc
from casestudies.bnn_gap import NAME, TEMPLATE, figures
from casestudies.bnn_gap.study import FULL, FUNCTIONS, LIGHT, PARTS, Outcome, Settings, sampled, variants
from casestudies.bnn_gap.summary import summarized
from casestudies.shared.program import Output, parser, run_program
from casestudies.shared.work import run_all

if TYPE_CHECKING:
    from pathlib import Path


def main(arguments: list[str]) -> None:
    """Read the command line, and run."""
    options = parser("casestudies.bnn_gap", __doc__).parse_args(arguments)
    settings = LIGHT if options.light else FULL
    run_program(lambda: run(options.output, settings, options.workers, light=options.light))


def run(folder: Path, settings: Settings, workers: int, *, light: bool) -> None:
    """Sample and assess all networks, and write the results."""
    output = Output(folder=folder, name=NAME, light=light, workers=workers)
    parts, cited = sampled_all(settings, workers)
    names = {part: name for part, (name, _) in FUNCTIONS.items()}
    first = parts["main"][0]
    output.write_figures(
        {
            "bands": figures.three_panels(first, settings),
            "ratios": figures.ratios(parts, names, settings),
            "cited": figures.by_prior(cited, settings),
        }
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
    output.finish(summarized(parts, cited, settings), TEMPLATE, ("numpy",))


def sampled_all(
    settings: Settings, workers: int
) -> tuple[dict[str, list[Outcome]], dict[float, list[Outcome]]]:
    """Sample all networks; return them by part, those of the cited function by prior; in order of seeds."""
    parts = {
        part: {
            f"{FUNCTIONS[part][0]}, seed {seed}": (part, seed, settings) for seed in settings.seeds_of(part)
        }
        for part in PARTS
    }
    function, _ = FUNCTIONS["cited"]
    cited = {
        prior: {
            f"{function} as cited, prior {prior:g}, seed {seed}": ("cited", seed, setting)
            for seed in settings.cited_seeds(prior)
        }
        for prior, setting in ((prior, settings.with_cited_data(prior)) for prior in settings.cited.priors)
    }
    pieces = {
        name: partial(sampled, *given)
        for named in (*parts.values(), *cited.values())
        for name, given in named.items()
    }
    outcomes = run_all(pieces, workers)
    return (
        {part: [outcomes[name] for name in named] for part, named in parts.items()},
        {prior: [outcomes[name] for name in named] for prior, named in cited.items()},
    )


if __name__ == "__main__":
    main(sys.argv[1:])
