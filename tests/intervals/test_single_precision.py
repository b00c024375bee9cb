"""Rows of float32 on a device with little memory stay float32; numbers are those of float64, but for differences."""

from __future__ import annotations

import array_api_strict as xp
import numpy as np
import pytest

import uccurve as uc

DEVICE = xp.Device("device1")


def columns(n=500, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    y_pred = 3 + rng.normal(size=n)
    low, high = rng.lognormal(sigma=0.7, size=(2, n))
    return [column.astype(dtype) for column in (y_pred + low * rng.normal(size=n), y_pred, low, high)]


def on_device(given):
    return [xp.asarray(column, device=DEVICE) for column in given]


def test_float32_stays_float32_off_the_cpu_only():
    """There memory is what is short; on the CPU everything is float64."""
    away = uc.Intervals.from_bands(*on_device(columns()))
    assert {column.dtype for column in (away.y_true, away.y_pred, away.lower_band)} == {xp.float32}
    here = uc.Intervals.from_bands(*(xp.asarray(column) for column in columns()))
    assert here.y_true.dtype == xp.float64
    doubles = uc.Intervals.from_bands(*on_device(columns(dtype=np.float64)))
    assert doubles.y_true.dtype == xp.float64


@pytest.mark.parametrize(("sides", "vary"), [(3, "scale"), (4, "shift")])
def test_numbers_are_those_of_float64(sides, vary):
    """Differences are rounded to float32, relative to themselves; nothing else is."""
    given = columns()[:sides]
    away = uc.Intervals.from_bands(*on_device(given)).ucc(vary=vary)
    here = uc.Intervals.from_bands(*(column.astype(float) for column in given)).ucc(vary=vary)
    for y in ("miss_rate", "deficit"):
        assert away.area(y=y) == pytest.approx(here.area(y=y), rel=2e-7)
        assert away.gain(y=y) == pytest.approx(here.gain(y=y), rel=2e-6, abs=2e-7)
    for coverage in (0.5, 0.9):
        for x in ("bandwidth", "excess", "deficit"):
            mine, theirs = (getattr(curve.at(coverage=coverage), x) for curve in (away, here))
            assert mine == pytest.approx(theirs, rel=2e-6)
    assert away.parameter.dtype == xp.float64


def test_weights_are_float64():
    """Their sums decide who is missed."""
    given, weight = columns(), np.random.default_rng(1).uniform(size=500).astype(np.float32)
    away = uc.Intervals.from_bands(*on_device(given), sample_weight=xp.asarray(weight, device=DEVICE))
    here = uc.Intervals.from_bands(*(c.astype(float) for c in given), sample_weight=weight.astype(float))
    assert away.sample_weight.dtype == xp.float64
    assert away.ucc().area() == pytest.approx(here.ucc().area(), rel=2e-7)


def test_a_bound_that_touches_is_a_hit():
    """Residual and band are rounded alike, so that they stay equal."""
    rng = np.random.default_rng(0)
    y = (1000 * rng.normal(size=2000)).astype(np.float32)
    y_pred = (y + rng.uniform(size=2000)).astype(np.float32)
    given = on_device([y, y, y_pred + np.float32(1), y_pred])
    intervals = uc.Intervals.from_bounds(*given[:3], y_pred=given[3])
    assert intervals.ucc().original.miss_rate == 0


def test_constant_bounds_of_float32_gain_exactly_nothing():
    """Their bands differ by the rounding of float32, which is taken for none."""
    rng = np.random.default_rng(0)
    y_pred = rng.normal(size=300).astype(np.float32)
    y = (y_pred + rng.normal(size=300)).astype(np.float32)
    band = np.float32(0.3)
    given = on_device([y, y_pred - band, y_pred + band, y_pred])
    intervals = uc.Intervals.from_bounds(*given[:3], y_pred=given[3])
    assert intervals.ucc().gain() == 0


def test_midpoints_have_more_digits_than_their_bounds():
    """Large values with narrow bands: a midpoint in float32 would be off by a part of the band."""
    lower = np.array([100000.0, 100000.01, 100000.02], dtype=np.float32)
    upper = np.nextafter(lower, np.float32(np.inf))
    y = upper.copy()
    away = uc.Intervals.from_bounds(*on_device([y, lower, upper]))
    assert away.y_pred.dtype == xp.float64
    assert away.ucc().original.miss_rate == 0
    assert away.ucc().at(coverage=1.0).parameter == 1
