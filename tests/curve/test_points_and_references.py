"""Numbers at one operating point, and gains against other references."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from strategies import cases
from uccurve.exceptions import ArgumentError, PairError, UnreachableError

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def close(value, exact):
    return math.isclose(value, exact, rel_tol=1e-10, abs_tol=1e-10)


@given(cases(zero_bands=True), st.integers(0, 8), st.sampled_from(["miss_rate", "coverage"]))
@settings(max_examples=200)
def test_the_gain_at_a_point_is_that_of_two_bandwidths(case, eighths, axis):
    """In exact fractions: the narrowest point of each curve, weights, ties, zero and asymmetric bands."""
    curve, oracle = case.curve(), case.oracle()
    rate = F(eighths, 8)
    point = {axis: float(rate if axis == "miss_rate" else 1 - rate)}
    if oracle.costs(oracle.points[-1])["miss_rate"] > rate:
        with pytest.raises(UnreachableError):
            curve.gain_at(**point)
        return
    assume(any(row.lower_band + row.upper_band for row in oracle.rows))
    own, constant = oracle.needed("bandwidth", rate), oracle.constant().needed("bandwidth", rate)
    if constant == 0:
        assert curve.gain_at(**point) == (0 if own == 0 else -math.inf)
    else:
        assert close(curve.gain_at(**point), 1 - own / constant)


@given(cases(zero_bands=True), st.integers(1, 7), st.sampled_from(["miss_rate", "coverage"]))
@settings(max_examples=200)
def test_the_score_at_a_coverage_is_that_of_the_moved_intervals(case, eighths, axis):
    """In exact fractions, row by row: scale and shift, weights, ties, zero and asymmetric bands."""
    rate = F(eighths, 8)
    exact = case.oracle().score_at(rate)
    point = {axis: float(rate if axis == "miss_rate" else 1 - rate)}
    if exact is None:
        with pytest.raises(UnreachableError):
            case.curve().score_at(**point)
    else:
        assert math.isclose(case.curve().score_at(**point), exact, rel_tol=1e-12)


@pytest.mark.parametrize(
    "point", [{}, {"coverage": 0.9, "miss_rate": 0.1}, {"coverage": 1}, {"miss_rate": 0}]
)
def test_a_score_needs_one_coverage_between_0_and_1(point):
    """At a coverage of 1 a miss has no price."""
    with pytest.raises(ArgumentError):
        uc.Intervals.from_bands([1, 2], [0, 0], [1, 1]).ucc().score_at(**point)


@given(cases(units=[1.0, 2.0**300, 2.0**-300]), st.sampled_from(AXES))
@settings(max_examples=200)
def test_gains_against_a_constant_for_each_side(case, axes):
    """The mean lower and the mean upper band, in exact fractions."""
    x, y = axes
    curve, oracle = case.curve(), case.oracle()
    reference = oracle.constant(sides=True).area(x, y)
    assume(reference > 0)
    sides = uc.UCC(curve.intervals.constant(sides=True), vary=case.vary)
    assert close(curve.gain(x=x, y=y, reference=sides), 1 - oracle.area(x, y) / reference)


def test_a_share_of_the_ceiling():
    """Gain over ceiling, that of asymmetric bands where they are."""
    rng = np.random.default_rng(1)
    y, lower, upper = rng.normal(size=50), rng.gamma(9, size=50), rng.gamma(9, size=50)
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, lower))
    assert curve.share_of_ceiling(y="deficit") == curve.gain(y="deficit") / curve.ceiling(y="deficit")
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, lower, upper))
    assert curve.share_of_ceiling() == curve.gain() / curve.ceiling(asymmetric=True)
    equal = uc.UCC(uc.Intervals.from_bands([3, -3, 3, 3], [0] * 4, [1, 2, 3, 4]))  # nothing can be gained
    assert equal.ceiling() == 0
    assert math.isnan(equal.share_of_ceiling())


def test_several_points_are_those_one_by_one():
    """One record, in the order that was asked for."""
    curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1.5, 2, 2.5]))
    points = curve.points(coverage=[0.75, 0.25])
    assert len(points) == 2
    for place, coverage in enumerate([0.75, 0.25]):
        point = curve.at(coverage=coverage)
        for name in ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit"):
            assert getattr(points, name)[place] == getattr(point, name)
    frame = points.to_frame("pandas")
    assert list(frame.columns)[:2] == ["coverage", "miss_rate"]
    assert frame.parameter.tolist() == points.parameter.tolist()
    assert len(curve.points(parameter=[])) == 0


@pytest.mark.parametrize(
    ("ask", "error", "argument"),
    [
        (lambda c: c.gain_at(), ArgumentError, "coverage"),
        (lambda c: c.gain_at(coverage=(0.5, 0.9)), ArgumentError, "coverage"),
        (lambda c: c.points(coverage=0.9), ArgumentError, "coverage"),
        (lambda c: c.gain(reference=c.intervals), ArgumentError, "reference"),
        (lambda c: c.gain(reference=uc.UCC(c.intervals[:2])), PairError, "y_true"),
        (lambda c: c.gain_at(coverage=0.5, reference=uc.UCC(c.intervals[[1, 0, 2]])), PairError, "y_true"),
    ],
)
def test_wrong_points_and_references(ask, error, argument):
    """One line that says what is wanted."""
    curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 1, 2]))
    with raises(error, argument):
        ask(curve)


@pytest.mark.parametrize("size", [1e-3, 1e3, 1e6])
@pytest.mark.parametrize("sides", [(0.1, 0.1), (0.1, 0.1 + 2**-20)])
def test_bounds_around_predictions_of_ordinary_size_are_alike_up_to_rounding(size, sides):
    """Constant bands gain exactly 0 there; what differs by more than rounding is not constant."""
    rng = np.random.default_rng(4)
    pred, same = size * rng.normal(size=500), sides[0] == sides[1]
    y = pred + rng.normal(size=500)
    sign = np.resize([0, 1], 500)
    band = np.where(sign, *sides)
    for rows in (
        uc.Intervals.from_bounds(y, pred - band, pred + band),
        uc.Intervals.from_bounds(y, pred - band, pred + band, y_pred=pred),
        uc.Intervals.from_bounds(y, pred - band, y_pred=pred),
    ):
        assert rows.symmetric
        curve = uc.UCC(rows)
        part, point = curve.gain(miss_rate=(0, 0.5)), curve.gain_at(coverage=0.9)
        assert {gain == 0 for gain in (curve.gain(), curve.gain(y="deficit"), part, point)} == {same}
