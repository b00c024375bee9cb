"""Run the study of traffic forecasts: `python -m casestudies.traffic --output FOLDER`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import uccurve as uc
from casestudies.shared.program import Output, ended, parser
from casestudies.shared.work import in_processes
from casestudies.traffic import NAME, TEMPLATE, figures, study
from casestudies.traffic.hourly import hour_of_day
from casestudies.traffic.results import by_model, gathered
from casestudies.traffic.study import ASYMMETRIC, BY_HOUR, LIGHT, MAIN, MODELS, Settings

if TYPE_CHECKING:
    from pathlib import Path


def main(arguments: list[str]) -> None:
    """Read the command line, and run."""
    asked = parser("casestudies.traffic", __doc__)
    asked.add_argument("--data", help="a local copy of the data, instead of a download")
    given = asked.parse_args(arguments)
    settings = replace(LIGHT if given.light else Settings(), data=given.data)
    ended(lambda: run(given.output, settings, given.workers, light=given.light))


def run(folder: Path, settings: Settings, workers: int | None = None, *, light: bool = False) -> None:
    """Train and assess all models, and write what came out."""
    output = Output(folder=folder, name=NAME, light=light, workers=workers)
    hours, parts = study.prepared(settings.data, settings.schedule.stride, verify=settings.verify)
    wanted = [(name, seed) for seed in settings.seeds for name in MODELS if name != BY_HOUR]
    pieces = {f"{name}, seed {seed}": (study.one, (name, seed, settings)) for name, seed in wanted}
    answers = in_processes(pieces, workers)
    outcomes = dict(zip(wanted, answers.values(), strict=True))
    results = gathered(outcomes, settings, hours, parts)
    test = by_model(outcomes, settings.seeds)
    first = {name: rows[0] for name, rows in test.items()}
    week = results["alarms"]["week"]
    output.pictures(
        {
            "cross-over": figures.cross_over(first[MAIN], {name: test[name] for name in (MAIN, ASYMMETRIC)}),
            "needs": figures.needs({name: one["seeds"] for name, one in results["models"].items()}),
            "week": figures.week(first[MAIN], hours, week["day"], week["name"]),
        }
    )
    time = hours.time[first[MAIN].place]
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
