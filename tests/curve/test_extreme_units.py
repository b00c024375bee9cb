"""Rows whose sizes differ by hundreds of orders of magnitude: the right number, or an error of the library."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.exceptions import UnitOverflowError, UnreachableError

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def far_apart(unit=1.0):
    """Two outputs whose widths differ by 350 orders of magnitude, one row."""
    y, p = [[-4e200, 1e-150 * unit]], [[0.0, 0.0]]
    return uc.Intervals.from_bands(y, p, [[1e200, 1e-150 * unit]], [[2e200, 3e-150 * unit]])


def test_outputs_of_any_widths_count_by_their_own_width():
    """Critical values 4 and 1/3; the mean of |e| / c is 8/3 and 1/2: the gain is 1 - (13/6) / (19/12)."""
    curve = far_apart().ucc()
    assert curve.gain() == pytest.approx(1 - (13 / 6) / (19 / 12), rel=1e-12)
    assert curve.gain() == pytest.approx(far_apart().sketch().curve().gain(), rel=1e-12)
    assert curve.gain(y="deficit") == pytest.approx(-0.5, rel=1e-12)
    assert curve.ceiling() == pytest.approx(0.0, abs=1e-12)
    assert curve.ceiling(y="deficit") == pytest.approx(0.0, abs=1e-12)
    assert far_apart().sketch().curve().ceiling() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("x", "y"), AXES)
def test_a_tiny_row_that_is_never_captured_stays_so_in_any_unit(x, y):
    """Rescaled with the others it would be 0, an exact prediction."""
    curve = uc.Intervals.from_bands([5e-324, 1e200], [0.0, 0.0], [0.0, 1e200]).ucc()
    with pytest.raises(UnreachableError, match=r"the miss rate stays at 0\.5"):
        curve.gain(x=x, y=y)


def test_a_tiny_row_needs_its_scale_in_any_unit():
    """It is 3 times outside its band, whatever the others are: it decides the bandwidth at low miss rates."""
    curve = uc.Intervals.from_bands([3e-300, 1e200, 1e200], [0.0] * 3, [1e-300, 1e200, 2e200]).ucc()
    alike = uc.Intervals.from_bands([3e-30, 1.0, 1.0], [0.0] * 3, [1e-30, 1.0, 2.0]).ucc()
    for x in ("bandwidth", "excess"):
        part = {"x": x, "miss_rate": (0.0, 0.5)}
        assert curve.gain(**part) == pytest.approx(alike.gain(**part), rel=1e-9)


@pytest.mark.parametrize(("x", "y"), AXES)
def test_costs_beyond_float64_are_one_error_without_warnings(x, y):
    """A row whose band is 1e-292 of its residual, beside a wide one: the excess leaves float64."""
    curve = uc.Intervals.from_bands([1.1e57, 0.0], [0.0, 0.0], [7.8e-236, 1.2e18]).ucc()
    with pytest.raises(UnitOverflowError):
        curve.area(x=x, y=y)


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e-160, 1.0, 1e150])
def test_the_spread_of_draws_does_not_depend_on_the_unit(unit):
    """Squares of such deviations leave float64."""
    draws = np.random.default_rng(0).normal(size=(20, 5))
    found = uc.Intervals.from_samples(draws[0] * unit, draws * unit).lower_band
    np.testing.assert_allclose(found / unit, draws.std(axis=0), rtol=1e-12)
