"""Who needs the least bandwidth where, and whether that is more than chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._namespace import to_numpy
from uccurve.confidence import confidence_interval

if TYPE_CHECKING:
    from uccurve.curve import UCC

STEP = 0.01
"""Miss rates are looked at in steps of one per cent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    """A range of miss rates with one best model."""

    low: float
    high: float
    best: str
    runner_up: str | None
    saved: float
    p_value: float


def needed(curve: UCC, rates: np.ndarray) -> np.ndarray:
    """Return the bandwidth needed to miss at most each rate; infinite below the curve's floor."""
    missed, width = to_numpy(curve.miss_rate)[::-1], to_numpy(curve.bandwidth)[::-1]
    place = np.searchsorted(missed, rates + 1e-12, side="right") - 1
    return np.where(place >= 0, width[np.maximum(place, 0)], np.inf)


def runs(best: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal values."""
    ends = np.flatnonzero(np.diff(best)).tolist()
    return list(zip([0, *(end + 1 for end in ends)], [*ends, best.size - 1], strict=True))


def regimes(curves: dict[str, UCC], options: dict[str, Any]) -> list[Regime]:
    """Cut the miss rates into ranges by the model that needs the least bandwidth.

    Each range is judged by the mean bandwidth over it, best against second best, with the
    standard error of that paired difference.
    """
    names = list(curves)
    rates = np.arange(STEP / 2, 1, STEP)
    table = np.stack([needed(curve, rates) for curve in curves.values()])
    found = []
    for first, last in runs(np.argmin(table, axis=0)):
        mean = table[:, first : last + 1].mean(axis=1)
        order = np.argsort(mean, kind="stable")
        best = int(np.argmin(table[:, first]))
        others = [int(place) for place in order if place != best]
        low, high = round(rates[first] - STEP / 2, 4), round(rates[last] + STEP / 2, 4)
        second = others[0] if others and math.isfinite(mean[others[0]]) else None
        saved, p_value = math.nan, math.nan
        if second is not None:
            saved = 1 - float(mean[best] / mean[second])
            pair = (curves[names[best]], curves[names[second]])
            p_value = _p_value(*pair, low, high, options)
        name = None if second is None else names[second]
        found.append(
            Regime(low=low, high=high, best=names[best], runner_up=name, saved=saved, p_value=p_value)
        )
    return found


def _p_value(best: UCC, second: UCC, low: float, high: float, options: dict[str, Any]) -> float:
    """Test the mean bandwidth over the range, two-sided."""
    found = confidence_interval(
        best.intervals,
        "area",
        minus=second.intervals,
        partial="mean",
        miss_rate=(low, high),
        vary=best.vary,
        **options,
    )
    if found.standard_error == 0:
        return 1.0 if found.estimate == 0 else 0.0
    return 2 * NormalDist().cdf(-abs(found.estimate / found.standard_error))


def holm(p_values: list[float]) -> list[float]:
    """Adjust p-values for their number (Holm 1979); NaN stays NaN and does not count."""
    counted = [place for place, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(counted, key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, p_values[place] * (len(counted) - rank)))
        adjusted[place] = largest
    return adjusted
