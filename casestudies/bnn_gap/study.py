"""One data set, its network, and its measures."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc
from casestudies.bnn_gap import diagnostics, hmc
from casestudies.bnn_gap.network import Network
from casestudies.shared.measures import HALF, NUMBERS, measured, spread
from uccurve.datasets import make_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.datasets import Gap


def cosine(x: np.ndarray) -> np.ndarray:
    """Return cos(2x), which turns inside the gap, where there are no training points."""
    return np.asarray(np.cos(2 * x))


def cubic(x: np.ndarray) -> np.ndarray:
    """Return 0.1x³, which is nearly flat inside the gap."""
    return 0.1 * x**3


FUNCTIONS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "main": ("cos(2x)", cosine),
    "control": ("0.1x³", cubic),
    "more": ("cos(2x)", cosine),
    "cited": ("0.1x³", cubic),
}
"""Name and function of the study, of its negative control, of more data sets like the first, and of the
function that the paper's source is said to use."""
PARTS = ("main", "control", "more")
"""The parts that share all settings but the function."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cited:
    """What public code attributes to Yao et al. (2019), whose data the paper calls similar to its own.

    The prior is not among it, so there are several.
    """

    noise: float = 0.25
    domain: tuple[float, float] = (-4.0, 4.0)
    priors: tuple[float, ...] = (1.0, 2.0, 4.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the study."""

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    more: tuple[int, ...] = tuple(range(5, 20))
    n_train: int = 40
    n_test: int = 1000
    noise: float = 0.1
    gap: tuple[float, float] = (-1.0, 1.0)
    domain: tuple[float, float] = (-3.0, 3.0)
    hidden: int = 50
    prior: float = 2.0
    chains: int = 8
    warm_up: int = 300
    draws: int = 600
    length: float = 1.0
    target: float = 0.9
    grid: int = 61
    rates: tuple[float, float] = (0.2, 0.7)
    n_resamples: int = 999
    cited: Cited = field(default_factory=Cited)

    @property
    def compared(self) -> tuple[float, ...]:
        """Miss rates at which bandwidths are compared; the last one ends the range of partial gains."""
        return (*self.rates, HALF[1])

    def seeds_of(self, part: str) -> tuple[int, ...]:
        """Return the seeds of a part."""
        return self.more if part == "more" else self.seeds

    def with_cited_data(self, prior: float) -> Settings:
        """Return these settings with noise and range of the cited function, and a prior."""
        return replace(self, noise=self.cited.noise, domain=self.cited.domain, prior=prior)

    def cited_seeds(self, prior: float) -> tuple[int, ...]:
        """Return the seeds of the cited function: all of them with the study's prior, else the first ones."""
        return (*self.seeds, *self.more) if prior == self.prior else self.seeds


FULL = Settings()
LIGHT = Settings(
    seeds=(0, 1), more=(2, 3), n_test=150, chains=2, warm_up=60, draws=40, length=0.1, grid=13, n_resamples=49
)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Outcome:
    """One data set with the network's predictions."""

    seed: int
    data: Gap
    mean: np.ndarray
    """Posterior mean of the function at the test inputs, shape (n_test,)."""
    epistemic: np.ndarray
    """Posterior standard deviation of the function there, shape (n_test,)."""
    intervals: uc.Intervals
    """The network's predictive standard deviation around its mean, as intervals."""
    record: dict[str, Any]
    """The numbers that go into the results."""


def sampled(part: str, seed: int, settings: Settings) -> Outcome:
    """Draw one data set, sample the network's posterior, measure the predictive intervals."""
    data = make_gap(
        settings.n_train,
        settings.n_test,
        noise=settings.noise,
        function=FUNCTIONS[part][1],
        gap=settings.gap,
        domain=settings.domain,
        rng=seed,
    )
    network = Network(hidden=settings.hidden, prior=settings.prior, noise=settings.noise)
    rng = np.random.default_rng([seed, 1])  # independent of the data's stream
    run = hmc.sample(
        lambda positions: network.log_density(positions, data.x_train, data.y_train),
        rng.normal(size=(settings.chains, network.size)),  # draws from the prior
        warm_up=settings.warm_up,
        draws=settings.draws,
        length=settings.length,
        target=settings.target,
        rng=rng,
    )
    functions = np.stack([network.predictions(positions, data.x) for positions in run.positions])
    intervals = _intervals(functions, data, settings.noise)
    mean, std = np.asarray(intervals.y_pred), np.asarray(intervals.upper_band)
    record = {
        "seed": seed,
        "diagnostics": _diagnostics(network, run, np.linspace(*settings.domain, settings.grid)),
        "measures": measured(intervals, rates=settings.compared, n_resamples=settings.n_resamples),
        "monte_carlo": _monte_carlo(functions, data, settings),
        "where": _where(data, mean, std, settings.gap),
    }
    epistemic = np.std(functions, axis=(0, 1))
    return Outcome(seed=seed, data=data, mean=mean, epistemic=epistemic, intervals=intervals, record=record)


def variants(outcome: Outcome) -> dict[str, uc.Intervals]:
    """Return bands around one network's predictions: its own, one without noise, and the truth."""
    data = outcome.data
    true_scale = np.sqrt((data.y_mean - outcome.mean) ** 2 + data.std**2)
    return {
        "network": outcome.intervals,
        "network without noise": uc.Intervals.from_std(data.y_true, outcome.mean, outcome.epistemic),
        "true error scale": uc.Intervals.from_std(data.y_true, outcome.mean, true_scale),
    }


def _intervals(functions: np.ndarray, data: Gap, noise: float) -> uc.Intervals:
    """Return mean and predictive standard deviation over all draws; functions: (draws, chains, n_test)."""
    std = np.sqrt(np.var(functions, axis=(0, 1)) + noise**2)
    return uc.Intervals.from_std(data.y_true, np.mean(functions, axis=(0, 1)), std)


def _monte_carlo(functions: np.ndarray, data: Gap, settings: Settings) -> dict[str, Any]:
    """Return the numbers of each chain on its own, and the standard error of their mean."""
    by_chain = [
        _numbers(_intervals(functions[:, [chain]], data, settings.noise), settings.compared)
        for chain in range(functions.shape[1])
    ]
    by_name = {name: [numbers[name] for numbers in by_chain] for name in by_chain[0]}
    return {
        name: {"chains": values, "se": spread(values)["sd"] / math.sqrt(len(values))}
        for name, values in by_name.items()
    }


def _numbers(intervals: uc.Intervals, rates: tuple[float, ...]) -> dict[str, float]:
    """Return gains, and ratios of bandwidths by their miss rates."""
    curve = intervals.ucc()
    gains = {name: curve.gain(**options) for name, options in NUMBERS.items()}
    return gains | {f"{rate:g}": 1 - curve.gain_at(miss_rate=rate) for rate in rates}


def _diagnostics(network: Network, run: hmc.Draws, grid: np.ndarray) -> dict[str, float]:
    """Judge the chains by their functions: permuted weights make the same network."""
    functions = np.stack([network.predictions(positions, grid) for positions in run.positions])
    return {
        "r_hat": float(np.max(diagnostics.split_r_hat(functions))),
        "effective_draws": float(np.min(diagnostics.effective_draws(functions))),
        "acceptance": run.acceptance,
        "divergences": run.divergences,
        "step": run.step,
        "gradients": run.gradients,
    }


def _where(data: Gap, mean: np.ndarray, std: np.ndarray, gap: tuple[float, float]) -> dict[str, float]:
    """Compare error and band inside the gap and outside."""
    inside = (data.x > gap[0]) & (data.x < gap[1])
    return {
        f"{quantity}_{name}": float(np.sqrt(np.mean(values[rows] ** 2)))
        for name, rows in (("inside", inside), ("outside", ~inside))
        for quantity, values in (("error", data.y_true - mean), ("band", std))
    }
