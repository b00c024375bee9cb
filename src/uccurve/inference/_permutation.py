"""Paired permutation tests: one model against another on the same rows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from uccurve._base import arguments
from uccurve.curve import ranges
from uccurve.exceptions import UnreachableError
from uccurve.inference._area_spec import AreaSpec
from uccurve.inference._exchange_tables import exchange_tests
from uccurve.inference._exchanges import Alternative, Draw, PermutationTest, outcome
from uccurve.inference._pair_differences import difference_of, resampled
from uccurve.inference._plain_rows import (
    PlainRows,
    in_unit,
    in_unit_of_rows,
    of_equal_width,
    plain_rows,
    rows_of,
    vary_of,
)
from uccurve.inference._point_numbers import NOT_DEFINED, POINTS, PointSpec
from uccurve.inference._row_scores import OF_QUANTILES, SCORES, ScoreSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Partial, Vary, X, Y
    from uccurve.curve import Curve
    from uccurve.inference._area_spec import What
    from uccurve.inference._pair_differences import Difference, Spec
    from uccurve.inference._point_numbers import PointWhat
    from uccurve.inference._row_scores import ScoreWhat
    from uccurve.intervals import Intervals

Key = TypeVar("Key")

_NUMBERS_AT_ONCE = 1 << 25
"""How many numbers the pairs hold that are tested together."""
_COLUMNS_OF_A_PAIR = 30
"""About how many arrays as long as the rows that is for each pair."""


@np.errstate(over="ignore", invalid="ignore")  # judged by what comes out
def permutation_test(
    a: Intervals | Curve,
    b: Intervals | Curve,
    *,
    statistic: What | PointWhat | ScoreWhat = "area",
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary | None = None,
    partial: Partial = "mean",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
    progress: bool | str = False,
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
    is at least as large as the observed one: p = (1 + count) / (1 + n_resamples). With few
    units it looks at all exchanges, if they are no more than ``n_resamples``.

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
        constant band is a model as well: ``intervals.constant()``, or ``curve.reference``.
    statistic : {"area", "gain", "score_at", "bandwidth_at", "gain_at", "interval_score", \
"weighted_interval_score"}
        What is compared, as a difference of a minus b. "score_at", "bandwidth_at" and "gain_at" are for one
        coverage or miss rate: the interval score of the intervals moved to it (`UCC.score_at`), the bandwidth
        that is needed there, and the share of it that is saved against the constant band. "interval_score" is
        that of the intervals as given, whose widths count, for one coverage or miss rate; by default the
        coverage that both claim. "weighted_interval_score" is that of all quantiles.
    x, y, partial
        Which area or gain, as in `UCC.area`.
    vary : {"scale", "shift", "level"}, optional
        What moves the operating point; by default that of the curves, else "scale".
    alternative : {"two-sided", "less", "greater"}
        "less" tests whether a's number is smaller than b's.
    n_resamples : int
        Number of random exchanges. If the p-value is one of several, and adjusted for that, take enough:
        the smallest adjusted one is their number divided by 1 + ``n_resamples``. `compare` does so.
    blocks : int or array of shape (n,), optional
        What is exchanged together: a number of consecutive rows, or the rows with the same label.
        Needed where neighboring rows depend on each other, as in time series; else each row.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.
    progress : bool or str
        Show a progress bar on the terminal, with a text of your own if one is given.
    miss_rate, coverage, bandwidth, excess, deficit, parameter : pair of float, optional
        The part of the curve, as in `UCC.area`; a single miss rate or coverage for "score_at",
        "bandwidth_at", "gain_at" and "interval_score".

    Examples
    --------
    >>> import numpy as np, uccurve as uc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> a, b = (uc.Intervals.from_bands(y, 0 * y, 1 + rng.uniform(size=100)) for _ in range(2))
    >>> uc.permutation_test(a, b, rng=0).pvalue > 0.05
    True
    """
    arguments.option("alternative", alternative, ("two-sided", "less", "greater"))
    n_resamples = arguments.whole("n_resamples", n_resamples, 1)
    range_ = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    arguments.option("statistic", statistic, ("area", "gain", *POINTS, *SCORES))
    if statistic in ("score_at", "bandwidth_at"):
        point = PointSpec.of(statistic, range_, vary_of(vary, a, b), x=x, y=y)
        label = progress if isinstance(progress, str) else "exchanging rows"
        found = exchange_tests(
            {"a": rows_of("a", a), "b": rows_of("b", b)},
            [("a", "b")],
            criterion="interval_score" if statistic == "score_at" else "bandwidth",
            miss_rate=point.miss_rate,
            vary=point.vary,
            blocks=blocks,
            n_resamples=n_resamples,
            rng=arguments.generator(rng),
            alternative=alternative,
            label=label if progress else None,
        )
        if not found:
            raise UnreachableError(f"the {statistic} is not defined: {NOT_DEFINED}")
        return found["a", "b"]
    number = _Number(statistic, x, y, vary, partial, range_)
    under_test = _UnderTest.of(a, b, number, blocks)
    label = progress if isinstance(progress, str) else "exchanging rows"
    draw = under_test.draw(n_resamples, rng, label if progress else None)
    (after,) = resampled([under_test.difference], draw)
    return under_test.outcome(after, draw, alternative)


@np.errstate(over="ignore", invalid="ignore")
def shared_permutation_tests(
    pairs: Mapping[Key, tuple[Intervals, Intervals]],
    *,
    n_resamples: int,
    blocks: ArrayLike | int | None,
    seed: int,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary | None = None,
) -> dict[Key, PermutationTest]:
    """Test the areas of pairs of models, all on the same rows, by the same exchanges of rows.

    Each test is what `permutation_test` returns with ``rng=seed``, up to rounding: drawing the exchanges once
    for many pairs only takes less time. Each p-value is as valid as with exchanges of its own. The p-values
    then depend on each other, as those of tests on the same rows do in any case, and as Holm's adjustment
    allows.

    Parameters
    ----------
    pairs : mapping to pair of Intervals
        The pairs. Those whose area is not defined are left out of what is returned.
    n_resamples, blocks, x, y, vary
        As in `permutation_test`.
    seed : int
        The seed of the exchanges.
    """
    number = _Number("area", x, y, vary, "mean", {})
    found: dict[Key, PermutationTest] = {}
    keys = list(pairs)
    size = max(1, _NUMBERS_AT_ONCE // (_COLUMNS_OF_A_PAIR * next(iter(pairs.values()))[0].n)) if keys else 1
    for begin in range(0, len(keys), size):
        batch: dict[Key, _UnderTest] = {}
        for key in keys[begin : begin + size]:
            with suppress(UnreachableError):
                batch[key] = _UnderTest.of(*pairs[key], number, blocks, among_others=True)
        if batch:
            draw = next(iter(batch.values())).draw(n_resamples, seed, None)
            after = resampled([one.difference for one in batch.values()], draw)
            found |= {
                key: one.outcome(part, draw, "two-sided")
                for (key, one), part in zip(batch.items(), after, strict=True)
            }
    return found


class _Number(NamedTuple):
    """What is compared, as it was asked for."""

    statistic: str
    x: X
    y: Y
    vary: Vary | None
    partial: Partial
    range_: dict[str, Any]


@dataclass(frozen=True, eq=False)
class _UnderTest:
    """A pair of models, its number, and the difference that exchanges of rows are to be compared with."""

    spec: Spec
    rows: PlainRows
    difference: Difference

    @classmethod
    def of(
        cls,
        a: Intervals | Curve,
        b: Intervals | Curve,
        number: _Number,
        blocks: ArrayLike | int | None,
        *,
        among_others: bool = False,
    ) -> _UnderTest:
        """Prepare two models; of the same width, where curves do not depend on a factor."""
        statistic, x, y, vary, partial, range_ = number
        spec: Spec
        if statistic in SCORES:
            rows = plain_rows({"a": a, "b": b}, blocks, nested=statistic in OF_QUANTILES)
            options = {"x": x, "y": y, "partial": partial, "vary": vary, **range_}
            spec = ScoreSpec.of(statistic, options, rows.models)
        else:
            vary = vary_of(vary, a, b)
            if statistic in POINTS:
                spec = PointSpec.of(statistic, range_, vary, x=x, y=y)
            else:
                what = cast("What", statistic)
                spec = AreaSpec(what=what, x=x, y=y, vary=vary, partial=partial, range_=range_)
            rows = plain_rows({"a": a, "b": b}, blocks, nested=spec.family.nested)
            if spec.axis != "parameter":
                rows = of_equal_width(rows, spec.family, of_one=among_others)
            if isinstance(spec, AreaSpec):
                spec = replace(spec, range_=in_unit(spec.range_, rows.factor, spec.family))
        found = difference_of(spec, rows)
        if np.isnan(found.observed):
            raise UnreachableError(f"the {statistic} is not defined: {NOT_DEFINED}")
        return cls(spec, rows, found)

    def draw(self, n_resamples: int, rng: np.random.Generator | int | None, label: str | None) -> Draw:
        """Return the exchanges to look at: all of them, if they are no more than ``n_resamples``."""
        return Draw.of(self.rows.blocks.n_blocks, n_resamples, rng, label)

    def outcome(self, after: np.ndarray, draw: Draw, alternative: Alternative) -> PermutationTest:
        """Count the differences after exchanges that are as large as the observed one."""
        found = self.difference
        test = outcome(found.observed, after, found.scale, self.rows.blocks.n_blocks, draw, alternative)
        return replace(test, statistic=in_unit_of_rows(found.observed, self.rows.factor, self.spec.power))
