"""Models whose numbers are equal, up to rounding: they are tied, whichever comes first."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from uccurve._base.text import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EQUAL = 1e-9
"""Relative difference between two numbers of the same kind that counts as none."""


def tied_groups(values: Mapping[str, float]) -> list[list[str]]:
    """Sort names by their numbers; those whose numbers are equal up to rounding stay in their own order."""
    groups: list[list[str]] = []
    for name in sorted(values, key=values.__getitem__):
        if groups and is_tie(values[groups[-1][0]], values[name]):
            groups[-1].append(name)
        else:
            groups.append([name])
    return [[name for name in values if name in group] for group in groups]


def is_tie(one: float, other: float) -> bool:
    """Whether two numbers are equal up to rounding."""
    return math.isclose(one, other, rel_tol=EQUAL)


def disagree(groups: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> bool:
    """Whether two orders have a pair of names that one has in the opposite order of the other."""
    first, second = (
        {name: place for place, group in enumerate(order) for name in group} for order in (groups, others)
    )
    return any(
        (first[a] - first[b]) * (second[a] - second[b]) < 0 for a, b in itertools.combinations(first, 2)
    )


def order_of(groups: Sequence[Sequence[str]]) -> str:
    """Say an order in words, of one group or several."""
    if len(groups) == 1:
        return f"{listed(groups[0])} are tied"
    shown = (group[0] if len(group) == 1 else f"{listed(group)} (tied)" for group in groups)
    return f"the order is {', '.join(shown)}"
