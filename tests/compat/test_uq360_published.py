"""UQ360's arithmetic on rows of any kind, against loops that do what it prints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_loops import points
from scipy.integrate import simpson as scipy_simpson

from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360._quadrature import simpson, trapezoids
from uccurve.compat.uq360._rounding import thresholds
from uccurve.exceptions import ArgumentError

NUMBER = st.floats(-100, 100).map(lambda value: round(value, 3))
BAND = st.floats(0.01, 100)
pytestmark = pytest.mark.filterwarnings("ignore:`gt` has a standard deviation of")  # where rows are few


@given(st.lists(st.tuples(NUMBER, BAND, BAND), min_size=1, max_size=12), st.booleans())
def test_points_are_those_of_the_loops_to_the_last_row(rows, bias):
    """Miss rates are the same number; sums that are taken in another order differ in their last digits."""
    d, lower, upper = np.array(rows).T
    ucc = UncertaintyCharacteristicsCurve(as_published=True).fit(np.stack([0 * d, lower, upper], axis=1), d)
    found = np.array((ucc.plotdata_for_bias if bias else ucc.plotdata_for_scale)[0])
    wanted = np.array(points(d, lower, upper, bias=bias))
    assert np.array_equal(found[:, :2], wanted[:, :2])
    size = np.max(np.abs(wanted))
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13 * size)


def test_miscounts_are_repeated_for_thousands_of_rows():
    """At some points a product is rounded down and misses its own row: there are many such here."""
    rng = np.random.default_rng(0)
    d, band = rng.normal(size=3000), rng.lognormal(size=3000)
    ucc = UncertaintyCharacteristicsCurve(as_published=True).fit(np.stack([0 * d, band, band], axis=1), d)
    critical = np.sort(np.abs(d) / band)
    missed = np.array([point[1] for point in ucc.plotdata_for_scale[0]])
    some = np.arange(0, 3000, 7)
    counted = [1 - np.mean(np.abs(d) <= k * band) for k in critical[some]]
    assert np.array_equal(missed[some], counted)
    assert np.sum(missed != 1 - np.arange(1, 3001) / 3000) > 30


@given(st.lists(st.tuples(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300)), min_size=1, max_size=5))
def test_thresholds_are_the_smallest_floats_that_capture(rows):
    """The float below no longer does, for products and for sums of any size."""
    error, band = np.array(rows).T
    with np.errstate(over="ignore", under="ignore"):
        for move, guess in ((np.multiply, error / band), (np.add, error - band)):

            def captures(parameter, which, move=move):
                return np.maximum(move(band[which], parameter), 0.0) >= error[which]

            found = thresholds(captures, np.minimum(guess, 1e308))
            every = np.arange(error.size)
            assert captures(found, every).all()
            assert not captures(np.nextafter(found, -np.inf), every).any()


@pytest.mark.parametrize("n", [2, 3, 4, 5, 20, 21])
def test_the_rules_are_those_of_scipy(n):
    """Even and odd numbers of points, unequal steps, steps of zero."""
    rng = np.random.default_rng(n)
    x, y = np.sort(rng.uniform(size=n)), rng.normal(size=n)
    assert simpson(y, x) == pytest.approx(scipy_simpson(y, x=x), rel=1e-12)
    assert trapezoids(y, x) == pytest.approx(np.trapezoid(y, x), rel=1e-12)
    if n > 4:
        x[1] = x[2]
        assert simpson(y, x) == pytest.approx(scipy_simpson(y, x=x), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_simpson_divides_by_the_same_rounding(seed):
    """Decimals have critical values that are equal but for rounding: every bit counts, and is repeated."""
    rng = np.random.default_rng(seed)
    lower, upper = np.round(rng.uniform(0.1, 2, size=(2, 15)), 1)
    d = np.round(rng.normal(size=15), 1)
    ucc = UncertaintyCharacteristicsCurve(normalize=False, as_published=True)
    ucc.fit(np.stack([0 * d, lower, upper], axis=1), d)
    ucc.set_coordinates("bandwidth", "deficit")
    all_points = points(d, lower, upper)
    x = np.array(
        [np.mean([[k * high for high in upper], [k * low for low in lower]]) for k, *_ in all_points]
    )
    y = [np.mean(np.maximum(np.abs(d) - k * np.where(d >= 0, upper, lower), 0)) for k, *_ in all_points]
    begin = next(place for place in range(1, 15) if x[place] != x[place - 1]) - 1
    with np.errstate(all="ignore"):
        wanted = scipy_simpson(np.array(y)[begin:], x=x[begin:])
    assert ucc.get_AUUCC(aucfct="simps") == pytest.approx(wanted, rel=1e-9)


def test_the_start_of_the_area_is_where_x_begins_to_change():
    """Rows that are predicted right share the first point, which counts once."""
    gt = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 4.0])
    ucc = UncertaintyCharacteristicsCurve(normalize=False, as_published=True)
    ucc.fit(np.stack([0 * gt, 1 + 0 * gt, 1 + 0 * gt], axis=1), gt)
    ucc.set_coordinates("bandwidth", "missrate")
    x, y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.5, 2 / 6, 1 / 6, 0.0])
    assert ucc.get_AUUCC() == pytest.approx(np.trapezoid(y, x))


def test_what_uq360_cannot_do_is_refused_in_words():
    """One row, and a range with one point in it."""
    ucc = UncertaintyCharacteristicsCurve(as_published=True).fit([[1.0, 1.0, 1.0]], [2.0])
    with pytest.raises(ArgumentError):
        ucc.get_AUUCC()
    gt = np.arange(1.0, 8.0)
    ucc.fit(np.stack([0 * gt, gt**0, gt**0], axis=1), gt)
    with pytest.raises(ArgumentError):
        ucc.get_AUUCC(partial_y=(0.5, 0.51))
