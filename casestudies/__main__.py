"""Run case studies, and write the pages of all that have results: `python -m casestudies [STUDY ...]`."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import joblib
from threadpoolctl import threadpool_limits

from casestudies import pages


def main(arguments: list[str] | None = None) -> None:
    """Read the command line, run the studies, write the pages."""
    command_line = argparse.ArgumentParser(prog="python -m casestudies", description=__doc__)
    command_line.add_argument("studies", nargs="*", metavar="STUDY", help=", ".join(pages.STUDIES))
    command_line.add_argument("--output", type=Path, default=pages.DOCS, help="folder of the pages")
    command_line.add_argument("--data", help="a local copy of the traffic data, instead of a download")
    command_line.add_argument("--workers", type=int, default=joblib.cpu_count(), help="number of processes")
    command_line.add_argument("--light", action="store_true", help="a quick trial; its numbers mean nothing")
    options = command_line.parse_args(arguments)
    for name in set(options.studies) - set(pages.STUDIES):
        command_line.error(f"STUDY must be one of {', '.join(pages.STUDIES)}, got {name}")
    if options.light and options.output == pages.DOCS:
        command_line.error("a light run needs a folder of its own: pass --output")
    for name in options.studies:
        study = import_module(f"casestudies.{name.replace('-', '_')}.study")
        begun = time.monotonic()
        # One thread each: sums over several threads would be rounded differently.
        with (
            threadpool_limits(1),
            joblib.parallel_config("loky", n_jobs=options.workers, inner_max_num_threads=1),
        ):
            results, figures = study.run(light=options.light, data=options.data)
        how = {
            "light": options.light,
            "workers": options.workers,
            "seconds": time.monotonic() - begun,
            "date": datetime.now(UTC).date().isoformat(),
            "versions": pages.versions("uccurve", "numpy", "torch"),
        }
        pages.write_study(options.output / name, results | how, figures)
    pages.write_pages(options.output)


if __name__ == "__main__":
    main()
