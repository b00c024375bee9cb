"""Curves of nested quantiles: exact fractions, laws, floors and tails."""

from __future__ import annotations

import importlib
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.level_oracle import LevelOracle, Row

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, UnreachableError

AXES = tuple(product(("bandwidth", "excess"), ("miss_rate", "deficit")))
COSTS = ("miss_rate", "bandwidth", "excess", "deficit")
PAIRS = ((0.4, 0.6), (0.25, 0.75), (0.1, 0.9), (0.05, 0.95))


@st.composite
def tables(draw, *, zero_bands=False):
    """Rows of one to four pairs with or without a median, ties, asymmetry, and weights in eighths."""
    pairs = draw(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=4, unique=True))
    pairs = sorted(pairs, reverse=True)
    median = draw(st.booleans())
    unit = draw(st.sampled_from([2.0**-3, 2.0**40, 2.0**-60]))
    step = st.integers(0 if zero_bands else 1, 4)
    steps_of_pairs = st.lists(st.tuples(step, step), min_size=len(pairs), max_size=len(pairs))
    row = st.tuples(st.integers(-12, 12), st.integers(-3, 3), steps_of_pairs, st.integers(1, 4))
    rows = draw(st.lists(row, min_size=1, max_size=6))
    levels = sorted({*(level for pair in pairs for level in pair), *((0.5,) if median else ())})
    table, oracle, y, weight = [], [], [], []
    for observed, center, drawn, heavy in rows:
        # Without a median the center is the midpoint of the innermost pair.
        steps = drawn if median else [(drawn[0][0], drawn[0][0]), *drawn[1:]]
        down, up = (np.cumsum([pair[side] for pair in steps]).tolist() for side in (0, 1))
        middle = [center] if median else []
        values = [*(center - d for d in reversed(down)), *middle, *(center + u for u in up)]
        table.append([value * unit for value in values])
        y.append(observed * unit)
        weight.append(heavy / 8)
        exact = Fraction(unit)
        bands = (tuple(distance * exact for distance in side) for side in (down, up))
        oracle.append(Row(observed * exact, center * exact, *bands, Fraction(heavy, 8)))
    claims = tuple(Fraction(repr(high)) - Fraction(repr(low)) for low, high in pairs)
    weighted = draw(st.booleans())
    if not weighted:
        oracle = [Row(row.y, row.center, row.lower, row.upper, Fraction(1)) for row in oracle]
    intervals = uc.Intervals.from_quantiles(y, table, levels, sample_weight=weight if weighted else None)
    return intervals, tuple(oracle), claims, unit


@settings(max_examples=150)
@given(tables(zero_bands=True), st.integers(1, 7))
def test_the_score_at_a_coverage(drawn, eighths):
    """Of the quantiles moved to it: from the definitions, or out of reach."""
    intervals, rows, claims, _unit = drawn
    rate = Fraction(eighths, 8)
    exact, curve = LevelOracle(rows, claims).score_at(rate), uc.UCC(intervals, vary="level")
    if exact is None:
        with pytest.raises(UnreachableError):
            curve.score_at(miss_rate=float(rate))
    else:
        assert curve.score_at(miss_rate=float(rate)) == pytest.approx(float(exact), rel=1e-12)


@settings(max_examples=150)
@given(tables(zero_bands=True), st.sampled_from(["scale", "none"]), st.fractions(0, 3, max_denominator=64))
def test_costs_at_any_parameter_and_at_every_point(drawn, tails, t):
    """From the definitions, with rows that are never captured, and with and without tails."""
    intervals, rows, claims, unit = drawn
    oracle = LevelOracle(rows, claims, tails == "scale")
    curve = uc.UCC(intervals, vary="level", tails=tails)
    found, exact = curve.at(parameter=float(t)), oracle.costs(Fraction(float(t)))
    for cost in COSTS:
        tolerance = 1e-9 if cost == "miss_rate" else 1e-12 * unit * 100
        if cost == "miss_rate" and any(abs((oracle.critical(row) or 9) - t) < 1e-9 for row in rows):
            continue  # counted by rank: one rounding decides
        assert getattr(found, cost) == pytest.approx(float(exact[cost]), rel=1e-12, abs=tolerance), cost
    reached = sorted({oracle.critical(row) for row in rows} - {None} | {Fraction(0)})
    assert np.allclose(curve.parameter, [float(point) for point in reached], rtol=1e-12, atol=0)
    for cost in COSTS:
        wanted = [float(oracle.costs(point)[cost]) for point in reached]
        size = 1 if cost == "miss_rate" else 100 * unit
        assert np.allclose(getattr(curve, cost), wanted, rtol=1e-12, atol=1e-12 * size), cost


@settings(max_examples=150)
@given(tables())
def test_areas_and_gains_on_all_axes(drawn):
    """Exact integrals, against the constant band around the centers."""
    intervals, rows, claims, unit = drawn
    oracle, curve = LevelOracle(rows, claims), uc.UCC(intervals, vary="level")
    for x, y in AXES:
        area, constant = oracle.area(x, y), oracle.constant_area(x, y)
        size = 100 * (unit if y == "miss_rate" else unit * unit)
        assert curve.area(x=x, y=y) == pytest.approx(float(area), rel=1e-11, abs=1e-12 * size), (x, y)
        if constant > 0:
            wanted = float(1 - area / constant)
            assert curve.gain(x=x, y=y) == pytest.approx(wanted, rel=1e-9, abs=1e-10), (x, y)


def normal_table(n=300, levels=(0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95), seed=0):
    """Quantiles of Gaussians with their own centers and spreads, and observations with heavier tails."""
    rng = np.random.default_rng(seed)
    center, spread = rng.normal(size=n), np.exp(rng.normal(size=n) / 2)
    table = center[:, None] + spread[:, None] * np.array([NormalDist().inv_cdf(level) for level in levels])
    return center + spread * rng.standard_t(4, size=n), table, levels


def test_symmetric_shapes_of_one_family_have_the_curve_of_scale():
    """Rows that differ by center and spread only pass through the same intervals, in another order of names."""
    y, table, levels = normal_table()
    rows = uc.Intervals.from_quantiles(y, table, levels)
    level, scale = rows.ucc(vary="level"), rows.ucc()
    for x, axis in AXES:
        assert level.area(x=x, y=axis) == pytest.approx(scale.area(x=x, y=axis), rel=1e-12)
        assert level.gain(x=x, y=axis) == pytest.approx(scale.gain(x=x, y=axis), abs=1e-12)
    for coverage in (0.1, 0.5, 0.9, 0.99):
        assert level.at(coverage=coverage).bandwidth == pytest.approx(scale.at(coverage=coverage).bandwidth)


@pytest.mark.parametrize("kept", [[0, -1], [0, 3, -1]])
def test_one_pair_has_the_curve_of_scale(kept):
    """Around the medians, here far from the midpoints, or around the midpoints without medians."""
    y, table, levels = normal_table()
    table = table.copy()
    table[:, 3] = 0.9 * table[:, 2] + 0.1 * table[:, 3]
    rows = uc.Intervals.from_quantiles(y, table[:, kept], tuple(levels[place] for place in kept))
    level, scale = rows.ucc(vary="level"), rows.ucc()
    assert np.allclose(level.parameter, scale.parameter, rtol=1e-13)
    assert level.area(y="deficit") == pytest.approx(scale.area(y="deficit"), rel=1e-13)
    assert level.ceiling(y="deficit") == pytest.approx(scale.ceiling(y="deficit"), rel=1e-12)
    middle = uc.Intervals.from_bounds(y, table[:, 0], table[:, -1]).ucc()
    assert (abs(middle.area() - level.area()) < 1e-9) is (len(kept) == 2)


def test_nominal_coverage_names_points():
    """The claim itself, up to the outermost pair."""
    y, table, levels = normal_table()
    curve = uc.Intervals.from_quantiles(y, table, levels).ucc(vary="level")
    point = curve.at(nominal=0.6)
    inside = (y >= table[:, 1]) & (y <= table[:, -2])
    assert (point.nominal, point.coverage) == (pytest.approx(0.6), inside.mean())
    assert curve.original.nominal == 0.9
    assert curve.at(parameter=1.5).nominal is None
    with raises(ArgumentError, "nominal"):
        curve.at(nominal=0.95)
    with raises(ArgumentError, "nominal"):
        curve.intervals.ucc().at(nominal=0.5)
    assert curve.points(nominal=[0.3, 0.6]).coverage[1] == point.coverage
    frame = curve.points(coverage=[0.5, 0.999]).to_frame("pandas")
    assert frame["nominal"].isna().tolist() == [False, True]
    assert curve.to_frame("pandas")["nominal"].max() <= 0.9


def test_without_tails_the_curve_ends_at_the_outermost_pair():
    """What lies outside stays missed, and the rest is as before."""
    y, table, levels = normal_table()
    rows = uc.Intervals.from_quantiles(y, table, levels)
    whole, cut = rows.ucc(vary="level"), uc.UCC(rows, vary="level", tails="none")
    assert cut.miss_rate[-1] == whole.original.miss_rate > 0
    assert cut.at(parameter=3.0).bandwidth == whole.original.bandwidth
    part = {"miss_rate": (float(cut.miss_rate[-1]), 1.0)}
    assert cut.area(**part) == pytest.approx(whole.area(**part), rel=1e-12)
    with pytest.raises(UnreachableError):
        cut.area()
    with raises(ArgumentError, "tails"):
        uc.UCC(rows, tails="none")


def test_the_ceiling_is_the_area_of_the_limit_line():
    """No nested family does better than one that opens the rows one by one."""
    y, table, levels = normal_table(n=50)
    curve = uc.Intervals.from_quantiles(y, table, levels).ucc(vary="level")
    error = np.sort(np.abs(y - table[:, 3]))
    least = np.mean(np.cumsum(error) / error.size)
    assert curve.ceiling() == pytest.approx(1 - least / error.mean(), rel=1e-12)
    assert curve.gain() < curve.ceiling(y="miss_rate")
    assert curve.ceiling(y="deficit") == pytest.approx(1 - error.mean() ** 2 / np.mean(error**2), rel=1e-12)


def test_intervals_without_quantiles_have_no_levels():
    with pytest.raises(ArgumentError):
        uc.Intervals.from_std([1.0, 2.0], [0.0, 0.0], 1.0).ucc(vary="level")


def test_several_outputs_and_chosen_rows():
    """Outputs are pooled, each with its own constant; rows keep their quantiles when they are chosen."""
    y, table, levels = normal_table(n=60)
    two = (np.stack([column, 100 * column], axis=1) for column in (y, table))
    both = uc.Intervals.from_quantiles(*two, levels)
    alone = uc.Intervals.from_quantiles(y, table, levels)
    assert both.ucc(vary="level").gain() == pytest.approx(alone.ucc(vary="level").gain(), rel=1e-12)
    part = alone[10:30].ucc(vary="level")
    again = uc.Intervals.from_quantiles(y[10:30], table[10:30], levels).ucc(vary="level")
    assert part.area() == again.area()
    for label, rows in alone.by(np.arange(60) % 2).items():
        assert rows.ucc(vary="level").area() == alone[label::2].ucc(vary="level").area()


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_other_kinds_of_arrays_give_the_same_numbers(library):
    """Whatever holds the quantiles, and it stays what it is."""
    kind = importlib.import_module(library).asarray
    y, table, levels = normal_table(n=60)
    weight = np.linspace(0.5, 2, 60)
    wanted = uc.Intervals.from_quantiles(y, table, levels, sample_weight=weight).ucc(vary="level")
    rows = uc.Intervals.from_quantiles(kind(y), kind(table), levels, sample_weight=kind(weight))
    curve = rows.ucc(vary="level")
    for x, axis in AXES:
        assert curve.area(x=x, y=axis) == pytest.approx(wanted.area(x=x, y=axis), rel=1e-13)
        assert curve.gain(x=x, y=axis) == pytest.approx(wanted.gain(x=x, y=axis), rel=1e-11)
    assert type(curve.bandwidth) is type(kind(y))
    assert curve.at(bandwidth=0.7).parameter == pytest.approx(wanted.at(bandwidth=0.7).parameter)
