"""From levels of quantiles to pairs of bounds with one nominal coverage each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uccurve._base.arrays import frozen, namespace
from uccurve.intervals._nested_pairs import NestedPairs, known_order
from uccurve.intervals._nominal_coverage import claim_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Array

_MEDIAN = 0.5
_SAME = 1e-9
"""Difference between levels that may be rounding: 1 - 0.95 is not 0.05."""


def nested_quantiles(columns: Mapping[float, Array]) -> NestedPairs | None:
    """Return quantiles by level as nested pairs; None where no two levels are a pair."""
    pairs, unpaired = paired(sorted(columns))
    if not pairs:
        return None
    lower, upper = (tuple(columns[level] for level in side) for side in zip(*pairs, strict=True))
    middle = [level for level in columns if abs(level - _MEDIAN) <= _SAME]
    center = columns[middle[0]] if middle else lower[0] + (upper[0] - lower[0]) / 2
    claims = tuple(round(claim_between(*pair), 12) for pair in pairs)
    found = NestedPairs(claims, center, lower, upper, tuple(unpaired), with_median=bool(middle))
    return known_order(found)


def paired(levels: Sequence[float]) -> tuple[list[tuple[float, float]], list[float]]:
    """Return levels τ with 1 - τ, from the innermost pair to the outermost, and those without a partner."""
    pairs, unpaired = [], []
    for level in levels:
        if abs(level - _MEDIAN) <= _SAME:
            continue
        partner = next((other for other in levels if math.isclose(other, 1 - level, abs_tol=_SAME)), None)
        if partner is None:
            unpaired.append(level)
        elif level < partner:
            pairs.append((level, partner))
    return pairs[::-1], unpaired


def contiguous(column: Array) -> Array:
    """Return a copy of a column, which nobody else can change."""
    return frozen(namespace(column).asarray(column, copy=True))
