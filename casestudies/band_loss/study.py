"""Every loss on tasks with a known scale, around given predictions."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

import uccurve as uc
from casestudies.band_loss import losses, results
from casestudies.band_loss.losses import LOSSES, PINBALL, Schedule
from casestudies.band_loss.results import TRUTH
from casestudies.measures import estimate, list_constants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOMINAL = 0.1
"""The miss rate that conformal scaling aims at."""
RANGE = (-3.0, 3.0)
NOISES = ("Gaussian", "Laplace", "t3")
SHAPES = {"waves": "0.2 + 0.8 |sin x|", "step": "0.25 below x = 0 and 1 above", "exponential": "exp(x/2 − 1)"}
"""The scales σ(x), in words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """How many rows each data set has."""

    learn: int = 1500
    calibrate: int = 1000
    test: int = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the study."""

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    noises: tuple[str, ...] = NOISES
    shapes: tuple[str, ...] = tuple(SHAPES)
    sizes: Sizes = field(default_factory=Sizes)
    schedule: Schedule = field(default_factory=Schedule)
    n_resamples: int = 199


LIGHT = Settings(
    seeds=(0, 1),
    noises=("Gaussian", "t3"),
    shapes=("waves",),
    sizes=Sizes(learn=300, calibrate=100, test=400),
    schedule=Schedule(epochs=2, batch=100, hidden=8),
    n_resamples=49,
)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """Rows of one task, shape (n,) each."""

    x: np.ndarray
    sigma: np.ndarray
    """The true standard deviation of the residual."""
    error: np.ndarray
    """The residual of predictions that are the true mean."""


def run(*, light: bool, data: str | None = None) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Train and assess all losses; return the results and the figure."""
    del data  # this study draws its own
    settings = LIGHT if light else Settings()
    constants = list_constants(losses, sys.modules[__name__])
    found = results.gather(try_losses(settings), settings.noises) | {
        "settings": constants | asdict(settings) | {"shapes": SHAPES},
    }
    return found, {"gains": results.draw_gains(found)}


def make_rows(noise: str, shape: str, n: int, rng: np.random.Generator) -> Rows:
    """Draw rows of a task; every noise has the standard deviation 1."""
    x = rng.uniform(*RANGE, size=n)
    if noise == "Gaussian":
        unit = rng.normal(size=n)
    elif noise == "Laplace":
        unit = rng.laplace(scale=np.sqrt(0.5), size=n)
    else:
        unit = rng.standard_t(3, size=n) / np.sqrt(3)
    sigma = {
        "waves": 0.2 + 0.8 * np.abs(np.sin(x)),
        "step": np.where(x < 0, 0.25, 1.0),
        "exponential": np.exp(x / 2 - 1),
    }[shape]
    return Rows(x=x, sigma=sigma, error=sigma * unit)


def try_losses(settings: Settings) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Train and assess all losses on all tasks; return the records of each loss, one for each seed."""
    tasks = [(noise, shape) for noise in settings.noises for shape in settings.shapes]
    keys = [(noise, shape, seed) for noise, shape in tasks for seed in settings.seeds]
    sets = []
    for number, (noise, shape, seed) in enumerate(keys):
        rng = np.random.default_rng((seed, number))
        sets.append([make_rows(noise, shape, n, rng) for n in asdict(settings.sizes).values()])
    learn, *judged = zip(*sets, strict=True)
    target = torch.tensor(np.stack([rows.error for rows in learn]), dtype=torch.float32)
    networks = losses.train(_scale_inputs(learn), target, settings.schedule, settings.seeds[0])
    bands = [networks.predict(_scale_inputs(part)).numpy() for part in judged]
    records: dict[str, Any] = {f"{noise}, {shape}": {} for noise, shape in tasks}
    for place, (noise, shape, _) in enumerate(keys):
        calibrate, test = (part[place] for part in judged)
        pairs = {TRUTH: [_to_intervals(rows, rows.sigma, rows.sigma) for rows in (calibrate, test)]}
        for number, name in enumerate(LOSSES):
            upper = 1 if name == PINBALL else 0  # only those of a pair of quantiles differ
            found = [band[number, place] for band in bands]
            pairs[name] = [
                _to_intervals(rows, band[:, 0], band[:, upper])
                for rows, band in zip((calibrate, test), found, strict=True)
            ]
        for name in (*LOSSES, TRUTH):
            record = assess(*pairs[name], sigma=test.sigma, n_resamples=settings.n_resamples)
            records[f"{noise}, {shape}"].setdefault(name, []).append(record)
    return records


def _scale_inputs(rows: tuple[Rows, ...]) -> torch.Tensor:
    """Return the inputs of all data sets, with a standard deviation of 1."""
    x = np.stack([one.x for one in rows]) * np.sqrt(12) / (RANGE[1] - RANGE[0])
    return torch.tensor(x[..., None], dtype=torch.float32)


def _to_intervals(rows: Rows, lower: np.ndarray, upper: np.ndarray) -> uc.Intervals:
    """Return bands around the predictions: observations are residuals, so that these are 0."""
    return uc.Intervals.from_bands(rows.error, np.zeros_like(rows.error), lower, upper)


def assess(
    calibrate: uc.Intervals, test: uc.Intervals, *, sigma: np.ndarray, n_resamples: int
) -> dict[str, Any]:
    """Return both gains with 95% intervals, and the intervals for 90% coverage after conformal scaling.

    Parameters
    ----------
    calibrate, test : Intervals
        Rows to scale by, and rows to judge on.
    sigma : array
        The true error scale of the test rows.
    n_resamples : int
        Number of bootstrap samples.
    """
    width = (np.asarray(test.lower_band) + np.asarray(test.upper_band)) / 2
    scaled = uc.ConformalScaler(miss_rate=NOMINAL).fit(calibrate).transform(test)
    y, lower, upper = (np.asarray(values) for values in (test.y_true, scaled.lower, scaled.upper))
    captured = (lower <= y) & (y <= upper)
    order = np.argsort(sigma, kind="stable")
    fifths = [float(captured[part].mean()) for part in np.array_split(order, 5)]
    point = scaled.ucc().original
    return {
        "gain": estimate(test, "gain", n_resamples=n_resamples),
        "deficit_gain": estimate(test, "gain", y="deficit", n_resamples=n_resamples),
        "correlation": float(np.corrcoef(width, sigma)[0, 1]) if np.ptp(width) > 0 else 0.0,
        "coverage": point.coverage,
        "bandwidth": point.bandwidth,
        "interval_score": float(uc.interval_score(y, lower, upper, miss_rate=NOMINAL)),
        "first_fifth": fifths[0],
        "last_fifth": fifths[-1],
    }
