"""What is measured of a model's intervals, as plain numbers with intervals."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

import uccurve as uc
from casestudies.shared.ceilings import CEILINGS, with_intervals

HALF = (0.0, 0.5)
"""The miss rates of the partial gains."""
CLEAR = 0.95
"""A cross-over is clear only if the model is narrower at this share of the whole percents below it."""

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
    """Return gains, ceilings, the cross-over and ratios of bandwidths, each with a 95% interval.

    The cross-over is None, as are the gains on both sides of it, unless the model is narrower than its
    constant band below a miss rate, and wider above it for good, by a band that leaves 1 out on both sides.

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

    def number(statistic: str, **options: Any) -> dict[str, float]:
        return estimated(intervals, statistic, method=method, **options, **resampling)

    abs_error = np.abs(intervals.residual)
    ratio_curve = uc.ratio_curve(intervals, criterion="bandwidth", **resampling)
    known = ratio_curve.miss_rate[~np.isnan(ratio_curve.ratio)]
    crossover = paper_crossover(ratio_curve)
    end = None if crossover is None else crossover["value"]
    better = 0.0 if end is None else narrower_below(ratio_curve, end)
    original = intervals.ucc().original
    return {
        **{name: number("gain", **options) for name, options in NUMBERS.items()},
        **with_intervals(CEILINGS, abs_error, **resampling),
        "crossover": crossover,
        "ratios": {f"{rate:g}": as_ratio(number("gain_at", miss_rate=rate)) for rate in rates},
        "below": None if end is None else number("gain", partial="mean", miss_rate=(0.0, end)),
        "above": None if end is None else number("gain", partial="mean", miss_rate=(end, 1.0)),
        "better_below": better,
        "clear": end is not None and better >= CLEAR,
        "known": {"low": float(known[0]), "high": float(known[-1])} if known.size else None,
        "areas": conventions(intervals),
        "as_given": {"miss_rate": original.miss_rate, "bandwidth": original.bandwidth},
        "mean_absolute_error": float(np.mean(abs_error)),
    }


def estimated(intervals: uc.Intervals, statistic: str, **options: Any) -> dict[str, float]:
    """Return a number of one model with its 95% interval; the options are those of `confidence_interval`."""
    found = uc.confidence_interval(intervals, statistic, **options)
    return {"value": found.estimate, "low": found.low, "high": found.high}


def as_ratio(gain: dict[str, float]) -> dict[str, float]:
    """Return a gain at a point, and its interval, as a ratio of bandwidths."""
    return {"value": 1 - gain["value"], "low": 1 - gain["high"], "high": 1 - gain["low"]}


def paper_crossover(ratio_curve: uc.RatioCurve) -> dict[str, float] | None:
    """Return the miss rate below which the model is narrower, and above which it is wider for good.

    A model that is wider at low miss rates and narrower at high ones has another cross-over than the
    paper's, and none here.
    """
    found = ratio_curve.crossover
    if found is None or found.better_below != "a":
        return None
    return {"value": found.miss_rate, "low": found.low, "high": found.high}


def narrower_below(ratio_curve: uc.RatioCurve, miss_rate: float) -> float:
    """Return at which share of the known miss rates below one the model is narrower."""
    ratio = ratio_curve.ratio[ratio_curve.miss_rate < miss_rate]
    return float(np.mean(ratio[~np.isnan(ratio)] < 1))


def conventions(intervals: uc.Intervals) -> dict[str, dict[str, float]]:
    """Return area and gain by three conventions for summing up the same points.

    The exact integral is the mean bandwidth over the operating points of the rows. The paper's
    right-endpoint rectangles leave out the widest point. UQ360's trapezoids begin at the first point, and
    its gain is a share of the model's own area, where it should be a share of the constant band's.
    """
    n = intervals.residual.size
    rate = 1 - np.arange(1, n + 1) / n

    def areas(bandwidths: np.ndarray) -> dict[str, float]:
        return {
            "exact": float(np.mean(bandwidths)),
            "rectangles": float(np.sum(np.diff(bandwidths, prepend=0.0) * rate)),
            "trapezoids": float(np.trapezoid(rate, bandwidths)),
        }

    model, constant = (areas(bandwidths(one)) for one in (intervals, intervals.constant()))
    gains = {name: 1 - model[name] / constant[name] for name in model}
    gains["over_own_area"] = constant["trapezoids"] / model["trapezoids"] - 1
    return {"model": model, "constant": constant, "gain": gains}


def bandwidths(intervals: uc.Intervals) -> np.ndarray:
    """Return the bandwidths at which one more row is captured, ascending, shape (n,)."""
    return np.asarray(np.sort(np.asarray(intervals.critical())) * float(np.mean(half_widths(intervals))))


def half_widths(intervals: uc.Intervals) -> np.ndarray:
    """Return half the width of each interval as given, shape (n,)."""
    return np.asarray((np.asarray(intervals.lower_band) + np.asarray(intervals.upper_band)) / 2)


def spread(values: list[float]) -> dict[str, float]:
    """Return how a number varies from seed to seed."""
    return {
        "mean": float(np.mean(values)),
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else 0.0,
        "low": float(np.min(values)),
        "high": float(np.max(values)),
    }


def over_seeds(records: list[Any]) -> Any:
    """Return the spread over seeds of every number in the records; where some have none, over the others."""
    records = [record for record in records if record is not None]
    if not records:
        return None
    first = records[0]
    if not isinstance(first, dict):
        return spread(records)
    if "value" in first:
        return spread([record["value"] for record in records])
    return {name: over_seeds([record[name] for record in records]) for name in first}
