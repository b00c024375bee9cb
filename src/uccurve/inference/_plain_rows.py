"""What inference starts from: rows of one model or of two in NumPy, their weights and blocks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import Curve, areas, family_of
from uccurve.exceptions import ArgumentError, PairError
from uccurve.inference._blocks import Blocks, block_codes
from uccurve.inference._common_levels import with_common_levels
from uccurve.intervals import Intervals, NestedPairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.formulas.bands import Scale as Family

_LIMIT = 2.0**200
"""Residuals beyond it are brought near 1: inference squares areas, which are squares of y already."""


class PlainRows(NamedTuple):
    """Rows in NumPy, outputs laid end to end, those without weight left out."""

    models: tuple[Intervals, ...]
    weight: np.ndarray
    blocks: Blocks
    factor: float
    """What the rows were multiplied by, a power of two."""
    outputs: int
    """How many consecutive elements belong to one row."""

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight would tell as much (Kish 1965)."""
        return float(self.weight.sum()) ** 2 / float(self.weight @ self.weight) / self.outputs


def plain_rows(
    given: Mapping[str, Intervals | Curve], blocks: ArrayLike | int | None, *, nested: bool = False
) -> PlainRows:
    """Check models, named by their arguments, and prepare them; two of them must be on the same rows.

    With ``nested`` they keep all their pairs of quantiles, around the center.
    """
    models = {name: rows_of(name, model) for name, model in given.items()}
    if nested:
        models = {name: model.centered() for name, model in models.items()}
    first, *others = models.values()
    for other in others:
        check_pair(first, other)
    codes = block_codes(first, blocks)
    rows = np.arange(first.n)
    if first.rows.summary.zero_weights:
        rows = np.flatnonzero(to_numpy(first.sample_weight) > 0)
    equal = first.rows.summary.equal_weights
    weight = np.ones(rows.size) if equal else to_numpy(first.sample_weight)[rows]
    factor = _near_one(max(m.rows.summary.error for m in models.values()))
    plain = tuple(_plain(intervals, rows, factor, nested=nested) for intervals in models.values())
    outputs = first.n_outputs
    drawn = Blocks.of(np.repeat(codes[rows], outputs))
    return PlainRows(plain, np.repeat(weight, outputs), drawn, factor, outputs)


def _near_one(size: float) -> float:
    """Return the power of two that brings a mean residual near 1, if fourth powers could leave float64."""
    if size == 0 or 1 / _LIMIT < size < _LIMIT:
        return 1.0
    return math.ldexp(1.0, -math.frexp(size)[1])


def in_unit(given: Mapping[str, Any], factor: float, family: Family) -> dict[str, Any]:
    """Express a range in the unit of rows that were multiplied by ``factor``."""
    in_units_of_y = {"bandwidth", "excess", "deficit"} | ({"parameter"} if family.in_units_of_y else set())
    return {
        axis: tuple(end * factor for end in ends) if axis in in_units_of_y else ends
        for axis, ends in given.items()
    }


def in_unit_of_rows(number: float, factor: float, power: int) -> float:
    """Return a number in the unit that rows had before they were multiplied by ``factor``.

    ``power`` is the power of the unit that the number has.
    """
    return number / factor**power


def rows_of(name: str, model: Intervals | Curve) -> Intervals:
    """Return the rows of an argument, which may be their curve."""
    if isinstance(model, Curve):
        if model.source is None:
            raise ArgumentError(
                argument=name, rule="have rows", got="the curve of a sketch, which keeps none"
            )
        return model.source
    arguments.instance(name, model, Intervals, "Intervals or UCC")
    return model


def vary_of(vary: Vary | None, *models: Intervals | Curve | None) -> Vary:
    """Return the family that is asked for, or that of the curves that are given; "scale" by default."""
    curves = [model for model in models if isinstance(model, Curve)]
    if any(curve.tails == "none" for curve in curves):
        raise ArgumentError("curves must have tails='scale' here: without tails some rows are never captured")
    families = {curve.vary for curve in curves}
    if vary is not None:
        family_of(vary)
        families.add(vary)
    if len(families) > 1:
        raise ArgumentError(f"curves and `vary` must agree, got {' and '.join(map(repr, sorted(families)))}")
    return families.pop() if families else "scale"


def check_pair(a: Intervals, b: Intervals) -> None:
    """Refuse two models that are not on the same rows, with the same weights."""
    if a.y_true.shape != b.y_true.shape:
        shapes = f"{tuple(a.y_true.shape)} and {tuple(b.y_true.shape)}"
        raise PairError(
            argument="y_true", rule="be the same rows in both of a pair", got=f"the shapes {shapes}"
        )
    differing = np.flatnonzero((to_numpy(a.y_true) != to_numpy(b.y_true)).reshape(a.n, -1).any(axis=1))
    if differing.size:
        raise PairError(
            argument="y_true",
            rule="be the same rows in both of a pair",
            count=int(differing.size),
            total=a.n,
            first=int(differing[0]),
        )
    if a.side != b.side:
        raise PairError("a pair must have bounds on the same side", got=f"{a.side!r} and {b.side!r}")
    if not np.array_equal(areas.weights_of(a), areas.weights_of(b)):
        raise PairError(argument="sample_weight", rule="be the same in both of a pair")


def stacked(a: Intervals, b: Intervals) -> Intervals:
    """Lay the rows of two plain intervals one below the other."""
    columns, other = a.rows.columns, b.rows.columns
    upper = (
        None
        if columns.upper_band is None and other.upper_band is None
        else np.concatenate([a.upper_band, b.upper_band])
    )
    return a.with_rows(
        columns._replace(
            y_true=np.concatenate([columns.y_true, other.y_true]),
            y_pred=np.concatenate([columns.y_pred, other.y_pred]),
            lower_band=np.concatenate([columns.lower_band, other.lower_band]),
            upper_band=upper,
            nested=_stacked_pairs(columns.nested, other.nested),
        )
    )


def _stacked_pairs(a: NestedPairs | None, b: NestedPairs | None) -> NestedPairs | None:
    """Lay pairs of the same levels one below the other."""
    if a is None or b is None:
        return None
    sides = (zip(mine, theirs, strict=True) for mine, theirs in ((a.lower, b.lower), (a.upper, b.upper)))
    lower, upper = (tuple(np.concatenate(pair) for pair in side) for side in sides)
    return NestedPairs(a.levels, np.concatenate([a.center, b.center]), lower, upper)


def with_bands(plain: Intervals, bands: np.ndarray) -> Intervals:
    """Return symmetric bands around the same predictions."""
    return plain.with_rows(plain.rows.columns._replace(lower_band=bands, upper_band=None, nested=None))


def of_equal_width(rows: PlainRows, family: Family, *, of_one: bool = False) -> PlainRows:
    """Bring two models to the same mean width by a factor, which their curves do not depend on.

    Families without such a factor leave the rows as they are: with an added constant instead, tests of few
    rows would reject too often. With ``of_one`` models are brought to a width of 1: a model then is the same
    in all pairs.
    """
    if family.nested:
        return rows._replace(models=with_common_levels(rows.models, rows.weight))
    if not family.proportional:
        return rows
    total = float(rows.weight.sum())
    first, second = (float(rows.weight @ _half_width(m)) / total for m in rows.models)
    if min(first, second) == 0:
        return rows
    factors = (1 / first, 1 / second) if of_one else (1.0, first / second)
    models = (scaled(m, family, factor) for m, factor in zip(rows.models, factors, strict=True))
    return rows._replace(models=tuple(models))


def _half_width(plain: Intervals) -> np.ndarray:
    """Return the half widths, or the distances to one-sided limits."""
    lower, upper = plain.rows.columns.lower_band, plain.rows.columns.upper_band
    return np.asarray(lower if upper is None else (lower + upper) / 2)


def scaled(plain: Intervals, family: Family, factor: float) -> Intervals:
    """Return plain rows with their bands multiplied."""
    columns = plain.rows.columns
    lower = family.bands(np, columns.lower_band, factor)
    upper = None if columns.upper_band is None else family.bands(np, columns.upper_band, factor)
    return plain.with_rows(columns._replace(lower_band=lower, upper_band=upper))


def _plain(intervals: Intervals, rows: np.ndarray, factor: float, *, nested: bool) -> Intervals:
    columns = intervals.rows.columns._replace(weight=None, lower=None, upper=None)
    columns = columns if nested else columns._replace(nested=None)
    columns = columns.map(lambda column: to_numpy(column)[rows] * factor)
    return intervals.with_rows(columns if columns.y_true.ndim == 1 else columns.flatten())
