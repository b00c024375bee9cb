"""Measure the library on one NVIDIA GPU, as ratios to reading the inputs once: `make bench-gpu`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from measure import Result, write_page

import uccurve as uc

READING = "reading the inputs once at copy bandwidth"
Work = Callable[[], Any]


def seconds(work: Work, repeats: int = 5) -> float:
    """Return the least time of several, by the GPU's own clock."""
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


def measure(n: int) -> tuple[list[Result], float]:
    """Measure everything on n rows of float32; return the time of one read as well."""
    generator = torch.Generator("cuda").manual_seed(0)

    def draw() -> torch.Tensor:
        return torch.randn(n, device="cuda", generator=generator)

    z, p = draw().mul_(0.6).exp_(), draw()
    y = draw().mul_(z).add_(p)
    read = 3 * n * 4 / (2 * n * 4 / seconds(y.clone))
    results = []
    works: dict[str, Work] = {
        "area": lambda: uc.auucc(y, y_pred=p, std=z),
        "gain": lambda: uc.auucc_gain(y, y_pred=p, std=z),
        "deficit gain": lambda: uc.auucc_gain(y, y_pred=p, std=z, y="deficit"),
    }
    for name, work in works.items():
        words = f"{name}, raw float32 tensors, checked, fused"
        results.append(Result(work=words, against=READING, value=seconds(work) / read, target=2))
    made = seconds(lambda: uc.Intervals.from_std(y, p, z)) / read
    results.append(Result(work="`Intervals.from_std`", against=READING, value=made, target=6))
    return [*results, *measure_updates()], read


def measure_updates(n: int = 4096) -> list[Result]:
    """Measure updates of metrics in a training loop, with rows or sums kept."""
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
    unit, results = repeated(lambda: mean.update(y)), []
    for name, metric in {"MissRate": MissRate(), "AUUCC": AUUCC()}.items():
        update = partial(metric.to("cuda").update, y, -band, band)
        value = repeated(update) / unit
        results.append(Result(work=f"metric update, {name}", against=against, value=value, target=5))
        metric.reset()
    return results


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=5e8)
    parser.add_argument("--page", type=Path, help="the page to write")
    options = parser.parse_args()
    n = int(options.rows)
    results, read = measure(n)
    about = (
        f"{n:,} rows of float32 on one {torch.cuda.get_device_name()}, PyTorch {torch.__version__}.\n"
        f"One read of the three input columns takes {1000 * read:.2f} ms at the speed of a copy."
    )
    write_page(options.page, "Benchmarks on a GPU", "make bench-gpu", about, results)


if __name__ == "__main__":
    main()
