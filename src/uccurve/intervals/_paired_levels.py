"""From levels of quantiles to pairs of bounds with one nominal coverage each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import frozen, namespace
from uccurve.intervals._level_pairs import MEDIAN, SAME, matched
from uccurve.intervals._nested_pairs import NestedPairs
from uccurve.intervals._nominal_coverage import claim_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Array


def nested_quantiles(columns: Mapping[float, Array]) -> NestedPairs | None:
    """Return quantiles by level as nested pairs; None where no two levels are a pair."""
    pairs, unpaired = paired(sorted(columns))
    if not pairs:
        return None
    lower, upper = (tuple(columns[level] for level in side) for side in zip(*pairs, strict=True))
    middle = [level for level in columns if _is_median(level)]
    center = columns[middle[0]] if middle else lower[0] + (upper[0] - lower[0]) / 2
    claims = tuple(round(claim_between(*pair), 12) for pair in pairs)
    return NestedPairs(claims, center, lower, upper, tuple(unpaired), with_median=bool(middle))


def paired(levels: Sequence[float]) -> tuple[list[tuple[float, float]], list[float]]:
    """Return levels τ with 1 - τ, from the innermost pair to the outermost, and those without a partner."""
    others = [level for level in levels if not _is_median(level)]
    found = matched(others)
    pairs = [(others[low], others[high]) for low, high in reversed(found.pairs)]
    return pairs, [others[place] for place in found.lonely]


def _is_median(level: float) -> bool:
    return abs(level - MEDIAN) <= SAME


def contiguous(column: Array) -> Array:
    """Return a copy of a column, which nobody else can change."""
    return frozen(namespace(column).asarray(column, copy=True))
