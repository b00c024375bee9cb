"""The whole trial: every loss on every task, for every seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

import uccurve as uc
from casestudies.band_loss import ensemble, made_tasks, traffic_rows
from casestudies.band_loss.assessment import assessed
from casestudies.band_loss.ensemble import Schedule
from casestudies.band_loss.losses import LOSSES, PINBALL
from casestudies.band_loss.made_tasks import NOISES, SHAPES, Rows
from casestudies.traffic.study import prepared

TRUTH = "true σ"
"""The bands that are the truth, as one more model."""
METHODS = (*LOSSES, TRUTH)

Records = dict[str, dict[str, list[dict[str, Any]]]]
"""Measures by task and by loss, one record for each seed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """How many rows each data set has."""

    learn: int = 1500
    calibrate: int = 1000
    test: int = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the study."""

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    noises: tuple[str, ...] = NOISES
    shapes: tuple[str, ...] = tuple(SHAPES)
    sizes: Sizes = field(default_factory=Sizes)
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=100, batch=128))
    stride: int = 6
    """Hours between the starts of training windows of the traffic data."""
    forecast: Schedule = field(default_factory=lambda: Schedule(epochs=15, batch=512, hidden=64))
    traffic: Schedule = field(default_factory=lambda: Schedule(epochs=12, batch=256))
    n_resamples: int = 199
    data: str | None = None
    """A local copy of the traffic data; downloaded if None."""


LIGHT = Settings(
    seeds=(0, 1),
    noises=("Gaussian", "t3"),
    shapes=("waves",),
    sizes=Sizes(learn=300, calibrate=100, test=400),
    schedule=Schedule(epochs=2, batch=100, hidden=8),
    stride=24,
    forecast=Schedule(epochs=1, batch=256, hidden=8),
    traffic=Schedule(epochs=1, batch=256, hidden=8),
    n_resamples=49,
)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


def on_made_tasks(settings: Settings) -> Records:
    """Train and assess all losses on the tasks with a known scale, each seed with its own rows."""
    torch.set_num_threads(1)
    tasks = [(noise, shape) for noise in settings.noises for shape in settings.shapes]
    keys = [(noise, shape, seed) for noise, shape in tasks for seed in settings.seeds]
    learn, calibrate, test = drawn(keys, settings.sizes)
    networks = ensemble.trained_bands(
        inputs(learn),
        torch.tensor(np.stack([rows.error for rows in learn]), dtype=torch.float32),
        list(LOSSES.values()),
        settings.schedule,
        settings.seeds[0],
    )
    to_calibrate, to_test = (
        ensemble.bands(ensemble.applied(networks, inputs(rows))).numpy() for rows in (calibrate, test)
    )
    records: Records = {f"{noise}, {shape}": {name: [] for name in METHODS} for noise, shape in tasks}
    for place, (noise, shape, _) in enumerate(keys):
        rows = calibrate[place], test[place]
        for number, name in enumerate(METHODS):
            if name == TRUTH:
                pair = [_intervals(one, one.sigma, one.sigma) for one in rows]
            else:
                outputs = (to_calibrate[number, place], to_test[number, place])
                pair = [
                    _intervals(one, *sides(name, output)) for one, output in zip(rows, outputs, strict=True)
                ]
            record = assessed(*pair, sigma=rows[1].sigma, n_resamples=settings.n_resamples)
            records[f"{noise}, {shape}"][name].append(record)
    return records


def on_traffic(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Train and assess all losses on the residuals of traffic forecasts, each seed with its own forecasts."""
    torch.set_num_threads(1)
    _, parts = prepared(settings.data, settings.stride)
    hours = traffic_rows.forecasts(parts, settings.seeds, settings.forecast)
    sets = len(settings.seeds)
    networks = ensemble.trained_bands(
        hours.learn.features.expand(sets, -1, -1),
        hours.learn.residuals(hours.scale),
        list(LOSSES.values()),
        settings.traffic,
        settings.seeds[0],
    )
    records: dict[str, list[dict[str, Any]]] = {name: [] for name in LOSSES}
    outputs = [
        ensemble.bands(ensemble.applied(networks, part.features.expand(sets, -1, -1))).numpy() * hours.scale
        for part in (hours.calibrate, hours.test)
    ]
    for number, name in enumerate(LOSSES):
        for place in range(sets):
            pair = [
                uc.Intervals.from_bands(
                    part.y_true, part.forecast[place], *sides(name, output[number, place])
                )
                for part, output in zip((hours.calibrate, hours.test), outputs, strict=True)
            ]
            record = assessed(*pair, blocks=hours.test.weeks, n_resamples=settings.n_resamples)
            record["deficit_area"] = pair[1].ucc().area(y="deficit")
            record["rmse"] = float(np.sqrt(np.mean(np.asarray(pair[1].residual) ** 2)))
            records[name].append(record)
    return records


def drawn(keys: list[tuple[str, str, int]], sizes: Sizes) -> list[tuple[Rows, ...]]:
    """Draw rows to learn from, to calibrate on and to test on, one set for each noise, scale and seed."""
    sets = []
    for number, (noise, shape, seed) in enumerate(keys):
        rng = np.random.default_rng((seed, number))
        n = (sizes.learn, sizes.calibrate, sizes.test)
        sets.append([made_tasks.made(noise, shape, part, rng) for part in n])
    return list(zip(*sets, strict=True))


def inputs(rows: tuple[Rows, ...]) -> torch.Tensor:
    """Return the inputs of all data sets, with a standard deviation of 1."""
    x = np.stack([one.x for one in rows]) * np.sqrt(12) / (made_tasks.RANGE[1] - made_tasks.RANGE[0])
    return torch.tensor(x[..., None], dtype=torch.float32)


def sides(name: str, output: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper band: those of a pair of quantiles differ, all others are symmetric."""
    return output[:, 0], output[:, 1 if name == PINBALL else 0]


def _intervals(rows: Rows, lower: np.ndarray, upper: np.ndarray) -> uc.Intervals:
    return uc.Intervals.from_bands(rows.error, np.zeros_like(rows.error), lower, upper)
