"""What used to be slow: comparisons of many rows, sketches beside a busy process, costs that bend twice."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from measure import Result, ratio

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Iterator

MODELS = 5
EXCHANGES = 9999
DRAWS_AT_ONCE = 64


def results(rows: int, repeats: int) -> list[Result]:
    """Measure all corners; ``rows`` are those of the longest sketch."""
    return [
        *four_costs(max(1000, rows // 2), repeats),
        busy_sketch(rows, repeats),
        comparison(max(200, rows // 100)),
    ]


def four_costs(n: int, repeats: int) -> list[Result]:
    """All costs of symmetric and asymmetric bands, by scale and by shift."""
    rng = np.random.default_rng(0)
    y_pred, band, other = rng.normal(size=n), rng.lognormal(size=n), rng.lognormal(size=n)
    y_true = y_pred + band * rng.normal(size=n)
    symmetric = uc.Intervals.from_bands(y_true, y_pred, band)
    asymmetric = uc.Intervals.from_bands(y_true, y_pred, band, other)

    def costs(intervals: uc.Intervals, vary: Any) -> object:
        curve = uc.UCC(intervals, vary=vary)
        return curve.excess, curve.deficit, curve.parameter, curve.miss_rate, curve.bandwidth

    def line(name: str, intervals: uc.Intervals, vary: Any, target: float) -> Result:
        k = np.asarray(intervals.critical(vary=vary))
        return Result(
            work=f"all four costs, {name}, {n:,} rows",
            against="np.argsort of the same k",
            value=ratio(lambda: costs(intervals, vary), lambda: np.argsort(k), repeats),
            target=target,
        )

    return [
        line("symmetric", symmetric, "scale", 1.6),
        line("asymmetric", asymmetric, "scale", 3.0),
        line("by shift", symmetric, "shift", 3.5),
    ]


@contextmanager
def busy_core() -> Iterator[None]:
    """Keep one core busy with another process meanwhile."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def busy_sketch(rows: int, repeats: int) -> Result:
    """Sketch rows in memory while another process keeps a core busy."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.5, size=rows)
    intervals = uc.Intervals.from_bands(scale * rng.normal(size=rows), np.zeros(rows), scale)
    k = np.abs(intervals.y_true) / scale
    with busy_core():
        found = 1 / ratio(lambda: uc.UCCSketch.of(intervals), lambda: np.sort(k), repeats)
    return Result(
        work=f"in-memory sketch beside a busy process, {rows:,} rows",
        against="np.sort of k, times faster",
        value=found,
        target=4,
        at_least=True,
    )


def comparison(n: int) -> Result:
    """Compare five models, in products of one column with as many exchanges."""
    rng = np.random.default_rng(0)
    y_pred, scale = rng.normal(size=n), rng.lognormal(sigma=0.5, size=n)
    y_true = y_pred + scale * rng.normal(size=n)
    models = {
        f"model {i}": uc.Intervals.from_bands(y_true, y_pred, scale ** (i / 4) * rng.lognormal(0, 0.2, n))
        for i in range(MODELS)
    }

    def one_column() -> None:
        draws = np.random.default_rng(0)
        for _ in range(0, EXCHANGES, DRAWS_AT_ONCE):
            exchanged = draws.integers(0, 2, size=(DRAWS_AT_ONCE, n), dtype=np.int8)
            exchanged.astype(np.float64) @ scale

    return Result(
        work=f"compare, {MODELS} models, {n:,} rows",
        against=f"{EXCHANGES:,} exchanges of one column, drawn and multiplied",
        value=ratio(lambda: uc.compare(models, rng=0), one_column, 2),
        target=5,
    )
