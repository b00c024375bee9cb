"""Savings in words: how much narrower or wider, with the ends of the interval in the same direction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from uccurve._base.text import short_percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.comparison._records import ModelScore

ABSENT = "–"
IS_CONSTANT = "is a constant band"


class Saving(NamedTuple):
    """A share of a band's width that is saved, with its interval; the ends are NaN where there is none."""

    share: float
    low: float = math.nan
    high: float = math.nan
    reliable: bool = True
    """Whether enough rows decide the interval."""

    @classmethod
    def of_score(cls, score: ModelScore) -> Saving:
        """Return what a model saves against its constant band at the chosen coverage."""
        return cls(score.gain_at, score.gain_at_low, score.gain_at_high, score.gain_at_reliable)


def narrower(share: float, show: Callable[[float], str] = short_percent) -> str:
    """Say how much narrower or wider a share saved makes a band."""
    return f"{show(abs(share))} {'narrower' if share >= 0 else 'wider'}"


def ends_of(saving: Saving, show: Callable[[float], str] = short_percent) -> tuple[str, str] | None:
    """Return the ends of an interval in the direction of the saving; None where there is none.

    Both are per cent without the sign, the smaller first: a saving of −7 % with the interval −9 % to −5 % is
    "7 % wider", and its ends are 5 and 9.
    """
    ends = (saving.low, saving.high)
    if not all(map(math.isfinite, ends)):
        return None
    low, high = sorted(end if saving.share >= 0 else -end for end in ends)
    return _bare(show(low)), _bare(show(high))


def range_in_words(saving: Saving, show: Callable[[float], str] = short_percent) -> str:
    """Return the interval as a range, "5–9 %" or "−2 to 5 %"; empty where there is none."""
    ends = ends_of(saving, show)
    if ends is None:
        return ""
    return f"{(' to ' if ends[0].startswith('−') else '–').join(ends)} %"


def narrower_with_interval(saving: Saving, show: Callable[[float], str] = short_percent) -> str:
    """Say how much narrower or wider, with the interval in brackets: "7 % narrower [5, 9]"."""
    if math.isnan(saving.share):
        return ABSENT
    text, ends = narrower(saving.share, show), ends_of(saving, show)
    if ends is None:
        return text
    return f"{text} [{', '.join(ends)}]{'' if saving.reliable else '?'}"


def _bare(text: str) -> str:
    return text.removesuffix(" %").replace("-", "−")
