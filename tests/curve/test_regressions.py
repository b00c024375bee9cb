"""Inputs that once gave a wrong number or an unclear error."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc

I = uc.Intervals


def test_weights_that_do_not_add_up_exactly_lose_no_step():
    """The start misses everything: exactly, whatever the rounding of the sum."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = 3 + seed
        curve = I.from_bands(rng.normal(size=n), np.zeros(n), 1.0, sample_weight=rng.uniform(size=n)).ucc()
        assert curve.miss_rate[0] == 1
        assert curve.coverage[0] == 0
        assert curve.area(miss_rate=(0, 1), partial="strip") == pytest.approx(curve.area())
        assert curve.area(coverage=(0, 1), partial="strip") == pytest.approx(curve.area())
        assert curve.at(miss_rate=1.0).parameter == 0


def test_equal_weights_are_no_weights():
    """0.7 for everybody counts rows like 1 for everybody."""
    rows = (list(range(1, 11)), [0] * 10, 1)
    for rate in np.arange(0, 11) / 10:
        expected = I.from_bands(*rows).ucc().at(miss_rate=rate).parameter
        assert I.from_bands(*rows, sample_weight=[0.7] * 10).ucc().at(miss_rate=rate).parameter == expected


def test_weights_in_another_order_make_no_crossings():
    """A curve that is worse everywhere crosses nothing, though its weights add up differently."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y, z, w = rng.normal(size=200), rng.exponential(size=200), rng.uniform(size=200)
        order = rng.permutation(200)
        a = I.from_bands(y, np.zeros(200), z, sample_weight=w).ucc()
        b = I.from_bands(1.001 * y[order], np.zeros(200), z[order], sample_weight=w[order]).ucc()
        assert a.crossings(b) == ()


def test_curves_that_coincide_do_not_cross():
    """Equal in exact arithmetic above a deficit of 0.1458, where rounding tells them apart."""
    a = I.from_bands([1, 0.75, 1], [0, 0, 0], [1.75, 0.5, 1.25]).ucc()
    b = I.from_bands([1, 0.75, 1], [0, 0, 0], [0.75, 1, 1.75]).ucc()
    assert len(a.crossings(b, x="excess", y="deficit")) == 1


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_an_observation_on_its_bound_is_a_hit_without_a_prediction_too(vary):
    """The midpoint is rounded; the touch is not lost."""
    rng = np.random.default_rng(0)
    lower = rng.uniform(size=2000).round(2)
    upper = lower + rng.uniform(size=2000).round(2)
    y = np.where(rng.uniform(size=2000) < 0.5, lower, upper)
    assert I.from_bounds(y, lower, upper).ucc(vary=vary).original.miss_rate == 0


@pytest.mark.parametrize(("wide", "weighted"), [(1e12, False), (1e17, True), (1e25, True)])
def test_a_band_that_stands_for_no_bound_spoils_nothing(wide, weighted):
    """What one row adds to the slope of the excess and takes back leaves no rounding behind."""
    rng = np.random.default_rng(0)
    e = np.abs(rng.normal(size=50))
    lower, upper = rng.exponential(size=(2, 50))
    weight = rng.uniform(size=50) if weighted else None
    upper[::7] = wide
    curve = I.from_bands(e, np.zeros(50), lower, upper, sample_weight=weight).ucc()
    for i in range(0, 51, 5):
        point = curve.at(parameter=float(curve.parameter[i]))
        assert curve.excess[i] == pytest.approx(point.excess, rel=1e-9)
        assert curve.deficit[i] == pytest.approx(point.deficit, rel=1e-9, abs=1e-12)


def test_a_cost_of_an_operating_point_leads_back_to_it():
    """Also where a division and a product do not undo each other."""
    rng = np.random.default_rng(1)
    curve = I.from_std(rng.normal(size=500), np.zeros(500), np.exp(rng.normal(size=500))).ucc()
    for bandwidth, rate in zip(curve.bandwidth, curve.miss_rate, strict=True):
        assert curve.at(bandwidth=bandwidth).miss_rate == rate
    for seed in range(300):
        rng = np.random.default_rng(seed)
        curve = I.from_std(rng.normal(size=20), np.zeros(20), np.exp(rng.normal(size=20))).ucc()
        assert curve.at(deficit=0).miss_rate == 0


def test_a_range_that_ends_on_a_plateau_keeps_it():
    """A range includes its ends, rounding aside."""
    curve = I.from_bands([0, -1, -0.25], [-0.5, -0.5, 0], [1, 2, 0.625], [0.25, 2, 0.5]).ucc(vary="shift")
    assert curve.area(x="excess", y="deficit", deficit=(0.25, 0.5), partial="strip") == pytest.approx(
        0.0729166666
    )


def test_crossings_lie_exactly_on_operating_points():
    """The height of a crossing is a count of rows, and leads back to it."""
    rng = np.random.default_rng(0)
    y, z = rng.normal(size=400), rng.exponential(size=(2, 400))
    a, b = (I.from_bands(y, np.zeros(400), band).ucc() for band in z)
    for crossing in a.crossings(b):
        assert crossing.y * 400 == round(crossing.y * 400)
        assert crossing.x == max(curve.at(miss_rate=crossing.y).bandwidth for curve in (a, b))


def test_equal_heights_of_weighted_and_unweighted_curves_are_no_crossing():
    """A quarter of one and a half is a sixth, as one row of six is: rounding makes no swap."""
    weighted = I.from_bands([0, 0, 0], [0, 0, 1], 0.5, sample_weight=[1, 0.25, 0.25]).ucc()
    plain = I.from_bands([0] * 6, [0, 0, 0, 0, 0, 2], 0.5).ucc()
    assert weighted.crossings(plain) == plain.crossings(weighted) == ()


def test_a_band_of_negative_zero_is_a_zero_band():
    """It captures a residual at no scale, and not at all scales."""
    y_true, y_pred = np.array([1.0, 2.0, 0.0, 3.0]), np.zeros(4)
    negative, zero = (I.from_std(y_true, y_pred, np.array([z, 1.0, z, 2.0])) for z in (-0.0, 0.0))
    assert negative.critical().tolist() == [np.inf, 2.0, 0.0, 1.5]
    assert negative.ucc().at(miss_rate=0.25) == zero.ucc().at(miss_rate=0.25)
    assert negative.sketch().curve().at(miss_rate=0.25) == zero.sketch().curve().at(miss_rate=0.25)
