"""Paired permutation tests: one model against another on the same rows."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve.curve import Curve, ranges
from uccurve.exceptions import UnreachableError
from uccurve.inference.reweighted import Presorted, Reweighted
from uccurve.inference.statistics import AREAS, NOT_DEFINED, POINTS, SCORES, Statistic, tabulate
from uccurve.inference.units import Sample, Units, stack_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from uccurve._base.type_aliases import ArrayLike, Partial, Vary, X, Y
    from uccurve.inference.closed_forms import Form
    from uccurve.inference.statistics import Number
    from uccurve.intervals import Intervals

Pair = tuple[str, str]

_TESTED = (*AREAS, *POINTS[:3], *SCORES)
# A difference so small, beside the numbers that are subtracted, is rounding.
_ROUNDING = 1e-10
# How many numbers a batch of exchanges holds.
_NUMBERS_AT_ONCE = 1 << 22


@dataclass(frozen=True, kw_only=True, slots=True)
class PermutationTest:
    """The outcome of a paired permutation test.

    Attributes
    ----------
    statistic : float
        The number of the first model minus that of the second.
    pvalue : float
        Probability of a difference at least as large if the models were interchangeable.
    smallest_pvalue : float
        What the p-value cannot fall below: 1 in 1 + ``n_resamples``, or 2 in 2 to the power of ``n_units``
        where that is more.
    n_resamples : int
        Number of permutations.
    n_units : int
        How many rows, blocks or labels were exchanged or not: at most 4,096; more are grouped at random.
    exact : bool
        Whether all possible permutations were used, not random ones.

    See Also
    --------
    permutation_test : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> test = uc.permutation_test(models["sharp"], models["damped"], n_resamples=99, rng=0)
    >>> test.pvalue
    0.01
    """

    statistic: float
    pvalue: float
    smallest_pvalue: float
    n_resamples: int
    n_units: int
    exact: bool


def permutation_test(
    a: Intervals | Curve,
    b: Intervals | Curve,
    *,
    statistic: str = "area",
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary | None = None,
    partial: Partial = "mean",
    n_resamples: int = 9999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
    miss_rate: tuple[float, float] | float | None = None,
    coverage: tuple[float, float] | float | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
) -> PermutationTest:
    """Test whether two models differ on the same rows: in area, in gain, at one coverage, or in a score.

    If the models were interchangeable, exchanging their predictions and bands in any rows would
    make no difference. The test draws the rows to exchange, and counts how often the difference
    is at least as large as the observed one, in either direction:
    p = (1 + count) / (1 + n_resamples). With few units it uses all exchanges, if they are no more than
    ``n_resamples``.

    Under scale both models are first multiplied to the same mean width, and quantiles are exchanged at equal
    mean widths, whatever their levels: curves do not depend on it, and so the test does not either. (With a
    handful of units whose widths differ the p-value is thereby approximate, even of all exchanges.) Under
    shift the bands are exchanged as they are: with a constant added to reach the same width, areas of two
    interchangeable models differ in 8% of 2,000 samples of 20 rows at the 5% level, without it in 5%. If all
    widths of one model are larger by much the same amount, shift it first: the test has little power
    otherwise. A range of the parameter, and scores, depend on the widths: there, too, bands are exchanged as
    they are.

    Parameters
    ----------
    a, b : Intervals or UCC
        Two models' intervals for the same observations, with the same weights, or their curves. The
        constant width is a model as well: ``intervals.constant()``, or ``curve.reference``.
    statistic : {"area", "gain", "score_at", "bandwidth_at", "gain_at", "interval_score", \
    "weighted_interval_score"}
        What is compared, as a difference of a minus b. "score_at", "bandwidth_at" and "gain_at" are for one
        coverage or miss rate: the interval score of the intervals moved to it (`UCC.score_at`), the bandwidth
        that is needed there, and the share of it that is saved against constant width. "interval_score" is
        that of the intervals as supplied, whose widths count, for one coverage or miss rate; by default the
        coverage that both claim. "weighted_interval_score" is that of all quantiles.
    x, y, partial
        Which area or gain, as in `UCC.area`.
    vary : {"scale", "shift", "level"}, optional
        What moves the operating point; by default that of the curves, else "scale".
    n_resamples : int
        Number of random exchanges. If the p-value is one of several, and adjusted for that, take enough:
        the smallest adjusted one is their number divided by 1 + ``n_resamples``. `compare` does so.
    blocks : int or array of shape (n,), optional
        What is exchanged together: a number of consecutive rows, or the rows with the same label.
        Needed where neighboring rows depend on each other, as in time series; else each row.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.
    miss_rate, coverage, bandwidth, excess, deficit, parameter : pair of float, optional
        The part of the curve, as in `UCC.area`; a single miss rate or coverage for "score_at",
        "bandwidth_at", "gain_at" and "interval_score".

    Returns
    -------
    PermutationTest
        The difference and its p-value.

    Raises
    ------
    PairError
        If the two are not on the same rows, with the same weights and bounds on the same sides.
    UnreachableError
        If a curve does not reach the range or the point, because rows have zero bands.
    ArgumentError
        If an option does not belong to the statistic, or has a value outside its rule; or if there are fewer
        than two rows or blocks.
    ArgumentTypeError
        If ``a`` or ``b`` is neither `Intervals` nor a `UCC`.
    ShapeError
        If ``blocks`` do not have one label per row.

    See Also
    --------
    compare : Several models, adjusted for several tests.
    confidence_interval : How large the difference may be.

    Examples
    --------
    >>> import numpy as np, uccurve as uc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> a, b = (uc.Intervals.from_bands(y, 0 * y, 1 + rng.uniform(size=100)) for _ in range(2))
    >>> uc.permutation_test(a, b, rng=0).pvalue > 0.05
    True
    """
    n_resamples = arguments.whole("n_resamples", n_resamples, 1)
    arguments.option("statistic", statistic, _TESTED)
    models, pair = {"a": a, "b": b}, ("a", "b")
    part = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    asked = Statistic.of(statistic, models.values(), x=x, y=y, vary=vary, partial=partial, **part)
    sample = Sample.of(models, blocks, asked.vary)
    tests = permutation_tests(sample, [pair], asked, n_resamples, arguments.generator(rng))
    if pair not in tests:
        for data in sample.data.values():
            asked.number(data).value(data)  # which may say why
        raise UnreachableError(f"the {statistic} is not defined: {NOT_DEFINED}")
    return tests[pair]


@np.errstate(over="ignore", invalid="ignore")  # judged by what comes out
def permutation_tests(
    sample: Sample,
    pairs: Sequence[Pair],
    asked: Statistic,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    step: Callable[[int], None] = lambda _: None,
) -> dict[Pair, PermutationTest]:
    """Test the first model of each pair minus the second, all pairs by the same exchanges of units.

    Each test is valid as it is, and Holm's adjustment does not need independent tests. Pairs with a model
    whose number is not defined are left out. ``step`` is told how many exchanges were made.
    """
    if asked.what in AREAS and asked.axis != "parameter":
        sample = sample.of_equal_width()
    numbers: dict[str, Number] = {}
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        with suppress(UnreachableError):
            number = asked.number(sample.data[name])
            if not math.isnan(number.estimate):
                numbers[name] = number
    pairs = [pair for pair in pairs if set(pair) <= set(numbers)]
    if not pairs:
        return {}
    exchanges = Exchanges.draw(sample.blocks.grouped(rng), n_resamples, rng)
    forms = tabulate(list(numbers.values()), exchanges.units)
    if forms is None:
        pooled = sample if asked.what in AREAS else sample.of_equal_width()
        differences = [_differences_in_order(pooled, pair, asked, exchanges, step) for pair in pairs]
    else:
        names = list(numbers)
        places = [(names.index(a), names.index(b)) for a, b in pairs]
        differences = _differences_of_sums(forms, places, exchanges, step)
    found = {}
    for (a, b), (observed, after) in zip(pairs, differences, strict=True):
        own = [numbers[name].estimate for name in (a, b)]
        # a gain is a difference from 1 itself
        scale = max(*map(abs, own), 1.0 if asked.what in ("gain", "gain_at") else 0.0)
        found[a, b] = exchanges.outcome(own[0] - own[1], observed, after, _ROUNDING * scale)
    return found


@dataclass(frozen=True, eq=False)
class Exchanges:
    """Which units are exchanged: all subsets of them in turn, or random ones.

    Attributes
    ----------
    units : Units
        The units.
    bits : numpy.ndarray
        One line for each exchange, eight units a byte.
    exact : bool
        Whether these are all subsets.
    """

    units: Units
    bits: np.ndarray
    exact: bool

    @classmethod
    def draw(cls, units: Units, n_resamples: int, rng: np.random.Generator) -> Exchanges:
        """Return all exchanges, if they are no more than ``n_resamples``, else random ones."""
        length = -(-units.number // 8)
        if units.number < 63 and 2**units.number <= n_resamples:  # noqa: PLR2004
            every = np.arange(2**units.number, dtype="<u8").view(np.uint8).reshape(-1, 8)
            return cls(units, every[:, :length], exact=True)
        return cls(units, rng.integers(0, 256, size=(n_resamples, length), dtype=np.uint8), exact=False)

    def batches(self, columns: int) -> Iterator[np.ndarray]:
        """Yield which units are exchanged, as 0 and 1, in batches for tables of so many columns."""
        size = max(1, _NUMBERS_AT_ONCE // max(self.units.number, columns))
        for begin in range(0, len(self.bits), size):
            some = self.bits[begin : begin + size]
            yield np.unpackbits(some, axis=1, count=self.units.number, bitorder="little").astype(np.float64)

    def outcome(self, statistic: float, observed: float, after: np.ndarray, slack: float) -> PermutationTest:
        """Count the differences after exchanges that are as large as the observed one, up to rounding."""
        is_smaller = np.abs(after) < abs(observed) - slack  # what is not defined is not, and speaks against
        total, count = after.size, int(np.count_nonzero(~is_smaller))
        smallest = max(2.0 ** (1 - self.units.number), 0.0 if self.exact else 1 / (1 + total))
        return PermutationTest(
            statistic=statistic,
            pvalue=max(count / total if self.exact else (1 + count) / (1 + total), smallest),
            smallest_pvalue=smallest,
            n_resamples=total,
            n_units=self.units.number,
            exact=self.exact,
        )


def _differences_of_sums(
    forms: Sequence[Form], pairs: Sequence[tuple[int, int]], exchanges: Exchanges, step: Callable[[int], None]
) -> list[tuple[float, np.ndarray]]:
    """Return the difference of each pair as it is and after each exchange, from sums over exchanged units."""
    columns, of_sums = np.concatenate([form.columns for form in forms], axis=1), forms[0].of_sums
    whole = columns.sum(axis=0).reshape(1, len(forms), -1)
    own = [float(of_sums(whole[:, place])[0]) for place in range(len(forms))]
    found: list[list[np.ndarray]] = [[] for _ in pairs]
    for exchanged in exchanges.batches(columns.shape[1]):
        sums = (exchanged @ columns).reshape(len(exchanged), len(forms), -1)
        for parts, (a, b) in zip(found, pairs, strict=True):
            moved = sums[:, b] - sums[:, a]
            parts.append(of_sums(whole[:, a] + moved) - of_sums(whole[:, b] - moved))
        step(len(exchanged))
    return [(own[a] - own[b], np.concatenate(parts)) for (a, b), parts in zip(pairs, found, strict=True)]


def _differences_in_order(
    sample: Sample, pair: Pair, asked: Statistic, exchanges: Exchanges, step: Callable[[int], None]
) -> tuple[float, np.ndarray]:
    """Return the same for one pair, by weights of the rows of both models in one sorted pool."""
    rows = stack_rows(*(sample.models[name] for name in pair))
    pool, weight = Presorted(rows, sample.family, sample.outputs), sample.weight
    everything = np.concatenate([weight, weight])
    number = asked.number(Reweighted(pool, everything))

    def difference(exchanged: np.ndarray) -> float:
        part = np.concatenate([weight - weight * exchanged, weight * exchanged])
        return number.value(Reweighted(pool, part)) - number.value(Reweighted(pool, everything - part))

    found = []
    for batch in exchanges.batches(0):
        found += [difference(exchanged[exchanges.units.of_element]) for exchanged in batch]
        step(len(batch))
    return difference(np.zeros(weight.size)), np.array(found)
