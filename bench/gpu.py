"""Measure the library on one NVIDIA GPU, as ratios to reading the inputs once: `make bench-gpu`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

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
    results.line("`Intervals.from_std`", READING, seconds(lambda: uc.Intervals.from_std(y, p, z)) / read, 6)
    updates(results)
    return results, {"rows": n, "read_ms": 1000 * read}


def updates(results: Results, n: int = 4096) -> None:
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
    about |= {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__}
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.with_suffix(".json").write_text(json.dumps({**about, "results": results}, indent=1))
    head = [
        "# Benchmarks on a GPU",
        "",
        f"Written by `make bench-gpu`: {about['rows']:,} rows of float32 on one {about['gpu']}, PyTorch {about['torch']}. One read of the",
        f"three input columns takes {about['read_ms']:.2f} ms at the speed of a copy.",
        "",
        "| work | against, in the same run | measured | target | met |",
        "| --- | --- | --- | --- | --- |",
    ]
    given.output.with_suffix(".md").write_text("\n".join([*head, *map(Results.row, results)]) + "\n")


if __name__ == "__main__":
    main()
