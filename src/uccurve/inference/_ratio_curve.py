"""The bandwidth of one model over that of another, at every coverage."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import frozen
from uccurve.curve.families import family_of
from uccurve.inference._plain_rows import of_equal_width, plain_rows, rows_of, vary_of
from uccurve.inference._presorted import Presorted
from uccurve.inference._ratio_draws import log_ratios

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.curve import Curve
    from uccurve.intervals import Intervals

STEP = 0.01
LOWEST, HIGHEST = 0.01, 0.95
"""Miss rates between which the ratio is known; beyond them a few rows decide."""
FEWEST_ROWS = 10
"""Rows that must be missed at the lowest miss rate."""

RatioKind = Literal["simultaneous", "pointwise"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Crossover:
    """Where two models swap order for good.

    Attributes
    ----------
    miss_rate, coverage : float
        The point.
    low, high : float
        Miss rates between which it lies: the nearest ones on either side at which the band leaves 1 out. If
        the band holds 1 all the way to an end of the known miss rates, that end stands here: the data then
        set no bound on that side.
    better_below : Literal['a', 'b']
        The model that needs less bandwidth at lower miss rates, that is at higher coverage.
    """

    miss_rate: float
    coverage: float
    low: float
    high: float
    better_below: Literal["a", "b"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RatioCurve:
    """The bandwidth of model a over that of model b, with a confidence band; below 1 a is better.

    Attributes
    ----------
    miss_rate, coverage : numpy.ndarray
        The points, in steps of one per cent, shape (m,).
    ratio : numpy.ndarray
        Bandwidth of a over that of b at each; NaN where it is not known.
    low, high : numpy.ndarray
        Ends of the confidence band.
    crossover : Crossover | None
        Where the ratio passes 1 for good; None where it does not.
    kind : RatioKind
        Whether the band covers the whole curve, or each point for itself.
    confidence_level : float
        Nominal probability of covering.
    n_units : int
        How many independent rows, blocks or labels there are.
    n_resamples : int
        How many bootstrap samples were drawn.
    over_constant_band : bool
        Whether b is a's constant band, as no other model was given.
    """

    miss_rate: np.ndarray
    coverage: np.ndarray
    ratio: np.ndarray
    low: np.ndarray
    high: np.ndarray
    crossover: Crossover | None
    kind: RatioKind
    confidence_level: float
    n_units: int
    n_resamples: int
    over_constant_band: bool = False
    _library: str | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        known = ~np.isnan(self.ratio)
        if not known.any():
            return "RatioCurve(not known at any miss rate)"
        least, most = float(self.ratio[known].min()), float(self.ratio[known].max())
        cross = "none" if self.crossover is None else f"{100 * self.crossover.coverage:.3g} % coverage"
        return f"RatioCurve(ratio {least:.3g} to {most:.3g}, crossover: {cross}, {self.kind} band)"

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the curve as a frame, one row per miss rate.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.
        """
        names = ("coverage", "miss_rate", "ratio", "low", "high")
        return frames.table({name: getattr(self, name) for name in names}, backend or self._library)

    def plot(
        self,
        ax: Any = None,
        *,
        label: str | None = None,
        color: str | None = None,
        other: str | None = None,
    ) -> Any:
        """Draw the ratio over coverage with its band, and return the matplotlib axes.

        Needs the extra ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        label : str, optional
            The name of the curve, beside it.
        color : str, optional
            Any color that matplotlib knows.
        other : str, optional
            The name of the other model, on the line of 100 %; "the constant band" where it is one.
        """
        from uccurve.plotting import plot_ratio  # noqa: PLC0415 - an optional library behind it

        return plot_ratio(self, ax=ax, label=label, color=color, other=other)


def ratio_curve(
    a: Intervals | Curve,
    b: Intervals | Curve | None = None,
    *,
    kind: RatioKind = "simultaneous",
    confidence_level: float = 0.95,
    vary: Vary | None = None,
    n_resamples: int = 999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
) -> RatioCurve:
    """Compare the bandwidth of two models at every coverage.

    It answers where which model is better, by how much, and how sure that is.

    Parameters
    ----------
    a : Intervals or UCC
        A model's intervals, or their curve.
    b : Intervals or UCC, optional
        Another model on the same rows; by default a's constant band.
    kind : {"simultaneous", "pointwise"}
        Whether the band covers the true ratio at all miss rates at once, or at each for itself.
    confidence_level : float
        Probability of covering.
    vary : {"scale", "shift", "level"}, optional
        What moves the operating point; by default that of the curves, else "scale".
    n_resamples : int
        Number of bootstrap samples.
    blocks : int or array of shape (n,), optional
        What is drawn together: a number of consecutive rows, or the rows with the same label;
        each row on its own if not given.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> models = make_crossing().models
    >>> found = uc.ratio_curve(models["sharp"], models["damped"], rng=0)
    >>> round(found.crossover.coverage, 2), found.crossover.better_below
    (0.94, 'a')
    """
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    n_resamples = arguments.whole("n_resamples", n_resamples, 2)
    arguments.option("kind", kind, ("simultaneous", "pointwise"))
    vary = vary_of(vary, a, b)
    first = rows_of("a", a)
    second = first.ucc(vary=vary).reference if b is None else b
    family = family_of(vary)
    rows = plain_rows({"a": first, "b": second}, blocks, nested=family.nested)
    rows = of_equal_width(rows, family) if family.proportional or family.nested else rows
    pair = tuple(Presorted(model, family, rows.outputs) for model in rows.models)
    rates = np.round(np.arange(1, round(1 / STEP)) * STEP, 4)
    observed = [model.bandwidths_at(rows.weight, rates) for model in pair]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_ratio = np.log(observed[0]) - np.log(observed[1])
    lowest = max(LOWEST, FEWEST_ROWS / rows.effective_rows)
    known = np.isfinite(log_ratio) & (rates >= lowest - STEP / 1e6) & (rates <= HIGHEST)
    log_ratio = np.where(known, log_ratio, np.nan)
    margin = np.full(rates.size, np.nan)
    if known.any():
        drawn = log_ratios((pair[0], pair[1]), rows, rates[known], n_resamples, arguments.generator(rng))
        margin[known] = half_width(drawn, level, kind)
    low, high = (np.exp(log_ratio + sign * margin) for sign in (-1, 1))
    return RatioCurve(
        miss_rate=frozen(rates),
        coverage=frozen(np.round(1 - rates, 4)),
        ratio=frozen(np.exp(log_ratio)),
        low=frozen(low),
        high=frozen(high),
        crossover=crossover(rates, log_ratio, margin),
        kind=kind,
        confidence_level=level,
        n_units=rows.blocks.n_blocks,
        n_resamples=n_resamples,
        over_constant_band=b is None,
        _library=first._library,
    )


def half_width(drawn: np.ndarray, level: float, kind: RatioKind) -> np.ndarray:
    """Return half the width of the band around logarithms, from draws of their errors."""
    spread = np.nanstd(drawn, axis=0, ddof=1)
    if kind == "pointwise":
        return np.asarray(-NormalDist().inv_cdf((1 - level) / 2) * spread)
    moving = spread > 0
    if not moving.any():
        return np.zeros(spread.size)
    largest = np.nanmax(np.abs(drawn[:, moving]) / spread[moving], axis=1)
    return np.asarray(float(np.quantile(largest, level)) * spread)


def crossover(rates: np.ndarray, log_ratio: np.ndarray, margin: np.ndarray) -> Crossover | None:
    """Find where a ratio passes 1 and stays on the other side."""
    known = np.flatnonzero(np.isfinite(log_ratio) & (log_ratio != 0))
    if not known.size:
        return None
    signs = np.sign(log_ratio[known])
    if signs[0] == signs[-1]:
        return None
    last = int(np.flatnonzero(signs != signs[-1])[-1])
    left, right = known[last], known[last + 1]
    share = log_ratio[left] / (log_ratio[left] - log_ratio[right])
    rate = float(rates[left] + share * (rates[right] - rates[left]))
    sure = np.abs(log_ratio) > margin
    before = np.flatnonzero(sure & (np.arange(rates.size) <= left) & (np.sign(log_ratio) == signs[0]))
    after = np.flatnonzero(sure & (np.arange(rates.size) >= right) & (np.sign(log_ratio) == signs[-1]))
    return Crossover(
        miss_rate=rate,
        coverage=1 - rate,
        low=float(rates[before[-1]] if before.size else rates[known[0]]),
        high=float(rates[after[0]] if after.size else rates[known[-1]]),
        better_below="a" if signs[0] < 0 else "b",
    )
