"""What is measured of a model: plain numbers with 95% intervals, on all seeds, and their spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import joblib
import numpy as np

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

HALF = (0.0, 0.5)
"""The miss rates of the partial gains."""
CLEAR = 0.95
"""A cross-over is clear only if the model is narrower at this share of the whole percents below it."""
GAINS: dict[str, dict[str, Any]] = {
    "gain": {},
    "strip_gain": {"partial": "strip", "miss_rate": HALF},
    "mean_gain": {"partial": "mean", "miss_rate": HALF},
    "deficit_gain": {"y": "deficit"},
}
"""Gains, and the options that make them."""


def measure(intervals: uc.Intervals, *, rates: tuple[float, ...], **resampling: Any) -> dict[str, Any]:
    """Return gains, the cross-over and ratios of bandwidths with 95% intervals, and ceilings.

    The cross-over is the paper's: the miss rate below which the model is narrower than its constant band,
    and above which it is wider for good. It is None, as are the gains on both sides of it, where there is
    none, or one the other way round.

    Parameters
    ----------
    intervals : Intervals
        The rows of one model.
    rates : tuple of float
        Miss rates at which the bandwidth is compared with that of the constant band.
    **resampling
        `n_resamples`, the number of bootstrap samples, and `blocks`, labels of rows that depend on each
        other.
    """
    curve = intervals.ucc()
    ratios = uc.ratio_curve(intervals, criterion="bandwidth", rng=0, **resampling)
    found = {
        **{name: estimate(intervals, "gain", **choice, **resampling) for name, choice in GAINS.items()},
        "ceiling": curve.ceiling(),
        "deficit_ceiling": curve.ceiling(y="deficit"),
        "ratios": {f"{rate:g}": _estimate_ratio(intervals, rate, resampling) for rate in rates},
        "crossover": None,
        "below": None,
        "above": None,
        "clear": False,
        "area": curve.area(),
        "miss_rate": curve.original.miss_rate,
        "mean_absolute_error": float(np.mean(np.abs(intervals.residual))),
    }
    swap = ratios.crossover
    if swap is not None and swap.better_below == "a":
        end = swap.miss_rate
        found["crossover"] = {"value": end, "low": swap.low, "high": swap.high}
        for side, part in {"below": (0.0, end), "above": (end, 1.0)}.items():
            found[side] = estimate(intervals, "gain", partial="mean", miss_rate=part, **resampling)
        before = ratios.ratio[ratios.miss_rate < end]
        found["clear"] = bool(np.mean(before[~np.isnan(before)] < 1) >= CLEAR)
    return found


def estimate(
    intervals: uc.Intervals, statistic: str, *, blocks: np.ndarray | None = None, **options: Any
) -> dict[str, float]:
    """Return a number of one model with its 95% interval; the options are those of `confidence_interval`."""
    method: Literal["auto", "percentile"] = "auto" if blocks is None else "percentile"
    found = uc.confidence_interval(intervals, statistic, method=method, blocks=blocks, rng=0, **options)
    return {"value": found.estimate, "low": found.low, "high": found.high}


def _estimate_ratio(intervals: uc.Intervals, rate: float, resampling: dict[str, Any]) -> dict[str, float]:
    """Return the bandwidth over that of the constant band: 1 minus the gain at a point."""
    gain = estimate(intervals, "gain_at", miss_rate=rate, **resampling)
    return {"value": 1 - gain["value"], "low": 1 - gain["high"], "high": 1 - gain["low"]}


def run_all(task: Callable[..., Any], groups: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[Any]]:
    """Call a function with the arguments of each seed in each group, in parallel; return the answers."""
    calls = [joblib.delayed(task)(*arguments) for group in groups.values() for arguments in group]
    answers = iter(joblib.Parallel(verbose=5)(calls))
    return {name: [next(answers) for _ in group] for name, group in groups.items()}


def summarize(values: Any) -> dict[str, float]:
    """Return how a number varies from seed to seed."""
    return {
        "mean": float(np.mean(values)),
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else 0.0,
        "low": float(np.min(values)),
        "high": float(np.max(values)),
    }


def summarize_seeds(records: list[Any]) -> Any:
    """Return the spread over seeds of every number in the records; where some have none, over the others."""
    records = [record for record in records if record is not None]
    if not records or not isinstance(records[0], dict):
        return summarize(records) if records else None
    if "value" in records[0]:
        return summarize([record["value"] for record in records])
    return {name: summarize_seeds([record[name] for record in records]) for name in records[0]}


def with_spread(records: dict[str, list[Any]]) -> dict[str, Any]:
    """Return the records of each model, one for each seed, and their spread."""
    return {name: {"seeds": seeds, "spread": summarize_seeds(seeds)} for name, seeds in records.items()}


def list_constants(*modules: ModuleType) -> dict[str, Any]:
    """Return the numbers and ranges that modules have as constants, for the settings on a page."""
    return {
        name.lower(): value
        for module in modules
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int | float | tuple) and not isinstance(value, bool)
    }
