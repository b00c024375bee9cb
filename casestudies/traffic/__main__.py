"""Run the study of traffic forecasts: `python -m casestudies.traffic --output FOLDER`."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import uccurve as uc
from casestudies.shared.program import Output, parser, run_program
from casestudies.shared.work import run_all
from casestudies.traffic import NAME, TEMPLATE, figures, study
from casestudies.traffic.hourly import hour_of_day
from casestudies.traffic.results import by_model, gathered
from casestudies.traffic.study import ASYMMETRIC, BY_HOUR, LIGHT, MAIN, MODELS, Settings

if TYPE_CHECKING:
    from pathlib import Path


def main(arguments: list[str]) -> None:
    """Read the command line, and run."""
    command_line = parser("casestudies.traffic", __doc__)
    command_line.add_argument("--data", help="a local copy of the data, instead of a download")
    options = command_line.parse_args(arguments)
    settings = replace(LIGHT if options.light else Settings(), data=options.data)
    run_program(lambda: run(options.output, settings, options.workers, light=options.light))


def run(folder: Path, settings: Settings, workers: int, *, light: bool) -> None:
    """Train and assess all models, and write the results."""
    output = Output(folder=folder, name=NAME, light=light, workers=workers)
    hours, parts = study.prepared(settings.data, settings.schedule.stride)
    keys = [(name, seed) for seed in settings.seeds for name in MODELS if name != BY_HOUR]
    pieces = {
        f"{name}, seed {seed}": partial(study.trained_and_assessed, name, seed, settings)
        for name, seed in keys
    }
    outcomes = dict(zip(keys, run_all(pieces, workers).values(), strict=True))
    results = gathered(outcomes, settings, hours, parts)
    test = by_model(outcomes, settings.seeds)
    first = {name: rows[0] for name, rows in test.items()}
    week = results["alarms"]["week"]
    seeds = {name: results["models"][name]["seeds"] for name in (MAIN, ASYMMETRIC)}
    crossing = (
        {name: test[name] for name in seeds},
        {name: [record["curve"] for record in records] for name, records in seeds.items()},
    )
    output.write_figures(
        {
            "cross-over": figures.cross_over(*crossing),
            "needs": figures.needs({name: model["seeds"] for name, model in results["models"].items()}),
            "week": figures.week(first[MAIN], hours, week["day"], week["name"]),
        }
    )
    time = hours.time[first[MAIN].grid_index]
    quarter = hour_of_day(time) // 6 * 6
    uc.report(
        {name: rows.intervals for name, rows in first.items()},
        output.inside / "report.html",
        title="Metro traffic, a day ahead",
        unit=figures.UNIT,
        by=[f"{hour:02d}–{hour + 5:02d} h" for hour in quarter],
        against={"time": time},
        blocks=first[MAIN].weeks,
        n_resamples=settings.n_exchanges,
        rng=settings.seeds[0],
    )
    output.finish(results, TEMPLATE, ("numpy", "torch", "scikit-learn"))


if __name__ == "__main__":
    main(sys.argv[1:])
