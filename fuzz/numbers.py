"""Areas and gains of rows of any size, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from oracle import Oracle
from uccurve.exceptions import UnitOverflowError, UnreachableError

CLOSE = Fraction(1, 10**9)
TINY = Fraction(1, 10**300)
HUGE = 1e130
"""Products of two numbers beyond it, and of a third one, may exceed float64."""
AXES: list[tuple[Any, Any]] = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


class Example(NamedTuple):
    """Columns of rows, and what moves their operating point."""

    y: list[float]
    p: list[float]
    lower_band: list[float]
    upper_band: list[float]
    weight: list[float] | None
    vary: Any


@st.composite
def _examples(draw: st.DrawFn) -> Example:
    """Draw rows: whole numbers in one unit, with ties, or floats whose products float64 can hold."""
    n = draw(st.integers(1, 6))
    if draw(st.booleans()):
        unit = 2.0 ** draw(st.integers(-400, 400))
        value = st.integers(-6, 6).map(lambda number: number * unit)
        band = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]).map(lambda number: number * unit)
    else:
        largest = 10.0 ** draw(st.integers(0, 140))
        band = st.one_of(st.just(0.0), st.floats(1e-100, largest))
        value = st.builds(math.copysign, band, st.sampled_from([-1, 1]))

    def column(values: st.SearchStrategy[float]) -> list[float]:
        return draw(st.lists(values, min_size=n, max_size=n))

    weight = None
    if draw(st.booleans()):
        weight = column(st.one_of(st.sampled_from([0.0, 1.0, 2.0]), st.floats(1e-100, 1e100)))
        weight[0] = weight[0] or 1.0
    lower = column(band)
    upper = lower if draw(st.booleans()) else column(band)
    return Example(
        column(value), column(value), lower, upper, weight, draw(st.sampled_from(["scale", "shift"]))
    )


def _check(example: Example) -> None:
    """Compare full areas and gains on all axes, of rows and of the constant band."""
    columns = [np.array(column) for column in example[:4]]
    weight = None if example.weight is None else np.array(example.weight)
    before = [column.copy() for column in columns]
    intervals = uc.Intervals.from_bands(*columns, sample_weight=weight)
    curve = uc.UCC(intervals, vary=example.vary)
    exact = Oracle.of(*example[:5], example.vary)
    most = max(map(abs, [*example.y, *example.p, *example.upper_band, *example.lower_band]))
    least = min((band for band in [*example.lower_band, *example.upper_band] if band > 0), default=1.0)
    reached = all(exact.critical(row) is not None for row in exact.rows)
    for x, y in AXES:
        try:
            found = curve.area(x=x, y=y)
        except UnreachableError:
            assert not reached, (x, y)
            continue
        except UnitOverflowError:
            assert most > HUGE or most / least > HUGE, (x, y)
            continue
        assert reached, (x, y)
        end = exact.costs(exact.knots[-1])
        largest = end[x] * (exact.costs(exact.start)["deficit"] if y == "deficit" else 1)
        wanted = exact.area(x, y)
        scale = wanted if x == "bandwidth" and example.vary == "scale" else largest
        if example.vary == "shift":  # bands are differences of numbers as large as these
            scale += Fraction(most) * max(Fraction(1), Fraction(most) if y == "deficit" else Fraction(1))
        assert abs(Fraction(found) - wanted) <= CLOSE * scale + TINY, (x, y, found, float(wanted))
    for column, copy in zip(columns, before, strict=True):
        assert np.array_equal(column, copy)


TARGET = Target(examples=_examples(), check=_check)
