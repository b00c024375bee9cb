"""Rows whose sizes differ by hundreds of orders of magnitude: the right number, or an error of the library."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from oracle import Oracle
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
    with pytest.raises(UnreachableError):
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


def test_costs_within_float64_are_right_where_products_are_not():
    """The widest band times the largest scale is beyond float64, and half of it, the mean excess, is not."""
    curve = uc.Intervals.from_bands([2.8e143, 0.0], [0.0, 0.0], [1.0, 6.8e164]).ucc()
    assert curve.excess[-1] == pytest.approx(6.8e164 * (2.8e143 / 2), rel=1e-12)
    assert curve.deficit[0] == pytest.approx(1.4e143, rel=1e-12)


@pytest.mark.parametrize("cost", ["bandwidth", "excess"])
def test_a_cost_beyond_float64_is_one_error_and_leaves_the_others(cost):
    """Nobody draws an infinite curve; the page and the figures say what is wrong."""
    curve = uc.Intervals.from_bands([1e143, 0.0], [0.0, 0.0], [1.0, 1e200]).ucc()
    with pytest.raises(UnitOverflowError):
        getattr(curve, cost)
    assert curve.deficit[0] == pytest.approx(5e142, rel=1e-12)


@pytest.mark.parametrize(("error", "band"), [(1e-110, 1e200), (1e-300, 1e-5), (1e300, 1e-5)])
def test_a_constant_band_of_any_width_has_the_area_of_its_residuals(error, band):
    """The scale that captures them may have no digits left, or be beyond float64 together with the width."""
    curve = uc.Intervals.from_bands([error, error], [0.0, 0.0], band).ucc()
    assert curve.area() == pytest.approx(error, rel=1e-12, abs=0)
    assert curve.gain() == 0.0


def test_tiny_residuals_in_huge_bands_keep_their_area_against_the_deficit():
    """The mean of |e| k underflows, its product with the bandwidth does not: half the mean of e²."""
    curve = uc.Intervals.from_bands([1e-110, 3e-110], [0.0, 0.0], 1e200).ucc()
    assert curve.area(y="deficit") == pytest.approx(2.5e-220, rel=1e-12, abs=0)


def test_gains_under_shift_do_not_depend_on_how_wide_the_constant_band_is():
    """Residuals of 1 in a constant band of 1e30 have no digits left, but shift makes the band any width."""
    columns = [1.0, 2.0, 4.0], [0.0] * 3, [1e30, 1e30, 4e30]
    exact = Oracle.of(*columns, columns[-1], vary="shift")
    gain = 1 - exact.area("bandwidth", "miss_rate") / exact.constant().area("bandwidth", "miss_rate")
    assert uc.Intervals.from_bands(*columns).ucc(vary="shift").gain() == pytest.approx(float(gain), rel=1e-9)
    constant = uc.Intervals.from_bands([1.0, 2.0], [0.0] * 2, 1e30).ucc(vary="shift")
    assert constant.gain() == constant.gain(y="deficit") == 0.0


RANGES = (
    {},
    {"miss_rate": (0.1, 0.6)},
    {"coverage": (0.5, 0.9)},
    {"bandwidth": (0.5, 2.0)},
    {"excess": (0.1, 0.5)},
    {"deficit": (0.1, 0.9)},
    {"parameter": (0.5, 1.5)},
)


@pytest.mark.parametrize("unit", [2.0**-996, 2.0**-600, 2.0**500])
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize(("x", "y"), AXES)
def test_areas_of_the_whole_and_of_parts_have_the_same_digits_in_any_unit(x, y, vary, unit):
    """With two-sided bands, an exact prediction and ties; none is NaN. 2^-996 is 1.5e-300."""
    rows = uc.Intervals.from_bands(
        [1.0, -2.0, 0.0, 3.0, 3.0], [0.0] * 5, [1.0, 2.0, 1.0, 2.0, 2.0], [2.0, 1.0, 1.0, 1.0, 4.0]
    )
    one, other = (curve.ucc(vary=vary) for curve in (rows, rows._in_unit(unit)))
    in_y = {"bandwidth", "excess", "deficit"} | ({"parameter"} if vary == "shift" else set())
    for part in RANGES:
        moved = {
            axis: tuple(end * unit if axis in in_y else end for end in ends) for axis, ends in part.items()
        }
        wanted = one.area(x=x, y=y, **part) * unit
        if y == "deficit" and not part:
            wanted *= unit
        if abs(wanted) < 1e308:
            found = other.area(x=x, y=y, **moved)
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-320), part
        assert other.gain(x=x, y=y, **moved) == pytest.approx(
            one.gain(x=x, y=y, **part), rel=1e-9, nan_ok=True
        ), part


@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_light_rows_with_tiny_bands_keep_their_share(y):
    """Their weight times their band is below the smallest numbers of float64 that have all digits."""
    columns = [0.0, -4e-86], [2.3e-225, 0.0], [8.9e-156, 2.7e-162]
    weight = [4.7e-104, 8.3e52]
    exact = Oracle.of(*columns, columns[-1], weight)
    curve = uc.Intervals.from_bands(*columns, sample_weight=weight).ucc()
    wanted, theirs = exact.area("excess", y), exact.constant().area("excess", y)
    assert curve.area(x="excess", y=y) == pytest.approx(float(wanted), rel=1e-9, abs=1e-320)
    assert curve.gain(x="excess", y=y) == pytest.approx(float(1 - wanted / theirs), rel=1e-9)
