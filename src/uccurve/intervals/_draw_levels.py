"""Order statistics of draws as nested pairs of quantiles."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from uccurve.intervals._level_pairs import MEDIAN
from uccurve.intervals._nested_pairs import NestedPairs
from uccurve.intervals._paired_levels import nested_quantiles, paired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array


def nested_draws(ordered: Array, levels: Sequence[float]) -> NestedPairs | None:
    r"""Return pairs of quantiles of draws; None where no two levels are a pair.

    Of m draws, sorted along the first axis, the j-th has the level :math:`j / (m + 1)`: a new draw falls
    below it with that probability, so that intervals between such levels cover what they claim. Levels
    between are interpolated. A level below :math:`1 / (m + 1)`, or above :math:`m / (m + 1)`, lies beyond
    all draws: its pair is left out, and named when pairs are used.
    """
    pairs, unpaired = paired(sorted(levels))
    if not pairs:
        return None
    draws = int(ordered.shape[0])
    takes = {pair: _draws_for(min(pair)) for pair in pairs}
    beyond = tuple((*pair, needed) for pair, needed in takes.items() if needed > draws)
    read = [level for pair, needed in takes.items() if needed <= draws for level in pair]
    columns = {level: _order_statistic(ordered, level) for level in (*read, MEDIAN)}
    nested = nested_quantiles(columns) or NestedPairs((), columns[MEDIAN], (), ())
    return nested._replace(unpaired=tuple(unpaired), beyond=beyond, draws=draws)


def _draws_for(level: float) -> int:
    """Return how many draws reach a level below the median: 19 for 0.05."""
    return math.ceil(1 / _decimal(level)) - 1


def _order_statistic(ordered: Array, level: float) -> Array:
    """Interpolate linearly between the draws whose levels are next to the given one."""
    last = int(ordered.shape[0]) - 1
    position = min(max(_decimal(level) * (last + 2) - 1, Fraction(0)), Fraction(last))
    below = min(int(position), last - 1)
    share = float(position - below)
    if share == 0:  # also where the next draw is infinite
        return ordered[below, ...]
    return ordered[below, ...] + (ordered[below + 1, ...] - ordered[below, ...]) * share


def _decimal(level: float) -> Fraction:
    """Return the decimal that a level stands for: 1 - 0.95 stands for 0.05."""
    return Fraction(f"{level:.12g}")
