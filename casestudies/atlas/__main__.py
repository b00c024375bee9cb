"""Fit what is missing of the atlas, and write its results and pages: `python -m casestudies.atlas`."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import joblib
from threadpoolctl import threadpool_limits

from casestudies.atlas import answers, cells, pages, tables
from casestudies.atlas.methods import METHODS

LIGHT = ("concrete", "houses")


def main(arguments: list[str] | None = None) -> None:
    """Read the command line, run the cells that are missing, write results and pages."""
    command_line = argparse.ArgumentParser(prog="python -m casestudies.atlas", description=__doc__)
    command_line.add_argument("--output", type=Path, default=pages.DOCS, help="folder of results and pages")
    command_line.add_argument("--cells", type=Path, default=pages.CELLS, help="folder of what was fitted")
    command_line.add_argument("--data", help="a local copy of the traffic data, instead of a download")
    command_line.add_argument("--workers", type=int, default=joblib.cpu_count(), help="number of processes")
    command_line.add_argument("--light", action="store_true", help="a quick trial; its numbers mean nothing")
    command_line.add_argument(
        "--pages", action="store_true", help="write the pages of the results that are there"
    )
    options = command_line.parse_args(arguments)
    if options.pages:
        pages.write_pages(options.output)
        return
    kept = {folder.resolve() for folder in (pages.DOCS, pages.CELLS)}
    if options.light and kept & {options.output.resolve(), options.cells.resolve()}:
        command_line.error("a light run needs folders of its own: pass --output and --cells")
    names = LIGHT if options.light else tuple(tables.SOURCES)
    found = {
        name: [
            cells.Cell(data=name, method=method, fold=fold, folder=options.cells)
            for method in METHODS
            for fold in range(2 if options.light else cells.FOLDS)
        ]
        for name in names
    }
    every = [cell for each in found.values() for cell in each]
    fit([cell for cell in every if not cell.is_done], options)
    results = answers.collect(found, traffic=options.data, workers=options.workers)
    seconds = sum(cell.record()["seconds"] for cell in every)
    pages.write(options.output, results, found, {"light": options.light, "seconds": seconds})


def fit(missing: list[cells.Cell], options: argparse.Namespace) -> None:
    """Compute cells, one thread each, and say how far that is."""
    begun = time.monotonic()
    # Sums over several threads would be rounded differently.
    with threadpool_limits(1), joblib.parallel_config("loky", inner_max_num_threads=1):
        parallel = joblib.Parallel(n_jobs=options.workers, return_as="generator_unordered", batch_size=1)
        tasks = (joblib.delayed(cells.run)(one, traffic=options.data, light=options.light) for one in missing)
        for done, _ in enumerate(parallel(tasks), 1):
            seconds = time.monotonic() - begun
            print(f"\r{done} of {len(missing)} cells, {seconds:.0f} s", end="", flush=True)
    if missing:
        print()


if __name__ == "__main__":
    main()
