"""Levels of quantiles, and the pairs among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MEDIAN = 0.5
_SAME = 1e-6
"""Levels this close are the same: 1 - 0.95 is not 0.05 in floats, still less in float32."""


class PairedLevels(NamedTuple):
    """Levels in symmetric pairs, as numbers of columns, from the outermost pair to the innermost."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    tails: tuple[float, ...]
    """The lower level of each pair: half the miss rate of its interval."""
    median: int | None


def checked_levels(levels: Sequence[float]) -> list[float]:
    """Check that levels are different numbers between 0 and 1."""
    given: list[Any] = arguments.sequence("levels", levels)
    checked = [arguments.number("levels", level, 0, 1, open_=True) for level in given]
    if not checked or len(set(checked)) < len(checked):
        raise ArgumentError(f"`levels` must be one level or more, all different, got {levels!r}.")
    return checked


def paired_levels(levels: list[float]) -> PairedLevels:
    """Match each level below 0.5 with its partner above; levels without one are an error."""
    rising = sorted(range(len(levels)), key=levels.__getitem__)
    pairs, lonely, median = [], [], None
    low, high = 0, len(rising) - 1
    while low <= high:
        one, other = rising[low], rising[high]
        beyond = levels[one] + levels[other] - 1
        if abs(beyond) <= _SAME:
            if one == other:
                median = one
            else:
                pairs.append((one, other))
            low, high = low + 1, high - 1
        elif beyond < 0:
            lonely.append(levels[one])
            low += 1
        else:
            lonely.append(levels[other])
            high -= 1
    if lonely:
        raise _unpaired(sorted(lonely))
    lower, upper = (tuple(columns) for columns in zip(*pairs, strict=True)) if pairs else ((), ())
    return PairedLevels(lower, upper, tuple(levels[column] for column in lower), median)


def _unpaired(lonely: list[float]) -> ArgumentError:
    verb = "has" if len(lonely) == 1 else "have"
    partners = _listed(arguments.complement(level) for level in lonely)
    return ArgumentError(
        f"`levels` must be symmetric around {_MEDIAN}, but {_listed(lonely)} {verb} no partner: "
        f"add {partners}, or leave out what has none."
    )


def _listed(levels: Any) -> str:
    *head, last = map(repr, levels)
    return f"{', '.join(head)} and {last}" if head else last
