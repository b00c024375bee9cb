"""The second trial: one network learns prediction and bands together, as the paper's "Joint-Meta" does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

import uccurve as uc
from casestudies.band_loss import ensemble, made_tasks, traffic_rows
from casestudies.band_loss.assessment import assessed
from casestudies.band_loss.losses import LOSSES
from casestudies.band_loss.study import METHODS, TRUTH, drawn, inputs, sides
from casestudies.traffic.study import prepared

if TYPE_CHECKING:
    from casestudies.band_loss.study import Records, Settings


def on_made_tasks(settings: Settings) -> Records:
    """Train and assess all losses on the rows of the first trial, moved by a mean that has to be learned."""
    torch.set_num_threads(1)
    tasks = [(noise, shape) for noise in settings.noises for shape in settings.shapes]
    keys = [(noise, shape, seed) for noise, shape in tasks for seed in settings.seeds]
    learn, *judged = drawn(keys, settings.sizes)
    networks = ensemble.trained_together(
        inputs(learn),
        torch.tensor(np.stack([_observed(rows) for rows in learn]), dtype=torch.float32),
        list(LOSSES.values()),
        settings.schedule,
        settings.seeds[0],
    )
    outputs = [ensemble.applied(networks, inputs(part)) for part in judged]
    records: Records = {f"{noise}, {shape}": {name: [] for name in METHODS} for noise, shape in tasks}
    for place, (noise, shape, _) in enumerate(keys):
        rows = [part[place] for part in judged]
        for number, name in enumerate(METHODS):
            if name == TRUTH:
                pair = [_true_intervals(one) for one in rows]
            else:
                pair = [
                    _intervals(name, _observed(one), output[number, place])
                    for one, output in zip(rows, outputs, strict=True)
                ]
            record = _record(pair, settings, sigma=rows[1].sigma)
            records[f"{noise}, {shape}"][name].append(record)
    return records


def on_traffic(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Train and assess all losses on the hours of the traffic file."""
    torch.set_num_threads(1)
    _, parts = prepared(settings.data, settings.stride)
    sets = len(settings.seeds)
    features, scaled, _ = traffic_rows.rows(parts.train)
    networks = ensemble.trained_together(
        features.expand(sets, -1, -1),
        scaled.expand(sets, -1),
        list(LOSSES.values()),
        settings.forecast,
        settings.seeds[0],
    )
    judged = [traffic_rows.rows(part) for part in (parts.calibrate, parts.test)]
    outputs = [ensemble.applied(networks, part[0].expand(sets, -1, -1)) for part in judged]
    records: dict[str, list[dict[str, Any]]] = {name: [] for name in LOSSES}
    for number, name in enumerate(LOSSES):
        for place in range(sets):
            pair = [
                _intervals(name, part[1].double().numpy(), output[number, place], parts.scale)
                for part, output in zip(judged, outputs, strict=True)
            ]
            records[name].append(_record(pair, settings, blocks=traffic_rows.weeks(judged[1][2])))
    return records


def _observed(rows: made_tasks.Rows) -> np.ndarray:
    return np.asarray(made_tasks.center(rows.x) + rows.error)


def _true_intervals(rows: made_tasks.Rows) -> uc.Intervals:
    return uc.Intervals.from_bands(_observed(rows), made_tasks.center(rows.x), rows.sigma)


def _intervals(name: str, y_true: np.ndarray, outputs: torch.Tensor, unit: float = 1.0) -> uc.Intervals:
    lower, upper = sides(name, ensemble.bands(outputs[:, 1:]).numpy() * unit)
    return uc.Intervals.from_bands(y_true * unit, outputs[:, 0].numpy() * unit, lower, upper)


def _record(pair: list[uc.Intervals], settings: Settings, **options: Any) -> dict[str, Any]:
    """Return what the first trial measures, and how far off the predictions are."""
    record = assessed(*pair, n_resamples=settings.n_resamples, **options)
    return record | {"rmse": float(np.sqrt(np.mean(np.asarray(pair[1].residual) ** 2)))}
