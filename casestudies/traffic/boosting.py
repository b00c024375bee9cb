"""The baseline without a network: boosted trees for three quantiles of each hour ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from casestudies.traffic.networks import SMALLEST, TAIL
from casestudies.traffic.training import Forecast

if TYPE_CHECKING:
    from collections.abc import Callable

    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.windows import Part, Parts

NAME = "boosted trees"
NARROW = 100.0
"""Vehicles an hour; bands below it are counted as narrow."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Boosting:
    """How much to learn from."""

    every: int = 4
    """Learn from one of so many training windows; seeds draw different ones."""
    rounds: int = 200


def boost(
    parts: Parts, settings: Boosting, seed: int, told: Callable[[float], None]
) -> tuple[Forecast, Forecast, float]:
    """Fit the three quantiles; return forecasts to calibrate and to test, and the share of crossed ones."""
    n = len(parts.train.past)
    chosen = np.random.default_rng(seed).permutation(n)[: n // settings.every]
    table, target = _table(parts.train, chosen), parts.train.volume[chosen].ravel()
    scored = parts.train.scored[chosen].ravel()
    asked = _table(parts.calibrate), _table(parts.test)
    found: list[list[np.ndarray]] = []
    for number, level in enumerate((TAIL, 0.5, 1 - TAIL)):
        trees = HistGradientBoostingRegressor(
            loss="quantile", quantile=level, max_iter=settings.rounds, early_stopping=False, random_state=seed
        )
        trees.fit(table[scored], target[scored])
        found.append([trees.predict(rows).astype(np.float64) for rows in asked])
        told((number + 1) / 3)
    calibrate, test = (np.stack(levels) for levels in zip(*found, strict=True))
    crossed = float(np.mean(np.any(np.diff(test, axis=0) < 0, axis=0)))
    return _forecast(parts, parts.calibrate, calibrate), _forecast(parts, parts.test, test), crossed


def narrow(test: Scored) -> dict[str, float]:
    """Return how many hours have a narrow band on either side, and the gain if those were widened."""
    rows = test.intervals
    thin = np.minimum(rows.lower_band, rows.upper_band) < NARROW
    return {"narrow": float(np.mean(thin)), "widened_gain": rows.floored(NARROW).ucc().gain()}


def _table(part: Part, chosen: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Return one row an hour ahead: past volumes, the last weather, its calendar, and how far it is."""
    past, ahead = part.past[chosen], part.ahead[chosen]
    hours = ahead.shape[1]
    known = np.concatenate([past[:, :, 0], past[:, -1, 1:]], axis=1)
    step = np.tile(np.arange(hours, dtype=np.float32), len(past))[:, None]
    return np.concatenate([np.repeat(known, hours, axis=0), ahead.reshape(-1, ahead.shape[2]), step], axis=1)


def _forecast(parts: Parts, part: Part, levels: np.ndarray) -> Forecast:
    """Return the median with its bands; quantiles that crossed change places (Chernozhukov et al. 2010)."""
    low, middle, high = np.sort(levels, axis=0).reshape(3, *part.volume.shape)
    return Forecast(
        volume=parts.vehicles(middle),
        lower_band=np.maximum(middle - low, SMALLEST) * parts.scale,
        upper_band=np.maximum(high - middle, SMALLEST) * parts.scale,
    )
