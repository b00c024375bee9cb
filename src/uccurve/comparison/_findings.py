"""Findings in plain sentences, each derived from the numbers of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.comparison._regimes import STEP, needed, runs
from uccurve.inference import _confidence
from uccurve.inference._presorted import Presorted
from uccurve.inference._sample import sample

if TYPE_CHECKING:
    from uccurve.curve._curve import Curve


_EQUAL = 1e-9
_WORDS = {-1: "less", 0: "as much", 1: "more"}
_HIGHEST_RATE = 0.95
"""Above it bands are so narrow that their order is noise."""


@dataclass(frozen=True, eq=False)
class Saving:
    """The share of bandwidth that a model saves against another at one miss rate."""

    model: Presorted
    other: Presorted
    rate: float

    def value(self, weight: np.ndarray) -> float:
        """Return the share for rows with weights."""
        own, theirs = (self._needed(rows, weight) for rows in (self.model, self.other))
        return 0.0 if own == theirs else 1 - own / theirs if theirs > 0 else -np.inf

    def influence(self, _weight: np.ndarray) -> None:
        """Return nothing: a quantile's influence needs a density."""
        return

    def _needed(self, rows: Presorted, weight: np.ndarray) -> float:
        captured = np.cumsum(weight[rows.order])
        place = int(np.searchsorted(captured, (1 - self.rate - 1e-12) * captured[-1]))
        return float(weight @ rows.half_width) * float(rows.critical[rows.order[place]])


def saving(model: Curve, other: Curve, rate: float, options: dict[str, Any]) -> tuple[float, float, float]:
    """Return the share of bandwidth saved at a miss rate, with a bootstrap interval."""
    if model._rows is None or other._rows is None:
        own, theirs = (curve.at(miss_rate=rate).bandwidth for curve in (model, other))
        return 1 - own / theirs if theirs > 0 else 0.0, np.nan, np.nan
    rows = sample({"model": model._rows, "other": other._rows}, options["blocks"])
    pair = [Presorted(intervals, "scale") for intervals in rows.models]
    number = Saving(pair[0], pair[1], rate)
    found = _confidence.bootstrap(
        [number], rows.weight, rows.drawn, options["n_resamples"], options["rng"], progress=False
    )
    ends = [(1 - options["level"]) / 2, (1 + options["level"]) / 2]
    low, high = np.quantile(found, ends, method="inverted_cdf")  # no mean of infinite numbers
    return number.value(rows.weight), float(low), float(high)


def against_constant(name: str, model: Curve, constant: Curve, rate: float, options: dict[str, Any]) -> str:
    """Say how much bandwidth a model saves against its constant band, and up to where."""
    if model.reference is model:
        return f"{name} is a constant band."
    share, low, high = saving(model, constant, rate, options)
    amount = (
        f"{_share(share)} bandwidth than its constant band{_interval(share, low, high, options['level'])}"
    )
    sentence = f"At a {100 * rate:g} % miss rate {name} needs {amount}"
    rates = np.arange(STEP / 2, _HIGHEST_RATE, STEP)
    own, theirs = needed(model, rates), needed(constant, rates)
    order = np.where(np.isclose(own, theirs, rtol=_EQUAL, atol=0), 0, np.where(own < theirs, -1, 1))
    parts = runs(order)
    borders = [f"{rates[first] - STEP / 2:.2f}" for first, _ in parts[1:]]
    below, above = (_WORDS[int(order[place])] for place in (0, -1))
    if not borders:
        return f"{sentence}; it needs {below} at every miss rate."
    if len(borders) == 1:
        return f"{sentence}; above a miss rate of {borders[0]} it needs {above}."
    between = f"there is no clear order between miss rates of {borders[0]} and {borders[-1]}"
    outer = f"{below} below and {above} above" if below != above else f"{below} elsewhere"
    return f"{sentence}; {between}, and it needs {outer}."


def _share(share: float) -> str:
    return f"{100 * abs(share):.1f} % {'less' if share >= 0 else 'more'}"


def _interval(share: float, low: float, high: float, level: float) -> str:
    """Put an interval into words: its ends have the sign of the share, or say theirs."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    told = f" ({100 * level:g} % interval "
    if low < 0 < high:
        return f"{told}from {_share(low)} to {_share(high)})"
    ends = sorted((abs(low), abs(high))) if share < 0 else (low, high)
    return f"{told}{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %)"
