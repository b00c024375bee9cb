"""The baseline without a network: boosted trees for three quantiles of each hour ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from casestudies.traffic.networks import SMALLEST, TAIL
from casestudies.traffic.training import Forecast

if TYPE_CHECKING:
    from casestudies.traffic.assessment import Scored
    from casestudies.traffic.windows import Part, Parts

NAME = "boosted trees"
NARROW = 100.0
"""Vehicles per hour; bands below it are counted as narrow."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Boosting:
    """Settings of the trees."""

    every: int = 4
    """Learn from one in this number of training windows; each seed draws its own."""
    rounds: int = 200


def boost(parts: Parts, settings: Boosting, seed: int) -> tuple[Forecast, Forecast, float]:
    """Fit the three quantiles; return the forecasts for calibration and test, and the share that crossed."""
    n = len(parts.train.past)
    chosen = np.random.default_rng(seed).permutation(n)[: n // settings.every]
    scored = parts.train.scored[chosen].ravel()
    x, y = _features(parts.train, chosen)[scored], parts.train.volume[chosen].ravel()[scored]
    to_predict = _features(parts.calibrate), _features(parts.test)
    by_level: list[list[np.ndarray]] = []
    for level in (TAIL, 0.5, 1 - TAIL):
        trees = HistGradientBoostingRegressor(
            loss="quantile", quantile=level, max_iter=settings.rounds, early_stopping=False, random_state=seed
        )
        trees.fit(x, y)
        by_level.append([trees.predict(features).astype(np.float64) for features in to_predict])
    calibrate, test = (np.stack(levels) for levels in zip(*by_level, strict=True))
    crossed = float(np.mean(np.any(np.diff(test, axis=0) < 0, axis=0)))
    return _forecast(parts, parts.calibrate, calibrate), _forecast(parts, parts.test, test), crossed


def narrow(test: Scored) -> dict[str, float]:
    """Return the share of hours with a narrow band on either side, and the gain with those widened."""
    rows = test.intervals
    is_narrow = np.minimum(rows.lower_band, rows.upper_band) < NARROW
    return {"narrow": float(np.mean(is_narrow)), "widened_gain": rows.floored(NARROW).ucc().gain()}


def _features(part: Part, chosen: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Return one row per hour ahead: past volumes, the last weather, its calendar, how far ahead it is."""
    past, ahead = part.past[chosen], part.ahead[chosen]
    hours = ahead.shape[1]
    known = np.concatenate([past[:, :, 0], past[:, -1, 1:]], axis=1)
    step = np.tile(np.arange(hours, dtype=np.float32), len(past))[:, None]
    return np.concatenate([np.repeat(known, hours, axis=0), ahead.reshape(-1, ahead.shape[2]), step], axis=1)


def _forecast(parts: Parts, part: Part, levels: np.ndarray) -> Forecast:
    """Return the median with its bands; crossed quantiles are sorted (Chernozhukov et al. 2010)."""
    low, middle, high = np.sort(levels, axis=0).reshape(3, *part.volume.shape)
    return Forecast(
        volume=parts.vehicles(middle),
        lower_band=np.maximum(middle - low, SMALLEST) * parts.scale,
        upper_band=np.maximum(high - middle, SMALLEST) * parts.scale,
    )
