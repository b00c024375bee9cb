"""Ratios on a shared, noisy machine: both sides in turns, the best time of each."""

from __future__ import annotations

import gc
import os
import platform
import re
import resource
import subprocess
import sys
import time
import tracemalloc
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Result:
    """One line of the table."""

    work: str
    against: str
    value: float
    target: float
    unit: str = ""
    at_least: bool = False
    seconds: float | None = None
    """What the work took, where that is of interest beside the ratio."""

    @property
    def met(self) -> bool:
        """Whether the target is reached."""
        return self.value >= self.target if self.at_least else self.value <= self.target

    def row(self) -> tuple[str, ...]:
        """Lay the line out as text."""
        sign = "≥" if self.at_least else "≤"
        value, target = (f"{number:,.4g}{self.unit}" for number in (self.value, self.target))
        took = "" if self.seconds is None else f" ({self.seconds:.2f} s)"
        return (self.work, self.against, value + took, f"{sign} {target}", "yes" if self.met else "NO")


class Seconds(NamedTuple):
    """How long a call took: by the clock, and on all processors together."""

    wall: float
    cpu: float


def clocks() -> Seconds:
    """Read the clock, and the CPU time of this process and of the processes it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return Seconds(time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used))


def both_seconds(function: Callable[[], object]) -> Seconds:
    """Time one call, with the garbage collected before."""
    gc.collect()
    begin = clocks()
    result = function()
    end = clocks()
    del result
    return Seconds(end.wall - begin.wall, end.cpu - begin.cpu)


def seconds(function: Callable[[], object]) -> float:
    """Time one call by the clock."""
    return both_seconds(function).wall


def best_seconds(calls: Iterator[Callable[[], object]]) -> Seconds:
    """Return the best times of several calls."""
    return Seconds(*map(min, zip(*map(both_seconds, calls), strict=True)))


@contextmanager
def busy_process() -> Iterator[None]:
    """Keep one processor busy; the process ends with the block, or with this process."""
    spin = f"import os\nwhile os.getppid() == {os.getpid()}: pass"
    busy = subprocess.Popen([sys.executable, "-c", spin])
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def ratio(work: Callable[[], object], against: Callable[[], object], repeats: int) -> float:
    """Divide the best time of the work by the best time of what it is held against."""
    both = [(seconds(work), seconds(against)) for _ in range(repeats)]
    ours, theirs = map(min, zip(*both, strict=True))
    return float(ours / theirs)


def peak_bytes(function: Callable[[], object]) -> int:
    """Return the most memory allocated during a call, beyond what was there before it."""
    gc.collect()
    tracemalloc.start()
    try:
        result = function()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    del result
    return peak


def import_seconds(module: str) -> float:
    """Time the import of a module in a new interpreter."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(run.stdout)


def write_page(
    path: Path | None, title: str, command: str, about: str, results: list[Result], after: str = ""
) -> None:
    """Print the results as a page of the documentation, and write it where a path is given."""
    lines = [("work", "against, in the same run", "measured", "target", "met"), ("---",) * 5]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [*lines, *(result.row() for result in results)])
    when = f"{datetime.now(UTC).date()}, uccurve {uc.__version__}"
    met = f"**{sum(result.met for result in results)} of {len(results)} targets met.**"
    page = f"# {title}\n\n{met} Written by `{command}` ({when}). {about}\n\n{table}\n{after}"
    print(page)
    if path is not None:
        path.write_text(page, encoding="utf-8")


def read_summary(page: Path) -> str:
    """Return how many targets a page says are met, such as "6 of 8"."""
    found = re.search(r"\*\*(\d+ of \d+) targets met\.\*\*", page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"no summary on {page}")
    return found[1]


def describe_machine() -> str:
    """Say where the ratios were measured."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return f"Measured on {versions}, {platform.machine()}, {os.cpu_count()} cores."
