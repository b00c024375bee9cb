"""Sums of hinges, against their definition in fractions."""

from __future__ import annotations

import math
from fractions import Fraction as F

import array_api_strict
import numpy as np
import pytest

from uccurve._base.arrays import namespace
from uccurve._kernels import hinges, sorting
from uccurve._kernels.hinges import Hinges

xp = namespace(np.empty(0))
BLOCKS = [1, 2, 3, 1000]


def rising_sum(knots, changes, t):
    """Add up c (t - τ)^+."""
    return sum(F(c) * max(F(t) - F(knot), 0) for knot, c in zip(knots, changes, strict=True))


def falling_sum(knots, changes, t):
    """Add up c (τ - t)^+."""
    return sum(F(c) * max(F(knot) - F(t), 0) for knot, c in zip(knots, changes, strict=True))


def drawn(n):
    """Unsorted knots with ties, and changes in halves; a pulse is taken back at a later knot."""
    rng = np.random.default_rng(n)
    knots = rng.integers(-3, 9, size=n) / 2
    bandwidth, excess, deficit = rng.integers(0, 7, size=(3, n)) / 2
    pulse = np.zeros(n)
    if n > 1:
        first, last = np.argsort(knots, kind="stable")[[0, -1]]
        excess[first] += 2
        pulse[first], pulse[last] = -1.5, 1.5
    return knots, bandwidth, excess, deficit, pulse


@pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])
@pytest.mark.parametrize(("n", "block"), [(1, 1), (2, 1), (2, 1000), (3, 2), (10, 1), (10, 3), (10, 1000)])
def test_sorted_hinges_have_the_values_of_their_sums(n, block, asarray):
    """At the start and at every knot, in blocks of any length; slopes behind the last knot."""
    columns = drawn(n)
    knots, bandwidth, excess, deficit, pulse = columns
    given = Hinges(*map(asarray, columns))
    names = namespace(given.knots)
    sorted_knots, order = sorting.sorted_and_order(names, given.knots, -4.0)
    ordered = hinges.gather(names, given, order, sorted_knots)
    places = [-4.0, *np.sort(knots).tolist()]
    assert [float(knot) for knot in ordered.knots] == places
    lines = hinges.integrate(names, ordered, 24.0, 8.0, block)
    assert [float(knot) for knot in lines.knots] == places
    both = excess + pulse
    for found, expected in (
        (lines.bandwidth, [rising_sum(knots, bandwidth, t) / 8 for t in places]),
        (lines.excess, [rising_sum(knots, both, t) / 8 for t in places]),
        (lines.deficit, [3 + falling_sum(knots, deficit, t) / 8 for t in places]),
    ):
        assert [float(value) for value in found] == expected
        assert found.dtype == given.knots.dtype
    assert (lines.bandwidth_slope, lines.excess_slope) == (sum(bandwidth) / 8, sum(both) / 8)


@pytest.mark.parametrize("block", BLOCKS)
def test_what_costs_share_is_taken_once(block):
    """One column for excess and deficit, no pulse and no bandwidth."""
    knots, _, excess, _, _ = drawn(10)
    order = np.argsort(knots, kind="stable")
    ordered = hinges.gather(xp, Hinges(knots, None, excess, excess), order, np.array([-2.0, *range(10)]))
    assert ordered.knots.tolist() == [-2.0, *range(10)]
    assert ordered.deficit is ordered.excess
    assert ordered.excess.tolist() == excess[order].tolist()
    assert ordered.bandwidth is None
    assert ordered.pulse is None
    lines = hinges.integrate(xp, ordered, 0.0, 4.0, block)
    assert lines.bandwidth is None
    assert lines.bandwidth_slope == 0
    assert lines.deficit.tolist() == [
        falling_sum(range(10), excess[order], t) / 4 for t in lines.knots.tolist()
    ]


@pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_a_deficit_that_follows_takes_what_is_positive_of_excess_and_pulse(n, block, asarray):
    """Both are added knot by knot; where less than 0 is left, the deficit goes straight on."""
    knots, _, excess, _, pulse = drawn(n)
    pulse = pulse - np.arange(n) % 3
    both = np.maximum(excess + pulse, 0)
    given = Hinges(
        asarray(knots), None, asarray(excess), asarray(excess), pulse=asarray(pulse), deficit_follows=True
    )
    names = namespace(given.knots)
    sorted_knots, order = sorting.sorted_and_order(names, given.knots, -4.0)
    ordered = hinges.gather(names, given, order, sorted_knots)
    assert ordered.deficit is ordered.excess
    assert ordered.deficit_follows
    found = hinges.integrate(names, ordered, 24.0, 8.0, block).deficit
    places = [-4.0, *np.sort(knots).tolist()]
    assert [float(value) for value in found] == [3 + falling_sum(knots, both, t) / 8 for t in places]


def parts_of(knots, numbers, more):
    """Parts of so many knots that come first, and so many others; excess and pulse tell where a knot is from."""
    parts, begin = [], 0
    for number, others in zip(numbers, more, strict=True):
        some = knots[begin : begin + number + others]
        begin += number + others
        parts.append((number, Hinges(some, None, some + 100, some, pulse=some + 200, deficit_follows=True)))
    return parts


@pytest.mark.parametrize(
    ("numbers", "more"),
    [
        ([], []),
        ([1], [0]),
        ([1], [1]),
        ([2], [2]),
        ([2, 1], [1, 0]),
        ([2, 3, 1], [0, 2, 1]),
        ([1, 1], [1, 1]),
    ],
)
def test_hinges_of_blocks_lie_end_to_end(numbers, more):
    """First one knot of each row, block by block, then all others."""
    knots = np.arange(1.0, 1 + sum(numbers) + sum(more))
    parts = parts_of(knots, numbers, more)
    expected = [knot for number, part in parts for knot in part.knots[:number].tolist()]
    expected += [knot for number, part in parts for knot in part.knots[number:].tolist()]
    found = hinges.laid_out(iter(parts), sum(numbers))
    assert found.knots.tolist() == expected
    assert found.excess.tolist() == [knot + 100 for knot in expected]
    assert found.pulse.tolist() == [knot + 200 for knot in expected]
    assert found.deficit is found.excess
    assert found.deficit_follows
    assert found.bandwidth is None


@pytest.mark.parametrize("numbers", [[], [1], [2, 1]])
def test_too_few_blocks_are_not_laid_out(numbers):
    """Their caller stopped: one more row was to come."""
    assert hinges.laid_out(parts_of(np.arange(9.0), numbers, [1] * len(numbers)), sum(numbers) + 1) is None


@pytest.mark.parametrize("block", BLOCKS)
def test_hinges_without_knots_stay_at_the_floor(block):
    """All rows are never captured."""
    none = np.empty(0)
    ordered = hinges.gather(xp, Hinges(none, None, none, none), np.empty(0, dtype=np.int64), np.ones(1))
    lines = hinges.integrate(xp, ordered, 6.0, 4.0, block)
    assert [line.tolist() for line in (lines.knots, lines.excess, lines.deficit)] == [[1.0], [0.0], [1.5]]
    assert lines.excess_slope == 0


@pytest.mark.parametrize("block", [7, 1000])
@pytest.mark.parametrize("unit", [2.0**-300, 1.0, 2.0**300])
def test_slopes_that_are_taken_back_leave_nothing_behind(block, unit):
    """Changes of both signs and of many sizes: sums are right to the last digits of what is left."""
    rng = np.random.default_rng(0)
    changes = unit * rng.lognormal(sigma=8, size=150)
    column = np.concatenate([changes, [unit * 2.0**-60], -rng.permutation(changes)])
    knots = np.arange(column.size + 1.0)
    _, slope = hinges.rising(xp, knots, [column], 1.0, block)
    assert slope == pytest.approx(unit * 2.0**-60, rel=1e-9, abs=0)
    values, _ = hinges.rising(xp, knots, [column], 1.0, block)
    mirrored = hinges.falling(xp, -knots[::-1].copy(), column[::-1].copy(), 0.0, 1.0, block)
    np.testing.assert_allclose(mirrored[::-1][:-1], values[1:], rtol=1e-13)
    exact, expected = F(0), [F(0)]
    for change in column.tolist():
        expected.append(expected[-1] + exact)
        exact += F(change)
    np.testing.assert_allclose(values, [float(value) for value in expected], rtol=1e-13)
    far = np.concatenate([[-(2.0**120)], -knots[::-1][1:]])  # what is left of the slope leads to the start
    steep = hinges.falling(xp, far, column[::-1].copy(), 0.0, 1.0, block)[0]
    assert steep == pytest.approx(unit * 2.0**60, rel=1e-6, abs=0)


def test_slopes_below_zero_are_rounding():
    """Costs are monotone: three changes that add up to a little less than 0 leave a flat line."""
    column, knots = np.array([0.1, 0.2, -np.nextafter(0.3, 1), 0.0]), np.array([0.0, 1.0, 2.0, 3.0, 2.0**60])
    values, slope = hinges.rising(xp, knots, [column], 1.0, 10)
    assert slope == 0
    assert values[3] == values[4] == pytest.approx(0.4)
    falling = hinges.falling(xp, np.array([-(2.0**60), 0.0, 1.0, 2.0]), column[2::-1].copy(), 0.0, 1.0, 10)
    assert falling[0] == falling[1] == pytest.approx(0.4)


KNOTS = [1.0, 2.0, 4.0, 5.0, 9.0]
VALUES = [3.0, 3.0, 7.0, 7.0, 8.0]


def line_at(t, end_slope):
    """The value of the line at a parameter, in fractions."""
    if t >= KNOTS[-1]:
        return F(VALUES[-1]) + (t - F(KNOTS[-1])) * F(end_slope)
    place = max(i for i, knot in enumerate(KNOTS) if knot <= t)
    (t0, t1), (v0, v1) = (map(F, column[place : place + 2]) for column in (KNOTS, VALUES))
    return v0 + (v1 - v0) * (t - t0) / (t1 - t0)


GRID = [F(k, 4) for k in range(4, 4 * 12)]


@pytest.mark.parametrize("end_slope", [0.0, 0.5, 4.0])
@pytest.mark.parametrize("value", [0.0, 2.0, 3.0, 4.0, 5.5, 7.0, 7.25, 8.0, 9.0])
def test_a_line_is_searched_from_both_sides(value, end_slope):
    """Below the first value, on plateaus, between knots, at the last, and on the ray behind it."""
    arrays = xp, np.array(KNOTS), np.array(VALUES), end_slope, value
    reached = [t for t in GRID if line_at(t, end_slope) >= value]
    assert hinges.first_reaching(*arrays) == (reached[0] if reached else math.inf)
    within = [t for t in GRID if line_at(t, end_slope) <= value]
    if len(within) == len(GRID):
        assert hinges.last_within(*arrays) == math.inf
    else:
        assert hinges.last_within(*arrays) == (within[-1] if within else KNOTS[0])


@pytest.mark.parametrize("end_slope", [0.0, 1.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_values_that_differ_by_rounding_are_those_of_the_knot(sign, end_slope):
    """Up to eight units in the last place, in either direction, also for values below 0; no further."""
    for shift in (0.0, -20.0):
        for place in range(len(KNOTS)):
            value = VALUES[place] + shift
            arrays = xp, np.array(KNOTS), np.array(VALUES) + shift, end_slope
            near, far = (value * (1 + sign * share) for share in (0.9 * 2.0**-49, 2.0**-40))
            first, last = VALUES.index(VALUES[place]), len(VALUES) - 1 - VALUES[::-1].index(VALUES[place])
            assert hinges.first_reaching(*arrays, near) == KNOTS[first]
            at_end = last == len(KNOTS) - 1 and end_slope == 0
            assert hinges.last_within(*arrays, near) == (math.inf if at_end else KNOTS[last])
            beyond = sign * value > 0
            if not (place < 2 and not beyond) and not (at_end and beyond):
                assert hinges.first_reaching(*arrays, far) != KNOTS[first]
            if not (place < 2 and not beyond) and not at_end:
                assert hinges.last_within(*arrays, far) != KNOTS[last]


@pytest.mark.parametrize("end_slope", [0.0, 1.0])
def test_a_value_of_zero_has_no_slack(end_slope):
    """It is that of its knots alone, from both sides, on plateaus as well."""
    for place in range(len(KNOTS)):
        arrays = xp, np.array(KNOTS), np.array(VALUES) - VALUES[place], end_slope, 0.0
        first, last = VALUES.index(VALUES[place]), len(VALUES) - 1 - VALUES[::-1].index(VALUES[place])
        assert hinges.first_reaching(*arrays) == KNOTS[first]
        at_end = last == len(KNOTS) - 1 and end_slope == 0
        assert hinges.last_within(*arrays) == (math.inf if at_end else KNOTS[last])


def test_a_segment_ends_at_its_knot():
    """Rounding leads no parameter beyond the knot behind it."""
    rng = np.random.default_rng(0)
    for knots, values in zip(np.sort(rng.random((200, 2))), np.sort(rng.random((200, 2))), strict=True):
        value = values[1] * (1 - 2.0**-48)
        for search in (hinges.first_reaching, hinges.last_within):
            assert knots[0] <= search(xp, knots, values, 0.0, value) <= knots[1]
