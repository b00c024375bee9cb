"""Numbers of one operating point, from bounds and weights of any size, against exact fractions.

Nothing but float64 limits them: a mean below its smallest numbers has as many digits as these have.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from uccurve.exceptions import UnitOverflowError

Row = tuple[float, float, float, float]
CLOSE = Fraction(1, 10**12)
TINY = 8 * Fraction(5e-324)
"""A few of the smallest numbers."""
_small = st.builds(math.ldexp, st.floats(-1, 1), st.integers(-1000, 0))
_number = st.one_of(st.integers(-4, 4).map(float), st.floats(-1e300, 1e300), _small)
_weight = st.one_of(st.sampled_from([1.0, 2.0]), st.floats(1e-300, 1e300))
_row = st.tuples(_number, _number, _number, _weight)


def _check(rows: list[Row]) -> None:
    y, one, other, weight = (np.array(column) for column in zip(*rows, strict=True))
    lower, upper = np.minimum(one, other), np.maximum(one, other)
    total = sum(map(Fraction, weight))
    sums = dict.fromkeys(("miss_rate", "coverage", "bandwidth", "excess", "deficit"), Fraction(0))
    for value, low, high, counted in zip(
        *([Fraction(float(number)) for number in column] for column in (y, lower, upper, weight)), strict=True
    ):
        hit = low <= value <= high
        room = min(value - low, high - value)
        sums["coverage" if hit else "miss_rate"] += counted
        sums["bandwidth"] += counted * (high - low) / 2
        sums["excess" if hit else "deficit"] += counted * abs(room)
    for name, wanted in sums.items():
        columns = (lower, upper) if name == "bandwidth" else (y, lower, upper)
        try:
            found = getattr(uc, name)(*columns, sample_weight=weight)
        except UnitOverflowError:
            assert max(np.abs(column).max() for column in (y, lower, upper)) > 1e290, name  # noqa: PLR2004
            continue
        assert abs(Fraction(float(found)) - wanted / total) <= CLOSE * wanted / total + TINY, (name, found)


TARGET = Target(examples=st.lists(_row, min_size=1, max_size=9), check=_check, per_round=200)
