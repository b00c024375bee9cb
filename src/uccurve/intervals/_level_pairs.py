"""Levels of quantiles that belong together: τ with 1 - τ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MEDIAN = 0.5
"""The level of the median, which is its own partner."""


class MatchedLevels(NamedTuple):
    """Which levels are partners, as their places in the sequence that was given."""

    pairs: list[tuple[int, int]]
    """Lower and upper level of each pair, from the outermost pair to the innermost."""
    median: int | None
    lonely: list[int]
    """Levels without a partner, rising."""


def matched(levels: Sequence[float], tolerance: float) -> MatchedLevels:
    """Match each level below 0.5 with its partner above.

    Parameters
    ----------
    levels : sequence of float
        Different levels, in any order.
    tolerance : float
        Difference from a partner that counts as rounding: 1 - 0.95 is not 0.05.
    """
    rising = sorted(range(len(levels)), key=levels.__getitem__)
    pairs, lonely, median = [], [], None
    low, high = 0, len(rising) - 1
    while low <= high:
        one, other = rising[low], rising[high]
        beyond = levels[one] + levels[other] - 1
        if abs(beyond) <= tolerance:
            if one == other:
                median = one
            else:
                pairs.append((one, other))
            low, high = low + 1, high - 1
        elif beyond < 0:
            lonely.append(one)
            low += 1
        else:
            lonely.append(other)
            high -= 1
    return MatchedLevels(pairs, median, sorted(lonely, key=levels.__getitem__))
