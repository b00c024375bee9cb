"""Paired permutation tests: one model against another on the same rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from uccurve._base import arguments
from uccurve.curve._ranges import in_unit, on_axes
from uccurve.exceptions import UnreachableError
from uccurve.inference import _point_exchange
from uccurve.inference._area_spec import AreaSpec
from uccurve.inference._closed_forms import closed_form
from uccurve.inference._exchanges import Draw
from uccurve.inference._plain_rows import (
    PlainRows,
    in_unit_of_rows,
    of_equal_width,
    plain_rows,
    stacked,
    vary_of,
)
from uccurve.inference._point_numbers import NOT_DEFINED, POINTS, PointEstimator, PointSpec
from uccurve.inference._presorted import Presorted
from uccurve.inference._row_scores import OF_QUANTILES, SCORES, ScoreSpec, exchanged_means
from uccurve.inference._sorted_areas import SortedArea

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Partial, Vary, X, Y
    from uccurve.curve import Curve
    from uccurve.inference._area_spec import What
    from uccurve.inference._point_numbers import PointWhat
    from uccurve.inference._row_scores import ScoreWhat
    from uccurve.intervals import Intervals

Alternative = Literal["two-sided", "less", "greater"]

_ROUNDING = 1e-10


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
        (1 if one-sided) where that is more.
    alternative : Alternative
        Which differences count as large.
    n_resamples : int
        How many exchanges were looked at.
    n_units : int
        How many rows, blocks or labels were exchanged or not.
    exact : bool
        Whether all possible exchanges were looked at, rather than random ones.
    """

    statistic: float
    pvalue: float
    smallest_pvalue: float
    alternative: Alternative
    n_resamples: int
    n_units: int
    exact: bool


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
    units it looks at all exchanges, if they are no more than ``n_resamples``. Before that both are
    brought to the same mean width, by a factor or, under shift, a constant; quantiles are exchanged at equal
    mean widths, whatever their levels: curves do not depend on it, and so the test does not either. (With a
    handful of units whose widths differ the p-value is thereby approximate, even of all exchanges.) Only a
    range of the parameter, and scores, which depend on the widths, are taken as they are.

    Parameters
    ----------
    a, b : Intervals or UCC
        Two models' intervals for the same observations, with the same weights, or their curves. The
        constant band is a model as well: ``intervals.constant()``, or ``curve.reference``.
    statistic : {"area", "gain", "bandwidth_at", "gain_at", "interval_score", "weighted_interval_score"}
        What is compared, as a difference of a minus b. "bandwidth_at" and "gain_at" are for one coverage or
        miss rate: the bandwidth that is needed there, and the share of it that is saved against the constant
        band. "interval_score" is that of the intervals as given, whose widths count, for one coverage or miss
        rate; by default the coverage that both claim. "weighted_interval_score" is that of all quantiles.
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
        The part of the curve, as in `UCC.area`; a single miss rate or coverage for "bandwidth_at", "gain_at"
        and "interval_score".

    Examples
    --------
    >>> import numpy as np, uccurve as uc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> a, b = (uc.Intervals.from_bands(y, 0 * y, 1 + rng.uniform(size=100)) for _ in range(2))
    >>> uc.permutation_test(a, b, rng=0).pvalue > 0.05
    True
    """
    range_ = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    arguments.option("statistic", statistic, ("area", "gain", *POINTS, *SCORES))
    arguments.option("alternative", alternative, ("two-sided", "less", "greater"))
    n_resamples = arguments.whole("n_resamples", n_resamples, 1)
    spec: AreaSpec | PointSpec | ScoreSpec
    if statistic in SCORES:
        rows = plain_rows({"a": a, "b": b}, blocks, nested=statistic in OF_QUANTILES)
        options = {"x": x, "y": y, "partial": partial, "vary": vary, **range_}
        spec = ScoreSpec.of(statistic, options, rows.models)
    else:
        vary = vary_of(vary, a, b)
        if statistic in POINTS:
            spec = PointSpec.of(statistic, range_, vary, x=x, y=y)
        else:
            spec = AreaSpec(what=cast("What", statistic), x=x, y=y, vary=vary, partial=partial, range_=range_)
        rows = plain_rows({"a": a, "b": b}, blocks, nested=spec.family.nested)
        if spec.axis != "parameter":
            rows = of_equal_width(rows, spec.family)
        if isinstance(spec, AreaSpec):
            spec = replace(spec, range_=in_unit(spec.range_, rows.factor, spec.family))
    units = rows.blocks.n_blocks
    exact = units < 63 and 2**units <= n_resamples  # noqa: PLR2004
    total = 2**units if exact else n_resamples
    label = progress if isinstance(progress, str) else "exchanging rows"
    draw = Draw(None if exact else arguments.generator(rng), total, label if progress else None)
    observed, resampled, scale = _differences(spec, rows, draw)
    if np.isnan(observed):
        raise UnreachableError(f"the {statistic} is not defined: {NOT_DEFINED}.")
    slack = _ROUNDING * scale
    if alternative == "two-sided":
        as_large = np.abs(resampled) >= abs(observed) - slack
    elif alternative == "less":
        as_large = resampled <= observed + slack
    else:
        as_large = resampled >= observed - slack
    count = int(np.count_nonzero(as_large | np.isnan(resampled)))  # what is not defined speaks against
    smallest = max(2.0**-units * (2 if alternative == "two-sided" else 1), 0.0 if exact else 1 / (1 + total))
    return PermutationTest(
        statistic=in_unit_of_rows(observed, rows.factor, spec.power),
        pvalue=max(count / total if exact else (1 + count) / (1 + total), smallest),
        smallest_pvalue=smallest,
        alternative=alternative,
        n_resamples=total,
        n_units=units,
        exact=exact,
    )


def _differences(
    spec: AreaSpec | PointSpec | ScoreSpec, rows: PlainRows, draw: Draw
) -> tuple[float, np.ndarray, float]:
    """Return the difference as it is, after each exchange, and the size of what is subtracted."""
    if isinstance(spec, ScoreSpec):
        return _score_differences(spec, rows, draw)
    if isinstance(spec, AreaSpec) and spec.closed:
        return _closed_differences(spec, rows, draw)
    return _sorted_differences(spec, rows, draw)


def _score_differences(spec: ScoreSpec, rows: PlainRows, draw: Draw) -> tuple[float, np.ndarray, float]:
    """Exchange the scores of rows, whose mean is compared."""
    scores = [spec.of_rows(model) for model in rows.models]
    own = [float(np.average(column, weights=rows.weight)) for column in scores]
    return *exchanged_means(scores, rows, draw), max(own)


def _closed_differences(spec: AreaSpec, rows: PlainRows, draw: Draw) -> tuple[float, np.ndarray, float]:
    """Exchange sums: the part of each column that the exchanged blocks take along."""
    weight, drawn = rows.weight[:: rows.outputs, None], rows.blocks.of_rows(rows.outputs)
    forms = [closed_form(Presorted(model, spec.family, rows.outputs), spec.y) for model in rows.models]
    columns = [form.columns * weight for form in forms]
    value = forms[0].value
    total_a, total_b = (column.sum(axis=0) for column in columns)
    exchanged = drawn.sums(columns[1] - columns[0])
    moving = np.flatnonzero(np.any(exchanged != 0, axis=0))  # what both models share stays as it is
    if spec.what == "area":
        moving = moving[moving < forms[0].of_area]
    taken = np.zeros((draw.total, exchanged.shape[1]))
    taken[:, moving] = draw.sums(exchanged[:, moving])
    own = [float(value(spec, total)) for total in (total_a, total_b)]
    resampled = value(spec, total_a + taken) - value(spec, total_b - taken)
    return own[0] - own[1], resampled, _scale(spec, own)


def _sorted_differences(
    spec: AreaSpec | PointSpec, rows: PlainRows, draw: Draw
) -> tuple[float, np.ndarray, float]:
    """Exchange rows of one sorted pool of both models' rows."""
    presorted = Presorted(stacked(*rows.models), spec.family, rows.outputs)
    pool = PointEstimator(spec, presorted) if isinstance(spec, PointSpec) else SortedArea(spec, presorted)
    weight, drawn = rows.weight, rows.blocks
    everything = np.concatenate([weight, weight])
    n = weight.size
    mine = everything.copy()
    mine[n:] = 0
    difference = pool.difference(everything)
    observed = difference(mine)
    own = [pool.value(mine), pool.value(everything - mine)]
    if isinstance(pool, PointEstimator) and _point_exchange.possible(pool):
        resampled = _point_exchange.differences(pool, rows, draw.subsets(drawn.n_blocks))
        return observed, resampled, _scale(spec, own)
    found = []
    for chunk in draw.subsets(drawn.n_blocks):
        for bits in chunk:
            exchanged = np.unpackbits(bits, bitorder="little", count=drawn.n_blocks)
            if drawn.n_blocks != n:
                exchanged = exchanged[drawn.of_row]
            np.multiply(weight, exchanged, out=mine[n:])
            np.subtract(weight, mine[n:], out=mine[:n])
            found.append(difference(mine))
    return observed, np.array(found), _scale(spec, own)


def _scale(spec: AreaSpec | PointSpec, own: list[float]) -> float:
    """Return the size of what is subtracted, for its rounding; a gain is a difference from 1 itself."""
    return max(1.0, *map(abs, own)) if spec.what in ("gain", "gain_at") else max(own)
