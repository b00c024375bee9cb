"""Run the trial of losses that learn bands: `python -m casestudies.band_loss --output FOLDER`."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from casestudies.band_loss import NAME, TEMPLATE, figures, study, together
from casestudies.band_loss.results import gathered, learned_together
from casestudies.band_loss.study import LIGHT, Settings
from casestudies.shared.program import Output, parser, run_program
from casestudies.shared.work import run_all
from casestudies.traffic.study import prepared

if TYPE_CHECKING:
    from pathlib import Path


def main(arguments: list[str]) -> None:
    """Read the command line, and run."""
    command_line = parser("casestudies.band_loss", __doc__)
    command_line.add_argument("--data", help="a local copy of the traffic data, instead of a download")
    options = command_line.parse_args(arguments)
    settings = replace(LIGHT if options.light else Settings(), data=options.data)
    run_program(lambda: run(options.output, settings, options.workers, light=options.light))


def run(folder: Path, settings: Settings, workers: int, *, light: bool) -> None:
    """Train and assess all losses, and write the results."""
    output = Output(folder=folder, name=NAME, light=light, workers=workers)
    prepared(settings.data, settings.stride)  # fails at once, if it fails
    pieces: dict[str, Any] = {
        "made tasks": partial(study.on_made_tasks, settings),
        "traffic": partial(study.on_traffic, settings),
        "made tasks, together": partial(together.on_made_tasks, settings),
        "traffic, together": partial(together.on_traffic, settings),
    }
    found = run_all(pieces, workers)
    results = gathered(found["made tasks"], found["traffic"], settings)
    results["together"] = learned_together(
        found["made tasks, together"], found["traffic, together"], settings
    )
    output.write_figures({"gains": figures.gains(results)})
    output.finish(results, TEMPLATE, ("numpy", "torch"))


if __name__ == "__main__":
    main(sys.argv[1:])
