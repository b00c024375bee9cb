"""The study: data sets with a gap, a network sampled on each, what it needs against a constant band."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import spearmanr

import uccurve as uc
from casestudies.bnn_gap.figures import draw_three_panels
from casestudies.bnn_gap.posterior import Network, sample, split_r_hat
from casestudies.figures import draw_ratios
from casestudies.measures import CLEAR, HALF, measure, run_all, summarize_seeds

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "cos(2x)": lambda x: np.cos(2 * x),  # turns inside the gap, where there are no training points
    "0.1x³": lambda x: 0.1 * x**3,  # is nearly flat there
}
MAIN, CONTROL = FUNCTIONS
"""The functions of the study and of its negative control; the paper's source is said to use the latter."""
PAPER = {"gain": 0.061, "strip_gain": 0.727}
"""The numbers of the paper."""
CITED: dict[str, Any] = {"noise": 0.25, "domain": (-4.0, 4.0), "priors": (1.0, 2.0, 4.0)}
"""What public code attributes to Yao et al. (2019), whose data the paper calls similar to its own.

The prior is not among it, so there are several.
"""


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


LIGHT = Settings(
    seeds=(0, 1), more=(2, 3), n_test=150, chains=2, warm_up=60, draws=40, length=0.1, grid=13, n_resamples=49
)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Gap:
    """A regression on one input whose training inputs leave a gap; the test inputs, ascending, fill it."""

    x_train: np.ndarray
    y_train: np.ndarray
    x: np.ndarray
    y_true: np.ndarray
    y_mean: np.ndarray
    """The true mean at the test inputs."""


def draw_gap(function: Callable[[np.ndarray], np.ndarray], settings: Settings, seed: int) -> Gap:
    """Draw uniform inputs, those for training outside the gap, and ``function(x) + noise * N(0, 1)``."""
    (low, high), (start, end) = settings.domain, settings.gap
    rng = np.random.default_rng(seed)
    left = start - low  # of the gap
    distance = rng.uniform(0, left + (high - end), size=settings.n_train)  # from `low`, the gap cut out
    x_train = np.where(distance < left, low + distance, end + (distance - left))
    x = np.sort(rng.uniform(low, high, size=settings.n_test))
    return Gap(
        x_train=x_train,
        y_train=function(x_train) + settings.noise * rng.normal(size=settings.n_train),
        x=x,
        y_true=function(x) + settings.noise * rng.normal(size=settings.n_test),
        y_mean=function(x),
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Outcome:
    """One data set with the network's predictions."""

    data: Gap
    intervals: uc.Intervals
    """The network's predictive standard deviation around its mean, as intervals."""
    record: dict[str, Any]
    """The numbers that go into the results."""


def run(*, light: bool, data: str | None = None) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Sample and assess all networks; return the results and the figures."""
    del data  # this study draws its own
    settings = LIGHT if light else Settings()
    plans = {
        "main": (MAIN, settings.seeds, settings),
        "control": (CONTROL, settings.seeds, settings),
        "more": (MAIN, settings.more, settings),
    }
    for prior in CITED["priors"]:  # with the study's own prior on all seeds, else on the first ones
        seeds = (*settings.seeds, *settings.more) if prior == settings.prior else settings.seeds
        cited = replace(settings, noise=CITED["noise"], domain=CITED["domain"], prior=prior)
        plans[f"{prior:g}"] = (CONTROL, seeds, cited)
    groups = {plan: [(name, seed, given) for seed in seeds] for plan, (name, seeds, given) in plans.items()}
    outcomes = run_all(assess, groups)
    main, more = outcomes["main"], outcomes["more"]
    records = {plan: [outcome.record for outcome in some] for plan, some in outcomes.items()}
    found = {plan: summarize_all(some, settings.rates) for plan, some in records.items()}
    both = records["main"] + records["more"]
    results: dict[str, Any] = {
        "settings": asdict(settings) | {"cited": CITED, "half": HALF, "clear_share": CLEAR},
        "paper": PAPER,
        **{plan: {"function": plans[plan][0]} | found.pop(plan) for plan in ("main", "control", "more")},
        "cited": {"function": CONTROL, "priors": found},
        "all": summarize_all(both, settings.rates) | {"seeds": [record["seed"] for record in both]},
    }
    ratios = {MAIN: main, f"{MAIN}, more": more, f"control, {CONTROL}": outcomes["control"]}
    priors = {f"prior N(0, {prior}²)": outcomes[prior] for prior in found}
    return results, {
        "bands": draw_three_panels(main[0], settings),
        "ratios": _draw_ratios(ratios),
        "cited": _draw_ratios(priors),
    }


def _draw_ratios(groups: dict[str, list[Outcome]]) -> Figure:
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    pairs = {
        name: [(outcome.intervals, outcome.record["measures"]) for outcome in outcomes]
        for name, outcomes in groups.items()
    }
    draw_ratios(figure.subplots(), pairs)
    return figure


def assess(function: str, seed: int, settings: Settings) -> Outcome:
    """Draw one data set, sample the network's posterior, measure the predictive intervals."""
    data = draw_gap(FUNCTIONS[function], settings, seed)
    network = Network(hidden=settings.hidden, prior=settings.prior, noise=settings.noise)
    rng = np.random.default_rng([seed, 1])  # independent of the data's stream
    draws, divergences = sample(
        lambda positions: network.log_density(positions, data.x_train, data.y_train),
        rng.normal(size=(settings.chains, network.size)),  # draws from the prior
        warm_up=settings.warm_up,
        draws=settings.draws,
        length=settings.length,
        target=settings.target,
        rng=rng,
    )
    functions = np.stack([network.predict(positions, data.x) for positions in draws])
    mean = np.mean(functions, axis=(0, 1))
    std = np.sqrt(np.var(functions, axis=(0, 1)) + settings.noise**2)
    intervals = uc.Intervals.from_std(data.y_true, mean, std)
    # Chains are judged by their functions: permuted weights make the same network.
    grid = np.linspace(*settings.domain, settings.grid)
    on_grid = np.stack([network.predict(positions, grid) for positions in draws])
    inside = (data.x > settings.gap[0]) & (data.x < settings.gap[1])
    rates = (*settings.rates, HALF[1])
    record = {
        "seed": seed,
        "diagnostics": {"r_hat": float(np.max(split_r_hat(on_grid))), "divergences": divergences},
        "measures": measure(intervals, rates=rates, n_resamples=settings.n_resamples),
        "where": {  # error and band inside the gap and outside, as root mean squares
            f"{quantity}_{name}": float(np.sqrt(np.mean(values[rows] ** 2)))
            for name, rows in (("inside", inside), ("outside", ~inside))
            for quantity, values in (("error", data.y_true - mean), ("band", std))
        },
    }
    return Outcome(data=data, intervals=intervals, record=record)


def summarize_all(records: list[dict[str, Any]], rates: tuple[float, float]) -> dict[str, Any]:
    """Return the records of some data sets, their spread, and what holds on which of them."""
    spread = {
        name: summarize_seeds([one[name] for one in records]) for name in ("measures", "where", "diagnostics")
    }
    return {
        "seeds": records,
        "spread": spread.pop("measures"),
        **spread,
        "holds": find_claims(records, rates),
    }


def find_claims(records: list[dict[str, Any]], rates: tuple[float, float]) -> dict[str, Any]:
    """Return for each claim the seeds on which it holds; the rates are a low and a high miss rate."""
    low, high = (f"{rate:g}" for rate in rates)
    measures = {record["seed"]: record["measures"] for record in records}

    def where(holds: Callable[[dict[str, Any]], bool]) -> list[int]:
        return [seed for seed, found in measures.items() if holds(found)]

    narrower = where(lambda m: m["ratios"][low]["value"] < 1)
    wider = where(lambda m: m["ratios"][high]["value"] > 1)
    crosses = where(lambda m: m["clear"])
    error_over_band = [record["where"]["error_inside"] / record["where"]["band_inside"] for record in records]
    gains = [found["gain"]["value"] for found in measures.values()]
    return {
        "narrower": narrower,
        "wider": wider,
        "both": [seed for seed in narrower if seed in wider],
        "negative_gain": where(lambda m: m["gain"]["value"] < 0),
        "crosses": crosses,
        "crossover": summarize_seeds([measures[seed]["crossover"] for seed in crosses]),
        "gain_follows_error": float(spearmanr(error_over_band, gains).statistic),
    }
