"""The interval score or bandwidth of one model over that of another, at every coverage.

Numbers at all miss rates come from the same resamples of units. Bands for many miss rates at once are as many
standard errors wide as resamples of the units deviate at most. Scores are skewed: each resample is divided by
a standard error of its own. If units are few, and for bandwidths, resamples share one, and Student's t allows
for its uncertainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import frozen
from uccurve.inference.at_coverage import CRITERIA, FEWEST_MISSED, Criterion, Numbers, numbers_at
from uccurve.inference.closed_forms import standard_error, t_quantile
from uccurve.inference.units import Resampling, Sample, Units, rows_of, vary_of

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.curve import Curve
    from uccurve.intervals import Intervals

# Miss rates between which numbers are known, if the rows are many; and rows that must be captured.
_LOWEST, _HIGHEST, _FEWEST_CAPTURED = 0.01, 0.95, 30
# Rows or blocks below which a band over all miss rates says nothing.
_FEWEST_UNITS = 20
# Units below which standard errors of resamples are too uncertain: bands would be far too wide.
_FEWEST_STUDENTIZED = 100
# How far apart miss rates are at most whose variances are put together, and what is rounding there.
_NEARBY, _SLACK = 0.025, 1e-6
# Relative difference that is rounding: two models are the same.
_SAME = 1e-11


@dataclass(frozen=True, kw_only=True, slots=True)
class Crossover:
    """Where two models swap order for good. The band excludes 1 on both sides of it.

    Attributes
    ----------
    miss_rate, coverage : float
        The point.
    low, high : float
        Miss rates between which it lies: the nearest ones on either side at which the band excludes 1.
    better_below : Literal['a', 'b']
        The model that is better at lower miss rates, that is at higher coverage.

    See Also
    --------
    ratio_curve : Finds it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=5000, rng=0).models
    >>> a, b = models["damped"], models["sharp"]
    >>> ratio = uc.ratio_curve(a, b, criterion="bandwidth", n_resamples=99, rng=0)
    >>> round(ratio.crossover.coverage, 2)
    0.93
    """

    miss_rate: float
    coverage: float
    low: float
    high: float
    better_below: Literal["a", "b"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RatioCurve:
    """The interval score or bandwidth of model a over that of model b; below 1, a is better.

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
    confidence_level : float
        Nominal probability that the band covers the true ratio at all miss rates at once.
    n_units : int
        How many independent rows, blocks or labels were drawn: at most 4,096; more are grouped at random.
    n_resamples : int
        How many bootstrap samples were drawn.
    over_constant_band : bool
        Whether b is a's constant width, because no other model was passed.

    See Also
    --------
    ratio_curve : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> uc.ratio_curve(models["sharp"], models["damped"], n_resamples=99, rng=0)
    RatioCurve(interval_score 0.764 to 1, crossover: not established)
    """

    miss_rate: np.ndarray
    coverage: np.ndarray
    ratio: np.ndarray
    low: np.ndarray
    high: np.ndarray
    crossover: Crossover | None
    criterion: Criterion
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
        cross = "not established"
        if self.crossover is not None:
            cross = f"{100 * self.crossover.coverage:.3g}% coverage"
        return f"RatioCurve({self.criterion} {least:.3g} to {most:.3g}, crossover: {cross})"

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the curve as a frame, one row per miss rate.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.

        Returns
        -------
        frame
            One row per miss rate.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
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
            Any matplotlib color.
        other : str, optional
            The name of the other model, on the line of 100%; "constant width" where it is that.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        ArgumentTypeError
            If ``ax`` is not matplotlib axes.
        """
        from uccurve.plotting import plot_ratio  # noqa: PLC0415 - an optional library behind it

        return plot_ratio(self, ax=ax, label=label, color=color, other=other)


def ratio_curve(
    a: Intervals | Curve,
    b: Intervals | Curve | None = None,
    *,
    criterion: Criterion = "interval_score",
    confidence_level: float = 0.95,
    vary: Vary | None = None,
    n_resamples: int = 999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
) -> RatioCurve:
    """Compare two models at every coverage, by interval score or by bandwidth.

    It says at which coverages each model is better, by how much, and how certain. Both are moved to the
    same coverage.

    Parameters
    ----------
    a : Intervals or UCC
        A model's intervals, or their curve.
    b : Intervals or UCC, optional
        Another model on the same rows; by default a's constant width.
    criterion : {"interval_score", "bandwidth"}
        What is compared: the interval score at each coverage, as in `UCC.score_at`, or the mean half-width.
        The width alone is smallest for bands that miss noisy rows more often than quiet ones.
    confidence_level : float
        Probability that the band covers the true ratio at all miss rates at once.
    vary : {"scale", "shift", "level"}, optional
        What moves the operating point; by default that of the curves, else "scale".
    n_resamples : int
        Number of bootstrap samples.
    blocks : int or array of shape (n,), optional
        What is drawn together: a number of consecutive rows, or the rows with the same label;
        each row on its own if not given. Fewer than 20 units have no band and no crossover.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Returns
    -------
    RatioCurve
        The ratio at each coverage, with its band and cross-over.

    Raises
    ------
    PairError
        If the two are not on the same rows, with the same weights and bounds on the same sides.
    ArgumentError
        If an option has a value outside its rule, curves differ in ``vary``, or there are fewer than two rows
        or blocks.
    ArgumentTypeError
        If ``a`` or ``b`` is neither `Intervals` nor a `UCC`.
    ShapeError
        If ``blocks`` do not have one label per row.

    See Also
    --------
    compare : Which model to use at one coverage.
    plotting.plot_ratio : Draws it.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> models = make_crossing().models
    >>> found = uc.ratio_curve(models["sharp"], models["damped"], criterion="bandwidth", rng=0)
    >>> round(found.crossover.coverage, 2), found.crossover.better_below
    (0.94, 'a')
    """
    resampling = Resampling.of(confidence_level, n_resamples, rng)
    arguments.option("criterion", criterion, CRITERIA)
    vary = vary_of(vary, a, b)
    first = rows_of("a", a)
    second = first.ucc(vary=vary).reference if b is None else b
    sample = Sample.of({"a": first, "b": second}, blocks, vary)
    rates = np.arange(1, 200) / 200
    ratios = PairedRatios.of(sample, rates, criterion, resampling)
    found = ratios.ratio("a", "b")
    log_ratio = np.where(ratios.known & np.isfinite(found.value), found.value, np.nan)
    with np.errstate(over="ignore"):  # bands from few rows may be of any width
        low, high = (np.exp(log_ratio + sign * found.margin) for sign in (-1, 1))
    return RatioCurve(
        miss_rate=frozen(rates),
        coverage=frozen(np.round(1 - rates, 4)),
        ratio=frozen(np.exp(log_ratio)),
        low=frozen(low),
        high=frozen(high),
        crossover=find_crossover(rates, log_ratio, found.margin),
        criterion=criterion,
        confidence_level=resampling.level,
        n_units=ratios.units.number,
        n_resamples=resampling.n_resamples,
        over_constant_band=b is None,
        _library=first.library,
    )


def find_crossover(rates: np.ndarray, log_ratio: np.ndarray, margin: np.ndarray) -> Crossover | None:
    """Find where a ratio passes 1 for good; None unless its band excludes 1 on both sides."""
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


class LogRatio(NamedTuple):
    """The logarithm of a ratio at each miss rate, its standard error, and half the width of the band.

    The margin is NaN where the rows do not suffice, and everywhere if there are fewer than 20 units.
    """

    value: np.ndarray
    error: np.ndarray
    margin: np.ndarray


@dataclass(frozen=True, eq=False)
class PairedRatios:
    """Ratios of models at miss rates, all from the same resamples of units.

    Attributes
    ----------
    sample : Sample
        The rows of the models.
    units : Units
        What is drawn.
    counts : numpy.ndarray
        How often each unit was drawn: (resamples, units).
    level : float
        The confidence level.
    rates : numpy.ndarray
        The miss rates, between 0 and 1.
    known : numpy.ndarray
        At which of them the rows suffice for a band.
    criterion : Criterion
        What is compared.
    """

    sample: Sample
    units: Units
    counts: np.ndarray
    level: float
    rates: np.ndarray
    known: np.ndarray
    criterion: Criterion

    @classmethod
    def of(
        cls, sample: Sample, rates: np.ndarray, criterion: Criterion, resampling: Resampling
    ) -> PairedRatios:
        """Draw the resamples."""
        units = sample.blocks.grouped(resampling.rng)
        counts = np.concatenate(list(resampling.counts(units)))
        rows, slack = sample.effective_rows, _SLACK / max(sample.effective_rows, 1.0)
        known = rates >= max(_LOWEST, FEWEST_MISSED / rows) - slack
        known &= rates <= min(_HIGHEST, 1 - _FEWEST_CAPTURED / rows) + slack
        return cls(sample, units, counts, resampling.level, rates, known, criterion)

    @cached_property
    def numbers(self) -> dict[str, Numbers]:
        """The number of each model, and how much units move it."""
        data, criterion = self.sample.data, self.criterion
        return {name: numbers_at(data[name], self.units, self.rates, criterion) for name in data}

    def ratio(self, a: str, b: str) -> LogRatio:
        """Return model a over model b; the band is for all known miss rates at once."""
        first, second = self.numbers[a], self.numbers[b]
        with np.errstate(invalid="ignore", over="ignore"):  # two numbers of 0 have no ratio
            value, moved = first.log - second.log, first.influence - second.influence
            value[np.abs(value) <= _SAME] = 0.0
            moved[np.abs(moved) <= _SAME * np.abs(first.influence).max(axis=0)] = 0.0
            units, error = self.units.number, standard_error(moved)
        margin = np.full(value.size, np.nan)
        if units >= _FEWEST_UNITS:
            known = self.known & np.isfinite(value) & np.isfinite(error)
            of_score, some = self.criterion == "interval_score", error[known]
            wide = some if of_score else _pooled_nearby(some, self.rates[known])
            studentized = of_score and units >= _FEWEST_STUDENTIZED
            margin[known] = self._largest(moved[:, known], wide, studentized=studentized) * wide
        return LogRatio(value, error, margin)

    def _largest(self, moved: np.ndarray, error: np.ndarray, *, studentized: bool) -> float:
        """Return how many standard errors the band is wide on each side.

        It is the quantile of the largest deviation of resamples over all miss rates, in standard errors of
        their own or in those of all units. The latter are uncertain if units are few: a normal quantile then
        becomes that of Student's t which is exceeded as often.
        """
        moving = error > 0
        if not moving.any():
            return 0.0
        moved, units = moved[:, moving], self.units.number
        sums = self.counts @ moved
        if studentized:
            variance = self.counts @ moved**2 - sums**2 / units
            with np.errstate(divide="ignore", invalid="ignore"):
                deviations = np.where(variance > 0, np.abs(sums) / np.sqrt(variance), np.inf)
            return float(np.quantile(deviations.max(axis=1), self.level))
        largest = float(np.quantile((np.abs(sums) / error[moving]).max(axis=1), self.level))
        return float(t_quantile(math.erfc(largest / math.sqrt(2)) / 2, units - 1))

    @cached_property
    def quantile(self) -> float:
        """The standard errors on each side of an interval at a single miss rate."""
        return float(t_quantile((1 - self.level) / 2, self.units.number - 1))

    def pvalues_of_the_largest(self, place: int) -> dict[tuple[str, str], float]:
        """Compare each two models at one miss rate, and adjust for all pairs.

        A p-value is the share of resamples in which the largest studentized difference of any two models is
        as large as that of these two.
        """
        moved = np.stack([numbers.influence[:, place] for numbers in self.numbers.values()], axis=1)
        value = np.array([numbers.log[place] for numbers in self.numbers.values()])
        size = (moved**2).sum(axis=0)
        with np.errstate(invalid="ignore"):
            variance = size[:, None] + size - 2 * moved.T @ moved
            alike = ~(variance > _SLACK * (size[:, None] + size))
        error = np.sqrt(np.where(alike, np.inf, variance))
        drawn = np.nan_to_num(self.counts @ moved)
        largest = np.sort([np.max(np.abs(one[:, None] - one) / error) for one in drawn])
        observed = np.abs(value[:, None] - value) / error
        more = len(largest) - np.searchsorted(largest, observed * (1 - _SLACK))
        pvalues = (1 + more) / (1 + len(largest))
        names = list(enumerate(self.numbers))
        return {(a, b): float(pvalues[i, j]) for i, a in names for j, b in names if i < j}


def _pooled_nearby(error: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the root of the mean variance at the miss rates around each.

    Widths of two models differ by the rows that one captures and the other misses. Of models that are alike
    these are a few, at some miss rates none, and the error there seems to be next to nothing.
    """
    reach = np.minimum(_NEARBY, np.minimum(rates, 1 - rates) / 4) + _SLACK
    begin, end = np.searchsorted(rates, rates - reach), np.searchsorted(rates, rates + reach)
    return np.array([np.sqrt(np.mean(error[low:high] ** 2)) for low, high in zip(begin, end, strict=True)])
