"""Tests and intervals against SciPy and plain resampling, and comparisons against a sort."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from measure import Result, best_seconds, busy_process, peak_bytes, seconds
from scipy import stats

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESAMPLES, FEW = 9999, 99
MIB = 1 << 20
MODELS = 5
SORTED = 20_000_000
COMPARED = {1_000: 1, 100_000: 5, 1_000_000: 12}
"""Rows of a comparison, and how many sorts it may take: as many seconds where a sort takes one."""


def models(n: int) -> tuple[uc.Intervals, uc.Intervals]:
    """Two models with symmetric bands around the same predictions."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.5, size=n)
    y_pred = rng.normal(size=n)
    y_true = y_pred + scale * rng.normal(size=n)
    first, second = (
        uc.Intervals.from_bands(y_true, y_pred, scale * rng.lognormal(sigma=0.3, size=n)) for _ in range(2)
    )
    return first, second


def excess_deficit_area(k: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Area on excess and deficit of each row of a table, sorted anew, vectorised."""
    order = np.argsort(k, axis=-1)
    k, z = np.take_along_axis(k, order, -1), np.take_along_axis(z, order, -1)
    slope, step = np.cumsum(z, axis=-1), np.diff(k, axis=-1)
    lost = (slope[..., -1:] - slope[..., :-1]) * step
    left = np.cumsum(lost[..., ::-1], axis=-1)[..., ::-1]
    return np.asarray((slope[..., :-1] * step * (left - lost / 2)).sum(axis=-1) / k.shape[-1] ** 2)


def scipy_seconds(
    a: uc.Intervals, b: uc.Intervals, area: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> float:
    """Time SciPy's paired test with few resamples, scaled up."""
    n = a.n
    z = np.concatenate([a.lower_band, b.lower_band])
    k = np.abs(np.concatenate([a.residual, b.residual])) / z

    def statistic(rows_a: np.ndarray, rows_b: np.ndarray, axis: int = -1) -> np.ndarray:
        assert axis == -1  # noqa: S101
        return np.asarray(area(k[rows_a], z[rows_a]) - area(k[rows_b], z[rows_b]))

    def test() -> object:
        return stats.permutation_test(
            (np.arange(n), np.arange(n) + n),
            statistic,
            permutation_type="samples",
            vectorized=True,
            n_resamples=FEW,
            batch=10,
            rng=0,
        )

    return seconds(test) * RESAMPLES / FEW


def naive_gain(intervals: uc.Intervals, rng: np.random.Generator, *, excess: bool) -> float:
    """One bootstrap gain the plain way: draw rows, compute everything anew."""
    rows = rng.integers(0, intervals.n, size=intervals.n)
    e = np.abs(intervals.y_true[rows] - intervals.y_pred[rows])
    z = intervals.lower_band[rows]
    if not excess:
        return float(1 - z.mean() * (e / z).mean() / e.mean())
    ones = np.ones_like(z)
    return float(1 - excess_deficit_area(e / z, z) / excess_deficit_area(e, ones))


def bootstrap_ratio(intervals: uc.Intervals, axes: dict[str, Any], resamples: int = 256) -> float:
    """Divide the time of resamples the plain way by that of a whole interval of the library."""
    rng = np.random.default_rng(0)
    plain = min(seconds(lambda: naive_gain(intervals, rng, excess=bool(axes))) for _ in range(5))
    options: dict[str, Any] = {"method": "percentile", "n_resamples": resamples, "rng": 0, **axes}
    ours = min(seconds(lambda: uc.confidence_interval(intervals, "gain", **options)) for _ in range(2))
    return plain * resamples / ours


def results(scale: float) -> list[Result]:
    """Measure; ``scale`` makes everything smaller for a quick run."""
    many, medium, few = (max(200, int(n * scale)) for n in (10**6, 10**5, 10**4))
    found = []
    for name, n, axes, area in (
        ("β–ρ", medium, {}, lambda k, z: z.mean(axis=-1) * k.mean(axis=-1)),
        ("ξ–δ", few, {"x": "excess", "y": "deficit"}, excess_deficit_area),
    ):
        pair = models(n)
        ours = min(seconds(lambda p=pair, a=axes: uc.permutation_test(*p, rng=0, **a)) for _ in range(2))  # type: ignore[misc]
        times = scipy_seconds(*pair, area) / ours
        work, against = f"permutation test, {name}, {n:,} rows", "scipy.stats.permutation_test, times faster"
        found.append(Result(work=work, against=against, value=times, target=20, at_least=True))
    one, _ = models(many)
    for name, axes, target in (("β–ρ", {}, 2), ("ξ–δ", {"x": "excess", "y": "deficit"}, 5)):
        work, against = (
            f"bootstrap of the {name} gain, {many:,} rows",
            "drawing and computing anew, times faster",
        )
        times = bootstrap_ratio(one, axes)
        found.append(Result(work=work, against=against, value=times, target=target, at_least=True))
    pair = models(medium)
    peak = peak_bytes(lambda: uc.permutation_test(*pair, rng=0)) / MIB
    work = f"permutation test, {medium:,} rows: memory"
    return [*found, Result(work=work, against="MiB above the data", value=peak, target=512)]


def several_models(n: int) -> dict[str, uc.Intervals]:
    """Five models whose bands follow the noise more and more."""
    rng = np.random.default_rng(0)
    y_pred, scale = rng.normal(size=n), rng.lognormal(sigma=0.5, size=n)
    y_true = y_pred + scale * rng.normal(size=n)
    return {
        f"model {i}": uc.Intervals.from_bands(y_true, y_pred, scale ** (i / 4) * rng.lognormal(0, 0.2, n))
        for i in range(MODELS)
    }


def comparisons(scale: float, repeats: int) -> list[Result]:
    """Measure `compare`, alone and beside a busy process, and the command `uccurve demo`."""
    numbers = np.random.default_rng(0).random(max(200, int(SORTED * scale)))
    sort = best_seconds(partial(np.sort, numbers) for _ in range(repeats)).cpu
    against = f"np.sort of {numbers.size:,} numbers, in CPU time"
    found = []
    for rows, target in COMPARED.items():
        n = max(200, int(rows * scale))

        def calls(n: int = n) -> Iterator[Callable[[], object]]:
            return (partial(uc.compare, several_models(n), rng=0) for _ in range(repeats))

        alone = best_seconds(calls())
        with busy_process():
            beside = best_seconds(calls())
        work = f"compare, {MODELS} models, {n:,} rows"
        found += [
            Result(work=work, against=against, value=alone.cpu / sort, target=target, seconds=alone.cpu),
            Result(
                work=f"{work}, beside a busy process",
                against="alone, times as long",
                value=beside.wall / alone.wall,
                target=3,
                seconds=beside.wall,
            ),
        ]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "uccurve.cli", "demo", "--output", "report.html"]
        demo = partial(subprocess.run, command, cwd=folder, capture_output=True, check=True)
        took = best_seconds(demo for _ in range(repeats)).cpu
    return [*found, Result(work="`uccurve demo`", against=against, value=took / sort, target=3, seconds=took)]
