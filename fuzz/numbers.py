"""Areas and gains of rows of any legal size, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from oracle import Oracle
from uccurve.exceptions import MagnitudeError, UnreachableError

CLOSE = Fraction(1, 10**9)
SMALLEST = 8 * Fraction(5e-324)
"""A few of the smallest numbers of float64."""
LOST = Fraction(1, 10**290)
"""What is this small beside the largest number of a data set may be lost."""
SPREAD = 200
"""Orders of magnitude between the numbers of one data set, and between its weights."""
HUGE = Fraction(10) ** 300
"""Costs beyond it may exceed float64."""
AXES: list[tuple[Any, Any]] = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


class Example(NamedTuple):
    """Columns of rows, and what moves their operating point."""

    y: list[float]
    p: list[float]
    lower_band: list[float]
    upper_band: list[float]
    weight: list[float] | None
    vary: Any


def _sizes(draw: st.DrawFn) -> st.SearchStrategy[float]:
    """Draw where numbers from 1e-100 to 1e100 lie, and how far apart; return numbers there."""
    spread = draw(st.sampled_from([0, 1, 10, 50, SPREAD]))
    least = draw(st.integers(-100, 100 - spread))
    return st.floats(least, least + spread).map(lambda power: 10.0**power)


@st.composite
def _examples(draw: st.DrawFn) -> Example:
    """Draw rows: whole numbers in one unit, with ties, or numbers of any size and weights of any size."""
    n = draw(st.integers(1, 6))
    if draw(st.booleans()):
        unit = 2.0 ** draw(st.integers(-320, 320))
        value = st.integers(-6, 6).map(lambda number: number * unit)
        band = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]).map(lambda number: number * unit)
    else:
        band = st.one_of(st.just(0.0), _sizes(draw))
        value = st.builds(math.copysign, band, st.sampled_from([-1, 1]))

    def column(values: st.SearchStrategy[float]) -> list[float]:
        return draw(st.lists(values, min_size=n, max_size=n))

    weight = None
    if draw(st.booleans()):
        small = st.sampled_from([0.0, 1.0, 2.0])
        weight = column(small if draw(st.booleans()) else st.one_of(st.just(0.0), _sizes(draw)))
        weight[0] = weight[0] or max(weight) or 1.0
    lower = column(band)
    upper = lower if draw(st.booleans()) else column(band)
    return Example(
        column(value), column(value), lower, upper, weight, draw(st.sampled_from(["scale", "shift"]))
    )


def _check(example: Example) -> None:
    """Compare full areas and gains on all axes."""
    columns = [np.array(column) for column in example[:4]]
    weight = None if example.weight is None else np.array(example.weight)
    before = [column.copy() for column in columns]
    curve = uc.UCC(uc.Intervals.from_bands(*columns, sample_weight=weight), vary=example.vary)
    exact = Oracle.of(*example[:5], example.vary)
    constant = exact.constant()
    for x, y in AXES:
        wanted, error = exact.area(x, y), _rounding(example, exact, x, y)
        theirs = constant.area(x, y)
        found = _asked(curve.area, exact, x, y)
        if found is not None:
            assert abs(Fraction(found) - wanted) <= error + SMALLEST, (x, y, found, float(wanted))
        if exact.costs(exact.start)["deficit"] < LOST:
            continue
        found = _asked(curve.gain, exact, x, y)
        if found is None:
            continue
        if theirs == 0:
            assert math.isnan(found) or abs(wanted) <= error, (x, y, found)
            continue
        error = error / theirs + _rounding(example, constant, x, y) * (1 + wanted / theirs) / theirs
        gain = (theirs - wanted) / theirs
        assert error > 1 or abs(Fraction(found) - gain) <= error + CLOSE, (x, y, found, float(gain))
    for column, copy in zip(columns, before, strict=True):
        assert np.array_equal(column, copy)


def _asked(question: Any, exact: Oracle, x: str, y: str) -> float | None:
    """Return the answer; None where it is refused, for a reason that the exact numbers confirm."""
    critical = [exact.critical(row) for row in exact.rows]
    reached = all(parameter is not None for parameter in critical)
    try:
        found = float(question(x=x, y=y))
    except UnreachableError:
        assert not reached, (x, y)
        return None
    except MagnitudeError:
        assert not reached or _largest(exact, x, y) > HUGE, (x, y)
        return None
    assert reached, (x, y)
    return found


def _largest(exact: Oracle, x: str, y: str) -> Fraction:
    """Return the largest x times the largest y."""
    largest_y = exact.costs(exact.start)["deficit"] if y == "deficit" else 1
    return Fraction(exact.costs(exact.knots[-1])[x] * largest_y)


def _rounding(example: Example, exact: Oracle, x: str, y: str) -> Fraction:
    """Return by how much an area may be off."""
    numbers = (*example.y, *example.p, *example.lower_band, *example.upper_band)
    most = max(abs(Fraction(number)) for number in numbers)
    second = most if y == "deficit" else 1
    proportional = x == "bandwidth" and example.vary == "scale"
    error = CLOSE * (exact.area(x, y) if proportional else _largest(exact, x, y))
    if example.vary == "shift":  # bands are differences of numbers as large as these
        error += CLOSE * most * second
    lost = LOST * (exact.costs(exact.knots[-1])["bandwidth"] + most) * second
    return Fraction(error + lost)


TARGET = Target(examples=_examples(), check=_check)
