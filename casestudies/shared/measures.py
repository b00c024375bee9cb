"""What is measured of a model's intervals, as plain numbers with intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import uccurve as uc
from casestudies.shared import rows as of_rows

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = (0.0, 0.5)
"""The miss rates of the partial gains."""
CLEAR = 0.95
"""A cross-over is clear if the model is better below and worse above it at this share of the miss rates."""
LOWEST = 0.01
"""It is clear only if its interval does not reach below this miss rate: there are few rows to miss there."""

NUMBERS: dict[str, dict[str, Any]] = {
    "gain": {},
    "strip_gain": {"partial": "strip", "miss_rate": HALF},
    "mean_gain": {"partial": "mean", "miss_rate": HALF},
    "deficit_gain": {"y": "deficit"},
}
"""Gains, and the options that make them."""


def measured(
    intervals: uc.Intervals,
    *,
    rates: tuple[float, ...],
    blocks: np.ndarray | None = None,
    method: Literal["auto", "delta", "percentile"] = "auto",
    n_resamples: int = 999,
    rng: int = 0,
) -> dict[str, Any]:
    """Return gains, ceilings, the cross-over and ratios of bandwidths, each with a 95 % interval.

    Parameters
    ----------
    intervals : Intervals
        The rows of one model.
    rates : tuple of float
        Miss rates at which the bandwidth is compared with that of the constant band.
    blocks : array, optional
        Labels of rows that depend on each other.
    method : {"auto", "delta", "percentile"}
        Method for the intervals of gains.
    n_resamples : int
        Number of bootstrap samples.
    rng : int
        Seed of the bootstrap.
    """
    resampling: dict[str, Any] = {"blocks": blocks, "n_resamples": n_resamples, "rng": rng}

    def gain(**options: Any) -> dict[str, float]:
        interval = uc.confidence_interval(intervals, "gain", method=method, **options, **resampling)
        return {"value": interval.estimate, "low": interval.low, "high": interval.high}

    rows = of_rows.Rows.of(intervals)
    numbers: dict[str, Callable[[of_rows.Rows], float]] = {
        "ceiling": of_rows.ceiling,
        "deficit_ceiling": of_rows.deficit_ceiling,
        "crossover": of_rows.crossover,
    }
    ratios = {f"{rate:g}": partial(of_rows.ratio, miss_rate=rate) for rate in rates}
    bootstrapped = of_rows.with_intervals(numbers | ratios, rows, **resampling)
    crossover = bootstrapped["crossover"]
    end = crossover["value"]
    nothing = {"value": 0.0, "low": 0.0, "high": 0.0}
    better, worse = of_rows.sides(rows, end)
    original = intervals.ucc().original
    return {
        **{name: gain(**options) for name, options in NUMBERS.items()},
        **{name: bootstrapped[name] for name in numbers},
        "ratios": {name: bootstrapped[name] for name in ratios},
        "below": gain(partial="mean", miss_rate=(0.0, end)) if end > 0 else nothing,
        "above": gain(partial="mean", miss_rate=(end, 1.0)) if end < 1 else nothing,
        "better_below": better,
        "worse_above": worse,
        "clear": crossover["low"] >= LOWEST and min(better, worse) >= CLEAR,
        "areas": conventions(intervals),
        "as_given": {"miss_rate": original.miss_rate, "bandwidth": original.bandwidth},
        "mean_absolute_error": float(np.mean(rows.abs_error)),
    }


def conventions(intervals: uc.Intervals) -> dict[str, dict[str, float]]:
    """Return area and gain by three conventions for summing up the same points.

    The exact integral is the mean bandwidth over the operating points of the rows. The paper's
    right-endpoint rectangles leave out the widest point. UQ360's trapezoids begin at the first point, and
    its gain is a share of the model's own area, where it should be a share of the constant band's.
    """
    rows = of_rows.Rows.of(intervals)
    n = rows.abs_error.size
    rate = 1 - np.arange(1, n + 1) / n

    def areas(bandwidths: np.ndarray) -> dict[str, float]:
        return {
            "exact": float(np.mean(bandwidths)),
            "rectangles": float(np.sum(np.diff(bandwidths, prepend=0.0) * rate)),
            "trapezoids": float(np.trapezoid(rate, bandwidths)),
        }

    model, constant = areas(rows.bandwidths), areas(rows.constant_bandwidths)
    gains = {name: 1 - model[name] / constant[name] for name in model}
    gains["over_own_area"] = constant["trapezoids"] / model["trapezoids"] - 1
    return {"model": model, "constant": constant, "gain": gains}


def spread(values: list[float]) -> dict[str, float]:
    """Return how a number varies from seed to seed."""
    return {
        "mean": float(np.mean(values)),
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else 0.0,
        "low": float(np.min(values)),
        "high": float(np.max(values)),
    }


def over_seeds(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the spread over seeds of every number in the records."""
    first = records[0]
    if "value" in first:
        return spread([record["value"] for record in records])
    return {
        name: over_seeds([record[name] for record in records])
        if isinstance(first[name], dict)
        else spread([record[name] for record in records])
        for name in first
    }
