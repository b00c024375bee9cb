"""Findings in plain sentences, each derived from the numbers of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve import confidence
from uccurve._presorted import Presorted, plain
from uccurve._regimes import STEP, needed, runs
from uccurve._units import units
from uccurve.permutation import row_weights

if TYPE_CHECKING:
    from uccurve.curve import UCC


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
        return 1 - self._needed(self.model, weight) / self._needed(self.other, weight)

    def influence(self, _weight: np.ndarray) -> None:
        """Return nothing: a quantile's influence needs a density."""
        return

    def _needed(self, rows: Presorted, weight: np.ndarray) -> float:
        captured = np.cumsum(weight[rows.order])
        place = int(np.searchsorted(captured, (1 - self.rate - 1e-12) * captured[-1]))
        return float(weight @ rows.half_width) * float(rows.critical[rows.order[place]])


def saving(model: UCC, other: UCC, rate: float, options: dict[str, Any]) -> tuple[float, float, float]:
    """Return the share of bandwidth saved at a miss rate, with a bootstrap interval."""
    pair = [Presorted(plain(curve.intervals), "scale") for curve in (model, other)]
    number, weight = Saving(pair[0], pair[1], rate), row_weights(model.intervals)
    drawn = units(model.intervals, options["blocks"])
    level = options["level"]
    sample = confidence.bootstrap(
        [number], weight, drawn, options["n_resamples"], options["rng"], progress=False
    )
    low, high = np.quantile(sample, [(1 - level) / 2, (1 + level) / 2])
    return number.value(weight), float(low), float(high)


def against_constant(name: str, model: UCC, constant: UCC, rate: float, options: dict[str, Any]) -> str:
    """Say how much bandwidth a model saves against the constant band, and up to where."""
    share, low, high = saving(model, constant, rate, options)
    more = "less" if share >= 0 else "more"
    ends = sorted([abs(low), abs(high)]) if low * high > 0 else [low, high]
    interval = f"{100 * options['level']:g} % interval {100 * ends[0]:.1f} to {100 * ends[1]:.1f} %"
    if low * high <= 0:
        interval += ", which includes 0"
    amount = f"{100 * abs(share):.1f} % {more} bandwidth"
    sentence = f"At a {100 * rate:g} % miss rate {name} needs {amount} than the constant band ({interval})"
    rates = np.arange(STEP / 2, _HIGHEST_RATE, STEP)
    better = needed(model, rates) < needed(constant, rates)
    parts = runs(better)
    borders = [f"{rates[first] - STEP / 2:.2f}" for first, _ in parts[1:]]
    below, above = ("less", "more") if better[0] else ("more", "less")
    if not borders:
        return f"{sentence}; it needs {below} at every miss rate."
    if len(borders) == 1:
        return f"{sentence}; above a miss rate of {borders[0]} it needs {above}."
    if better[0] != better[-1]:
        tail = f"it needs {below} up to a miss rate of {borders[0]} and {above} from {borders[-1]} on"
    else:
        tail = f"the order changes {len(borders)} times between miss rates of {borders[0]} and {borders[-1]}"
    return f"{sentence}; {tail}."
