"""All data sets together: what repeats, and the claims of the page."""

from __future__ import annotations

import math
from dataclasses import asdict
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import spearmanr

import uccurve as uc
from casestudies.bnn_gap.study import FUNCTIONS, variants
from casestudies.shared.measures import CLEAR, HALF, NUMBERS, over_seeds, spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from casestudies.bnn_gap.study import Outcome, Settings

PAPER = {"gain": 0.061, "strip_gain": 0.727}
"""The numbers of the paper."""
SURE = 2.0
"""A sign or a side is sure from this number of Monte Carlo standard errors on."""


def summarized(
    parts: dict[str, list[Outcome]], cited: dict[float, list[Outcome]], settings: Settings
) -> dict[str, Any]:
    """Return the results of all data sets: of the parts, and of the cited function by prior."""
    results: dict[str, Any] = {
        "settings": asdict(settings) | {"half": HALF, "clear_share": CLEAR},
        "paper": PAPER,
    }
    results |= {
        part: {"function": FUNCTIONS[part][0]} | _together(outcomes, settings)
        for part, outcomes in parts.items()
    }
    results["cited"] = {
        "function": FUNCTIONS["cited"][0],
        "priors": {f"{prior:g}": _together(outcomes, settings) for prior, outcomes in cited.items()},
    }
    records = [outcome.record for part in ("main", "more") for outcome in parts[part]]
    results["all"] = {
        "seeds": [record["seed"] for record in records],
        "spread": over_seeds([record["measures"] for record in records]),
        "monte_carlo": over_seeds([_errors(record) for record in records]),
        "holds": holds(records, settings.rates),
    }
    first = parts["main"][0]
    results["gaussian"] = gaussian_ceilings()
    results["variants"] = {name: _gains(intervals) for name, intervals in variants(first).items()}
    results["true_scale"] = in_units_of_the_truth(first, settings.gap)
    results["interval_score"] = interval_score(first.intervals, settings.rates[0])
    return results


def interval_score(intervals: uc.Intervals, alpha: float) -> dict[str, Any]:
    r"""Return the interval score as a cost on the curve, with the right weight and with the paper's.

    :math:`IS = 2\beta + (2/\alpha)\,\delta` is the cost :math:`c\,\beta + (1 - c)\,\delta` with
    :math:`c = \alpha / (1 + \alpha)`, times :math:`2 (1 + \alpha) / \alpha`. The intervals are those
    that Gaussian errors would miss at the rate alpha.
    """
    curve = intervals.ucc()
    factor = NormalDist().inv_cdf(1 - alpha / 2)
    nominal = intervals.scaled(factor)
    point = curve.at(parameter=factor)
    weights = {"right": alpha / (1 + alpha), "printed": 1 / (1 + alpha)}
    result: dict[str, Any] = {
        "alpha": alpha,
        "factor": factor,
        "bandwidth": point.bandwidth,
        "deficit": point.deficit,
        "library": uc.interval_score(intervals.y_true, nominal.lower, nominal.upper, miss_rate=alpha),
    }
    for name, c in weights.items():
        best = curve.minimize_cost(c, y="deficit").point
        result[name] = {
            "c": c,
            # Divided by c/2, every such cost counts the mean width once.
            "score": 2 / c * (c * point.bandwidth + (1 - c) * point.deficit),
            "deficit_weight": 2 * (1 - c) / c,
            "best": {"scale": best.parameter, "miss_rate": best.miss_rate, "bandwidth": best.bandwidth},
        }
    return result


def gaussian_ceilings() -> dict[str, float]:
    """Return 1 - (E√|e|)²/E|e| and 1 - (E|e|)²/Ee², the largest gains in hindsight, for Gaussian errors."""
    return {"ceiling": 1 - _moment(0.5) ** 2 / _moment(1), "deficit_ceiling": 1 - _moment(1) ** 2}


def holds(records: list[dict[str, Any]], rates: tuple[float, float]) -> dict[str, Any]:
    """Return for each claim the seeds on which it holds; the rates are a low and a high miss rate."""
    low, high = (f"{rate:g}" for rate in rates)
    measures = {record["seed"]: record["measures"] | {"errors": _errors(record)} for record in records}

    def where(test: Callable[[dict[str, Any]], bool]) -> list[int]:
        return [seed for seed, measure in measures.items() if test(measure)]

    def unsure(name: str, border: float) -> list[int]:
        return where(lambda m: abs((m | m["ratios"])[name]["value"] - border) < SURE * m["errors"][name])

    both = where(lambda m: m["ratios"][low]["value"] < 1 < m["ratios"][high]["value"])
    crosses = where(lambda m: m["clear"])
    error_over_band = [record["where"]["error_inside"] / record["where"]["band_inside"] for record in records]
    gains = [measure["gain"]["value"] for measure in measures.values()]
    return {
        "narrower": where(lambda m: m["ratios"][low]["value"] < 1),
        "wider": where(lambda m: m["ratios"][high]["value"] > 1),
        "both": both,
        "not_both": [seed for seed in measures if seed not in both],
        "clearly": where(lambda m: m["ratios"][low]["high"] < 1 < m["ratios"][high]["low"]),
        "negative_gain": where(lambda m: m["gain"]["value"] < 0),
        "signs_differ": where(lambda m: m["strip_gain"]["value"] * m["mean_gain"]["value"] < 0),
        "crosses": crosses,
        "crossover": spread([measures[seed]["crossover"]["value"] for seed in crosses]) if crosses else None,
        "unsure": {name: unsure(name, 0.0) for name in NUMBERS}
        | {name: unsure(name, 1.0) for name in (low, high)},
        "gain_follows_error": float(spearmanr(error_over_band, gains).statistic),
    }


def in_units_of_the_truth(outcome: Outcome, gap: tuple[float, float]) -> dict[str, float]:
    """Return the mean of |e| over its true scale in the gap and beside it; √(2/π) for Gaussian noise."""
    critical = np.asarray(variants(outcome)["true error scale"].critical())
    inside = (outcome.data.x > gap[0]) & (outcome.data.x < gap[1])
    return {"inside": float(np.mean(critical[inside])), "outside": float(np.mean(critical[~inside]))}


def _together(outcomes: list[Outcome], settings: Settings) -> dict[str, Any]:
    """Return the records of some data sets, and what they have in common."""
    records = [outcome.record for outcome in outcomes]
    return {
        "seeds": records,
        "spread": over_seeds([record["measures"] for record in records]),
        "where": over_seeds([record["where"] for record in records]),
        "diagnostics": over_seeds([record["diagnostics"] for record in records]),
        "monte_carlo": over_seeds([_errors(record) for record in records]),
        "holds": holds(records, settings.rates),
    }


def _errors(record: dict[str, Any]) -> dict[str, float]:
    """Return the Monte Carlo standard errors of one data set's numbers."""
    return {name: number["se"] for name, number in record["monte_carlo"].items()}


def _moment(power: float) -> float:
    """Return the mean of |Z| to a power, for a standard normal Z."""
    return 2 ** (power / 2) * math.gamma((power + 1) / 2) / math.sqrt(math.pi)


def _gains(intervals: uc.Intervals) -> dict[str, float]:
    curve = intervals.ucc()
    return {"gain": curve.gain(), "deficit_gain": curve.gain(y="deficit")}
