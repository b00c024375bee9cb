"""The interval score or bandwidth of one model over that of another, at every coverage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import frozen
from uccurve.curve import family_of
from uccurve.inference._at_rates import CRITERIA, Ratios, known_rates
from uccurve.inference._plain_rows import plain_rows, rows_of, vary_of
from uccurve.inference._presorted import Presorted

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.curve import Curve
    from uccurve.inference._at_rates import Criterion
    from uccurve.intervals import Intervals

STEP = 0.005
"""Between neighboring miss rates."""

RatioKind = Literal["simultaneous", "pointwise"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Crossover:
    """Where two models swap order for good. The band leaves 1 out on both sides of it.

    Attributes
    ----------
    miss_rate, coverage : float
        The point.
    low, high : float
        Miss rates between which it lies: the nearest ones on either side at which the band leaves 1 out.
    better_below : Literal['a', 'b']
        The model that is better at lower miss rates, that is at higher coverage.
    """

    miss_rate: float
    coverage: float
    low: float
    high: float
    better_below: Literal["a", "b"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RatioCurve:
    """The interval score or bandwidth of model a over that of model b; below 1 a is better.

    Attributes
    ----------
    miss_rate, coverage : numpy.ndarray
        The points, in steps of half a percent, shape (m,).
    ratio : numpy.ndarray
        The number of a over that of b at each; NaN where too few rows are missed or captured to tell.
    low, high : numpy.ndarray
        Ends of the confidence band; NaN where the ratio is, and everywhere if there are fewer than 20 units.
    crossover : Crossover | None
        Where the ratio passes 1 for good; None where that is not established.
    criterion : Criterion
        What is compared: "interval_score" or "bandwidth".
    kind : RatioKind
        Whether the band covers the whole curve, or each point for itself.
    confidence_level : float
        Nominal probability of covering.
    n_units : int
        How many independent rows, blocks or labels were drawn; at most 2,048, which are then put together
        from several at random.
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
    criterion: Criterion
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
        cross = (
            "not established" if self.crossover is None else f"{100 * self.crossover.coverage:.3g}% coverage"
        )
        return f"RatioCurve({self.criterion} {least:.3g} to {most:.3g}, crossover: {cross}, {self.kind} band)"

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
            The name of the other model, on the line of 100%; "constant width" where it is that.
        """
        from uccurve.plotting import plot_ratio  # noqa: PLC0415 - an optional library behind it

        return plot_ratio(self, ax=ax, label=label, color=color, other=other)


def ratio_curve(
    a: Intervals | Curve,
    b: Intervals | Curve | None = None,
    *,
    criterion: Criterion = "interval_score",
    kind: RatioKind = "simultaneous",
    confidence_level: float = 0.95,
    vary: Vary | None = None,
    n_resamples: int = 999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
) -> RatioCurve:
    """Compare two models at every coverage, by interval score or by bandwidth.

    It answers where which model is better, by how much, and how sure that is. Both are moved to the same
    coverage.

    Parameters
    ----------
    a : Intervals or UCC
        A model's intervals, or their curve.
    b : Intervals or UCC, optional
        Another model on the same rows; by default a's constant band.
    criterion : {"interval_score", "bandwidth"}
        What is compared: the interval score at each coverage, as in `UCC.score_at`, or the mean half-width.
        The width alone is smallest for bands that miss noisy rows more often than quiet ones.
    kind : {"simultaneous", "pointwise"}
        Whether the band covers the true ratio at all miss rates at once, or at each for itself. The crossover
        always rests on the simultaneous band.
    confidence_level : float
        Probability of covering.
    vary : {"scale", "shift", "level"}, optional
        What moves the operating point; by default that of the curves, else "scale".
    n_resamples : int
        Number of bootstrap samples.
    blocks : int or array of shape (n,), optional
        What is drawn together: a number of consecutive rows, or the rows with the same label;
        each row on its own if not given. Fewer than 20 units have no band and no crossover.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> models = make_crossing().models
    >>> found = uc.ratio_curve(models["sharp"], models["damped"], criterion="bandwidth", rng=0)
    >>> round(found.crossover.coverage, 2), found.crossover.better_below
    (0.94, 'a')
    """
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    n_resamples = arguments.whole("n_resamples", n_resamples, 2)
    arguments.option("criterion", criterion, CRITERIA)
    arguments.option("kind", kind, ("simultaneous", "pointwise"))
    vary = vary_of(vary, a, b)
    first = rows_of("a", a)
    second = first.ucc(vary=vary).reference if b is None else b
    family = family_of(vary)
    rows = plain_rows({"a": first, "b": second}, blocks, nested=family.nested)
    models = [Presorted(model, family, rows.outputs) for model in rows.models]
    rates = np.round(np.arange(1, round(1 / STEP)) * STEP, 4)
    ratios = Ratios.of(models, rows, rates, criterion, level, n_resamples, arguments.generator(rng))
    known = known_rates(rates, rows.effective_rows)
    found = ratios.ratio(0, 1, known)
    log_ratio = np.where(known & np.isfinite(found.value), found.value, np.nan)
    margin = found.margin
    if kind == "pointwise":
        margin = np.where(np.isnan(margin), np.nan, ratios.quantile() * found.error)
    with np.errstate(over="ignore"):  # bands from few rows may be of any width
        low, high = (np.exp(log_ratio + sign * margin) for sign in (-1, 1))
    return RatioCurve(
        miss_rate=frozen(rates),
        coverage=frozen(np.round(1 - rates, 4)),
        ratio=frozen(np.exp(log_ratio)),
        low=frozen(low),
        high=frozen(high),
        crossover=crossover(rates, log_ratio, found.margin),
        criterion=criterion,
        kind=kind,
        confidence_level=level,
        n_units=ratios.counts.shape[1],
        n_resamples=n_resamples,
        over_constant_band=b is None,
        _library=first.library,
    )


def crossover(rates: np.ndarray, log_ratio: np.ndarray, margin: np.ndarray) -> Crossover | None:
    """Find where a ratio passes 1 for good; None unless its band leaves 1 out on both sides."""
    with np.errstate(invalid="ignore"):
        clear = np.flatnonzero(np.abs(log_ratio) > margin)
    signs = np.sign(log_ratio[clear])
    swaps = np.flatnonzero(signs[1:] != signs[:-1])
    if not swaps.size:
        return None
    before, after = clear[swaps[-1]], clear[swaps[-1] + 1]
    between = np.arange(before, after + 1)
    between = between[np.isfinite(log_ratio[between]) & (log_ratio[between] != 0)]
    last = np.flatnonzero(np.sign(log_ratio[between]) != np.sign(log_ratio[after]))[-1]
    left, right = between[last], between[last + 1]
    share = log_ratio[left] / (log_ratio[left] - log_ratio[right])
    rate = float(rates[left] + share * (rates[right] - rates[left]))
    return Crossover(
        miss_rate=rate,
        coverage=1 - rate,
        low=float(rates[before]),
        high=float(rates[after]),
        better_below="a" if log_ratio[before] < 0 else "b",
    )
