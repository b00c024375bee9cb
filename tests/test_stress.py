"""Numbers under stress: many orders of magnitude between rows, and weights of any legal size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import uccurve as uc
from oracle import Oracle

ERRORS = [-6, -4, -2, 0, 2, 4, 6, -1, 1, 3]
BANDS = [6, -6, 0, 2, 4, -4, -2, -1, 1, 3]


def check_rows(errors, bands, repeats):
    """Compare numbers of many rows with those of the few that they repeat, in exact fractions.

    ``errors`` and ``bands`` are powers of ten; predictions are 0.
    """
    y, band = (np.array([10.0**power for power in powers]) for powers in (errors, bands))
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(y.size), repeats))
    curve = uc.UCC(uc.Intervals.from_bands(y[order], np.zeros(order.size), band[order]))
    exact = Oracle.of(y.tolist(), [0.0] * y.size, band.tolist(), band.tolist())
    for axes in ({}, {"y": "deficit"}):
        assert_close(curve.area(**axes), exact.area("bandwidth", axes.get("y", "miss_rate")))
    for name in ("bandwidth", "excess", "deficit"):
        assert_close(getattr(curve.original, name), exact.costs(Fraction(1))[name])
    assert_close(curve.excess[-1], exact.costs(exact.knots[-1])["excess"])


def assert_close(found, exact):
    assert abs(Fraction(float(found)) - exact) <= Fraction(1, 10**12) * exact


@pytest.mark.slow
def test_rows_of_twelve_orders_of_magnitude_lose_no_digits():
    """Ten million: as many as the documentation promises."""
    check_rows(ERRORS, BANDS, 10**6)


@example([(0, 0), (0, 0), (-4, -3), (0, 0), (0, 0), (0, 0), (0, 4)])
@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=2, max_size=10))
@settings(max_examples=5)
def test_the_sums_of_any_pattern_keep_their_digits(pattern):
    """Equal terms, added one after the other, would round in the same direction every time."""
    check_rows(*zip(*pattern, strict=True), 10**5 // len(pattern))


def test_weights_may_differ_by_two_hundred_orders_of_magnitude():
    """The heavy rows decide, and the light ones leave no trace: as in exact fractions."""
    y, lower, upper = [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 1.0, 2.0], [3.0, 1.0, 1.0, 4.0]
    for weight in ([1e100, 1e-100, 1e100, 1.0], [1e-100, 2e-100, 1e-100, 3e-100]):
        curve = uc.Intervals.from_bands(y, [0.0] * 4, lower, upper, sample_weight=weight).ucc()
        exact = Oracle.of(y, [0.0] * 4, lower, upper, weight)
        for x in ("bandwidth", "excess"):
            for axis in ("miss_rate", "deficit"):
                assert curve.area(x=x, y=axis) == pytest.approx(float(exact.area(x, axis)), rel=1e-12)
        costs = exact.costs(Fraction(1))
        for name in ("miss_rate", "bandwidth", "excess", "deficit"):
            assert getattr(curve.original, name) == pytest.approx(float(costs[name]), rel=1e-12, abs=1e-300)
