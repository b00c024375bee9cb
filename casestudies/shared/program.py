"""What both studies do as programs: read the command line, and write what came out."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casestudies.shared import pages
from casestudies.shared.work import cores
from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.figure import Figure


def parser(module: str, doc: str | None) -> argparse.ArgumentParser:
    """Return a parser of what both programs can be asked for."""
    asked = argparse.ArgumentParser(prog=f"python -m {module}", description=doc)
    asked.add_argument("--output", type=Path, default=Path("build/cases"), help="folder to write to")
    asked.add_argument(
        "--workers",
        type=int,
        choices=range(65),
        metavar="N",
        help="processes at a time, by default one for each core",
    )
    asked.add_argument("--light", action="store_true", help="a few seconds, for numbers that mean nothing")
    return asked


def ended(run: Callable[[], None]) -> None:
    """Run a program to its end; what is wrong with files, data or the network is said without a traceback."""
    try:
        run()
    except (OSError, UccurveError) as error:
        print(f"{error}", file=sys.stderr)  # noqa: T201
        raise SystemExit(1) from error
    except KeyboardInterrupt:
        raise SystemExit(130) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """Where a study writes to; made, and tried, before the work begins."""

    folder: Path
    name: str
    light: bool
    workers: int | None
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.inside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.inside):
            pass

    @property
    def inside(self) -> Path:
        """The folder of everything but the page."""
        return self.folder / self.name

    def pictures(self, figures: Mapping[str, Figure]) -> None:
        """Write figures by their names."""
        for name, figure in figures.items():
            pages.write_figure(figure, self.inside / f"{name}.png")

    def finish(self, results: Mapping[str, Any], template: Path, libraries: tuple[str, ...]) -> None:
        """Write the results, with how they were made, and the page that they make."""
        found = dict(results) | {
            "light": self.light,
            "workers": cores() if self.workers is None else max(1, self.workers),
            "seconds": time.monotonic() - self.begun,
            "versions": pages.versions("uccurve", *libraries),
        }
        read = pages.write_results(found, self.inside / "results.json")
        pages.write(pages.rendered(template, read), self.folder / f"{self.name}.md")
