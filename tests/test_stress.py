"""Numbers under stress: many orders of magnitude between rows, and weights of any legal size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from fuzz.large import check_rows

import uccurve as uc
from oracle import Oracle

ERRORS = [-6, -4, -2, 0, 2, 4, 6, -1, 1, 3]
BANDS = [6, -6, 0, 2, 4, -4, -2, -1, 1, 3]


@pytest.mark.slow
def test_a_million_rows_of_twelve_orders_of_magnitude_lose_no_digits():
    """1e-12 relative, against exact fractions; `make fuzz` draws other patterns."""
    check_rows(ERRORS, BANDS, 10**5, 0)


@pytest.mark.slow
def test_ten_million_rows_of_twelve_orders_of_magnitude_lose_no_digits():
    """As many as the documentation promises; once, since it takes some seconds."""
    check_rows(ERRORS, BANDS, 10**6, 1)


@pytest.mark.slow
def test_the_sums_of_one_pattern_keep_their_digits():
    """Equal terms, added one after the other, would round in the same direction every time."""
    check_rows([0, 0, -4, 0, 0, 0, 0], [0, 0, -3, 0, 0, 0, 4], 14285, 0)


def test_weights_may_differ_by_two_hundred_orders_of_magnitude():
    """The heavy rows decide, and the light ones leave no trace: as in exact fractions."""
    y, lower, upper = [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 1.0, 2.0], [3.0, 1.0, 1.0, 4.0]
    for weight in (
        [1e100, 1e-100, 1e100, 1.0],
        [1e-100, 1e100, 1e-100, 1e-100],
        [1e-100, 2e-100, 1e-100, 3e-100],
    ):
        curve = uc.Intervals.from_bands(y, [0.0] * 4, lower, upper, sample_weight=weight).ucc()
        exact = Oracle.of(y, [0.0] * 4, lower, upper, weight)
        for x in ("bandwidth", "excess"):
            for axis in ("miss_rate", "deficit"):
                assert curve.area(x=x, y=axis) == pytest.approx(float(exact.area(x, axis)), rel=1e-12)
        costs = exact.costs(Fraction(1))
        for name in ("miss_rate", "bandwidth", "excess", "deficit"):
            assert getattr(curve.original, name) == pytest.approx(float(costs[name]), rel=1e-12, abs=1e-300)
        bounds = (np.negative(lower), np.array(upper))
        assert uc.miss_rate(y, *bounds, sample_weight=weight) == pytest.approx(
            float(costs["miss_rate"]), rel=1e-12
        )
