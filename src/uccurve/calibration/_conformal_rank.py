"""Which of n critical values to take, in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

DEFAULT_COVERAGE = 0.9


def target_coverage(coverage: float | None, miss_rate: float | None) -> Fraction:
    """Return the coverage that is given by itself or as a miss rate, or the default."""
    if coverage is not None and miss_rate is not None:
        raise ArgumentError(argument="coverage", rule="not be passed beside `miss_rate`: pass one of them")
    if miss_rate is not None:
        return 1 - as_written(arguments.number("miss_rate", miss_rate, 0, 1, open_=True))
    given = DEFAULT_COVERAGE if coverage is None else coverage
    return as_written(arguments.number("coverage", given, 0, 1, open_=True))


def as_written(share: float) -> Fraction:
    """Return the decimal that a share prints as, so that 0.55 of 100 is exactly 55."""
    return Fraction(repr(float(share)))


def conformal_rank(n: int, coverage: Fraction) -> int:
    """Return the rank of the critical value to take among n: the ceiling of (n + 1) times the coverage."""
    return math.ceil((n + 1) * coverage)


def rows_needed(coverage: Fraction) -> int:
    """Return the smallest n whose rank is at most n: the ceiling of c / (1 - c)."""
    return math.ceil(coverage / (1 - coverage))
