"""Check by simulation that regimes raise few false alarms, and find what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from uccurve.comparison._regimes import regimes

import uccurve as uc
from uccurve.comparison import CompareOptions

if TYPE_CHECKING:
    from uccurve.comparison import Regime

Make = Callable[[np.random.Generator, int], tuple[dict[str, uc.Intervals], np.ndarray | None]]

SPREAD = 0.4
BETWEEN_BLOCKS = 0.3
ERRORS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "Gaussian": lambda rng, n: rng.normal(size=n),
    "t5": lambda rng, n: rng.standard_t(5, size=n),
    "gamma": lambda rng, n: rng.gamma(2.0, size=n) - 2,
}


@dataclass(frozen=True)
class Exchangeable:
    """Makes models with the same noise in their bands; in blocks, part of scale and noise is shared."""

    errors: str
    n_models: int = 2
    n_blocks: int | None = None

    def __call__(self, rng: np.random.Generator, n: int) -> tuple[dict[str, uc.Intervals], np.ndarray | None]:
        """Draw them."""
        scale = rng.lognormal(sigma=SPREAD, size=n)
        noise = rng.lognormal(sigma=SPREAD, size=(self.n_models, n))
        blocks = None
        if self.n_blocks is not None:
            blocks = np.arange(n) * self.n_blocks // n
            scale *= rng.lognormal(sigma=BETWEEN_BLOCKS, size=self.n_blocks)[blocks]
            noise *= rng.lognormal(sigma=BETWEEN_BLOCKS, size=(self.n_models, self.n_blocks))[:, blocks]
        y = scale * ERRORS[self.errors](rng, n)
        return {f"model {place}": _around_zero(y, scale * part) for place, part in enumerate(noise)}, blocks


def noisy_and_constant(rng: np.random.Generator, n: int) -> tuple[dict[str, uc.Intervals], np.ndarray | None]:
    """Errors with heavy tails of one scale: a band of noise, and the constant one, which is better."""
    y = rng.standard_t(1.5, size=n)
    return {
        "noisy": _around_zero(y, rng.lognormal(sigma=0.6, size=n)),
        "constant": _around_zero(y, np.ones(n)),
    }, None


def noisy_and_true(rng: np.random.Generator, n: int) -> tuple[dict[str, uc.Intervals], np.ndarray | None]:
    """Gaussian errors: bands that follow their scale, and the same with noise."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    y = scale * rng.normal(size=n)
    return {
        "true": _around_zero(y, scale),
        "noisy": _around_zero(y, scale * rng.lognormal(sigma=0.3, size=n)),
    }, None


def crossing(rng: np.random.Generator, n: int) -> tuple[dict[str, uc.Intervals], np.ndarray | None]:
    """Gaussian errors: bands that follow their scale are better at low miss rates, the constant one above."""
    scale = rng.lognormal(sigma=SPREAD, size=n)
    y = scale * rng.normal(size=n)
    return {"true": _around_zero(y, scale), "constant": _around_zero(y, np.ones(n))}, None


def found(make: Make, runs: int, n: int, seed: int, is_found: Callable[[Regime], bool]) -> float:
    """Return the share of runs in which a regime is found that is as described."""
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(runs):
        models, blocks = make(rng, n)
        options = CompareOptions(blocks=blocks)
        curves = {name: rows.ucc() for name, rows in models.items()}
        count += any(map(is_found, regimes(curves, options, rng)))
    return count / runs


def significant(regime: Regime) -> bool:
    """Any range that is called significant."""
    return regime.significant


@dataclass(frozen=True)
class BestAt:
    """Recognizes a range that holds a miss rate, with the right model."""

    model: str
    miss_rate: float

    def __call__(self, regime: Regime) -> bool:
        """Whether it is one."""
        return (
            regime.significant and regime.best == self.model and regime.low <= self.miss_rate <= regime.high
        )


def _around_zero(y: np.ndarray, band: np.ndarray) -> uc.Intervals:
    return uc.Intervals.from_bands(y, np.zeros(y.size), band)
