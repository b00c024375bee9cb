"""Every number of the curve against the definitions in exact arithmetic."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import uccurve as uc
from one_sided_cases import COSTS, PAIRS, close, finest
from strategies import Case, cases


@given(cases(zero_bands=True))
@settings(max_examples=200)
def test_all_four_costs_at_every_operating_point(case):
    """The arrays hold the definitions' values at the distinct operating points, and no others."""
    curve, oracle = case.curve(), case.oracle()
    assert curve.parameter.tolist() == [float(t) for t in oracle.points]
    for i, t in enumerate(oracle.points):
        for cost, exact in oracle.costs(t).items():
            assert close(getattr(curve, cost)[i], exact, finest(case)), (cost, t)


@given(cases(zero_bands=True), st.integers(-12, 24))
@settings(max_examples=200)
def test_costs_at_any_parameter(case, sixteenths):
    """Between operating points and beyond them, a point is evaluated by the definitions as well."""
    t = sixteenths / 4 * (1.0 if case.vary == "scale" else finest(case) / 8 or 1.0)
    assume(case.vary == "shift" or t >= 0)
    point, exact = case.curve().at(parameter=t), case.oracle().costs(F(t))
    for cost in (*COSTS, "parameter"):
        assert close(getattr(point, cost), exact[cost], finest(case)), cost


@given(cases(), st.sampled_from(PAIRS))
@settings(max_examples=200)
def test_full_areas(case, pair):
    """All four areas, both families, weights, ties and asymmetric bands."""
    exact = case.oracle().area(*pair)
    assert close(case.curve().area(x=pair[0], y=pair[1]), exact, exact)


@given(cases(), st.sampled_from(PAIRS))
@settings(max_examples=200)
def test_full_gains(case, pair):
    """The gain compares with the constant band, whose area is the denominator."""
    oracle = case.oracle()
    constant = oracle.constant().area(*pair)
    gain = case.curve().gain(x=pair[0], y=pair[1])
    if constant == 0:
        assert math.isnan(gain)
    else:
        assert close(gain, (constant - oracle.area(*pair)) / constant, 1)


SIZES = st.integers(-30, 30).map(lambda power: 10.0**power)


@given(
    st.lists(st.tuples(SIZES, SIZES, SIZES, SIZES), min_size=1, max_size=6),
    st.sampled_from(PAIRS),
    st.sampled_from(["scale", "shift"]),
)
@settings(max_examples=200)
def test_areas_of_rows_of_any_size(rows, pair, vary):
    """Sixty orders of magnitude may lie between them: rounding is relative to the largest costs."""
    y, lower, upper, weight = map(list, zip(*rows, strict=True))
    case = Case(y, [0.0] * len(y), lower, upper, weight, vary)
    oracle = case.oracle()
    size = oracle.costs(oracle.knots[-1])[pair[0]] + F(finest(case))
    if pair[1] == "deficit":
        size *= oracle.costs(oracle.start)["deficit"] + F(finest(case))
    assert close(case.curve().area(x=pair[0], y=pair[1]), oracle.area(*pair), 1000 * size)


RATES = st.tuples(st.integers(0, 16), st.integers(0, 16)).filter(lambda r: r[0] < r[1])


def axis_range(case, axis, sixteenths):
    """A range on an axis, in exact numbers, about as long as the curve."""
    low, high = (F(s, 16) for s in sixteenths)
    if axis in ("miss_rate", "coverage"):
        return low, high
    begin, unit = F(0), F(finest(case) or 1)
    if axis == "parameter":
        begin, unit = (F(0), F(8)) if case.vary == "scale" else (F(1, 2), unit)
    return (low - begin) * unit, (high - begin) * unit


AXES = st.sampled_from(["miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter"])


@pytest.mark.slow
@given(cases(), st.sampled_from(PAIRS), AXES, RATES)
@settings(max_examples=400)
def test_partial_strip_areas(case, pair, axis, sixteenths):
    """A range on any axis cuts the curve exactly at its ends; nothing snaps to a point."""
    low, high = axis_range(case, axis, sixteenths)
    exact = case.oracle().area(*pair, axis, low, high)
    area = case.curve().area(x=pair[0], y=pair[1], partial="strip", **{axis: (float(low), float(high))})
    assert close(area, exact, case.oracle().area(*pair))


@given(cases(), st.sampled_from(["bandwidth", "excess"]), RATES)
@settings(max_examples=200)
def test_partial_mean_areas(case, x, sixteenths):
    """The mean definition averages the x needed over the miss rates of the range."""
    low, high = (F(s, 16) for s in sixteenths)
    oracle, curve = case.oracle(), case.curve()
    exact = oracle.mean_over_miss_rates(x, low, high)
    span = (float(low), float(high))
    assert close(curve.area(x=x, partial="mean", miss_rate=span), exact, exact)
    mirrored = (1 - span[1], 1 - span[0])
    assert close(curve.area(x=x, partial="mean", coverage=mirrored), exact, exact)


@pytest.mark.slow
@given(cases(zero_bands=True), st.integers(0, 16))
@settings(max_examples=200)
def test_at_most_the_given_miss_rate(case, sixteenths):
    """The narrowest operating point whose miss rate does not exceed the given one."""
    oracle, curve = case.oracle(), case.curve()
    rate = F(sixteenths, 16)
    exact = next((t for t in oracle.points if oracle.costs(t)["miss_rate"] <= rate), None)
    if exact is None:
        with pytest.raises(uc.exceptions.UnreachableError):
            curve.at(miss_rate=float(rate))
        return
    assert curve.at(miss_rate=float(rate)).parameter == float(exact)
    assert curve.at(coverage=float(1 - rate)).parameter == float(exact)


@pytest.mark.slow
@given(cases(zero_bands=True), st.sampled_from(["bandwidth", "excess", "deficit"]), st.integers(0, 48))
@settings(max_examples=250)
def test_at_a_given_cost(case, axis, sixteenths):
    """The point found has the cost asked for, and no dominating point has it too."""
    unit = finest(case) or 1.0
    value = sixteenths / 16 * unit
    oracle = case.oracle()
    try:
        point = case.curve().at(**{axis: value})
    except uc.exceptions.UnreachableError:
        far = oracle.costs(oracle.knots[-1] + 1)[axis]
        if axis == "deficit":
            assert far > value
        else:
            assert far < value
            assert far == oracle.costs(oracle.knots[-1])[axis]
        return
    reached = getattr(point, axis)
    if axis == "deficit" and value > oracle.costs(oracle.start)["deficit"]:
        assert point.parameter == float(oracle.start)
        return
    assert close(reached, value, unit)
    step = (1e-6 if case.vary == "scale" else 1e-6 * unit) * (-1 if axis == "deficit" else 1)
    beside = oracle.costs(F(point.parameter + step))[axis] if point.parameter + step >= oracle.start else None
    if axis == "deficit":
        assert beside is None or beside > reached
    else:
        saturated = oracle.costs(oracle.knots[-1] + 1)[axis] == oracle.costs(oracle.knots[-1])[axis]
        assert beside > reached or (saturated and close(value, oracle.costs(oracle.knots[-1])[axis], unit))


@pytest.mark.slow
@given(cases(zero_bands=True), st.sampled_from(PAIRS), st.integers(0, 16))
@example(Case([5.0, 6.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], None), ("bandwidth", "miss_rate"), 15)
@settings(max_examples=200)
def test_the_cheapest_point(case, pair, sixteenths):
    """The optimum is exact over all breakpoints, zero bands included (the example's answer)."""
    c = sixteenths / 16
    least, _ = case.oracle().cheapest(F(c), *pair)
    optimum = case.curve().minimize_cost(c, x=pair[0], y=pair[1])
    assert close(optimum.cost, least, finest(case))
    at = case.oracle().costs(F(optimum.point.parameter))
    assert close(optimum.cost, c * at[pair[0]] + (1 - c) * at[pair[1]], finest(case))
    as_given = case.oracle().costs(F(1 if case.vary == "scale" else 0))
    assert close(optimum.original_cost, c * as_given[pair[0]] + (1 - c) * as_given[pair[1]], finest(case))


def sign_changes(a, b, x, y):
    """Brackets (low, high) between which the order of two oracle curves changes, by rising y."""
    ends = {o.costs(o.knots[-1])[y] for o in (a, b)}
    levels = ends | {s[2][y] for o in (a, b) for s in o.segments()}
    levels = sorted(level for level in levels if level >= max(ends))
    probes = []
    for low, high in itertools.pairwise(levels):
        probes += [low + (high - low) * share for share in (F(1, 10**6), F(999999, 10**6))]
    probes += [levels[-1], levels[-1] + 1]
    signs = [(probe, a.needed(x, probe, y) - b.needed(x, probe, y)) for probe in probes]
    ordered = [(probe, difference > 0) for probe, difference in signs if difference]
    return [
        (p0, p1, after0) for (p0, after0), (p1, after1) in itertools.pairwise(ordered) if after0 != after1
    ]


@pytest.mark.slow
@given(cases(units=[1.0], max_rows=6), cases(units=[1.0], max_rows=6), st.sampled_from(PAIRS))
@settings(max_examples=100)
def test_crossings(one, two, pair):
    """Curves swap order where the definitions say so, exactly, also inside a linear piece."""
    a, b = one.oracle(), two.oracle()
    expected = sign_changes(a, b, *pair)
    found = one.curve().crossings(two.curve(), x=pair[0], y=pair[1])
    # The probes sit a millionth inside each piece: a swap closer to its end than that is not theirs.
    assert len(found) == len(expected)
    for crossing, (low, high, self_above) in zip(found, expected, strict=True):
        assert float(low) - 1e-5 <= crossing.y <= float(high) + 1e-5
        assert crossing.better_below == ("other" if self_above else "self")
        x_a, x_b = (float(o.needed(pair[0], F(crossing.y) + F(1, 10**9), pair[1])) for o in (a, b))
        assert crossing.x >= min(x_a, x_b) - 1e-6


@given(cases(zero_bands=True))
@settings(max_examples=200)
def test_the_frontier_is_the_best_choice_of_rows(case):
    """No choice of covered rows with that miss rate needs less symmetric bandwidth."""
    curve, oracle = case.curve(), case.oracle()
    frontier = curve.frontier
    rows = sorted(oracle.rows, key=lambda row: row.size)
    for i, rate in enumerate(frontier.miss_rate):
        covered, missed = (sum(r.weight * r.size for r in part) for part in (rows[:i], rows[i:]))
        assert close(rate, sum(row.weight for row in rows[i:]) / oracle.total, 1)
        assert close(frontier.bandwidth[i], covered / oracle.total, finest(case))
        assert close(frontier.deficit[i], missed / oracle.total, finest(case))
    assert np.array_equal(frontier.asymmetric_bandwidth * 2, frontier.bandwidth)
