"""Measure speed and memory as ratios in one run, print the table and write it as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import NormalDist
from typing import Any

import inference
import numpy as np
from measure import Result, import_seconds, peak_bytes, ratio, seconds, table
from sklearn.metrics import roc_curve

import uccurve as uc

PEERS = Path(".venv-peers/bin/python")
UQ360_ROWS = 16_000
LEVELS = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975)


def columns(n: int) -> dict[str, np.ndarray]:
    """Symmetric bands that know the noise scale, up to a factor."""
    rng = np.random.default_rng(0)
    y_pred, band = rng.normal(size=n), rng.lognormal(size=n)
    return {"y_true": y_pred + band * rng.normal(size=n), "y_pred": y_pred, "band": band}


def all_costs(intervals: uc.Intervals, vary: Any = "scale") -> object:
    """Return the four costs along the curve."""
    curve = uc.UCC(intervals, vary=vary)
    return curve.excess, curve.deficit, curve.parameter, curve.miss_rate, curve.bandwidth


def core(n: int, repeats: int) -> list[Result]:
    """Curves, areas and memory at n rows."""
    data = columns(n)
    y, p, z = data.values()
    k = np.abs(y - p) / z
    labels = np.random.default_rng(1).integers(0, 2, size=n)
    ready = uc.Intervals.from_bands(y, p, z)

    def two_costs() -> object:
        curve = uc.UCC(ready)
        return curve.parameter, curve.miss_rate, curve.bandwidth

    def four_costs() -> object:
        return all_costs(ready)

    def area_and_gain(intervals: uc.Intervals) -> object:
        curve = uc.UCC(intervals)
        return curve.area(), curve.gain()

    def plain_mean() -> object:
        return (np.abs(y - p) / z).mean()

    return [
        Result(
            work="β–ρ curve",
            against="np.sort of the same k",
            value=ratio(two_costs, lambda: np.sort(k), repeats),
            target=1.8,
        ),
        Result(
            work="all four costs",
            against="np.argsort of the same k",
            value=ratio(four_costs, lambda: np.argsort(k), repeats),
            target=2.0,
        ),
        Result(
            work="all four costs",
            against="sklearn.metrics.roc_curve",
            value=ratio(four_costs, lambda: roc_curve(labels, k), repeats),
            target=0.8,
        ),
        Result(
            work="β–ρ area and gain, ready intervals",
            against="(np.abs(y-p)/z).mean()",
            value=ratio(lambda: area_and_gain(ready), plain_mean, repeats + 2),
            target=3,
        ),
        Result(
            work="β–ρ area and gain, raw arrays, checked",
            against="(np.abs(y-p)/z).mean()",
            value=ratio(lambda: area_and_gain(uc.Intervals.from_bands(y, p, z)), plain_mean, repeats + 2),
            target=10,
        ),
        Result(
            work="all four costs: peak extra memory",
            against="arrays of N float64",
            value=peak_bytes(four_costs) / (8 * n),
            target=6,
        ),
    ]


def four_costs(n: int, repeats: int) -> list[Result]:
    """All costs of asymmetric bands, and by shift."""
    y, p, z = columns(n).values()
    other = np.random.default_rng(1).lognormal(size=n)

    def line(name: str, intervals: uc.Intervals, vary: Any, target: float) -> Result:
        k = np.asarray(intervals.critical(vary=vary))
        return Result(
            work=f"all four costs, {name}, {n:,} rows",
            against="np.argsort of the same k",
            value=ratio(lambda: all_costs(intervals, vary), lambda: np.argsort(k), repeats),
            target=target,
        )

    return [
        line("asymmetric", uc.Intervals.from_bands(y, p, z, other), "scale", 4.5),
        line("by shift", uc.Intervals.from_bands(y, p, z), "shift", 4.0),
    ]


def quantile_rows(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return observations, and quantiles whose shape differs a little from row to row."""
    rng = np.random.default_rng(0)
    center, spread = rng.normal(size=n), rng.lognormal(size=n)
    shape = np.array([NormalDist().inv_cdf(level) for level in LEVELS])
    table = center[:, None] + spread[:, None] * shape * rng.uniform(0.8, 1.2, size=(n, len(LEVELS)))
    return center + spread * rng.gumbel(size=n), np.sort(table, axis=1)


def quantile_curve(n: int, repeats: int) -> list[Result]:
    """Time the curve of bandwidth and miss rate under levels, and weigh it."""
    y, table = quantile_rows(n)
    ready = uc.Intervals.from_quantiles(y, table, LEVELS)
    k = np.asarray(ready.critical(vary="level"))

    def curve() -> object:
        found = uc.UCC(ready, vary="level")
        return found.parameter, found.miss_rate, found.bandwidth

    def three_sorts_and_a_pass() -> object:
        return [np.argsort(k) for _ in range(3)], table.mean(axis=0)

    work = f"β–ρ curve of {len(LEVELS)} quantiles, {n:,} rows"
    return [
        Result(
            work=work,
            against="3 np.argsort of its k and one pass over the quantiles",
            value=ratio(curve, three_sorts_and_a_pass, repeats),
            target=1,
        ),
        Result(
            work=f"{work}: peak extra memory",
            against="arrays of N float64",
            value=peak_bytes(curve) / (8 * n),
            target=8,
        ),
    ]


def ratio_curve(n: int, repeats: int) -> Result:
    """Time the ratio of two models' bandwidths, with its band, in sorts of as many rows."""
    pair = inference.models(n)
    k = np.asarray(pair[0].critical())
    return Result(
        work=f"ratio curve with 999 draws, {n:,} rows",
        against="np.sort of one model's k",
        value=ratio(lambda: uc.ratio_curve(*pair, n_resamples=999, rng=0), lambda: np.sort(k), repeats),
        target=300,
    )


def import_time(repeats: int) -> Result:
    """`import uccurve` over `import numpy`, in milliseconds."""
    both = [(import_seconds("uccurve"), import_seconds("numpy")) for _ in range(repeats)]
    ours, numpy = map(min, zip(*both, strict=True))
    return Result(
        work="import uccurve",
        against="import numpy, extra",
        value=1000 * (ours - numpy),
        target=120,
        unit=" ms",
    )


def against_uq360(repeats: int) -> Result:
    """Hold the β–ρ curve from raw arrays against UQ360's fit, in its own environment."""
    data = columns(UQ360_ROWS)

    def curve() -> object:
        found = uc.UCC(uc.Intervals.from_bands(data["y_true"], data["y_pred"], data["band"]))
        return found.parameter, found.miss_rate, found.bandwidth

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "columns.npz"
        np.savez(path, y_true=data["y_true"], y_pred=data["y_pred"], band=data["band"])
        command = [str(PEERS), str(Path(__file__).with_name("uq360_fit.py")), str(path)]
        theirs = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    ours = min(seconds(curve) for _ in range(10 * repeats))
    return Result(
        work=f"β–ρ curve, {UQ360_ROWS:,} rows",
        against="UQ360 0.2 fit, times faster",
        value=theirs / ours,
        target=3000,
        at_least=True,
    )


def machine() -> dict[str, str | int | None]:
    """Describe where the ratios were measured."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def main(arguments: list[str]) -> None:
    """Run everything, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--without-peers", action="store_true", help="leave out UQ360")
    parser.add_argument("--output", type=Path, default=Path("build/bench/core.json"))
    options = parser.parse_args(arguments)
    results = core(options.rows, options.repeats)
    results += inference.results(options.rows / 10**7)
    results += four_costs(max(1000, options.rows // 2), options.repeats)
    results += inference.comparisons(options.rows / 10**7, min(options.repeats, 2))
    results.append(ratio_curve(max(1000, options.rows // 100), options.repeats))
    results += quantile_curve(max(1000, options.rows // 10), options.repeats)
    if not options.without_peers:
        results.append(against_uq360(options.repeats))
    results.append(import_time(options.repeats))
    print(
        f"{options.rows:,} rows, float64, symmetric bands; best of {options.repeats}, both sides in turns\n"
    )
    print(table([("work", "against", "measured", "target", "met"), *(result.row() for result in results)]))
    written = {"rows": options.rows, **machine(), "results": [{**asdict(r), "met": r.met} for r in results]}
    write(options.output, json.dumps(written, indent=1, ensure_ascii=False) + "\n")
    write(options.output.with_suffix(".md"), page(options.rows, results) + LIMITS)
    print(f"\nwritten to {options.output} and, as a page, {options.output.with_suffix('.md')}")


def page(rows: int, results: list[Result]) -> str:
    """Lay the table out for the documentation."""
    titles = [("work", "against, in the same run", "measured", "target", "met"), ("---",) * 5]
    lines = ["| " + " | ".join(row) + " |" for row in [*titles, *(result.row() for result in results)]]
    where = ", ".join(f"{name} {value}" for name, value in machine().items())
    head = (
        "# Benchmarks\n\nWritten by `make bench`: both sides of each ratio in turns, in one run.\n"
        f"{rows:,} rows, float64, symmetric bands, unless said. Measured on {where}.\n\n"
    )
    return head + "\n".join(lines) + "\n"


LIMITS = """
## What limits the lines that are not met

Times are CPU time per row, in columns of 5,000,000 rows that do not fit a core's own cache.

* **Costs along the curve.** NumPy orders numbers several times as fast as it finds their order. So the leading
  bits of each breakpoint are packed into one whole number with its row, and these are sorted; breakpoints that differ
  in later bits only are put right afterwards. What is left is reading columns in that order, about 10 ns each,
  and `np.cumsum`, 3.4 ns each, which waits for one addition after the other. Four of these are needed for
  symmetric bands. Prefix sums across lanes of a cache-sized block were tried; in NumPy they take as long.
* **Asymmetric bands** have a second breakpoint in half of the rows, and slopes that rows add and take back. These are
  added up in three parts without rounding. Two parts would save one of seven `np.cumsum`, and lose digits where
  few bands are many orders of magnitude wider than the others. Loops compiled by Numba were tried: they add all
  parts up at once, in a small part of the time. They are not used: importing Numba and compiling them takes about as
  long as the whole curve of these rows.
* **Shift** has two knots in every row, its critical value and the point at which its band opens, and half-widths that bend there too.
  All families share one engine: sorted knots, gathered changes of slopes, prefix sums. Changes of rows of equal weights are held in
  float32, where they are exact.
* **The bootstrap on excess and deficit** sorts once, and gives each row the weight that was drawn for it. Reading weights in sorted order and
  adding them up takes as long as a third of drawing rows anew and sorting them, now that NumPy sorts with AVX-512.
* **Bandwidth and miss rate.** On a CPU with AVX-512, `np.sort` takes about 10 ns per row. Reading the columns and
  dividing takes 5 ns, the columns of miss rates and bandwidths 1 to 2 ns each: no more than 6 ns are left to all of it.
* **The sketch** cannot be faster than a sort of 10 ns per row. A row is added to two tables: `np.bincount` takes
  1.4 to 1.7 ns for each of six columns, the largest number of each bin 1.7 ns in each table. A compiled loop over both tables was
  tried as well: it takes about as long as the sort.
* Pages of new memory that the system has to clear can take as long as the work itself on a busy machine.
"""
"""What was tried, and what is in the way; figures are CPU time on the machine of the published table."""


def write(path: Path, text: str) -> None:
    """Write a whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_text(text)
    unfinished.replace(path)


if __name__ == "__main__":
    main(sys.argv[1:])
