"""Speed and memory of sketches and scans, against the means of the columns in the same run."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
from measure import Result, describe_machine, ratio, seconds, write_page

import uccurve as uc

PART = 10_000_000
COLUMNS = ("y", "pred", "lo", "hi")
MODEL = {"m": uc.Columns(y_true="y", y_pred="pred", lower="lo", upper="hi")}
LIMITS = """
Polars does all the work, with one GROUP BY over three kinds of bins and some twenty sums. It reads two million rows at a time, so memory hardly grows with the
rows. [Benchmarks](benchmarks.md#what-limits-the-speed) says what the sketch in memory takes its time for.
"""
PEAK = r"""
import re, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import uccurve as uc
model = {"m": uc.Columns(y_true="y", y_pred="pred", lower="lo", upper="hi")}
uc.scan(sys.argv[2:], model)
print(int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 2**20)
"""


def make(folder: Path, parts: int, rows: int) -> list[Path]:
    """Write files of rows with symmetric bounds and 20 segments."""
    rng = np.random.default_rng(0)
    paths = [folder / f"{place}.parquet" for place in range(parts)]
    for path in paths:
        scale, pred = rng.lognormal(sigma=0.5, size=rows), rng.normal(size=rows)
        frame = pl.DataFrame(
            {
                "y": pred + scale * rng.normal(size=rows),
                "pred": pred,
                "lo": pred - scale,
                "hi": pred + scale,
                "segment": rng.integers(0, 20, rows),
            }
        )
        frame.write_parquet(path, row_group_size=500_000)
    return paths


def in_memory(rows: int, repeats: int) -> Result:
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.5, size=rows)
    intervals = uc.Intervals.from_bands(scale * rng.normal(size=rows), np.zeros(rows), scale)
    critical = np.abs(intervals.y_true) / scale
    found = 1 / ratio(lambda: uc.UCCSketch.of(intervals), lambda: np.sort(critical), repeats)
    return Result(
        work=f"in-memory sketch, {rows:,} rows",
        against="np.sort of k",
        value=found,
        target=4,
        unit="×",
        at_least=True,
    )


def means(paths: list[Path]) -> object:
    return pl.scan_parquet(paths).select(pl.col(COLUMNS).mean()).collect(engine="streaming")


def scans(paths: list[Path], repeats: int, rows: int) -> list[Result]:
    """Time scans of half of the files, with and without segments, and their memory."""
    half = paths[: max(1, 5 * len(paths) // 8)]
    work = f"scan of {rows * len(half):,} rows of Parquet"
    plain = ratio(lambda: uc.scan(half, MODEL), lambda: means(half), repeats)
    grouped = ratio(lambda: uc.scan(half, MODEL, by="segment"), lambda: uc.scan(half, MODEL), repeats)
    command = [sys.executable, "-c", PEAK, str(Path(__file__).parent), *map(str, half)]
    peak = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [
        Result(work=work, against="its mean of the four columns", value=plain, target=5),
        Result(work="20 segments", against="the scan without segments", value=grouped, target=2.5),
        Result(work="peak memory of the scan", against="", value=peak, target=1, unit=" GiB"),
    ]


def linearity(paths: list[Path], rows: int) -> tuple[Result, str]:
    """Fit a line to the time over the number of rows, and say what a row takes."""
    counts = [1, 2, 4, len(paths)]

    def taken(count: int) -> float:
        return min(seconds(lambda: uc.scan(paths[:count], MODEL)) for _ in range(2))

    times = [taken(count) for count in counts]
    x = np.array(counts) * rows
    lines = [
        f"* {count:,} rows: {time:.2f} s, {1e9 * time / count:.0f} ns per row"
        for count, time in zip(x, times, strict=True)
    ]
    r2 = float(np.corrcoef(x, times)[0, 1] ** 2)
    result = Result(
        work="time over 10, 20, 40, 80 M rows", against="a line, R²", value=r2, target=0.98, at_least=True
    )
    return result, "\nScans:\n\n" + "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=PART, help="rows of each of eight files")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--page", type=Path, help="the page to write")
    options = parser.parse_args(arguments)
    results = [in_memory(options.rows, 2 * options.repeats)]
    with tempfile.TemporaryDirectory() as folder:
        paths = make(Path(folder), options.parts, options.rows)
        results += scans(paths, options.repeats, options.rows)
        linear, lines = linearity(paths, options.rows)
        results.append(linear)
    about = f"{options.rows * options.parts:,} rows, float64, symmetric bounds. {describe_machine()}"
    write_page(options.page, "Benchmarks of large files", "make bench-scale", about, results, LIMITS + lines)


if __name__ == "__main__":
    main(sys.argv[1:])
