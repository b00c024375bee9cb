"""Quantiles that intervals hold: what keeps them, how they are shown, stored and copied."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import uccurve as uc

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def weighted_rows(n=80):
    rng = np.random.default_rng(0)
    table = rng.exponential(size=(n, 5)).cumsum(axis=-1) - 3
    weight = rng.integers(1, 4, size=n) / 2
    return uc.Intervals.from_quantiles(rng.normal(size=n), table, LEVELS, sample_weight=weight)


def test_another_unit_keeps_the_quantiles():
    """Areas take the unit, gains and miss rates stay."""
    given = weighted_rows()
    other = given.standardized()
    deviation = np.sqrt(np.cov(given.y_true, aweights=given.sample_weight, ddof=0))
    level, same = given.ucc(vary="level"), other.ucc(vary="level")
    assert same.area() == pytest.approx(level.area() / deviation, rel=1e-12)
    assert same.gain() == pytest.approx(level.gain(), rel=1e-9)
    assert np.allclose(same.parameter, level.parameter, rtol=1e-9)
    assert other.nominal == given.nominal == 0.9


def test_the_number_of_levels_is_shown():
    """Only where there is a choice: one pair is what the bandwidth says."""
    given = weighted_rows(5)
    assert repr(given).startswith("Intervals(n=5, bandwidth=")
    assert repr(given).endswith("asymmetric, levels=2, weighted)")
    assert "levels" not in repr(uc.Intervals.from_quantiles([1.0, 2.0], [[0, 3], [1, 4]], (0.1, 0.9)))
    assert "levels" not in repr(given.scaled(2))


@pytest.mark.parametrize(
    "through",
    [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))],  # noqa: S301 - our own bytes
)
def test_copies_hold_the_same_quantiles(through):
    given = weighted_rows()
    assert through(given).ucc(vary="level").area() == given.ucc(vary="level").area()
    curve = given.ucc(vary="level")
    assert through(curve).at(nominal=0.5) == curve.at(nominal=0.5)
