"""Claimed and observed coverage of intervals that are scaled."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals
WEIGHT = np.random.default_rng(1).uniform(0.1, 2, size=99)


def some_intervals(weight=None):
    rng = np.random.default_rng(0)
    y, lower, upper = rng.normal(size=99), *rng.exponential(size=(2, 99))
    return I.from_bands(y, 0 * y, lower, upper, sample_weight=weight)


def test_gaussian_errors_with_their_true_scale_are_reliable():
    """At any coverage, whatever the intervals as supplied claim."""
    rng = np.random.default_rng(0)
    std = rng.lognormal(size=20_000)
    y = std * rng.normal(size=20_000)
    for nominal, factor in ((0.6827, 1.0), (0.9, 1.6448536), (0.95, 1.9599640)):
        found = I.from_std(y, 0 * y, factor * std).ucc().reliability(nominal)
        assert np.abs(found.coverage - found.nominal).max() < 0.012
        assert found.observed == pytest.approx(nominal, abs=0.012)
        assert found.as_given == nominal
    narrow = I.from_std(y, 0 * y, std / 2).ucc().reliability()
    assert narrow.as_given == 0.6827
    assert narrow.coverage[90] == pytest.approx(0.589, abs=0.012)  # 2 Φ(1.645 / 2) - 1


def test_reliability_is_read_off_the_curve():
    """Coverage at the scale that goes with the claim, weights included; an infinite one never."""
    for intervals in (some_intervals(weight=WEIGHT), I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1])):
        curve = intervals.ucc()
        found = curve.reliability(0.8)
        assert found.nominal.tolist() == [p / 100 for p in range(100)]
        assert found.parameter[80] == 1
        wanted = [curve.at(parameter=scale).coverage for scale in found.parameter]
        assert found.coverage == pytest.approx(wanted, rel=1e-12)
        assert found.observed == curve.original.coverage


def test_reliability_needs_a_scale_and_a_claim():
    """A shift goes with no claimed coverage."""
    with pytest.raises(ex.ArgumentError):
        some_intervals().ucc(vary="shift").reliability()
    for nominal in (0, 1, "all"):
        with raises(ex.ArgumentError, "nominal"):
            some_intervals().ucc().reliability(nominal)
    with raises(ex.ArgumentError, "nominal"):
        some_intervals().ucc().reliability()
