"""Hours of the traffic file as single rows: forecasts first, then residuals to learn bands from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from casestudies.band_loss import ensemble
from casestudies.traffic.windows import WEEK

if TYPE_CHECKING:
    from casestudies.band_loss.ensemble import Schedule
    from casestudies.traffic.windows import Part, Parts

FOR_FORECASTS = 0.6
"""Share of the training windows, the earliest, that the forecasts learn from; bands learn from the others."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Hours:
    """Recorded hours of a part, with the forecasts of each seed."""

    features: torch.Tensor
    """Shape (hours, features)."""
    y_true: np.ndarray
    """Vehicles per hour, shape (hours,)."""
    forecast: np.ndarray
    """Vehicles per hour, shape (seeds, hours)."""
    weeks: np.ndarray
    """The week of each hour, counted from the first one: the blocks of the bootstrap."""

    def residuals(self, scale: float) -> torch.Tensor:
        """Return the residuals of each seed in units of the volume's standard deviation."""
        return torch.tensor((self.y_true - self.forecast) / scale, dtype=torch.float32)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Forecasts:
    """The three parts that bands are learned from, calibrated on and tested on."""

    learn: Hours
    calibrate: Hours
    test: Hours
    scale: float
    """Standard deviation of the volume, vehicles per hour."""


def forecasts(parts: Parts, seeds: tuple[int, ...], schedule: Schedule) -> Forecasts:
    """Train one forecast for each seed, and apply it to hours that it did not see."""
    n = int(FOR_FORECASTS * len(parts.train.past))
    earliest, latest = slice(0, n), slice(n, None)
    features, scaled = rows(parts.train, earliest)[:2]
    sets = len(seeds)
    networks = ensemble.trained_means(
        features.expand(sets, -1, -1), scaled.expand(sets, -1), schedule, seeds[0]
    )

    def hours(part: Part, chosen: slice = slice(None)) -> Hours:
        features, scaled, grid_index = rows(part, chosen)
        outputs = ensemble.applied(networks, features.expand(sets, -1, -1))[0, ..., 0]
        return Hours(
            features=features,
            y_true=parts.vehicles(scaled.double().numpy()),
            forecast=parts.vehicles(outputs.numpy()),
            weeks=weeks(grid_index),
        )

    return Forecasts(
        learn=hours(parts.train, latest),
        calibrate=hours(parts.calibrate),
        test=hours(parts.test),
        scale=parts.scale,
    )


def weeks(grid_index: np.ndarray) -> np.ndarray:
    """Return the week of each hour, counted from the first one."""
    return np.asarray((grid_index - grid_index.min()) // WEEK)


def rows(part: Part, chosen: slice = slice(None)) -> tuple[torch.Tensor, torch.Tensor, np.ndarray]:
    """Return features, scaled volumes and places in the grid of the recorded hours.

    An hour ahead knows the volumes of the past, the last weather, its own calendar, and how far ahead it is.
    """
    past, ahead, kept = part.past[chosen], part.ahead[chosen], part.scored[chosen].ravel()
    hours = ahead.shape[1]
    known = np.concatenate([past[:, :, 0], past[:, -1, 1:]], axis=1)
    step = np.tile(np.arange(hours, dtype=np.float32) / hours, len(past))[:, None]
    features = np.concatenate(
        [np.repeat(known, hours, axis=0), ahead.reshape(-1, ahead.shape[2]), step], axis=1
    )
    return (
        torch.tensor(features[kept]),
        torch.tensor(part.volume[chosen].ravel()[kept]),
        part.grid_index[chosen].ravel()[kept],
    )
