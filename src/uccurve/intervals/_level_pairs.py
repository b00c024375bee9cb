"""Levels of quantiles that belong together: τ with 1 - τ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MEDIAN = 0.5
"""The level of the median, which is its own partner."""


SAME = 1e-6
"""Levels, and coverages, this close are the same: 1 - 0.95 is not 0.05 in floats, still less in float32."""
_DECIMALS = 6
_SINGLE = 5e-8
"""More than float32 loses of a level."""


def as_level(value: float) -> float:
    """Return the short decimal that a level stands for: 0.95 for 0.949999988, as float32 has it."""
    decimal = round(value, _DECIMALS)
    return decimal if abs(value - decimal) <= _SINGLE and 0 < decimal < 1 else value


class MatchedLevels(NamedTuple):
    """Which levels are partners, as their places in the sequence that was given."""

    pairs: list[tuple[int, int]]
    """Lower and upper level of each pair, from the outermost pair to the innermost."""
    median: int | None
    lonely: list[int]
    """Levels without a partner, rising."""


def matched(levels: Sequence[float]) -> MatchedLevels:
    """Match each level below 0.5 with its partner above.

    Parameters
    ----------
    levels : sequence of float
        Different levels, in any order.
    """
    rising = sorted(range(len(levels)), key=levels.__getitem__)
    pairs, lonely, median = [], [], None
    low, high = 0, len(rising) - 1
    while low <= high:
        one, other = rising[low], rising[high]
        beyond = levels[one] + levels[other] - 1
        if abs(beyond) <= SAME:
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
