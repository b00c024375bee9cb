"""Numbers of one operating point, from bounds and weights of any legal size, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target

Row = tuple[float, float, float, float]
CLOSE = Fraction(1, 10**12)
_size = st.floats(1e-100, 1e100)
_number = st.one_of(st.integers(-4, 4).map(float), _size, _size.map(lambda size: -size))
_weight = st.one_of(st.sampled_from([1.0, 2.0]), _size)
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
        found = getattr(uc, name)(*columns, sample_weight=weight)
        assert abs(Fraction(float(found)) - wanted / total) <= CLOSE * wanted / total, (name, found)


TARGET = Target(examples=st.lists(_row, min_size=1, max_size=9), check=_check, per_round=200)
