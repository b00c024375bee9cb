"""Tests and intervals of rows in tiny and huge units, of blocks without end, and of few resamples."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, UnitOverflowError
from uccurve.inference import _interval_methods


def pair(unit=1.0, n=30):
    rng = np.random.default_rng(1)
    y = rng.normal(size=n)
    return tuple(uc.Intervals.from_bands(y * unit, 0 * y, (1 + rng.uniform(size=n)) * unit) for _ in range(2))


@pytest.mark.parametrize("x", ["bandwidth", "excess"])
def test_a_permutation_test_does_not_depend_on_a_tiny_unit(x):
    """The statistic is a square: below float64 it is 0, and the p-value is what it was."""
    wanted = uc.permutation_test(*pair(), x=x, y="deficit", n_resamples=99, rng=0)
    for unit in (1e-150, 1e-160, 1e-250):
        found = uc.permutation_test(*pair(unit), x=x, y="deficit", n_resamples=99, rng=0)
        assert found.pvalue == wanted.pvalue
        assert found.statistic == pytest.approx(wanted.statistic * unit * unit, rel=1e-9, abs=1e-320)


def test_squares_beyond_float64_are_named():
    """In tests and in intervals, whatever raises first."""
    a, b = pair(1e250)
    with pytest.raises(UnitOverflowError):
        uc.permutation_test(a, b, y="deficit", n_resamples=99, rng=0)
    with pytest.raises(UnitOverflowError):
        uc.confidence_interval(a, "area", y="deficit", n_resamples=9, rng=0)


@pytest.mark.parametrize("blocks", [2**63, 2**64, 2**70, 10**400, np.uint64(2**64 - 1)])
def test_a_block_of_any_length_is_all_rows(blocks):
    """Which leaves nothing to draw from."""
    with raises(ArgumentError, "blocks"):
        uc.permutation_test(*pair(), blocks=blocks)


def test_the_error_of_a_single_resample_is_not_guessed(monkeypatch):
    """With two resamples one may be undefined; a spread needs two numbers."""
    monkeypatch.setattr(_interval_methods, "bootstrap", lambda *_, **__: np.array([0.5, np.nan]))
    with pytest.raises(uc.exceptions.UnreachableError):
        uc.confidence_interval(pair()[0], "area", miss_rate=(0, 0.5), n_resamples=2, rng=0)


def test_bands_of_zero_have_no_bandwidth_at_any_coverage():
    """No scale reaches it; comparing such models says so, without a warning."""
    rows = uc.Intervals.from_bands([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0] * 6, [0.0] * 6)
    assert "a" in uc.compare({"a": rows}, n_resamples=3, rng=0).summary()


def test_widths_beyond_float64_are_one_error_without_warnings():
    """Twice the band is not in float64, and neither is the interval of the gain."""
    rows = uc.Intervals.from_bands([0.0, 1.0, 0.0], [0.0] * 3, [0.0, 1.0, 1.7e308])
    with pytest.raises(UnitOverflowError):
        uc.confidence_interval(rows, "gain", n_resamples=9, rng=0)


@pytest.mark.parametrize("rng", [0.0, "a", -1, object(), [1.5]])
def test_what_is_no_source_of_randomness_is_named(rng):
    """NumPy's own error does not say which argument it is about."""
    a, b = pair()
    for call in (
        lambda: uc.permutation_test(a, b, rng=rng),
        lambda: uc.confidence_interval(a, "gain", rng=rng),
        lambda: uc.compare({"a": a}, rng=rng),
        lambda: uc.ratio_curve(a, b, rng=rng),
    ):
        with raises(ArgumentError, "rng"):
            call()
