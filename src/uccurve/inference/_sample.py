"""What inference starts from: plain rows of one model or of two, their weights and units, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve._ranges import unit_factor
from uccurve.exceptions import PairError
from uccurve.inference._units import Units, unit_codes
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike

_LIMIT = 2.0**200
"""Units of y beyond it are brought near 1: inference squares areas, which are products already."""


class Sample(NamedTuple):
    """Rows in NumPy, outputs laid end to end, those without weight left out."""

    models: tuple[Intervals, ...]
    weight: np.ndarray
    drawn: Units
    factor: float
    """What the rows were multiplied by, a power of two."""


def sample(models: Mapping[str, Intervals], blocks: ArrayLike | int | None) -> Sample:
    """Check models, named by their arguments, and prepare them; two of them must be on the same rows."""
    for name, intervals in models.items():
        arguments.instance(name, intervals, Intervals)
    first, *others = models.values()
    for other in others:
        check_pair(first, other)
    codes = unit_codes(first, blocks)
    rows = np.arange(first.n)
    if first._summary.zero_weights:
        rows = np.flatnonzero(to_numpy(first.sample_weight) > 0)
    equal = first._summary.equal_weights
    weight = np.ones(rows.size) if equal else to_numpy(first.sample_weight)[rows]
    factor = unit_factor(max(m._summary.error for m in models.values()), _LIMIT)
    plain = tuple(_plain(intervals, rows, factor) for intervals in models.values())
    outputs = first.n_outputs
    return Sample(plain, np.repeat(weight, outputs), Units.of(np.repeat(codes[rows], outputs)), factor)


def check_pair(a: Intervals, b: Intervals) -> None:
    """Refuse two models that are not on the same rows, with the same weights."""
    if a.y_true.shape != b.y_true.shape:
        shapes = f"{tuple(a.y_true.shape)} and {tuple(b.y_true.shape)}"
        raise PairError(f"a pair must be on the same rows, but the shapes of `y_true` are {shapes}.")
    differing = np.flatnonzero((to_numpy(a.y_true) != to_numpy(b.y_true)).reshape(a.n, -1).any(axis=1))
    if differing.size:
        told = arguments.rows_that(differing.size, a.n, "differs", "differ")
        raise PairError(
            f"a pair must be on the same rows, but `y_true` of {told}; first at row {differing[0]}."
        )
    weights = [None if m._summary.equal_weights else to_numpy(m.sample_weight) for m in (a, b)]
    if (weights[0] is None) != (weights[1] is None) or not np.array_equal(weights[0], weights[1]):  # type: ignore[arg-type]
        raise PairError("a pair must be on the same rows, but `sample_weight` differs.")


def _plain(intervals: Intervals, rows: np.ndarray, factor: float) -> Intervals:
    columns = intervals._columns._replace(weight=None, lower=None, upper=None)
    (flat,) = columns.map(lambda column: to_numpy(column)[rows] * factor).blocks(whole=True)
    return Intervals.from_bands(flat.y_true, flat.y_pred, flat.lower_band, flat.upper_band)
