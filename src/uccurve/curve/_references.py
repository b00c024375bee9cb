"""Curves that others are measured against."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Side
    from uccurve.curve._curve import Curve
    from uccurve.intervals import Intervals


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
    return np.empty(0) if intervals._summary.equal_weights else to_numpy(intervals.sample_weight)


def saved_share(own: float, theirs: float) -> float:
    """Return the share of a reference's cost that is saved."""
    if own == theirs:
        return 0.0
    return 1 - own / theirs if theirs > 0 else -math.inf
