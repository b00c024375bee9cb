"""Several outputs: the constant band is constant over rows, not over outputs."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import output_cases

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


@given(output_cases(zero_bands=True), st.sampled_from(AXES))
@settings(max_examples=200)
def test_gains_are_measured_against_a_constant_for_each_output(case, axes):
    """In exact fractions: weights, ties, asymmetric bands, outputs without bands or without errors."""
    x, y = axes
    oracle, curve = case.oracle(), case.curve()
    if any(oracle.critical(row) is None for row in oracle.rows):
        with pytest.raises(uc.exceptions.UnreachableError):
            curve.gain(x=x, y=y)
        return
    constant = oracle.constant().area(x, y)
    assume(constant > 0)
    exact = 1 - oracle.area(x, y) / constant
    assert math.isclose(curve.gain(x=x, y=y), exact, rel_tol=1e-10, abs_tol=1e-10 * (1 + abs(float(exact))))


@given(output_cases(zero_bands=True), st.sampled_from([(0.25, 0.75), (0.5, 1.0)]))
@settings(max_examples=150)
def test_partial_gains_of_several_outputs(case, rates):
    """A range of miss rates is judged against the same constants."""
    oracle, curve = case.oracle(), case.curve()
    low, high = rates
    floor = oracle.costs(oracle.points[-1])["miss_rate"]
    assume(floor <= low)
    constant = oracle.constant().mean_over_miss_rates("bandwidth", *map(F, rates))
    assume(constant > 0)
    exact = 1 - oracle.mean_over_miss_rates("bandwidth", *map(F, rates)) / constant
    assert math.isclose(curve.gain(miss_rate=(low, high)), exact, rel_tol=1e-10, abs_tol=1e-10)


def test_bands_constant_per_output_gain_nothing_from_units():
    """Errors of sd 1 and 100 with bands 1 and 10 once gained 40%, with p = 0.005."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(500, 2)) * [1, 100]
    rows = uc.Intervals.from_bands(y, 0 * y, np.broadcast_to([1.0, 10.0], y.shape))
    for vary in ("scale", "shift"):
        curve = uc.UCC(rows, vary=vary)
        for x, vertical in AXES:
            assert curve.gain(x=x, y=vertical) == 0
        assert curve.gain(miss_rate=(0.1, 0.4)) == 0
        assert curve.reference is curve
    assert uc.confidence_interval(rows, "gain", rng=0).estimate == pytest.approx(0, abs=1e-12)
    assert uc.confidence_interval(rows, "gain", miss_rate=(0.1, 0.4), rng=0, n_resamples=19).high < 1e-12


@given(output_cases(), st.sampled_from(["miss_rate", "deficit"]))
@settings(max_examples=200)
def test_no_bands_pass_the_ceiling(case, y):
    """The ceiling holds for bands with the same division among outputs, and the best bands reach it."""
    curve = case.curve()
    if case.oracle().constant().area("bandwidth", y) == 0:
        assert math.isnan(curve.ceiling(y=y))
        return
    assert curve.gain(y=y) <= curve.ceiling(y=y, asymmetric=not curve.symmetric) + 1e-9


def test_the_ceiling_is_reached_by_bands_made_in_hindsight():
    """Roots of the errors against the miss rate, the errors themselves against the deficit."""
    rng = np.random.default_rng(2)
    y = rng.normal(size=(200, 2)) * [1, 30]
    for power, vertical in ((0.5, "miss_rate"), (1.0, "deficit")):
        bands = np.abs(y) ** power
        bands /= bands.mean(axis=0)
        curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, bands * [2, 7]))
        assert curve.gain(y=vertical) == pytest.approx(curve.ceiling(y=vertical), rel=1e-12)


def test_an_output_without_bands_floors_both_curves():
    """Nothing scales a band of zero: the curve and its reference stop at the same miss rate."""
    y = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 2.0]])
    curve = uc.UCC(uc.Intervals.from_bands(y, 0 * y, [[1.0, 0.0], [2.0, 0.0], [4.0, 0.0]]))
    assert curve.miss_rate[-1] == curve.reference.miss_rate[-1] == 0.5
    # scales 1, 1, 3/4 of a mean width of 7/6, against errors 1, 2, 3 of a constant band of 7/3
    assert curve.gain(miss_rate=(0.5, 1)) == pytest.approx(1 - (11 / 4 * 7 / 6) / (6 / 2))
    assert math.isnan(curve.ceiling())
