"""What is said about a model's intervals, as plain numbers with intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc
from casestudies.shared import rows as of_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve import Intervals
    from uccurve.inference._confidence import Method

HALF = (0.0, 0.5)
"""The miss rates of the partial gains."""
CLEAR = 0.95
"""A cross-over is clear if the model is better below it and worse above it at so many of the miss rates."""
LOWEST = 0.01
"""It is clear only if its interval does not reach below this miss rate: there are few rows to miss there."""

_NOTHING = {"value": 0.0, "low": 0.0, "high": 0.0}

NUMBERS: dict[str, dict[str, Any]] = {
    "gain": {},
    "strip_gain": {"partial": "strip", "miss_rate": HALF},
    "mean_gain": {"partial": "mean", "miss_rate": HALF},
    "deficit_gain": {"y": "deficit"},
}
"""Gains, and the options that make them."""


def measured(
    intervals: Intervals,
    *,
    rates: tuple[float, ...],
    blocks: np.ndarray | None = None,
    method: Method | None = None,
    n_resamples: int = 999,
    rng: int = 0,
) -> dict[str, Any]:
    """Return gains, ceilings, the cross-over and ratios of bandwidths, each with a 95 % interval.

    Parameters
    ----------
    intervals : Intervals
        The rows of one model.
    rates : tuple of float
        Miss rates at which the bandwidth is held against that of the constant band.
    blocks : array, optional
        Labels of rows that depend on each other.
    method : {"delta", "bootstrap"}, optional
        How intervals of gains are found; by default by the delta method where it reaches.
    n_resamples : int
        Number of bootstrap samples.
    rng : int
        Seed of the bootstrap.
    """
    again: dict[str, Any] = {"blocks": blocks, "method": method, "n_resamples": n_resamples, "rng": rng}
    found: dict[str, Any] = {
        name: _of_library(intervals, **options, **again) for name, options in NUMBERS.items()
    }
    rows = of_rows.Rows.of(intervals)
    numbers: dict[str, Callable[[of_rows.Rows], float]] = {
        "ceiling": of_rows.ceiling,
        "deficit_ceiling": of_rows.deficit_ceiling,
        "crossover": of_rows.crossover,
    }
    ratios = {f"{rate:g}": partial(of_rows.ratio, miss_rate=rate) for rate in rates}
    resampled = of_rows.with_intervals(
        numbers | ratios, rows, blocks=blocks, n_resamples=n_resamples, rng=rng
    )
    found |= {name: resampled[name] for name in numbers}
    found["ratios"] = {name: resampled[name] for name in ratios}
    curve = intervals.ucc()
    end = found["crossover"]["value"]
    for side, span in (("below", (0.0, end)), ("above", (end, 1.0))):
        part = {"partial": "mean", "miss_rate": span}
        found[side] = _of_library(intervals, **part, **again) if span[0] < span[1] else dict(_NOTHING)
    found["better_below"], found["worse_above"] = better, worse = of_rows.sides(rows, end)
    found["clear"] = found["crossover"]["low"] >= LOWEST and min(better, worse) >= CLEAR
    found["areas"] = conventions(intervals)
    original = curve.original
    found["as_given"] = {"miss_rate": original.miss_rate, "bandwidth": original.bandwidth}
    found["mean_absolute_error"] = float(np.mean(rows.error))
    return found


def _of_library(intervals: Intervals, **options: Any) -> dict[str, float]:
    found = uc.confidence_interval(intervals, "gain", **options)
    return {"value": found.estimate, "low": found.low, "high": found.high}


def conventions(intervals: Intervals) -> dict[str, dict[str, float]]:
    """Return area and gain by the three ways of summing up the same points that are in use.

    The exact integral is the mean bandwidth over the operating points of the rows; the paper's
    right-endpoint rectangles leave the widest one out; UQ360's trapezoids begin at the first point.
    UQ360 also divides by the model's area where the gain should be a share of the constant band's.
    """
    rows = of_rows.Rows.of(intervals)
    n = rows.error.size
    rate = 1 - np.arange(1, n + 1) / n

    def summed(b: np.ndarray) -> dict[str, float]:
        return {
            "exact": float(np.mean(b)),
            "rectangles": float(np.sum(np.diff(b, prepend=0.0) * rate)),
            "trapezoids": float(np.trapezoid(rate, b)),
        }

    model, constant = summed(rows.needed), summed(rows.constant)
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


def over_seeds(measures: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the spread over seeds of everything that was measured."""
    first = measures[0]
    if "value" in first:
        return spread([one["value"] for one in measures])
    return {
        name: over_seeds([one[name] for one in measures])
        if isinstance(first[name], dict)
        else spread([one[name] for one in measures])
        for name in first
    }
