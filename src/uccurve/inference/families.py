"""One model under several families, to see which needs the least half-width."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.text import percent
from uccurve.formulas.tolerances import SAME_SHARE
from uccurve.inference.confidence import Contrast
from uccurve.inference.permutation import permutation_test
from uccurve.inference.statistics import Statistic
from uccurve.inference.units import Resampling, Sample
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary

# The families in the order of their tests.
_FAMILIES: tuple[Vary, ...] = ("level", "scale", "shift")


def families(
    intervals: Intervals,
    *,
    coverage: float = 0.9,
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
) -> Families:
    """Compare the families of one model: its own quantiles, its outermost pair scaled, and that pair shifted.

    It says which of them is the narrowest on average over all coverages. That is not always the better one:
    `UCC.score_at` says which is, at one coverage. Areas are compared, not gains, because the reference of
    "level" has another center.

    Parameters
    ----------
    intervals : Intervals
        Intervals with several quantiles; without them only "scale" and "shift" are compared.
    coverage : float
        A coverage at which the bandwidths are shown, too.
    confidence_level : float
        Confidence level of the CIs of the differences.
    n_resamples : int
        Number of bootstrap samples, and of exchanges of rows.
    blocks : int or array of shape (n,), optional
        What belongs together: a number of consecutive rows, or the rows with the same label.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.

    Returns
    -------
    Families
        The mean half-width of each family, and tests of their differences.

    Raises
    ------
    UnreachableError
        If scaling does not reach all coverages, because rows have zero bands.
    ArgumentError
        If an option has a value outside its rule, or there are fewer than two rows or blocks.
    ArgumentTypeError
        If ``intervals`` are not `Intervals`.
    ShapeError
        If ``blocks`` do not have one label per row.

    See Also
    --------
    UCC : One family's curve, by ``vary=``.

    Examples
    --------
    >>> import numpy as np, uccurve as uc
    >>> rng = np.random.default_rng(0)
    >>> levels, spread = (0.05, 0.25, 0.5, 0.75, 0.95), rng.uniform(1, 3, size=500)
    >>> skewed = rng.uniform(size=500) < 0.5
    >>> shape = np.where(skewed[:, None], [-0.7, -0.3, 0.0, 1.0, 3.0], [-2.4, -1.0, 0.0, 1.0, 2.4])
    >>> y = np.where(skewed, rng.exponential(size=500) - 0.7, rng.normal(size=500)) * spread
    >>> rows = uc.Intervals.from_quantiles(y, spread[:, None] * shape, levels)
    >>> uc.families(rows, rng=0).best
    'level'
    """
    arguments.instance("intervals", intervals, Intervals)
    resampling = Resampling.of(confidence_level, n_resamples, rng)

    def score(vary: Vary) -> FamilyScore:
        curve = intervals.ucc(vary=vary)
        at = curve.at(coverage=coverage)
        return FamilyScore(vary=vary, area=curve.area(), bandwidth_at=at.bandwidth, parameter_at=at.parameter)

    def test(pair: tuple[Vary, Vary]) -> FamilyTest:
        """Estimate the difference of areas on the same rows, and test it where rows can be exchanged."""
        numbers = [Statistic(what="area", vary=vary).number(samples[vary].data["intervals"]) for vary in pair]
        found = Contrast(numbers, samples[pair[0]].blocks).interval(resampling)
        pvalue = np.nan
        if pair == ("level", "scale"):
            one_pair = intervals.as_one_pair(1.0)
            pvalue = permutation_test(
                intervals, one_pair, vary="level", n_resamples=n_resamples, blocks=blocks, rng=resampling.rng
            ).pvalue
        return FamilyTest(
            a=pair[0], b=pair[1], difference=found.estimate, low=found.low, high=found.high, pvalue=pvalue
        )

    nested = intervals.rows.columns.nested
    varied = [vary for vary in _FAMILIES if vary != "level" or (nested is not None and nested.levels)]
    samples = {vary: Sample.of({"intervals": intervals}, blocks, vary) for vary in varied}
    return Families(
        scores=tuple(sorted(map(score, varied), key=lambda found: found.area)),
        tests=tuple(map(test, combinations(varied, 2))),
        coverage=float(coverage),
        confidence_level=resampling.level,
        _library=intervals.library,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class FamilyScore:
    """What one model costs if one family moves its intervals.

    Attributes
    ----------
    vary : Vary
        The family.
    area : float
        Area on bandwidth and miss rate: the mean bandwidth over all coverages, in units of y.
    bandwidth_at : float
        Bandwidth needed for the coverage that was asked for, in units of y.
    parameter_at : float
        The parameter there.
    """

    vary: Vary
    area: float
    bandwidth_at: float
    parameter_at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class FamilyTest:
    """Two families of one model against each other.

    Attributes
    ----------
    a, b : Vary
        The families.
    difference : float
        Area of a minus area of b, in units of y: negative where a needs less bandwidth.
    low, high : float
        Its confidence interval.
    pvalue : float
        Probability of a difference at least as large if the two were interchangeable, by exchanging rows at
        equal mean widths; NaN beside "shift", which has no such exchange: read the interval.
    """

    a: Vary
    b: Vary
    difference: float
    low: float
    high: float
    pvalue: float


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Families:
    """One model under each family that can move it, and tests between them.

    Attributes
    ----------
    scores : tuple of FamilyScore
        The families by rising area.
    tests : tuple of FamilyTest
        All pairs.
    coverage : float
        The coverage of ``bandwidth_at``.
    confidence_level : float
        Of the intervals of the tests.

    See Also
    --------
    families : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> uc.families(models["sharp"], n_resamples=99, rng=0).best
    'scale'
    """

    scores: tuple[FamilyScore, ...]
    tests: tuple[FamilyTest, ...]
    coverage: float
    confidence_level: float
    _library: str | None = field(default=None, repr=False)

    @property
    def best(self) -> Vary:
        """The family with the smallest area: the narrowest on average, not always that of the best score."""
        return self.scores[0].vary

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the scores as a frame, one row for each family.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.

        Returns
        -------
        frame
            One row per family.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
        """
        return frames.table_of_records(self.scores, backend or self._library)

    def summary(self) -> str:
        """Say in words which family is narrowest, and how certain that is.

        Returns
        -------
        str
            One or two sentences.
        """
        first, second = self.scores[:2]
        test = next(test for test in self.tests if {test.a, test.b} == {first.vary, second.vary})
        ends = (-test.high, -test.low) if test.a == first.vary else (test.low, test.high)
        unit = second.area or 1.0
        shares = [value / unit for value in (second.area - first.area, *ends)]
        if shares[0] < SAME_SHARE:
            return f"Averaged over all coverages, {first.vary} and {second.vary} need the same half-width."
        saved, low, high = map(percent, shares)
        found = (
            f"Averaged over all coverages, {first.vary} is {saved} narrower than {second.vary} "
            f"({100 * self.confidence_level:g}% CI {low.rstrip('%')} to {high})"
        )
        says = ". Narrower is not always better: compare score_at" if shares[1] > 0 else ": too close to call"
        return f"{found}{says}."
