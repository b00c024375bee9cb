"""Paired permutation tests: one model against another on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from uccurve import _door
from uccurve._kernels import resampling
from uccurve._namespace import to_numpy
from uccurve._presorted import Presorted, plain, stacked
from uccurve._progress import progressing
from uccurve._statistics import SortedStatistic, Spec, What, closed_columns, closed_value
from uccurve._units import Units, units
from uccurve.exceptions import PairError, UnreachableError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uccurve._typing import ArrayLike, Partial, Range, Vary, X, Y

Alternative = Literal["two-sided", "less", "greater"]

_CHUNK_BYTES = 1 << 24
_ROUNDING = 1e-10
_OWN_COLUMNS = 2
"""Columns an area needs; a gain needs the constant band's, too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PermutationTest:
    """The outcome of a paired permutation test.

    Attributes
    ----------
    statistic : float
        Area or gain of the first model minus that of the second.
    p_value : float
        Probability of a difference at least as large if the models were interchangeable.
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
    p_value: float
    alternative: Alternative
    n_resamples: int
    n_units: int
    exact: bool


def permutation_test(
    a: Intervals,
    b: Intervals,
    *,
    statistic: What = "area",
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "strip",
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    blocks: ArrayLike | int | None = None,
    rng: np.random.Generator | int | None = None,
    progress: bool | str = False,
    **range_: Unpack[Range],
) -> PermutationTest:
    """Test whether two models' areas or gains differ, on the same rows.

    If the models were interchangeable, exchanging their predictions and bands in any rows would
    make no difference. The test draws the rows to exchange, and counts how often the difference
    is at least as large as the observed one: p = (1 + count) / (1 + n_resamples). With few
    units it looks at all exchanges, if they are no more than ``n_resamples``.

    Parameters
    ----------
    a, b : Intervals
        Two models' intervals for the same observations, with the same weights.
    statistic : {"area", "gain"}
        What is compared, as a difference of a minus b.
    x, y, vary, partial, **range_
        Which area or gain, as in `UCC.area`.
    alternative : {"two-sided", "less", "greater"}
        "less" tests whether a's area or gain is smaller than b's.
    n_resamples : int
        Number of random exchanges.
    blocks : int or array of shape (n,), optional
        What is exchanged together: a number of consecutive rows, or the rows with the same label.
        Needed where neighbouring rows depend on each other, as in time series; else each row.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.
    progress : bool or str
        Show a progress bar on the terminal, with a text of your own if one is given.

    Examples
    --------
    >>> import numpy as np, uccurve as uc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> a, b = (uc.Intervals.from_bands(y, 0 * y, 1 + rng.uniform(size=100)) for _ in range(2))
    >>> uc.permutation_test(a, b, rng=0).p_value > 0.05
    True
    """
    spec = Spec(what=statistic, x=x, y=y, vary=vary, partial=partial, range_=range_)
    _door.option("statistic", statistic, ("area", "gain"))
    _door.option("alternative", alternative, ("two-sided", "less", "greater"))
    n_resamples = int(_door.number("n_resamples", n_resamples, 1))
    weight = paired(a, b)
    drawn = units(a, blocks)
    exact = drawn.size < 63 and 2**drawn.size <= n_resamples  # noqa: PLR2004
    total = 2**drawn.size if exact else n_resamples
    subsets = _all_subsets(drawn.size) if exact else _random_subsets(drawn.size, n_resamples, rng)
    label = progress if isinstance(progress, str) else "exchanging rows"
    subsets = progressing(subsets, total, label, show=bool(progress))
    differences = _closed_differences if spec.closed else _sorted_differences
    observed, resampled = differences(spec, plain(a), plain(b), weight, drawn, subsets)
    if np.isnan(observed):
        raise UnreachableError("the gain is not defined: the constant band has no area in this range.")
    slack = _ROUNDING * max(abs(observed), float(np.max(np.abs(resampled), initial=0.0)))
    if alternative == "two-sided":
        as_large = np.abs(resampled) >= abs(observed) - slack
    elif alternative == "less":
        as_large = resampled <= observed + slack
    else:
        as_large = resampled >= observed - slack
    count = int(np.count_nonzero(as_large))
    return PermutationTest(
        statistic=observed,
        p_value=count / total if exact else (1 + count) / (1 + total),
        alternative=alternative,
        n_resamples=total,
        n_units=drawn.size,
        exact=exact,
    )


def paired(a: Intervals, b: Intervals) -> np.ndarray:
    """Check that two models are on the same rows, and return their weights, outputs laid end to end."""
    _door.instance("a", a, Intervals)
    _door.instance("b", b, Intervals)
    if a.y_true.shape != b.y_true.shape:
        shapes = f"{tuple(a.y_true.shape)} and {tuple(b.y_true.shape)}"
        raise PairError(f"a pair must be on the same rows, but the shapes of `y_true` are {shapes}.")
    y_a, y_b = to_numpy(a.y_true), to_numpy(b.y_true)
    differing = np.flatnonzero((y_a != y_b).reshape(a.n, -1).any(axis=1))
    if differing.size:
        told = _door.rows_that(differing.size, a.n, "differs", "differ")
        raise PairError(
            f"a pair must be on the same rows, but `y_true` of {told}; first at row {differing[0]}."
        )
    mine, other = (row_weights(intervals) for intervals in (a, b))
    if not np.array_equal(mine, other):
        raise PairError("a pair must be on the same rows, but `sample_weight` differs.")
    return mine


def row_weights(intervals: Intervals) -> np.ndarray:
    """Return the weights of the rows, outputs laid end to end; 1 where they are all equal."""
    equal = intervals._summary.equal_weights
    single = np.ones(intervals.n) if equal else to_numpy(intervals.sample_weight)
    return np.repeat(single, intervals.n_outputs)


def _random_subsets(
    count: int, n_resamples: int, rng: np.random.Generator | int | None
) -> Iterator[np.ndarray]:
    """Yield random bits, eight units a byte, in chunks of resamples."""
    generator = np.random.default_rng(rng)
    groups = -(-count // 8)
    size = max(1, _CHUNK_BYTES // (groups * 8))
    for begin in range(0, n_resamples, size):
        chunk = min(size, n_resamples - begin)
        yield generator.integers(0, 256, size=(chunk, groups), dtype=np.uint8)


def _all_subsets(count: int) -> Iterator[np.ndarray]:
    groups = -(-count // 8)
    everything = np.arange(2**count, dtype="<u8").view(np.uint8).reshape(-1, 8)
    yield everything[:, :groups]


def _closed_differences(
    spec: Spec, a: Intervals, b: Intervals, weight: np.ndarray, drawn: Units, subsets: Iterator[np.ndarray]
) -> tuple[float, np.ndarray]:
    """Exchange sums: the part of each column that the exchanged units take along."""
    columns = [closed_columns(Presorted(m, spec.vary), spec.y) * weight[:, None] for m in (a, b)]
    total_a, total_b = (column.sum(axis=0) for column in columns)
    exchanged = drawn.sums(columns[1] - columns[0])
    moving = np.flatnonzero(np.any(exchanged != 0, axis=0))  # what both models share stays as it is
    if spec.what == "area":
        moving = moving[moving < _OWN_COLUMNS]
    tables = resampling.subset_tables(exchanged[:, moving]) if moving.size else None
    found = []
    for chunk in subsets:
        taken = np.zeros((chunk.shape[0], exchanged.shape[1]))
        if tables is not None:
            taken[:, moving] = resampling.subset_sums(tables, chunk)
        found.append(closed_value(spec, total_a + taken) - closed_value(spec, total_b - taken))
    observed = float(closed_value(spec, total_a) - closed_value(spec, total_b))
    return observed, np.concatenate(found)


def _sorted_differences(
    spec: Spec, a: Intervals, b: Intervals, weight: np.ndarray, drawn: Units, subsets: Iterator[np.ndarray]
) -> tuple[float, np.ndarray]:
    """Exchange rows of one sorted pool of both models' rows."""
    pool = SortedStatistic(spec, Presorted(stacked(a, b), spec.vary))
    everything = np.concatenate([weight, weight])
    n = weight.size
    mine = everything.copy()
    mine[n:] = 0
    observed = pool.difference(mine, everything)
    found = []
    for chunk in subsets:
        for bits in chunk:
            exchanged = np.unpackbits(bits, bitorder="little", count=drawn.size)
            if drawn.size != n:
                exchanged = exchanged[drawn.of_row]
            np.multiply(weight, exchanged, out=mine[n:])
            np.subtract(weight, mine[n:], out=mine[:n])
            found.append(pool.difference(mine, everything))
    return observed, np.array(found)
