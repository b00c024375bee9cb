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
from uccurve.exceptions import ArgumentError, UnreachableError

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


def test_two_constants_gain_on_symmetric_errors_only_against_themselves():
    """Bands 1 and 2 lose 14% on symmetric errors against one constant: the narrower choice."""
    y = np.random.default_rng(0).normal(size=20_000)
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, np.ones(y.size), np.full(y.size, 2.0)))
    assert curve.gain() == pytest.approx(-0.125, abs=0.01)
    assert curve.gain(reference=uc.UCC(curve.intervals.constant(sides=True))) == 0


def test_a_share_of_the_ceiling():
    """Gain over ceiling, that of asymmetric bands where they are."""
    rng = np.random.default_rng(1)
    y, lower, upper = rng.normal(size=50), rng.gamma(9, size=50), rng.gamma(9, size=50)
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, lower))
    assert curve.share_of_ceiling(y="deficit") == curve.gain(y="deficit") / curve.ceiling(y="deficit")
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, lower, upper))
    assert curve.share_of_ceiling() == curve.gain() / curve.ceiling(asymmetric=True)
    exact = uc.UCC(uc.Intervals.from_bands([1.0, -1.0], [0.0, 0.0], [1.0, 2.0]))
    assert math.isnan(exact.share_of_ceiling())  # equal errors: nothing can be gained


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


def test_sketches_answer_the_same_questions():
    """At stored points, exactly."""
    rng = np.random.default_rng(2)
    y, band = rng.normal(size=400), rng.gamma(9, size=400)
    rows = uc.Intervals.from_bands(y, 0 * y, band)
    curve, sketched = uc.UCC(rows), rows.sketch().curve()
    assert sketched.gain_at(coverage=0.9) == pytest.approx(curve.gain_at(coverage=0.9), abs=0.01)
    assert sketched.score_at(coverage=0.9) == pytest.approx(curve.score_at(coverage=0.9), rel=0.01)
    assert sketched.share_of_ceiling() == pytest.approx(curve.share_of_ceiling())
    other = uc.Intervals.from_bands(y, 0 * y, band[::-1].copy())
    expected = curve.gain(reference=uc.UCC(other))
    assert sketched.gain(reference=other.sketch().curve()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ask", "argument"),
    [
        (lambda c: c.gain_at(), "coverage"),
        (lambda c: c.gain_at(coverage=(0.5, 0.9)), "coverage"),
        (lambda c: c.points(coverage=0.9), "coverage"),
        (lambda c: c.gain(reference=c.intervals), "reference"),
        (lambda c: c.gain(reference=uc.UCC(c.intervals[:2])), "reference"),
        (lambda c: c.gain_at(coverage=0.5, reference=uc.UCC(c.intervals[[1, 0, 2]])), "reference"),
    ],
)
def test_wrong_points_and_references(ask, argument):
    """One line that says what is wanted."""
    curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 1, 2]))
    with raises(ArgumentError, argument):
        ask(curve)


def test_one_large_prediction_does_not_make_bands_constant():
    """Rounding belongs to each row, and to bands that follow from bounds."""
    y, pred = np.array([1e15 + 1, 3, -0.25, 0.5]), np.array([1e15, 0, 0, 0])
    lower, upper = np.array([1, 1.5, 0.25, 0.5]), np.array([1, 1.5, 0.25, 1])
    for rows in (
        uc.Intervals.from_bands(y, pred, lower, upper),
        uc.Intervals.from_bounds(y, pred - lower, pred + upper, y_pred=pred),
    ):
        assert uc.UCC(rows).gain(miss_rate=(0, 0.5)) == pytest.approx(0.34375)
        assert uc.UCC(rows).gain(miss_rate=(0, 0.5), partial="strip") == pytest.approx(0.7083333333)


def test_a_constant_band_given_by_rounded_bounds_gains_exactly_nothing():
    """Bounds around 0.1 are rounded; the band is the same for every row."""
    rng = np.random.default_rng(3)
    y, pred = rng.normal(size=200), rng.normal(size=200) * 1000
    for rows in (
        uc.Intervals.from_bounds(y + pred, pred - 0.1, pred + 0.1),
        uc.Intervals.from_bounds(y + pred, pred - 0.1, pred + 0.1, y_pred=pred),
    ):
        curve = uc.UCC(rows)
        assert curve.gain() == curve.gain(y="deficit") == curve.gain(miss_rate=(0, 0.5)) == 0
        assert curve.gain_at(coverage=0.9) == 0


@pytest.mark.parametrize("offset", [0.0, 1e9, 1e15])
def test_bands_far_from_zero_keep_their_gain(offset):
    """Bounds that are exact are no rounding of one another, however large the predictions are."""
    y, lower, upper = (offset + np.array(column) for column in ([1.0, 2, 3], [0.0, 1, 1], [2.0, 5, 3.5]))
    rows = uc.Intervals.from_bounds(y, lower, upper)
    assert rows.lower_band.tolist() == [1, 2, 1.25]
    assert rows.ucc().gain() == pytest.approx(23 / 210)
    assert rows.ucc().gain() == pytest.approx(rows.sketch().curve().gain())
    assert rows.ucc().gain(miss_rate=(0, 0.5)) == pytest.approx(
        rows.sketch().curve().gain(miss_rate=(0, 0.5))
    )
    sides = uc.Intervals.from_bounds(y, lower, upper, y_pred=offset + np.array([0.5, 2.5, 1.5]))
    assert not sides.symmetric
    assert sides.ucc().gain() == pytest.approx(sides.sketch().curve().gain())


@pytest.mark.parametrize("size", [1e-3, 1e6])
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
        assert (uc.UCC(rows).gain() == 0) == same
