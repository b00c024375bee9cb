"""Measure speed and memory as ratios in one run, and write the page with the table."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import NormalDist
from typing import Any

import inference
import numpy as np
from measure import (
    Result,
    describe_machine,
    import_seconds,
    peak_bytes,
    ratio,
    read_summary,
    seconds,
    write_page,
)
from sklearn.metrics import roc_curve

import uccurve as uc

PEERS = Path(".venv-peers/bin/python")
DOCS = Path(__file__).parents[1] / "docs"
UQ360_ROWS = 16_000
MEAN = "(np.abs(y-p)/z).mean()"
ARRAYS = "arrays of N float64"
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

    def checked() -> object:
        return area_and_gain(uc.Intervals.from_bands(y, p, z))

    lines = [
        ("β–ρ curve", "np.sort of the same k", two_costs, lambda: np.sort(k), 1.8),
        ("all four costs", "np.argsort of the same k", four_costs, lambda: np.argsort(k), 2.0),
        ("all four costs", "sklearn.metrics.roc_curve", four_costs, lambda: roc_curve(labels, k), 0.8),
        ("β–ρ area and gain, ready intervals", MEAN, lambda: area_and_gain(ready), plain_mean, 3),
        ("β–ρ area and gain, raw arrays, checked", MEAN, checked, plain_mean, 10),
    ]
    results = [
        Result(
            work=name,
            against=against,
            value=ratio(work, other, repeats + 2 * (other is plain_mean)),
            target=target,
        )
        for name, against, work, other, target in lines
    ]
    peak = peak_bytes(four_costs) / (8 * n)
    return [*results, Result(work="all four costs: peak extra memory", against=ARRAYS, value=peak, target=6)]


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
    value, peak = ratio(curve, three_sorts_and_a_pass, repeats), peak_bytes(curve) / (8 * n)
    against = "3 np.argsort of its k and one pass over the quantiles"
    return [
        Result(work=work, against=against, value=value, target=1),
        Result(work=f"{work}: peak extra memory", against=ARRAYS, value=peak, target=8),
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


def main(arguments: list[str]) -> None:
    """Run everything, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--without-peers", action="store_true", help="leave out UQ360")
    parser.add_argument("--page", type=Path, help="the page to write")
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
    others = {"the page": "page-benchmarks", "large files": "scale-benchmarks", "a GPU": "gpu-benchmarks"}
    met = [f"[{what}]({page}.md): {read_summary(DOCS / f'{page}.md')}" for what, page in others.items()]
    about = (
        f"Both sides of each ratio alternate in one run. {options.rows:,} rows, float64, symmetric half-widths,\n"
        f"unless noted. {describe_machine()} Elsewhere, targets met: {', '.join(met)}."
    )
    write_page(options.page, "Benchmarks", "make bench", about, results, LIMITS)


LIMITS = """
## What limits the speed

CPU time per row, in columns of 5,000,000 rows that do not fit a core's own cache.

* **Costs along the curve.** NumPy sorts numbers several times as fast as it finds their order. So the leading bits of each breakpoint
  are packed into one whole number with its row and sorted; breakpoints that differ in later bits only are put right afterwards.
  Reading columns in that order takes about 10 ns each. `np.cumsum` takes 3.4 ns, and symmetric rows need four.
* **Asymmetric rows** have a second breakpoint in half of the rows. Their slopes are added up in three parts, without rounding.
  Two parts would save one of seven `np.cumsum`, and lose digits. Numba's loops are faster, but importing and compiling take as long as the curve.
* **Shift** has two knots in every row, and half-widths that bend there too.
* **The bootstrap on excess and deficit** sorts once and reads drawn weights in that order: a third of the time of drawing and sorting anew.
* **Bandwidth and miss rate.** `np.sort` takes about 10 ns per row on a CPU with AVX-512, reading and dividing 5 ns, and the two columns of the curve 1 to 2 ns each.
* **The sketch** cannot be faster than that sort: `np.bincount` takes 1.4 to 1.7 ns for each of six columns, and the largest
  number of each bin 1.7 ns in each of two tables. A compiled loop took about as long.
* **The yardstick.** `np.sort` is about ten times as fast on a CPU with AVX-512 as on one without. Comparisons consist of many small steps
  that hardly gain from it, so their ratios say more about the CPU: read the seconds beside them.
* On a busy machine, new memory that the system has to clear can take as long as the work itself.
"""
"""What was tried, and what is in the way; figures are CPU time on the machine of the published table."""


if __name__ == "__main__":
    main(sys.argv[1:])
