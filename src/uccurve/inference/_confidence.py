"""How sure a number is: confidence intervals by the delta method and by the bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import arguments
from uccurve.curve import Curve, ranges
from uccurve.exceptions import UnreachableError
from uccurve.inference._estimators import MEANS, STATISTICS, estimator
from uccurve.inference._interval_methods import METHODS, Method, Sample
from uccurve.inference._plain_rows import in_unit_of_rows, plain_rows, vary_of
from uccurve.inference._point_numbers import NOT_DEFINED
from uccurve.inference._row_scores import OF_QUANTILES, SCORES, ScoreSpec

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Partial, Vary, X, Y
    from uccurve.intervals import Intervals


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfidenceInterval:
    """A number, and the interval that covers its true value with the given probability.

    Attributes
    ----------
    estimate : float
        The number itself, from all rows.
    low : float
        Lower end.
    high : float
        Upper end.
    standard_error : float
        Estimated standard deviation of the estimate.
    confidence_level : float
        Nominal probability of covering the true value.
    method : Method
        How it was found.
    n_units : int
        How many independent rows, blocks or labels there are.
    n_resamples : int
        How many bootstrap samples were drawn; 0 for the delta method.
    effective_units : float | None
        How many units carry the standard error. A few large errors may decide a number of many rows. None
        where the delta method does not exist.
    reliable : bool
        Whether such intervals covered the true value in at least 93% of simulated samples of this size, at a
        level of 95%; otherwise the interval may be too short. See `confidence_interval`.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    method: Method
    n_units: int
    n_resamples: int
    effective_units: float | None
    reliable: bool


@np.errstate(over="ignore", invalid="ignore")  # judged by what comes out
def confidence_interval(
    intervals: Intervals | Curve,
    statistic: str,
    *,
    minus: Intervals | Curve | None = None,
    method: Literal["auto"] | Method = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 1999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
    x: X | None = None,
    y: Y | None = None,
    vary: Vary | None = None,
    partial: Partial | None = None,
    c: float | None = None,
    miss_rate: tuple[float, float] | float | None = None,
    coverage: tuple[float, float] | float | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
) -> ConfidenceInterval:
    """Return a confidence interval for a number of the curve, or for a paired difference of two.

    How often such intervals cover, at a level of 95%, was measured by simulation: noise that is Gaussian,
    Laplace, Student's t with 5 and 3 degrees of freedom, or log-normal, and Gaussian noise with 1% outliers.

    * "bandwidth_at" and "gain_at" covered in 92 to 98% of the samples where at least ten units are missed at
      the coverage, as of 100 rows at 90%. With five misses "bandwidth_at" covered in 96%, with one in 76%.
      Gains over miss rates from 0.05 to 0.3 covered in 94%.
    * "score_at", and differences of two, covered in 92 to 96% of the samples where at least 20 rows are
      missed at the coverage, as of 200 rows at 90%. With ten misses single scores covered in
      89 to 93%.
    * A gain over all coverages covered in 91, 92, 93 and 93% of the samples of 100, 300, 1,000 and 5,000
      rows, and with outliers in 92% at each of these sizes. Nothing that a sample shows tells which intervals
      hold, so that `ConfidenceInterval.reliable` asks for 5,000 units.
    * The gain on the deficit has no reliable interval at any simulated size: it covered in 80, 83, 86 and 88%
      of the samples of 100, 300, 1,000 and 5,000 rows. Do not rest a decision on it alone.

    Parameters
    ----------
    intervals : Intervals or UCC
        The rows, a sample of those one would like to know about, or their curve.
    statistic : str
        "area" or "gain" (options ``x``, ``y``, ``vary``, ``partial`` and a range, as in `UCC.area`);
        "score_at", "bandwidth_at" or "gain_at", at one ``coverage`` or ``miss_rate``, as in `UCC.score_at`,
        `UCC.at` and `UCC.gain_at`; "miss_rate",
        "coverage", "bandwidth", "excess" or "deficit" of the intervals as given; "parameter", the scale
        or shift at a given ``miss_rate`` or ``coverage``; "cost", the least cost (options ``c``,
        ``x``, ``y``); or "interval_score" of the intervals as given, for one ``coverage`` or
        ``miss_rate``, by default the coverage that they claim, or "weighted_interval_score" of all their
        quantiles.
    minus : Intervals or UCC, optional
        Another model on the same rows: the interval is then for the difference, first minus second.
    method : {"auto", "delta", "studentized", "percentile"}
        "delta" exists for the means, for numbers at a coverage, for full areas and gains on the bandwidth
        axis under scaling, and for their means over a range of miss rates. The others are bootstraps.
        "studentized" exists for full areas and gains on the bandwidth axis: each resample has its own
        standard error, which does better where few rows carry it. "percentile" exists for everything:
        quantiles of the resampled numbers. "auto" takes "studentized" where it exists and less than 100 units
        carry the standard error, else "delta" where it exists, else "percentile".
    confidence_level : float
        Probability of covering the true value.
    n_resamples : int
        Number of bootstrap samples; the studentized bootstrap draws at most 999.
    blocks : int or array of shape (n,), optional
        What is drawn together: a number of consecutive rows, or the rows with the same label;
        each row on its own if not given.
    rng : numpy.random.Generator or int, optional
        Source of randomness of the bootstrap, or its seed.
    progress : bool
        Show a progress bar on the terminal.
    x, y, vary, partial, c
        Options of the statistic, with the defaults of `UCC.area` and `UCC.minimize_cost`.
    miss_rate, coverage, bandwidth, excess, deficit, parameter : pair of float, optional
        The part of the curve, as in `UCC.area`; a single miss rate or coverage for
        "score_at", "bandwidth_at", "gain_at", "parameter" and "interval_score".

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(2000, rng=0)
    >>> intervals = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    >>> found = uc.confidence_interval(intervals, "gain", y="deficit")
    >>> found.low < 1 - 2.718281828**-0.36 < found.high
    True
    """
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    n_resamples = arguments.whole("n_resamples", n_resamples, 2)
    arguments.option("statistic", statistic, STATISTICS)
    arguments.option("method", method, ("auto", *METHODS))
    given = {"x": x, "y": y, "vary": vary, "partial": partial, "c": c}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    options |= ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    models = {"intervals": intervals} if minus is None else {"intervals": intervals, "minus": minus}
    if any(isinstance(model, Curve) for model in models.values()) and statistic not in (*MEANS, *SCORES):
        options["vary"] = vary_of(vary, *models.values())
    rows = plain_rows(models, blocks, nested=options.get("vary") == "level" or statistic in OF_QUANTILES)
    if statistic in SCORES:
        options = ScoreSpec.of(statistic, options, rows.models).options
    made = [estimator(model, statistic, dict(options), rows.factor, rows.outputs) for model in rows.models]
    numbers = [number for number, _ in made]
    sample = Sample(statistic, numbers, rows.weight, rows.blocks)
    if math.isnan(sample.estimate):
        raise UnreachableError(f"the {statistic} is not defined: {NOT_DEFINED}")
    generator = arguments.generator(rng)
    if method == "auto":
        method, ends = sample.best(level, n_resamples, generator, progress=progress)
    else:
        ends = sample.ends(method, level, n_resamples, generator, progress=progress)
    estimate, low, high, error = (
        in_unit_of_rows(number, rows.factor, made[0][1])
        for number in (sample.estimate, ends.low, ends.high, ends.error)
    )
    return ConfidenceInterval(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        confidence_level=level,
        method=method,
        n_units=rows.blocks.n_blocks,
        n_resamples=ends.n_resamples,
        effective_units=sample.effective_units,
        reliable=sample.reliable,
    )
