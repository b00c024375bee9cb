"""Curves that others are measured against."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import Side, X
    from uccurve.curve._curve import Curve
    from uccurve.intervals import Intervals

_LOST = 2.0**20
"""A constant band so much wider than the residuals leaves few digits of them under `shift`."""


def check_reference(curve: Curve, reference: Curve) -> None:
    """Refuse a reference that is not a curve of the same rows."""
    arguments.instance("reference", reference, type(curve))
    check_side("reference", curve.side, reference.side)
    mine, theirs = curve._rows, reference._rows
    if curve.n != reference.n:
        raise ArgumentError(
            argument="reference",
            rule=f"be a curve of the same rows, but it has {reference.n} and not {curve.n}",
        )
    if mine is None or theirs is None:
        return
    if not np.array_equal(to_numpy(mine.y_true), to_numpy(theirs.y_true)):
        raise ArgumentError(
            argument="reference", rule="be a curve of the same rows, but its `y_true` differs"
        )
    if not np.array_equal(weights(mine), weights(theirs)):
        raise ArgumentError(
            argument="reference", rule="be a curve of the same rows, but its `sample_weight` differs"
        )


def check_side(name: str, mine: Side, theirs: Side) -> None:
    """Refuse to measure a one-sided limit against bounds on another side: their widths do not compare."""
    if mine != theirs:
        raise ArgumentError(
            argument=name, rule="have bounds on the same side", got=f"{theirs!r} and not {mine!r}"
        )


def weights(intervals: Intervals) -> np.ndarray:
    """Return the weights; none where they are equal, which is as if none were given."""
    return np.empty(0) if intervals.rows.summary.equal_weights else to_numpy(intervals.sample_weight)


def gains_nothing(curve: Curve, x: X) -> bool:
    """Whether the bands are the constant band, and need some width."""
    return x == "bandwidth" and curve.reference is curve and curve._data.summary.error > 0


def null_reference(curve: Curve, given: Mapping[str, Any]) -> Curve:
    """Return the curve of the constant band.

    Under `shift` constant bands of any width have the same costs, at other parameters. The narrowest one
    keeps all digits of residuals that are far smaller than the band.
    """
    reference, summary = curve.reference, curve._data.summary
    rows = reference._rows
    family = curve._data.family
    if family.proportional or family.nested or rows is None or "parameter" in given or reference is curve:
        return reference
    if summary.width <= _LOST * summary.error:
        return reference
    made: Callable[..., Curve] = type(reference)
    return made(rows.shifted(-min(reference._data.summary.widths)), vary=family.name)


def saved_share(own: float, theirs: float) -> float:
    """Return the share of a reference's cost that is saved."""
    if own == theirs:
        return 0.0
    return 1 - own / theirs if theirs > 0 else -math.inf
