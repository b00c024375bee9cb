"""What both studies share as programs: the command line, and the files they write."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib

from casestudies.shared import pages
from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.figure import Figure


def parser(module: str, doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options that both programs have."""
    options = argparse.ArgumentParser(prog=f"python -m {module}", description=doc)
    options.add_argument("--output", type=Path, default=Path("build/cases"), help="folder to write to")
    options.add_argument(
        "--workers",
        type=int,
        choices=range(1, 65),
        default=joblib.cpu_count(),
        metavar="N",
        help="number of processes, by default one per core; results do not depend on it",
    )
    options.add_argument("--light", action="store_true", help="a quick trial; its numbers mean nothing")
    return options


def run_program(run: Callable[[], None]) -> None:
    """Run a program to its end.

    Errors of files, data or the network are printed without a traceback. A request to terminate stops
    the workers, as Ctrl-C does.
    """
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        run()
    except (OSError, UccurveError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        raise SystemExit(1) from error
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT) from None
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """Where a study writes to. The folder is created and tried before the work begins."""

    folder: Path
    name: str
    light: bool
    workers: int
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.inside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.inside):
            pass

    @property
    def inside(self) -> Path:
        """The folder of everything but the page."""
        return self.folder / self.name

    def write_figures(self, figures: Mapping[str, Figure]) -> None:
        """Write figures by their names."""
        for name, figure in figures.items():
            pages.write_figure(figure, self.inside / f"{name}.png")

    def finish(self, results: Mapping[str, Any], template: Path, libraries: tuple[str, ...]) -> None:
        """Write the results, with how they were made, and their page."""
        whole = dict(results) | {
            "light": self.light,
            "workers": self.workers,
            "seconds": time.monotonic() - self.begun,
            "versions": pages.versions("uccurve", *libraries),
        }
        read = pages.write_results(whole, self.inside / "results.json")
        pages.write(pages.rendered(template, read), self.folder / f"{self.name}.md")
