"""Levels of quantiles, and the pairs among them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError
from uccurve.intervals._level_pairs import MEDIAN, as_level, matched

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 6
"""How many levels an error lists."""


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
    checked = [as_level(arguments.number("levels", level, 0, 1, open_=True)) for level in given]
    if not checked:
        raise ArgumentError(argument="levels", rule="hold one level or more", got="none")
    repeated = next((level for level, times in Counter(checked).items() if times > 1), None)
    if repeated is not None:
        raise ArgumentError(argument="levels", rule="be different levels", got=f"{repeated!r} more than once")
    return checked


def paired_levels(levels: list[float]) -> PairedLevels:
    """Match each level below 0.5 with its partner above; levels without one are an error."""
    pairs, median, lonely = matched(levels)
    if lonely:
        raise _unpaired([levels[place] for place in lonely])
    lower, upper = (tuple(columns) for columns in zip(*pairs, strict=True)) if pairs else ((), ())
    return PairedLevels(lower, upper, tuple(levels[column] for column in lower), median)


def _unpaired(lonely: list[float]) -> ArgumentError:
    verb = "has" if len(lonely) == 1 else "have"
    partners = [arguments.complement(level) for level in lonely]
    return ArgumentError(
        argument="levels",
        rule=f"be symmetric around {MEDIAN}, but {_listed(lonely)} {verb} no partner",
        hint=f"Add {_listed(partners)}, or leave out what has none.",
    )


def _listed(levels: list[float]) -> str:
    """List a few levels in words."""
    shown = [repr(level) for level in levels[:_SHOWN]]
    if len(levels) > _SHOWN:
        shown.append(f"{len(levels) - _SHOWN} more")
    *head, last = shown
    return f"{', '.join(head)} and {last}" if head else last
