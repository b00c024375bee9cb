"""Measure the library on one NVIDIA card, as ratios to reading the inputs once or to one torch.sort: `make bench-gpu`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

import uccurve as uc
from uccurve._cuda import row_sums as cuda_sums

NOTES = """
What sets the pace, and what was tried:

* *Without Triton* every operation writes an array. Differences in float32, ratios that are added to a zero of float64, and norms that add float32 up in float64 leave
  no copy between, which brought 22 reads down to 6. The division takes two of them; smaller blocks, which stay in the cache, lose more by launches.
* *Sketch*: each row is added to one bin of each of two tables. The sums of a bin lie side by side and are added at once, which brought 26 reads down to 13. The card
  adds to about 60 billion places per second, twice per row, and so does not get below 11 reads; more copies of the tables, other blocks and loads ahead change little.
* *Exact curve*: finding the different critical scales sorts them without their order, in 70% of the time and 60% of the memory of a sort that returns it.
* *Four costs*: one walk over the sorted rows gathers the bands and adds them up by block, another one goes on from the blocks before. The gather takes as long as
  PyTorch's own. With prefix sums of PyTorch in place of both walks, everything took 4.3 sorts.
"""

READING = "reading the inputs once at copy bandwidth"
Work = Callable[[], Any]


def seconds(work: Work, repeats: int = 5) -> float:
    """Return the least time of several, by the card's own clock."""
    work()
    torch.cuda.synchronize()
    times = []
    for _ in range(repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / 1000)
    return float(min(times))


def peak(work: Work) -> float:
    """Return the memory above what is held before, in bytes."""
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    work()
    torch.cuda.synchronize()
    return float(torch.cuda.max_memory_allocated() - before)


class Results(list[dict[str, Any]]):
    """The lines of the table, printed as they come."""

    def line(self, work: str, against: str, value: float, target: float) -> None:
        """Add a line."""
        met = "yes" if value <= target else "NO"
        self.append({"work": work, "against": against, "value": value, "target": target, "met": met})
        print(self.row(self[-1]), flush=True)

    @staticmethod
    def row(line: dict[str, Any]) -> str:
        """Return a line as a row of a table."""
        return f"| {line['work']} | {line['against']} | {line['value']:.3g} | ≤ {line['target']:g} | {line['met']} |"


def measured(n: int) -> tuple[Results, dict[str, Any]]:
    """Measure everything on n rows of float32."""
    generator = torch.Generator("cuda").manual_seed(0)

    def draw() -> torch.Tensor:
        return torch.randn(n, device="cuda", generator=generator)

    z, p = draw().mul_(0.6).exp_(), draw()
    y = draw().mul_(z).add_(p)
    read = 3 * n * 4 / (2 * n * 4 / seconds(y.clone))
    results = Results()
    works: dict[str, Work] = {
        "area": lambda: uc.auucc(y, y_pred=p, std=z),
        "gain": lambda: uc.auucc_gain(y, y_pred=p, std=z),
        "deficit gain": lambda: uc.auucc_gain(y, y_pred=p, std=z, y="deficit"),
    }
    for name, work in works.items():
        results.line(f"{name}, raw float32 tensors, checked, fused", READING, seconds(work) / read, 2)
    kernels = cuda_sums.kernels
    vars(cuda_sums)["kernels"] = lambda: None
    for name in ("area", "gain"):
        results.line(f"{name}, the same without Triton", READING, seconds(works[name], 2) / read, 6)
    vars(cuda_sums)["kernels"] = kernels
    results.line("`Intervals.from_std`", READING, seconds(lambda: uc.Intervals.from_std(y, p, z)) / read, 6)
    rows = uc.Intervals.from_std(y, p, z)
    sort = seconds(lambda: torch.sort(rows.critical()), 3) - seconds(rows.critical, 3)
    curve: Work = lambda: rows.ucc().miss_rate  # noqa: E731
    costs: Work = lambda: rows.ucc().deficit  # noqa: E731
    results.line("exact curve", "torch.sort of the same k (float64)", seconds(curve, 3) / sort, 1.5)
    results.line("peak device memory of the curve", "arrays of N float64", peak(curve) / (8 * n), 6)
    results.line("sketch", READING, seconds(lambda: uc.UCCSketch.of(rows), 2) / read, 25)
    results.line("four costs", "torch.sort with indices", seconds(costs, 2) / sort, 2.5)
    results.line("peak device memory of four costs", "arrays of N float64", peak(costs) / (8 * n), 10)
    updates(results)
    return results, {"rows": n, "read_ms": 1000 * read, "sort_ms": 1000 * sort}


def updates(results: Results, n: int = 4096) -> None:
    """Measure updates of metrics in a training loop, with rows and with sums kept."""
    from torchmetrics import MeanMetric

    from uccurve.torch import AUUCC, MissRate

    y = torch.randn(n, device="cuda")
    band = torch.rand(n, device="cuda") + 0.5
    mean = MeanMetric().to("cuda")
    loop = 200

    def repeated(update: Work) -> float:
        def work() -> None:
            for _ in range(loop):
                update()

        return seconds(work, 3)

    against = f"a torchmetrics MeanMetric update on the same {n:,} rows"
    unit = repeated(lambda: mean.update(y))
    for name, metric in {"MissRate": MissRate(), "AUUCC": AUUCC()}.items():
        update = partial(metric.to("cuda").update, y, -band, band)
        results.line(f"metric update, {name}", against, repeated(update) / unit, 5)
        metric.reset()


def main() -> None:
    """Measure, print, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=5e8)
    parser.add_argument("--output", type=Path, default=Path("build/bench/gpu"))
    given = parser.parse_args()
    results, about = measured(int(given.rows))
    about |= {"card": torch.cuda.get_device_name(), "torch": torch.__version__}
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.with_suffix(".json").write_text(json.dumps({**about, "results": results}, indent=1))
    head = [
        "# Benchmarks on a graphics card",
        "",
        f"Written by `make bench-gpu`: {about['rows']:,} rows of float32 on one {about['card']}, PyTorch {about['torch']}. One read of the",
        f"three input columns takes {about['read_ms']:.2f} ms at the speed of a copy, one `torch.sort` of the critical scales {about['sort_ms']:.0f} ms.",
        "",
        "| work | against, in the same run | measured | target | met |",
        "| --- | --- | --- | --- | --- |",
    ]
    given.output.with_suffix(".md").write_text("\n".join([*head, *map(Results.row, results)]) + "\n" + NOTES)


if __name__ == "__main__":
    main()
